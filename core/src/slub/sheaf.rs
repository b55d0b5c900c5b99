//! Sheaves: arrays of object pointers in front of the slabs, one or two a CPU, and a barn of them a node.
//!
//! ```text
//! main  [p0 p1 … pn)   handed out from the end, freed onto the end; no free pointer is written
//! spare                 another one, swapped in when main runs empty or full
//! barn                  up to ten full ones, and empty ones; full ones change hands, last in first out
//! ```
//! `alloc_from_pcs`, `__pcs_replace_empty_main`, `free_to_pcs`, `__pcs_replace_full_main`, `refill_objects`,
//! `sheaf_flush_main`, `barn_shrink` (mm/slub.c, 7.3).
//!
//! Limitations: the arrays themselves are ours and not objects of kmalloc, as they are in a kernel.

use super::bulk::scan;
use super::cpu::CpuSlabs;
use super::free::Batch;
use super::lists::End;
use super::rcu::AfterGrace;
use crate::allocator::{Kernel, Probe};
use crate::event::{AllocPath, Event, FreePath, Oops};
use crate::kernel::{BulkFreeScan, StatItem};
use crate::memory::Bytes;
use crate::units::{CacheId, CpuId, SlabId, VirtAddr, count_from, index_from};

/// Most full sheaves that a barn keeps (`MAX_FULL_SHEAVES`).
pub const MAX_FULL: usize = 10;
/// Objects of main that are flushed at a time (`PCS_BATCH_MAX`).
const FLUSH_BATCH: usize = 32;

/// A sheaf: the next object out is the last.
pub type Sheaf = Vec<VirtAddr>;

/// The sheaves of a cache.
#[derive(Clone, Debug)]
pub struct Sheaves {
    /// By CPU, up to the highest that used the cache.
    pub cpus: Vec<CpuSheaves>,
    /// The node's.
    pub barn: Barn,
    /// What each CPU keeps beneath its sheaves, where CPUs own slabs (6.18).
    pub beneath: CpuSlabs,
}

/// A CPU's sheaves.
#[derive(Clone, Debug, Default)]
pub struct CpuSheaves {
    /// What allocations take from and frees add to.
    pub main: Sheaf,
    /// The one in reserve.
    pub spare: Option<Sheaf>,
    /// What was given to `kfree_rcu` on this CPU, until it is full.
    pub rcu_free: Option<Sheaf>,
}

impl CpuSheaves {
    /// Those that there are.
    pub fn iter(&self) -> impl Iterator<Item = &Sheaf> {
        core::iter::once(&self.main).chain(&self.spare).chain(&self.rcu_free)
    }
}

/// A node's sheaves.
#[derive(Clone, Debug, Default)]
pub struct Barn {
    /// Full ones, the next to be taken last.
    pub full: Vec<Sheaf>,
    /// How many empty ones: they are all alike.
    pub empty: u32,
}

impl Sheaves {
    /// None yet, while `cpu` runs.
    pub(crate) fn new(cpu: CpuId) -> Self {
        Self { cpus: Vec::new(), barn: Barn::default(), beneath: CpuSlabs::new(cpu) }
    }

    /// Every object that a sheaf has.
    pub fn objects(&self) -> impl Iterator<Item = VirtAddr> {
        let of_cpus = self.cpus.iter().flat_map(CpuSheaves::iter);
        of_cpus.chain(self.barn.full.iter().rev()).flatten().copied()
    }
}

impl Barn {
    pub(super) fn take_empty(&mut self) -> Option<Sheaf> {
        self.empty = self.empty.checked_sub(1)?;
        Some(Sheaf::new())
    }
}

impl<P: Probe, B: Bytes> Kernel<P, B> {
    pub(super) fn sheaves(&mut self, cache: CacheId) -> &mut Sheaves {
        self.caches[cache].sheaves.as_mut().expect("a cache with sheaves")
    }

