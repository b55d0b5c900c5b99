//! The read model: what the page draws and the tables print, decoded from the bytes.
//!
//! Plain structs of typed values. A view whose bytes and bookkeeping did not change is the same `Rc` as before, so
//! that who draws it can compare pointers.

mod buddyinfo;
mod build;
mod chain;
mod kept;
mod pages;
mod slabinfo;
mod sysfs;
mod traces;

pub use crate::machine::{Landing, NamedObject};
pub use pages::{PageOwner, PageRun};

use crate::command::Name;
use crate::kernel::KernelConfig;
use crate::layout::{CacheArgs, Layout};
use crate::machine::Status;
use crate::units::{CacheId, CpuId, ObjectIndex, Order, SlabId, VirtAddr};
use std::rc::Rc;

/// Everything at one step.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// Which kernel this is.
    pub config: KernelConfig,
    /// Whether it still runs.
    pub status: Status,
    /// The caches, oldest first.
    pub caches: Vec<Rc<CacheView>>,
    /// The slabs that hold pages now, oldest first.
    pub slabs: Vec<Rc<SlabView>>,
    /// The CPU that runs.
    pub cpu: CpuId,
    /// What waits for a grace period.
    pub rcu: RcuView,
    /// The names that scripts gave, in order of first use, each with what it stands for now.
    pub named: Vec<NamedObject>,
}

/// A `kmem_cache`.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheView {
    /// Its id.
    pub id: CacheId,
    /// Its name: the one that it was first made under, and the only one in slabinfo.
    pub name: Rc<str>,
    /// The names that lead to it: more than one where caches were merged.
    pub names: Vec<Rc<str>>,
    /// The name of its directory in `/sys/kernel/slab`.
    pub sysfs: Rc<str>,
    /// What it was asked to be.
    pub args: CacheArgs,
    /// Where things lie in it.
    pub layout: Layout,
    /// The secret of its hidden pointers; `None` where pointers are not hidden.
    pub random: Option<u64>,
    /// Its shuffled sequence, as object indexes; `None` where slabs are not shuffled.
    pub sequence: Option<Rc<[u32]>>,
    /// Its CPUs, those that have used it: what each owns, beneath its sheaves if it has any.
    pub cpus: Vec<CpuView>,
    /// Its sheaves, if it has any.
    pub sheaves: Option<SheavesView>,
    /// The node's partial list, head first.
    pub node_partial: Vec<SlabId>,
    /// Slabs it has, on whatever list.
    pub nr_slabs: u32,
    /// Objects in those slabs.
    pub total_objects: u32,
}

/// What one CPU keeps of a cache (`kmem_cache_cpu`).
#[derive(Clone, Debug, PartialEq)]
pub struct CpuView {
    /// Which CPU.
    pub cpu: CpuId,
    /// Its slab.
    pub slab: Option<SlabId>,
    /// Its freelist, walked.
    pub freelist: Chain,
    /// Its partial list, head first.
    pub partial: Vec<SlabId>,
    /// What the head of that list says it holds: slabs (5.16) or free objects (before).
    pub partial_count: u32,
}

/// The sheaves of a cache.
#[derive(Clone, Debug, PartialEq)]
pub struct SheavesView {
    /// Its CPUs, up to the highest that has used it.
    pub cpus: Vec<CpuSheavesView>,
    /// The barn's full ones, the next to be taken first.
    pub full: Vec<SheafView>,
    /// How many empty ones the barn has.
    pub empty: u32,
}

/// A CPU's sheaves.
#[derive(Clone, Debug, PartialEq)]
pub struct CpuSheavesView {
    /// Which CPU.
    pub cpu: CpuId,
    /// What it allocates from and frees to.
    pub main: SheafView,
    /// The one in reserve.
    pub spare: Option<SheafView>,
    /// What was given to `kfree_rcu`.
    pub rcu_free: Option<SheafView>,
}

/// An array of pointers to objects, stored as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheafView {
    /// Its objects; the last one is the next out.
    pub objects: Rc<[VirtAddr]>,
}

/// What waits for a grace period.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RcuView {
    /// Sheaves that were handed over, the oldest first.
    pub sheaves: Vec<WaitingSheaf>,
    /// Objects that are a callback each, the oldest first (up to 5.5).
    pub objects: Vec<VirtAddr>,
    /// What CPUs keep for `kfree_rcu`, those that have something (5.6).
    pub batches: Vec<BatchView>,
    /// Slabs of `SLAB_TYPESAFE_BY_RCU` caches that are empty and gone from their cache.
    pub slabs: Vec<SlabId>,
}

