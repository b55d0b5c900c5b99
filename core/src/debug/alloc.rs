//! Allocation from a cache with checks, or from any of a tiny kernel: one object at a time, straight from the node's slabs.
//!
//! `alloc_single_from_partial`, `alloc_single_from_new_slab`, `alloc_debug_processing`, `alloc_consistency_checks`,
//! `trace` (mm/slub.c, 6.1 to 7.3); `___slab_alloc` with a slab of a checked cache (5.10).

use super::dump;
use super::patterns::Activity;
use super::report::{Site, about};
use crate::allocator::{Kernel, Probe};
use crate::event::{AllocPath, Event, Oops};
use crate::kernel::{DebugPath, StatItem};
use crate::layout::Track;
use crate::memory::Bytes;
use crate::report::{Finding, Repair, Told};
use crate::slub::End;
use crate::units::{CacheId, SlabId, VirtAddr};

/// What an allocation does to a slab's list.
const FUNCTION: &str = "___slab_alloc";

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// An object for which `asked` bytes were asked; NULL when no pages are to be had.
    #[cold]
    pub(crate) fn take_single(&mut self, cache: CacheId, asked: u64) -> Result<VirtAddr, Box<Oops>> {
        self.count(cache, StatItem::AllocSlowpath);
        let taken = match self.model.debug.path {
            DebugPath::SingleObject => self.take_in_place(cache, asked)?,
            DebugPath::WholeSlab => self.take_with_slab(cache, asked)?,
        };
        let Some((object, path)) = taken else {
            self.out_of_memory(cache);
            return Ok(VirtAddr::NULL);
        };
        self.set_track(cache, object, Track::Alloc)?;
        self.on(|| Event::Allocated { cache: Some(cache), address: object, path });
        Ok(object)
    }

    /// 6.0 and later: slabs stay on the node's list, from whose head they are tried.
    fn take_in_place(&mut self, cache: CacheId, asked: u64) -> Result<Option<(VirtAddr, AllocPath)>, Box<Oops>> {
        let mut next = self.caches[cache].partial.head;
        while let Some(slab) = next {
            next = self.slabs[slab].listed.and_then(|listed| listed.next);
            if let Some(object) = self.take_head(cache, slab, asked)? {
                if self.is_used_up(slab) {
                    self.unlist(cache, slab);
                    self.list_full(cache, slab);
                }
                return Ok(Some((object, AllocPath::NodePartial)));
            }
            self.unlist(cache, slab);
        }
        while let Some(slab) = self.new_slab(cache) {
            if let Some(object) = self.take_head(cache, slab, asked)? {
                if self.is_used_up(slab) {
                    self.list_full(cache, slab);
                } else {
                    self.list(cache, slab, End::Head);
                }
                return Ok(Some((object, AllocPath::NewSlab)));
            }
        }
        Ok(None)
    }

    /// Takes the head of a slab's list; `None` where it failed its checks, and the slab with it.
    fn take_head(&mut self, cache: CacheId, slab: SlabId, asked: u64) -> Result<Option<VirtAddr>, Box<Oops>> {
        let object = self.slabs[slab].freelist;
        let next = self.next_of(cache, object)?;
        let s = &mut self.slabs[slab];
        s.freelist = next;
        s.inuse = s.inuse.wrapping_add(1);
        Ok(self.hand_out(Site { cache, slab, object }, asked)?.then_some(object))
    }

    /// Up to 5.19: the slab is taken off its list, gives up one object, and is put back as a CPU's slab would be.
    fn take_with_slab(&mut self, cache: CacheId, asked: u64) -> Result<Option<(VirtAddr, AllocPath)>, Box<Oops>> {
        loop {
            let listed = self.caches[cache].partial.head;
            let (slab, path) = match listed {
                Some(slab) => (slab, AllocPath::NodePartial),
                None => match self.new_slab(cache) {
                    Some(slab) => (slab, AllocPath::NewSlab),
                    None => return Ok(None),
                },
            };
            if listed.is_some() {
                self.unlist(cache, slab);
            }
            let object = self.slabs[slab].detach_freelist().unwrap_or(VirtAddr::NULL);
            if object.is_null() {
                continue;
            }
            self.slabs[slab].frozen = false;
            if !self.hand_out(Site { cache, slab, object }, asked)? {
                continue;
            }
            let rest = self.next_of(cache, object)?;
            self.deactivate(cache, slab, rest)?;
            if self.is_used_up(slab) {
                self.list_full(cache, slab);
            }
            return Ok(Some((object, path)));
        }
    }

    fn is_used_up(&self, slab: SlabId) -> bool {
        let s = &self.slabs[slab];
        u32::from(s.inuse) == s.objects
    }

    fn next_of(&mut self, cache: CacheId, object: VirtAddr) -> Result<VirtAddr, Box<Oops>> {
        let s = &self.caches[cache];
        let word = object.wrapping_add(s.layout.offset);
        s.code.read(&self.bytes, word).map_err(|fault| self.fault(fault, FUNCTION))
    }

    /// Checks an object that is to go out, and makes it one in use. One that fails takes its slab with it.
    fn hand_out(&mut self, site: Site, asked: u64) -> Result<bool, Box<Oops>> {
        let layout = self.caches[site.cache].layout;
        if self.checks(site.cache) && !self.may_go_out(site) {
            self.report_repair(site.cache, site.slab, Repair::AllUsed);
            self.use_up(site.slab);
            self.slabs[site.slab].frozen = self.model.debug.disables_slab;
            return Ok(false);
        }
        self.trace(site, "alloc");
        let written = self
            .set_orig_size(&layout, site.object, asked.min(layout.object_size))
            .and_then(|()| self.init_object(&layout, site.object, Activity::Active));
        written.map(|()| true).map_err(|fault| self.fault(fault, FUNCTION))
    }

    fn may_go_out(&mut self, site: Site) -> bool {
        if !self.check_slab(site.cache, site.slab) {
            return false;
        }
        if !self.is_object(site.cache, site.slab, site.object) {
            self.report_object(site, Finding::FreelistHead);
            return false;
        }
        self.check_object(site, Activity::Inactive)
    }

    /// Whether a cache's pointers, counts and bytes are checked as it is used.
    pub(super) fn checks(&self, cache: CacheId) -> bool {
        self.caches[cache].layout.checks.flags.consistency || self.model.debug.always_checks
    }

    /// Prints an allocation or a free of a cache with `T`; a free with the object's bytes.
    pub(super) fn trace(&mut self, site: Site, what: &str) {
        let s = &self.caches[site.cache];
        if !s.layout.checks.flags.trace {
            return;
        }
        let (name, size) = (&s.name, s.layout.object_size);
        let slab = &self.slabs[site.slab];
        let (object, inuse, fp) = (site.object, slab.inuse, slab.freelist);
        let text = format!("TRACE {name} {what} {object} inuse={inuse} fp={fp}");
        let mut lines = vec![about(text, object, size)];
        if what == "free" {
            lines.extend(dump::labelled(&self.bytes, "Object ", object, size));
        }
        self.tell(site.cache, Some(site.slab), Some(object), Told::Traced, lines);
    }

    /// `add_full`: with `U` full slabs are on a list too.
    pub(super) fn list_full(&mut self, cache: CacheId, slab: SlabId) {
        let s = &mut self.caches[cache];
        if s.layout.checks.flags.store_user {
            s.full.push(slab);
        }
    }

    /// `remove_full`.
    pub(super) fn unlist_full(&mut self, cache: CacheId, slab: SlabId) {
        self.caches[cache].full.retain(|full| *full != slab);
    }
}