    /// Whether the running CPU ever used a sheaf of a cache.
    pub(super) fn has_sheaves_here(&self, cache: CacheId) -> bool {
        self.caches[cache].sheaves.as_ref().is_some_and(|sheaves| self.cpu.index() < sheaves.cpus.len())
    }

    pub(super) fn cpu_sheaves(&mut self, cache: CacheId) -> &mut CpuSheaves {
        let cpu = self.cpu.index();
        let cpus = &mut self.sheaves(cache).cpus;
        if cpus.len() <= cpu {
            cpus.resize_with(cpu + 1, CpuSheaves::default);
        }
        &mut cpus[cpu]
    }

    pub(super) fn capacity(&self, cache: CacheId) -> usize {
        index_from(self.caches[cache].layout.sheaf_capacity)
    }

    /// An allocation from the CPU's main sheaf, filled first if it is empty; NULL where no pages are to be had.
    pub(super) fn take_from_sheaf(&mut self, cache: CacheId) -> Result<VirtAddr, Box<Oops>> {
        let mut path = AllocPath::Sheaf;
        if self.cpu_sheaves(cache).main.is_empty() {
            path = self.replace_empty_main(cache)?;
        }
        let Some(object) = self.cpu_sheaves(cache).main.pop() else {
            self.out_of_memory(cache);
            return Ok(VirtAddr::NULL);
        };
        self.count(cache, self.on_sheaves(StatItem::AllocCpuSheaf, StatItem::AllocFastpath));
        self.on(|| Event::Allocated { cache: Some(cache), address: object, path });
        Ok(object)
    }

    /// Puts a sheaf with objects in main's place: the spare, a full one of the barn, or one filled from the slabs.
    fn replace_empty_main(&mut self, cache: CacheId) -> Result<AllocPath, Box<Oops>> {
        if self.swap_if_spare(cache, |spare| !spare.is_empty()) {
            return Ok(AllocPath::Sheaf);
        }
        if self.take_full_of_barn(cache) {
            return Ok(AllocPath::Barn);
        }
        self.count(cache, StatItem::BarnGetFail);
        let own = self.cpu_sheaves(cache).spare.take();
        let mut filled = match own.or_else(|| self.sheaves(cache).barn.take_empty()) {
            Some(empty) => empty,
            None => self.new_sheaf(cache),
        };
        let wanted = self.capacity(cache);
        let had = filled.len();
        self.refill(cache, &mut filled, wanted)?;
        self.count_times(cache, StatItem::SheafRefill, count_from(filled.len() - had));
        let c = self.cpu_sheaves(cache);
        let emptied = core::mem::replace(&mut c.main, filled);
        if c.spare.is_none() {
            c.spare = Some(emptied);
        } else {
            self.sheaves(cache).barn.empty += 1;
        }
        Ok(AllocPath::SheafRefill)
    }

    pub(super) fn new_sheaf(&mut self, cache: CacheId) -> Sheaf {
        self.count(cache, StatItem::SheafAlloc);
        Sheaf::new()
    }

    /// What a thing that happens in sheaves is counted as: where there are CPU slabs beneath them, apart from what happens there.
    fn on_sheaves(&self, above_slabs: StatItem, alone: StatItem) -> StatItem {
        if self.has_cpu_slabs_beneath() { above_slabs } else { alone }
    }

    fn swap_if_spare(&mut self, cache: CacheId, is_fit: impl FnOnce(&Sheaf) -> bool) -> bool {
        let c = self.cpu_sheaves(cache);
        let Some(spare) = c.spare.as_mut().filter(|spare| is_fit(spare)) else { return false };
        core::mem::swap(&mut c.main, spare);
        true
    }

    fn take_full_of_barn(&mut self, cache: CacheId) -> bool {
        let Some(full) = self.sheaves(cache).barn.full.pop() else { return false };
        self.cpu_sheaves(cache).main = full;
        self.sheaves(cache).barn.empty += 1;
        self.count(cache, StatItem::BarnGet);
        true
    }