/// A sheaf that was handed over to a grace period.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitingSheaf {
    /// The CPU that handed it over.
    pub cpu: CpuId,
    /// Whose objects it has.
    pub cache: CacheId,
    /// The objects.
    pub sheaf: SheafView,
    /// Whether it goes to the barn, if there is room; else its objects go to their slabs.
    pub to_barn: bool,
}

/// What a CPU keeps for `kfree_rcu` of caches without sheaves.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchView {
    /// Which CPU.
    pub cpu: CpuId,
    /// Pages of pointers, the newest first: each is freed from its end.
    pub pages: Vec<SheafView>,
    /// Objects for which no page was at hand, in the order in which they will be freed.
    pub list: Vec<VirtAddr>,
}

/// A slab.
#[derive(Clone, Debug, PartialEq)]
pub struct SlabView {
    /// Its id.
    pub id: SlabId,
    /// Its cache.
    pub cache: CacheId,
    /// Its first byte.
    pub base: VirtAddr,
    /// Its size in pages.
    pub order: Order,
    /// The cache that had its first page before, if any did: pages go from cache to cache.
    pub page_was: Option<Rc<str>>,
    /// Which list holds it.
    pub list: SlabList,
    /// Objects that the slab counts as in use.
    pub inuse: u32,
    /// Whether a CPU owns it.
    pub frozen: bool,
    /// The slab's own freelist, walked.
    pub freelist: Chain,
    /// Its objects, by address.
    pub objects: Vec<ObjectView>,
}

/// The list that holds a slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SlabList {
    /// It is a CPU's slab.
    CpuSlab(CpuId),
    /// It is on a CPU's partial list.
    CpuPartial(CpuId),
    /// It is on the node's partial list.
    NodePartial,
    /// It is on no list: full, or lost.
    None,
}

/// An object.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectView {
    /// Its place in the slab.
    pub index: ObjectIndex,
    /// Its first byte.
    pub address: VirtAddr,
    /// Whether somebody has it.
    pub state: ObjectState,
    /// The name under which it was last handed out.
    pub name: Option<Name>,
    /// The word at its free pointer's place.
    pub pointer: PointerView,
    /// Bytes of it that an out-of-bounds write hit: offset from the object and length, in order.
    pub hits: Vec<Hit>,
}

/// Whether somebody has an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectState {
    /// Handed out and not freed.
    InUse,
    /// On a list.
    Free {
        /// Its place in that list, 1 for the next one out.
        position: u32,
    },
    /// In a sheaf: free to its user, in use to its slab, and no free pointer is written.
    InSheaf {
        /// Which.
        sheaf: SheafPlace,
        /// Its place there, 1 for the next one out.
        position: u32,
    },
    /// Given to `kfree_rcu`, and its grace period has not passed.
    Waiting,
    /// Free, but no list leads to it.
    Lost,
}

/// A sheaf, by where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SheafPlace {
    /// A CPU's main sheaf.
    Main(CpuId),
    /// A CPU's spare.
    Spare(CpuId),
    /// A full one of the barn.
    Barn {
        /// 1 for the next to be taken.
        number: u32,
    },
}

/// Bytes that an out-of-bounds write hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hit {
    /// The first, from the object.
    pub offset: u64,
    /// How many.
    pub len: u64,
}

/// A free pointer, or what lies in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PointerView {
    /// The address of the word.
    pub at: VirtAddr,
    /// The word as stored.
    pub stored: u64,
    /// What it decodes to.
    pub decoded: VirtAddr,
    /// What lies there.
    pub landing: Landing,
    /// Whether the allocator ever wrote a free pointer there that nobody has written over since.
    pub intact: bool,
}

/// A freelist as the bytes tell it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chain {
    /// The addresses in order, the head first. Each was readable.
    pub links: Vec<VirtAddr>,
    /// How it ends.
    pub end: ChainEnd,
}

/// How a freelist ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChainEnd {
    /// With NULL.
    Null,
    /// It comes back to the link of this number.
    Loop {
        /// Counted from 0.
        to: u32,
    },
    /// The next address is no object of this slab, so the walk stops there.
    Escape {
        /// The address.
        to: VirtAddr,
        /// What lies there.
        landing: Landing,
    },
}
