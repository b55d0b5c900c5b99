//! Beneath the sheaves: where an object of a cache with sheaves goes when it leaves them, and where a sheaf is filled.
//!
//! From 7.0 on that is the slabs themselves. In 6.18 and 6.19 each CPU still owns a slab and a partial list there
//! (`__kmem_cache_alloc_bulk`, `do_slab_free`; not verified).

use super::free::Batch;
use super::sheaf::Sheaf;
use crate::allocator::{Kernel, Probe};
use crate::event::Oops;
use crate::kernel::SheafUse;
use crate::memory::Bytes;
use crate::units::{CacheId, SlabId, VirtAddr};

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// Whether CPUs own slabs beneath their sheaves.
    pub(super) fn has_cpu_slabs_beneath(&self) -> bool {
        self.model.sheaves == SheafUse::Asked
    }

    /// Frees a chain past the sheaves of its cache.
    pub(super) fn free_past_sheaves(&mut self, cache: CacheId, slab: SlabId, batch: Batch) -> Result<(), Box<Oops>> {
        let freelist = self.cpu_slab(cache).freelist;
        if !self.has_cpu_slabs_beneath() || self.cpu_slab(cache).slab != Some(slab) {
            return self.push_aside(cache, slab, batch).map(drop);
        }
        if self.model.double_free_bug && freelist == batch.tail {
            return Err(self.double_free_bug(batch.tail, "kmem_cache_free_bulk"));
        }
        let s = &self.caches[cache];
        match s.code.write(&mut self.bytes, batch.tail.wrapping_add(s.layout.offset), freelist) {
            Ok(()) => self.cpu_slab(cache).freelist = batch.head,
            Err(fault) => return Err(self.fault(fault, "kmem_cache_free_bulk")),
        }
        Ok(())
    }

    /// Fills `into` with what single allocations beneath the sheaves would give.
    pub(super) fn refill_from_beneath(
        &mut self,
        cache: CacheId,
        into: &mut Sheaf,
        wanted: usize,
    ) -> Result<(), Box<Oops>> {
        while into.len() < wanted {
            let Some(object) = self.take_beneath(cache)? else { break };
            into.push(object);
        }
        Ok(())
    }

    fn take_beneath(&mut self, cache: CacheId) -> Result<Option<VirtAddr>, Box<Oops>> {
        let object = self.cpu_slab(cache).freelist;
        if object.is_null() {
            return Ok(self.take_from_slabs(cache)?.map(|(object, _)| object));
        }
        let s = &self.caches[cache];
        match s.code.read(&self.bytes, object.wrapping_add(s.layout.offset)) {
            Ok(next) => self.cpu_slab(cache).freelist = next,
            Err(fault) => return Err(self.fault(fault, "__kmem_cache_alloc_bulk")),
        }
        Ok(Some(object))
    }
}