    /// Fills `into` up to `wanted` objects: from partial slabs, the head of the list first, then from new slabs.
    pub(super) fn refill(&mut self, cache: CacheId, into: &mut Sheaf, wanted: usize) -> Result<(), Box<Oops>> {
        if self.has_cpu_slabs_beneath() {
            return self.refill_from_beneath(cache, into, wanted);
        }
        let mut detached = self.detach_partial(cache, wanted - into.len()).into_iter();
        for slab in detached.by_ref() {
            self.take_objects(cache, slab, into, wanted)?;
            if into.len() >= wanted {
                break;
            }
        }
        for slab in detached {
            self.list(cache, slab, End::Tail);
        }
        while into.len() < wanted {
            let Some(slab) = self.new_unlinked_slab(cache) else { break };
            self.take_new_objects(cache, slab, into, wanted);
        }
        Ok(())
    }

    /// Takes slabs off the node's list until their free objects come to `wanted`.
    fn detach_partial(&mut self, cache: CacheId, wanted: usize) -> Vec<SlabId> {
        let mut detached = Vec::new();
        let mut free = 0;
        while let Some(slab) = self.caches[cache].partial.head.filter(|_| free < wanted) {
            self.unlist(cache, slab);
            free += index_from(self.slabs[slab].free_objects());
            detached.push(slab);
        }
        detached
    }

    /// Takes a detached slab's freelist, as many objects as the slab counts free; what is over goes back.
    fn take_objects(&mut self, cache: CacheId, slab: SlabId, into: &mut Sheaf, wanted: usize) -> Result<(), Box<Oops>> {
        let s = &self.caches[cache];
        let (code, offset) = (s.code, s.layout.offset);
        let counted = self.slabs[slab].free_objects();
        let mut object = self.slabs[slab].detach_freelist().unwrap_or(VirtAddr::NULL);
        self.slabs[slab].frozen = false;
        let mut left = counted;
        // The word of every object taken is read, the last one's too, but what that says is not followed.
        while left > 0 && into.len() < wanted {
            let next = match code.read(&self.bytes, object.wrapping_add(offset)) {
                Ok(next) => next,
                Err(fault) => return Err(self.fault(fault, "refill_objects")),
            };
            into.push(object);
            object = next;
            left -= 1;
        }
        if left > 0 {
            self.put_rest_back(cache, slab, object, left)?;
        }
        Ok(())
    }

    fn put_rest_back(&mut self, cache: CacheId, slab: SlabId, head: VirtAddr, count: u32) -> Result<(), Box<Oops>> {
        let s = &self.caches[cache];
        let (code, offset) = (s.code, s.layout.offset);
        let mut tail = head;
        for _ in 1..count {
            tail = match code.read(&self.bytes, tail.wrapping_add(offset)) {
                Ok(next) => next,
                Err(fault) => return Err(self.fault(fault, "refill_objects")),
            };
        }
        let count = u16::try_from(count).expect("at most 32767 objects");
        self.push_aside(cache, slab, Batch { head, tail, count })?;
        Ok(())
    }

    /// Takes objects of a new slab; only what is left over is linked, and goes to the head of the node's list.
    fn take_new_objects(&mut self, cache: CacheId, slab: SlabId, into: &mut Sheaf, wanted: usize) {
        let order: Vec<u32> = self.object_order(cache, slab);
        let taken = order.len().min(wanted - into.len());
        let base = self.slabs[slab].base;
        let size = self.caches[cache].layout.size;
        self.construct_all(cache, slab);
        into.extend(order[..taken].iter().map(|index| base.wrapping_add(u64::from(*index) * size)));
        self.link_rest(cache, slab, &order[taken..]);
        self.slabs[slab].inuse = super::alloc::full(count_from(taken));
        if taken < order.len() {
            self.list(cache, slab, End::Head);
        }
    }

    /// A free onto the CPU's main sheaf. Nothing is written to the object, and nothing is checked.
    pub(super) fn free_to_sheaf(&mut self, cache: CacheId, object: VirtAddr) -> Result<(), Box<Oops>> {
        if self.cpu_sheaves(cache).main.len() >= self.capacity(cache) {
            self.replace_full_main(cache)?;
        }
        self.cpu_sheaves(cache).main.push(object);
        self.count(cache, self.on_sheaves(StatItem::FreeCpuSheaf, StatItem::FreeFastpath));
        self.on(|| Event::Freed { cache: Some(cache), address: object, path: FreePath::Sheaf });
        Ok(())
    }

