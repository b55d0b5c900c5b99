//! Shrink and destroy: empty slabs go home, whatever the node keeps otherwise.
//!
//! `__kmem_cache_do_shrink`, `__kmem_cache_shutdown`, `free_partial` (mm/slub.c, 4.19 to 6.1).

use super::lists::End;
use crate::allocator::{Kernel, Probe};
use crate::event::{Event, Oops, Warning};
use crate::memory::Bytes;
use crate::units::{CacheId, CpuId, SlabId, index_from};

/// `SHRINK_PROMOTE_MAX`: slabs with at most so many free objects are sorted to the front.
const PROMOTED: usize = 32;

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// `kmem_cache_shrink`: whether slabs are left.
    ///
    /// # Errors
    /// An oops while a CPU's list was walked back.
    pub fn shrink(&mut self, cache: CacheId) -> Result<bool, Box<Oops>> {
        self.flush_all(cache)?;
        self.shrink_node(cache)
    }

    /// The same with the CPUs flushed in this order: a kernel has them do it all at once.
    ///
    /// # Errors
    /// An oops while a CPU's list was walked back.
    pub fn shrink_in_order(&mut self, cache: CacheId, cpus: &[CpuId]) -> Result<bool, Box<Oops>> {
        cpus.iter().try_for_each(|cpu| self.flush_cpu(cache, *cpu))?;
        self.shrink_node(cache)
    }

    fn shrink_node(&mut self, cache: CacheId) -> Result<bool, Box<Oops>> {
        self.flush_barn(cache)?;
        let listed: Vec<SlabId> = self.node_partial(cache).collect();
        let mut by_free = vec![Vec::new(); PROMOTED];
        let mut empty = Vec::new();
        for slab in listed {
            let descriptor = &self.slabs[slab];
            let free = index_from(descriptor.free_objects());
            if descriptor.inuse == 0 {
                self.unlist(cache, slab);
                empty.push(slab);
            } else if (1..=PROMOTED).contains(&free) {
                by_free[free - 1].push(slab);
            }
        }
        // Bucket after bucket to the head, the fullest slabs last and so first; each was filled from the head too.
        for slab in by_free.into_iter().rev().flatten() {
            self.unlist(cache, slab);
            self.list(cache, slab, End::Head);
        }
        for slab in empty.into_iter().rev() {
            self.discard(cache, slab);
        }
        Ok(self.caches[cache].nr_slabs != 0)
    }

    /// `kmem_cache_destroy` of a cache by one of its names: whether the cache is gone. One that others still use only
    /// loses the name; one that has objects stays, with a warning.
    ///
    /// # Errors
    /// An oops while a CPU's list was walked back.
    pub fn destroy_cache(&mut self, cache: CacheId, name: &str) -> Result<bool, Box<Oops>> {
        if self.is_used_by_others(cache, name) {
            return Ok(false);
        }
        if self.model.destroy_waits_for_kfree_rcu {
            self.kvfree_rcu_barrier()?;
        }
        let gone = self.destroy_child(cache)? && self.shut_down(cache)?;
        if !gone {
            self.on(|| Event::Warned(Warning::ObjectsRemain { cache }));
            self.log.warned();
        }
        Ok(gone)
    }

    /// `shutdown_cache`: whether the cache is gone. One that has objects stays.
    pub(crate) fn shut_down(&mut self, cache: CacheId) -> Result<bool, Box<Oops>> {
        self.flush_all(cache)?;
        self.flush_barn(cache)?;
        let (empty, in_use): (Vec<SlabId>, Vec<SlabId>) =
            self.node_partial(cache).partition(|slab| self.slabs[*slab].inuse == 0);
        for slab in in_use {
            self.report_remaining(cache, slab);
        }
        for slab in &empty {
            self.unlist(cache, *slab);
        }
        for slab in empty.into_iter().rev() {
            self.discard(cache, slab);
        }
        let gone = self.caches[cache].nr_slabs == 0;
        if gone {
            if self.caches[cache].args.flags.typesafe_by_rcu {
                self.rcu_barrier()?;
            }
            self.caches[cache].alive = false;
        }
        Ok(gone)
    }
}
