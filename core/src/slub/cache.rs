//! The records that SLUB keeps beside the bytes: `kmem_cache`, `struct slab`.

use super::cpu::CpuSlabs;
use super::sheaf::Sheaves;
use crate::freelist::PointerCode;
use crate::layout::{CacheArgs, Layout};
use crate::luck::Key;
use crate::memcg::Family;
use crate::pages::MigrateType;
use crate::shuffle::Sequence;
use crate::units::{CacheId, CpuId, Order, SlabId, VirtAddr};
use std::rc::Rc;

/// A `kmem_cache`.
#[derive(Clone, Debug)]
pub struct KmemCache {
    /// Its name: the one that it was first made under.
    pub name: Rc<str>,
    /// The names that lead to it, the first one first: those under which it was made or found, until they are
    /// destroyed.
    pub names: Vec<Rc<str>>,
    /// `refcount`: how often it was made, less how often it was destroyed.
    pub refcount: i32,
    /// What it is to a memory control group.
    pub family: Family,
    /// What it was asked to be.
    pub args: CacheArgs,
    /// Where things lie in its slabs.
    pub layout: Layout,
    /// How it stores free pointers.
    pub code: PointerCode,
    /// Its shuffled sequence of object indexes, once the first slab needed it.
    pub sequence: Option<Sequence>,
    /// What its slabs' start positions are drawn with.
    pub starts: Key,
    /// What its CPUs keep of it. Where it has sheaves this has nothing, so that the fast paths, which look here, find
    /// nothing: see [`KmemCache::cpu_slabs`].
    pub cpus: CpuSlabs,
    /// Its sheaves, where its kernel has them.
    pub sheaves: Option<Sheaves>,
    /// The node's partial list.
    pub partial: PartialList,
    /// The node's list of full slabs, the head last; kept only where users are stored.
    pub full: Vec<SlabId>,
    /// What the node counts as partial (`nr_partial`). A free to the wrong cache makes it differ from the list.
    pub nr_partial: u32,
    /// Slabs it has.
    pub nr_slabs: u32,
    /// Objects in them.
    pub total_objects: u32,
    /// Slabs it ever had.
    pub slabs_made: u64,
    /// Whether it was not destroyed.
    pub alive: bool,
    /// Whether allocation zeroes the object whatever the caller says (`slab_want_init_on_alloc`).
    pub zeroes_on_alloc: bool,
    /// Whether allocation may zero the object at all: not where a constructor made it.
    pub may_zero: bool,
    /// Whether free zeroes the object (`slab_want_init_on_free`).
    pub zeroes_on_free: bool,
    /// Whether anything is done to an object once it was taken.
    pub finishes_objects: bool,
    /// Whether its CPUs own none of its slabs, so that each object comes from, and goes to, a slab on the node: with checks,
    /// or with `CONFIG_SLUB_TINY`.
    pub takes_singly: bool,
    /// Whether its CPUs take objects from slabs that they own: not singly, and not through sheaves.
    pub takes_from_slabs: bool,
    /// Whether a freed object goes to a slab as it is: not wiped, not checked, and not into a sheaf.
    pub frees_as_is: bool,
}

impl KmemCache {
    /// What its CPUs keep of it, beneath its sheaves if it has any (6.18); none has anything where CPUs own no slabs
    /// (7.0).
    #[must_use]
    pub fn cpu_slabs(&self) -> &CpuSlabs {
        self.sheaves.as_ref().map_or(&self.cpus, |sheaves| &sheaves.beneath)
    }

    /// The same, to be changed.
    pub(super) fn cpu_slabs_mut(&mut self) -> &mut CpuSlabs {
        match &mut self.sheaves {
            Some(sheaves) => &mut sheaves.beneath,
            None => &mut self.cpus,
        }
    }

    /// From now on `cpu` runs.
    pub(crate) fn switch_cpu(&mut self, cpu: CpuId) {
        self.cpus.switch(cpu);
        if let Some(sheaves) = &mut self.sheaves {
            sheaves.beneath.switch(cpu);
        }
    }

    /// The kind of pages that it asks for (`allocate_slab`: `__GFP_RECLAIMABLE` for `SLAB_RECLAIM_ACCOUNT`).
    #[must_use]
    pub const fn migratetype(&self) -> MigrateType {
        if self.args.flags.reclaim_account { MigrateType::Reclaimable } else { MigrateType::Unmovable }
    }
}

/// The ends of a list of slabs; the links are in the slabs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartialList {
    /// The first.
    pub head: Option<SlabId>,
    /// The last.
    pub tail: Option<SlabId>,
}

/// A slab's descriptor, in one line of the processor's cache.
///
/// The fields keep this order because of `inuse`: where it is aligned to 4 bytes, compilers read it as 4, and such a
/// read cannot be served from the write of 2 that the free before it left behind. The processor would wait each time.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Slab {
    /// Its first byte.
    pub base: VirtAddr,
    /// Its own freelist; NULL for none.
    pub freelist: VirtAddr,
    /// Which of its cache's slabs it is, from 0.
    pub ordinal: u64,
    /// The cache that it belongs to.
    pub cache: CacheId,
    /// Its size.
    pub order: Order,
    /// Objects it holds.
    pub objects: u32,
    /// Its place on the partial list of the node of the cache named here.
    pub listed: Option<Listed>,
    /// Whether it holds pages. Never true again once false.
    pub alive: bool,
    /// Whether a CPU owns it.
    pub frozen: bool,
    /// Objects it counts as in use: 16 bits, which wrap when a corrupt list gives back more than it had.
    pub inuse: u16,
}

const _: () = assert!(size_of::<Slab>() == 64 && core::mem::offset_of!(Slab, inuse) % 4 == 2);

/// A slab's neighbours on a partial list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Whose list.
    pub cache: CacheId,
    /// Towards the head.
    pub prev: Option<SlabId>,
    /// Towards the tail.
    pub next: Option<SlabId>,
}

impl Slab {
    /// Bytes from the slab's start that objects fill.
    #[must_use]
    pub fn used_bytes(&self, layout: &Layout) -> u64 {
        u64::from(self.objects) * layout.size
    }

    /// Whether its pages hold `at`.
    #[must_use]
    pub fn holds(&self, at: VirtAddr) -> bool {
        at.bytes_after(self.base).is_some_and(|offset| offset < self.order.bytes())
    }

    /// Takes its whole freelist; it then counts every object as in use, and is frozen only if there was a list
    /// (`get_freelist`).
    pub(crate) fn detach_freelist(&mut self) -> Option<VirtAddr> {
        let head = core::mem::take(&mut self.freelist);
        self.inuse = super::alloc::full(self.objects);
        self.frozen = !head.is_null();
        (!head.is_null()).then_some(head)
    }

    /// Objects it counts as free.
    #[must_use]
    pub fn free_objects(&self) -> u32 {
        self.objects.wrapping_sub(u32::from(self.inuse))
    }
}