    /// Puts a sheaf with room in main's place.
    fn replace_full_main(&mut self, cache: CacheId) -> Result<(), Box<Oops>> {
        let capacity = self.capacity(cache);
        if self.swap_if_spare(cache, |spare| spare.len() < capacity) {
            return Ok(());
        }
        let full = core::mem::take(&mut self.cpu_sheaves(cache).main);
        if self.cpu_sheaves(cache).spare.is_none() {
            self.cpu_sheaves(cache).main = self.empty_sheaf(cache);
            self.cpu_sheaves(cache).spare = Some(full);
        } else if self.sheaves(cache).barn.full.len() < MAX_FULL {
            self.cpu_sheaves(cache).main = self.empty_sheaf(cache);
            self.sheaves(cache).barn.full.push(full);
            self.count(cache, StatItem::BarnPut);
        } else {
            self.count(cache, StatItem::BarnPutFail);
            let flushed = self.cpu_sheaves(cache).spare.replace(full).expect("checked above");
            self.flush_sheaf(cache, &flushed)?;
        }
        Ok(())
    }

    /// An empty sheaf, of the barn or new.
    fn empty_sheaf(&mut self, cache: CacheId) -> Sheaf {
        match self.sheaves(cache).barn.take_empty() {
            Some(empty) => empty,
            None => self.new_sheaf(cache),
        }
    }

    /// `free_to_pcs_bulk`: sheaves are filled in the array's order as long as one with room is at hand. None is made, as
    /// for a single free: what is left goes straight to the slabs.
    pub(super) fn free_bulk_to_sheaf(&mut self, cache: CacheId, objects: &[VirtAddr]) -> Result<(), Box<Oops>> {
        if self.caches[cache].zeroes_on_free {
            objects.iter().try_for_each(|object| self.wipe_freed(cache, *object))?;
        }
        let capacity = self.capacity(cache);
        let mut left = objects;
        while !left.is_empty() {
            if self.cpu_sheaves(cache).main.len() >= capacity && !self.swap_full_main(cache) {
                return self.flush_objects(cache, left);
            }
            let main = &mut self.cpu_sheaves(cache).main;
            let (batch, rest) = left.split_at(left.len().min(capacity - main.len()));
            main.extend_from_slice(batch);
            let item = self.on_sheaves(StatItem::FreeCpuSheaf, StatItem::FreeFastpath);
            self.count_times(cache, item, count_from(batch.len()));
            for object in batch {
                self.on(|| Event::Freed { cache: Some(cache), address: *object, path: FreePath::Sheaf });
            }
            left = rest;
        }
        Ok(())
    }

    /// Puts a sheaf with room in main's place, if the CPU or the barn has one.
    fn swap_full_main(&mut self, cache: CacheId) -> bool {
        let capacity = self.capacity(cache);
        if self.swap_if_spare(cache, |spare| spare.len() < capacity) {
            return true;
        }
        let has_spare = self.cpu_sheaves(cache).spare.is_some();
        let barn = &mut self.sheaves(cache).barn;
        if barn.empty == 0 || (has_spare && barn.full.len() >= MAX_FULL) {
            return false;
        }
        barn.empty -= 1;
        let full = core::mem::take(&mut self.cpu_sheaves(cache).main);
        if has_spare {
            self.sheaves(cache).barn.full.push(full);
            self.count(cache, StatItem::BarnPut);
        } else {
            self.cpu_sheaves(cache).spare = Some(full);
        }
        true
    }

