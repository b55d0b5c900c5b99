//! Bulk allocation and free.
//!
//! `kmem_cache_alloc_bulk`, `kmem_cache_free_bulk`, `build_detached_freelist`, `slab_free_freelist_hook` (mm/slub.c,
//! 4.19 to 6.1).

use super::free::Batch;
use crate::allocator::{Kernel, Probe};
use crate::event::{Oops, OopsKind};
use crate::kernel::{BulkFreeScan, SheafUse, StatItem, WrongCache};
use crate::memory::Bytes;
use crate::units::{CacheId, SlabId, VirtAddr};

/// Objects of other slabs that a scan passes before it gives up.
const LOOK_AHEAD: u32 = 3;

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// `kmem_cache_alloc_bulk`: what as many single allocations would give; nothing if memory runs out midway.
    ///
    /// # Errors
    /// An oops. What was done before stays done.
    pub fn alloc_bulk(&mut self, cache: CacheId, count: u32, zero: bool) -> Result<Vec<VirtAddr>, Box<Oops>> {
        if self.caches[cache].sheaves.is_some() {
            return self.alloc_bulk_from_sheaves(cache, count, zero);
        }
        let mut objects = Vec::new();
        for _ in 0..count {
            let is_fast = !self.caches[cache].cpus.running.freelist.is_null();
            let object = self.alloc(cache, zero)?;
            if is_fast && !self.model.counts_each_of_bulk {
                self.uncount(cache, StatItem::AllocFastpath);
            }
            if object.is_null() {
                self.free_bulk(Some(cache), &objects)?;
                return Ok(Vec::new());
            }
            objects.push(object);
        }
        Ok(objects)
    }

    fn alloc_bulk_from_sheaves(&mut self, cache: CacheId, count: u32, zero: bool) -> Result<Vec<VirtAddr>, Box<Oops>> {
        let count = crate::units::index_from(count);
        let objects = self.take_bulk_from_sheaves(cache, count)?;
        if objects.len() < count {
            self.free_bulk(Some(cache), &objects)?;
            return Ok(Vec::new());
        }
        for object in &objects {
            self.init_allocated(cache, *object, zero, super::alloc::ALL)?;
        }
        Ok(objects)
    }

    /// `kmem_cache_free_bulk`, or `kfree_bulk` where no cache is named: slab by slab, from the array's end.
    ///
    /// # Errors
    /// An oops. What was done before stays done.
    pub fn free_bulk(&mut self, cache: Option<CacheId>, objects: &[VirtAddr]) -> Result<(), Box<Oops>> {
        let has_sheaves = |cache: CacheId| self.caches[cache].sheaves.is_some();
        if cache.map_or(self.model.sheaves == SheafUse::Every, has_sheaves) {
            return self.free_bulk_to_sheaves(cache, objects);
        }
        let mut left: Vec<Option<VirtAddr>> = objects.iter().copied().map(Some).collect();
        while let Some(last) = left.pop() {
            let Some(object) = last.filter(|object| !object.is_null()) else { continue };
            match self.slab_of_object(object) {
                Err(kind) => return Err(self.oops(kind, "kmem_cache_free_bulk")),
                Ok(None) => self.free_page_in_bulk(cache, object)?,
                Ok(Some(slab)) => self.free_group(cache, slab, object, &mut left)?,
            }
        }
        Ok(())
    }

    fn free_bulk_to_sheaves(&mut self, cache: Option<CacheId>, objects: &[VirtAddr]) -> Result<(), Box<Oops>> {
        let objects = objects.iter().copied().filter(|object| !object.is_null());
        let Some(cache) = cache else {
            return objects.into_iter().try_for_each(|object| self.kfree_aside(object));
        };
        let mut own = Vec::new();
        for object in objects {
            let owner = self.slab_at(object).map(|slab| self.slabs[slab].cache);
            if owner.is_some_and(|owner| owner == cache || self.model.wrong_cache == WrongCache::Unchecked) {
                own.push(object);
            } else {
                self.free(cache, object)?;
            }
        }
        self.free_bulk_to_sheaf(cache, &own)
    }

    fn free_page_in_bulk(&mut self, cache: Option<CacheId>, object: VirtAddr) -> Result<(), Box<Oops>> {
        if let Some(named) = cache {
            self.warn_no_slab(named, object);
            return Ok(());
        }
        self.kfree_aside(object)
    }

    /// Frees `last` and what the scan finds of its slab among `left`.
    fn free_group(
        &mut self,
        named: Option<CacheId>,
        slab: SlabId,
        last: VirtAddr,
        left: &mut Vec<Option<VirtAddr>>,
    ) -> Result<(), Box<Oops>> {
        let owner = self.slabs[slab].cache;
        let cache = named.filter(|_| self.model.wrong_cache == WrongCache::Unchecked).unwrap_or(owner);
        let group = scan(left, last, self.model.bulk_free_scan, |object| {
            self.bytes.is_mapped(object) && self.slab_at(object) == Some(slab)
        });
        self.link_group(cache, &group)?;
        let mut batch = Batch {
            head: *group.last().expect("the group has its first"),
            tail: last,
            count: u16::try_from(group.len()).unwrap_or(u16::MAX),
        };
        if self.model.free_hook_relinks {
            batch = self.turn_round(cache, batch)?;
        }
        if self.caches[cache].sheaves.is_some() {
            return self.free_past_sheaves(cache, slab, batch);
        }
        self.free_batch(cache, slab, batch)
    }

    /// Links a group as the scan met it: each in front of the one before, the first one last.
    pub(super) fn link_group(&mut self, cache: CacheId, group: &[VirtAddr]) -> Result<(), Box<Oops>> {
        let mut next = VirtAddr::NULL;
        for object in group {
            if self.model.double_free_bug && *object == next {
                return Err(self.double_free_bug(*object, "build_detached_freelist"));
            }
            self.set_pointer(cache, *object, next)?;
            next = *object;
        }
        Ok(())
    }

    /// The free hook takes the chain apart and puts it together again, which turns it round.
    fn turn_round(&mut self, cache: CacheId, batch: Batch) -> Result<Batch, Box<Oops>> {
        let s = &self.caches[cache];
        let (code, offset, wipes) = (s.code, s.layout.offset, s.zeroes_on_free);
        let mut turned = VirtAddr::NULL;
        let mut object = batch.head;
        // A chain that was linked with an object in it twice loops; the hook walks round it for ever.
        for _ in 0..=u32::from(batch.count) {
            let next = match code.read(&self.bytes, object.wrapping_add(offset)) {
                Ok(next) => next,
                Err(fault) => return Err(self.fault(fault, "slab_free_freelist_hook")),
            };
            if wipes {
                self.wipe_freed(cache, object)?;
            }
            if self.model.double_free_bug && object == turned {
                return Err(self.double_free_bug(object, "slab_free_freelist_hook"));
            }
            self.set_pointer(cache, object, turned)?;
            turned = object;
            if object == batch.tail {
                return Ok(Batch { head: batch.tail, tail: batch.head, count: batch.count });
            }
            object = next;
        }
        Err(self.oops(OopsKind::Hang { at: object }, "slab_free_freelist_hook"))
    }

    fn set_pointer(&mut self, cache: CacheId, object: VirtAddr, next: VirtAddr) -> Result<(), Box<Oops>> {
        let s = &self.caches[cache];
        let word = object.wrapping_add(s.layout.offset);
        s.code.write(&mut self.bytes, word, next).map_err(|fault| self.fault(fault, "kmem_cache_free_bulk"))
    }
}

/// The objects of one slab that a scan from the array's end collects, `last` first; what it passes over stays in
/// `left`.
pub(super) fn scan(
    left: &mut Vec<Option<VirtAddr>>,
    last: VirtAddr,
    how: BulkFreeScan,
    is_of_slab: impl Fn(VirtAddr) -> bool,
) -> Vec<VirtAddr> {
    let mut group = vec![last];
    let mut look_ahead = LOOK_AHEAD;
    let mut kept = left.len();
    let mut at = left.len();
    while at > 0 {
        at -= 1;
        let Some(object) = left[at] else { continue };
        if is_of_slab(object) {
            group.push(object);
            match how {
                BulkFreeScan::LeavesHoles => left[at] = None,
                BulkFreeScan::Swaps => {
                    kept -= 1;
                    left.swap(at, kept);
                }
            }
            continue;
        }
        look_ahead -= 1;
        if look_ahead == 0 {
            break;
        }
    }
    left.truncate(kept);
    group
}
