//! Free to a cache with checks, or to any of a tiny kernel.
//!
//! `free_to_partial_list`, `free_debug_processing`, `free_consistency_checks` (mm/slub.c, 6.1 to 7.3; `__slab_free` up to
//! 5.19).

use super::patterns::Activity;
use super::report::Site;
use super::slab::Walk;
use crate::allocator::{Kernel, Probe};
use crate::event::{Event, FreePath, Oops, OopsKind};
use crate::kernel::StatItem;
use crate::layout::Track;
use crate::memory::Bytes;
use crate::report::{Finding, Repair};
use crate::slub::{Batch, End};
use crate::units::{CacheId, SlabId, VirtAddr};

const FUNCTION: &str = "__slab_free";

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// Frees a chain of objects of `slab` to `cache`, unless a check refuses it.
    #[cold]
    pub(crate) fn free_single(&mut self, cache: CacheId, slab: SlabId, batch: Batch) -> Result<(), Box<Oops>> {
        self.count(cache, StatItem::FreeSlowpath);
        let count = match self.may_free(cache, slab, batch)? {
            Ok(count) => count,
            Err(object) => {
                self.report_repair(cache, slab, Repair::NotFreed { at: object });
                return Ok(());
            }
        };
        let prior = self.slabs[slab].freelist;
        if self.model.double_free_bug && prior == batch.tail {
            let line = self.model.double_free_bug_line;
            return Err(self.oops(OopsKind::DoubleFree { object: batch.tail, line }, FUNCTION));
        }
        self.link(cache, batch.tail, prior)?;
        let s = &mut self.slabs[slab];
        s.freelist = batch.head;
        s.inuse = s.inuse.wrapping_sub(count);
        let path = self.place_single(cache, slab, prior.is_null());
        self.on(|| Event::Freed { cache: Some(cache), address: batch.head, path });
        Ok(())
    }

    fn link(&mut self, cache: CacheId, object: VirtAddr, next: VirtAddr) -> Result<(), Box<Oops>> {
        let s = &self.caches[cache];
        let word = object.wrapping_add(s.layout.offset);
        s.code.write(&mut self.bytes, word, next).map_err(|fault| self.fault(fault, FUNCTION))
    }

    fn place_single(&mut self, cache: CacheId, slab: SlabId, was_full: bool) -> FreePath {
        // A slab that a CPU has for another cache stays with it: only a free to the wrong cache comes here with one.
        // From 6.0 on a kernel puts it on this node's list all the same, which then has a slab that is not there to take.
        if self.slabs[slab].frozen {
            return FreePath::Slab;
        }
        // A list that was cut makes a slab look full that is on the node's list: a kernel lists it twice, and spoils the
        // list.
        let was_full = was_full && self.slabs[slab].listed.is_none();
        let s = &self.caches[cache];
        let goes = self.slabs[slab].inuse == 0 && s.nr_partial >= s.layout.min_partial;
        if was_full {
            self.unlist_full(cache, slab);
            if !goes {
                self.list(cache, slab, End::Tail);
                self.count(cache, StatItem::FreeAddPartial);
                return FreePath::NodePartial;
            }
        } else if goes {
            self.unlist(cache, slab);
            self.count(cache, StatItem::FreeRemovePartial);
        }
        if !goes {
            return FreePath::Slab;
        }
        self.discard(cache, slab);
        self.count(cache, StatItem::FreeSlab);
        FreePath::Discarded
    }

    /// Checks what is to be freed, and makes each object of the chain a free one: how many, or the object that may not
    /// be freed.
    fn may_free(&mut self, cache: CacheId, slab: SlabId, batch: Batch) -> Result<Result<u16, VirtAddr>, Box<Oops>> {
        if !self.caches[cache].layout.is_checked() {
            return Ok(Ok(batch.count));
        }
        let checks = self.checks(cache);
        let mut object = batch.head;
        if checks && !self.check_slab(cache, slab) {
            return Ok(Err(object));
        }
        let inuse = self.slabs[slab].inuse;
        if self.model.debug.counts_freed && inuse < batch.count {
            let finding = Finding::TooManyFreed { inuse: u32::from(inuse), freed: u32::from(batch.count) };
            self.report_slab(cache, slab, finding, Vec::new(), "__slab_err");
            return Ok(Err(object));
        }
        for freed in 1..=batch.count {
            let site = Site { cache, slab, object };
            if checks && !self.is_freeable(site) {
                return Ok(Err(object));
            }
            self.become_free(site)?;
            if object == batch.tail {
                if freed != batch.count {
                    self.report_chain(cache, slab, batch.count, freed);
                }
                return Ok(Ok(freed));
            }
            let s = &self.caches[cache];
            let word = object.wrapping_add(s.layout.offset);
            object = s.code.read(&self.bytes, word).map_err(|fault| self.fault(fault, FUNCTION))?;
        }
        self.report_chain(cache, slab, batch.count, batch.count.saturating_add(1));
        Ok(Err(object))
    }

    fn report_chain(&mut self, cache: CacheId, slab: SlabId, expected: u16, found: u16) {
        let finding = Finding::ChainLength { expected: u32::from(expected), found: u32::from(found) };
        self.report_slab(cache, slab, finding, Vec::new(), "__slab_err");
    }

    fn become_free(&mut self, site: Site) -> Result<(), Box<Oops>> {
        let layout = self.caches[site.cache].layout;
        self.set_track(site.cache, site.object, Track::Free)?;
        self.trace(site, "free");
        let written = self.init_object(&layout, site.object, Activity::Inactive);
        written.map_err(|fault| self.fault(fault, FUNCTION))
    }

    fn is_freeable(&mut self, site: Site) -> bool {
        let Site { cache, slab, object } = site;
        if !self.is_object(cache, slab, object) {
            self.report_slab(cache, slab, Finding::NoObject { at: object }, Vec::new(), "__slab_err");
            return false;
        }
        if self.walk_list(cache, slab, object) == Walk::Found {
            self.report_object(site, Finding::AlreadyFree);
            return false;
        }
        if !self.check_object(site, Activity::Active) {
            return false;
        }
        if self.slabs[slab].cache != cache {
            self.report_object(site, Finding::OtherCache);
            return false;
        }
        true
    }
}