    /// `alloc_from_pcs_bulk`, then straight from the slabs.
    pub(super) fn take_bulk_from_sheaves(&mut self, cache: CacheId, count: usize) -> Result<Vec<VirtAddr>, Box<Oops>> {
        let mut objects = Vec::new();
        while objects.len() < count {
            let main = &mut self.cpu_sheaves(cache).main;
            let batch = main.len().min(count - objects.len());
            objects.extend(main.drain(main.len() - batch..));
            if objects.len() < count
                && !self.swap_if_spare(cache, |spare| !spare.is_empty())
                && !self.take_full_of_barn(cache)
            {
                break;
            }
        }
        let item = self.on_sheaves(StatItem::AllocCpuSheaf, StatItem::AllocFastpath);
        self.count_times(cache, item, count_from(objects.len()));
        let from_slabs = count_from(count - objects.len());
        self.refill(cache, &mut objects, count)?;
        if !self.has_cpu_slabs_beneath() {
            self.count_times(cache, StatItem::AllocSlowpath, from_slabs);
        }
        for object in objects.clone() {
            self.on(|| Event::Allocated { cache: Some(cache), address: object, path: AllocPath::Sheaf });
        }
        Ok(objects)
    }

    /// Frees an array to the slabs: from its end, slab by slab, each chain in the array's order.
    pub(super) fn flush_objects(&mut self, cache: CacheId, objects: &[VirtAddr]) -> Result<(), Box<Oops>> {
        let mut left: Vec<Option<VirtAddr>> = objects.iter().copied().map(Some).collect();
        while let Some(last) = left.pop() {
            let Some(object) = last else { continue };
            let slab = match self.slab_of_object(object) {
                Ok(Some(slab)) => slab,
                Ok(None) => continue,
                Err(kind) => return Err(self.oops(kind, "kmem_cache_free_bulk")),
            };
            let group = scan(&mut left, object, BulkFreeScan::Swaps, |other| self.slab_at(other) == Some(slab));
            self.link_group(cache, &group)?;
            let batch = Batch {
                head: *group.last().expect("the group has its first"),
                tail: object,
                count: u16::try_from(group.len()).unwrap_or(u16::MAX),
            };
            self.free_past_sheaves(cache, slab, batch)?;
            for object in group {
                self.on(|| Event::Flushed { cache, address: object });
            }
        }
        Ok(())
    }

    /// Frees what a sheaf has to the slabs.
    pub(super) fn flush_sheaf(&mut self, cache: CacheId, objects: &[VirtAddr]) -> Result<(), Box<Oops>> {
        self.count_times(cache, StatItem::SheafFlush, count_from(objects.len()));
        self.flush_objects(cache, objects)
    }

    /// Empties the running CPU's sheaves into the slabs, if the cache has any; what `kfree_rcu` left in one goes there
    /// after a grace period (`pcs_flush_all`).
    pub(super) fn flush_cpu_sheaves(&mut self, cache: CacheId) -> Result<(), Box<Oops>> {
        if !self.has_sheaves_here(cache) {
            return Ok(());
        }
        if let Some(spare) = self.cpu_sheaves(cache).spare.take() {
            self.flush_sheaf(cache, &spare)?;
            self.count(cache, StatItem::SheafFree);
        }
        self.hand_over_rcu_free(cache, AfterGrace::ToSlabs);
        while let left @ 1.. = self.cpu_sheaves(cache).main.len() {
            let batch = self.cpu_sheaves(cache).main.split_off(left.saturating_sub(FLUSH_BATCH));
            self.flush_sheaf(cache, &batch)?;
        }
        Ok(())
    }

    /// Empties the node's sheaves into the slabs, if the cache has any (`barn_shrink`).
    pub(super) fn flush_barn(&mut self, cache: CacheId) -> Result<(), Box<Oops>> {
        if self.caches[cache].sheaves.is_none() {
            return Ok(());
        }
        let barn = core::mem::take(&mut self.sheaves(cache).barn);
        for full in barn.full.into_iter().rev() {
            self.flush_sheaf(cache, &full)?;
            self.count(cache, StatItem::SheafFree);
        }
        self.count_times(cache, StatItem::SheafFree, barn.empty);
        Ok(())
    }
}
