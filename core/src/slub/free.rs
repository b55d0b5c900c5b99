//! Free: onto the CPU's freelist, or onto the slab's own, which may then move.
//!
//! `do_slab_free`, `__slab_free`, `set_freepointer`, `slab_free_hook`, `cache_from_obj` (mm/slub.c, 4.19 to 6.1).

use super::lists::End;
use crate::allocator::{Kernel, Probe};
use crate::event::{Event, FreePath, Oops, OopsKind, Warning};
use crate::kernel::{CpuPartialLimit, EmptySlab, StatItem, WrongCache};
use crate::layout::Layout;
use crate::memory::{Bytes, Fault};
use crate::units::{CacheId, SlabId, VirtAddr};

/// A chain of objects of one slab, linked already from `head` to `tail`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch {
    pub(crate) head: VirtAddr,
    pub(crate) tail: VirtAddr,
    pub(crate) count: u16,
}

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// `kmem_cache_free`. Where the kernel compares the object's cache with the one named here and they differ, it
    /// warns and frees to the object's own; where it does not, the cache named here gets the object.
    ///
    /// # Errors
    /// An oops. What was done before stays done.
    pub fn free(&mut self, cache: CacheId, object: VirtAddr) -> Result<(), Box<Oops>> {
        let slab = match self.slab_of_object(object) {
            Ok(slab) => slab,
            Err(kind) => return Err(self.oops(kind, "kmem_cache_free")),
        };
        let named = cache;
        let Some(slab) = slab else { return self.free_in_no_slab(named, object) };
        let owner = self.slabs[slab].cache;
        if owner != named {
            return self.free_to_wrong_cache(named, owner, slab, object);
        }
        self.free_to(named, slab, object)
    }

    #[cold]
    fn free_to_wrong_cache(
        &mut self,
        named: CacheId,
        owner: CacheId,
        slab: SlabId,
        object: VirtAddr,
    ) -> Result<(), Box<Oops>> {
        let does = self.with_wrong_cache(named);
        if self.is_root_of(named, owner) {
            return self.free_slowly(owner, slab, object);
        }
        if does == WrongCache::Unchecked {
            return self.free_slowly(named, slab, object);
        }
        let told = does == WrongCache::FreedToOwner || self.log.tells_wrong_cache();
        self.on(|| Event::Warned(Warning::WrongCache { named, owner, address: object, told }));
        if told {
            self.log.warned();
        }
        self.report_tracks(owner, object);
        if does == WrongCache::Leaked { Ok(()) } else { self.free_slowly(owner, slab, object) }
    }

    #[cold]
    fn free_in_no_slab(&mut self, named: CacheId, object: VirtAddr) -> Result<(), Box<Oops>> {
        if self.model.reads_no_slab && self.with_wrong_cache(named) == WrongCache::Unchecked {
            return Err(self.oops(OopsKind::PageFault { address: VirtAddr::NULL }, "kmem_cache_free"));
        }
        self.warn_no_slab(named, object);
        Ok(())
    }

    #[cold]
    pub(super) fn warn_no_slab(&mut self, named: CacheId, object: VirtAddr) {
        if self.with_wrong_cache(named) != WrongCache::Unchecked {
            self.tell_no_slab(Some(named), object);
        }
    }

    pub(super) fn tell_no_slab(&mut self, named: Option<CacheId>, object: VirtAddr) {
        let told = self.log.tells_no_slab();
        self.on(|| Event::Warned(Warning::NotASlabPage { named, address: object, told }));
        if told {
            self.log.warned();
        }
    }

    /// What a free to this cache of what is not from it comes to.
    fn with_wrong_cache(&self, named: CacheId) -> WrongCache {
        let has_checks = self.caches[named].layout.checks.flags.consistency;
        if has_checks { self.model.checked_wrong_cache } else { self.model.wrong_cache }
    }

    /// The slab of an object's page; `None` where the page is no slab's.
    pub(crate) fn slab_of_object(&self, object: VirtAddr) -> Result<Option<SlabId>, OopsKind> {
        if self.bytes.is_mapped(object) {
            return Ok(self.slab_at(object));
        }
        // `virt_to_page` computes a `struct page` that is not there; `compound_head` reads its second word.
        let pfn = object.raw().wrapping_sub(crate::units::PAGE_OFFSET) >> crate::units::PAGE_SHIFT;
        let page = crate::units::Pfn::from_raw(pfn).struct_page().wrapping_add(8);
        Err(if page.is_canonical() {
            OopsKind::PageFault { address: page }
        } else {
            OopsKind::GeneralProtection { address: page }
        })
    }

    /// Frees an object of `slab` to `cache`.
    #[inline(always)]
    pub(crate) fn free_to(&mut self, cache: CacheId, slab: SlabId, object: VirtAddr) -> Result<(), Box<Oops>> {
        match self.put_at_once(cache, slab, object) {
            Some(path) => {
                self.on(|| Event::Freed { cache: Some(cache), address: object, path });
                Ok(())
            }
            None => self.free_slowly(cache, slab, object),
        }
    }

    /// Puts an object on the CPU's freelist, where the CPU owns its slab, or else on the slab's own, where the slab then
    /// stays where it is. `None`, and nothing done, where more is called for.
    #[inline(always)]
    fn put_at_once(&mut self, cache: CacheId, slab: SlabId, object: VirtAddr) -> Option<FreePath> {
        let s = self.caches.get_mut(cache.index()).filter(|s| s.frees_as_is)?;
        let at = object.wrapping_add(s.layout.offset);
        let c = &mut s.cpus.running;
        if c.slab == Some(slab) {
            let prior = c.freelist;
            if prior == object {
                return None;
            }
            *self.bytes.word_mut(at)? = s.code.encode(prior, at).to_le_bytes();
            c.freelist = object;
            self.count(cache, StatItem::FreeFastpath);
            return Some(FreePath::Fastpath);
        }
        let descriptor = self.slabs.get_mut(slab.index())?;
        let (prior, frozen) = (descriptor.freelist, descriptor.frozen);
        let stays = frozen || !(prior.is_null() || descriptor.inuse == 1);
        if prior == object || !stays {
            return None;
        }
        *self.bytes.word_mut(at)? = s.code.encode(prior, at).to_le_bytes();
        descriptor.freelist = object;
        descriptor.inuse = descriptor.inuse.wrapping_sub(1);
        self.count(cache, StatItem::FreeSlowpath);
        if frozen {
            self.count(cache, StatItem::FreeFrozen);
        }
        Some(FreePath::Slab)
    }

    #[inline(never)]
    fn free_slowly(&mut self, cache: CacheId, slab: SlabId, object: VirtAddr) -> Result<(), Box<Oops>> {
        if !self.caches[cache].frees_as_is {
            return self.free_wiped(cache, slab, object);
        }
        self.put(cache, slab, Batch { head: object, tail: object, count: 1 })
    }

    #[cold]
    fn free_wiped(&mut self, cache: CacheId, slab: SlabId, object: VirtAddr) -> Result<(), Box<Oops>> {
        if self.caches[cache].zeroes_on_free {
            self.wipe_freed(cache, object)?;
        }
        if self.caches[cache].sheaves.is_some() {
            return self.free_to_sheaf(cache, object);
        }
        self.free_batch(cache, slab, Batch { head: object, tail: object, count: 1 })
    }

    /// Frees a chain of objects of `slab` to `cache`.
    pub(super) fn free_batch(&mut self, cache: CacheId, slab: SlabId, batch: Batch) -> Result<(), Box<Oops>> {
        if self.caches[cache].takes_singly {
            return self.put_single(cache, slab, batch);
        }
        self.put(cache, slab, batch)
    }

    /// Puts a chain on the CPU's freelist, where the CPU owns its slab, or else on the slab's own.
    #[inline(always)]
    fn put(&mut self, cache: CacheId, slab: SlabId, batch: Batch) -> Result<(), Box<Oops>> {
        let s = &mut self.caches[cache];
        let c = &mut s.cpus.running;
        if c.slab != Some(slab) {
            let path = self.push_on_slab(cache, slab, batch)?;
            self.on(|| Event::Freed { cache: Some(cache), address: batch.head, path });
            return Ok(());
        }
        if c.freelist == batch.tail && self.model.double_free_bug {
            return Err(self.double_free(cache, batch.tail, "kmem_cache_free"));
        }
        match s.code.write(&mut self.bytes, batch.tail.wrapping_add(s.layout.offset), c.freelist) {
            Ok(()) => c.freelist = batch.head,
            Err(fault) => return Err(self.fault(fault, "kmem_cache_free")),
        }
        let times = if self.model.counts_each_of_bulk { u32::from(batch.count) } else { 1 };
        self.count_times(cache, StatItem::FreeFastpath, times);
        self.on(|| Event::Freed { cache: Some(cache), address: batch.head, path: FreePath::Fastpath });
        Ok(())
    }

    /// Frees a chain to a cache whose CPUs own none of its slabs.
    #[cold]
    fn put_single(&mut self, cache: CacheId, slab: SlabId, batch: Batch) -> Result<(), Box<Oops>> {
        self.relink_freed(cache, batch)?;
        self.free_single(cache, slab, batch)
    }

    /// The free hook links a single object to NULL, whatever it is.
    fn relink_freed(&mut self, cache: CacheId, batch: Batch) -> Result<(), Box<Oops>> {
        if !self.model.single_free_relinks || batch.head != batch.tail {
            return Ok(());
        }
        let s = &self.caches[cache];
        let word = batch.tail.wrapping_add(s.layout.offset);
        let linked = s.code.write(&mut self.bytes, word, VirtAddr::NULL);
        linked.map_err(|fault| self.fault(fault, "slab_free_freelist_hook"))
    }

    /// [`push_on_slab`](Self::push_on_slab), where a call is cheap beside the rest.
    #[inline(never)]
    pub(super) fn push_aside(&mut self, cache: CacheId, slab: SlabId, batch: Batch) -> Result<FreePath, Box<Oops>> {
        self.push_on_slab(cache, slab, batch)
    }

    /// Pushes a chain onto its slab's own list, and places the slab.
    #[inline(always)]
    fn push_on_slab(&mut self, cache: CacheId, slab: SlabId, batch: Batch) -> Result<FreePath, Box<Oops>> {
        self.count(cache, StatItem::FreeSlowpath);
        let s = &self.caches[cache];
        let descriptor = &mut self.slabs[slab];
        let prior = descriptor.freelist;
        if prior == batch.tail && self.model.double_free_bug {
            return Err(self.double_free(cache, batch.tail, "__slab_free"));
        }
        if let Err(fault) = s.code.write(&mut self.bytes, batch.tail.wrapping_add(s.layout.offset), prior) {
            return Err(self.fault(fault, "__slab_free"));
        }
        descriptor.freelist = batch.head;
        descriptor.inuse = descriptor.inuse.wrapping_sub(batch.count);
        // One that has more of both, free objects and objects in use, stays where it is.
        if descriptor.frozen {
            self.count(cache, StatItem::FreeFrozen);
            return Ok(FreePath::Slab);
        }
        if !prior.is_null() && descriptor.inuse != 0 {
            return Ok(FreePath::Slab);
        }
        Ok(self.place_after_free(cache, slab, prior.is_null()))
    }

    /// Where a slab that no CPU owns goes after a free.
    #[inline(never)]
    fn place_after_free(&mut self, cache: CacheId, slab: SlabId, was_full: bool) -> FreePath {
        let has_cpu_partial = self.model.cpu_partial != CpuPartialLimit::Absent;
        if was_full && has_cpu_partial {
            self.slabs[slab].frozen = self.model.freezes_partial;
            self.put_cpu_partial(cache, slab, true);
            self.count(cache, StatItem::CpuPartialFree);
            return FreePath::CpuPartial;
        }
        if !was_full && self.slabs[slab].listed.is_none() {
            // It is on a CPU's partial list, unfrozen (6.8 and later): it stays there, even empty.
            return FreePath::Slab;
        }
        let goes_home = self.model.empty_slab == EmptySlab::GoesHome || self.has_enough_partial(cache);
        if self.slabs[slab].inuse == 0 && goes_home {
            if !was_full {
                self.unlist(cache, slab);
                self.count(cache, StatItem::FreeRemovePartial);
            }
            self.discard(cache, slab);
            self.count(cache, StatItem::FreeSlab);
            return FreePath::Discarded;
        }
        if was_full {
            self.list(cache, slab, End::Tail);
            self.count(cache, StatItem::FreeAddPartial);
            return FreePath::NodePartial;
        }
        FreePath::Slab
    }

    /// The BUG of `set_freepointer`. The free hook has already linked the object to NULL (5.3 and later), so the rest
    /// of the list it was the head of is lost.
    #[cold]
    fn double_free(&mut self, cache: CacheId, object: VirtAddr, function: &'static str) -> Box<Oops> {
        // The word was read a moment ago: it is mapped.
        let linked = self.relink_freed(cache, Batch { head: object, tail: object, count: 1 });
        debug_assert!(linked.is_ok(), "the freed object's word is mapped");
        self.double_free_bug(object, function)
    }

    /// The BUG alone.
    #[cold]
    pub(super) fn double_free_bug(&mut self, object: VirtAddr, function: &'static str) -> Box<Oops> {
        self.oops(OopsKind::DoubleFree { object, line: self.model.double_free_bug_line }, function)
    }

    /// `slab_free_hook` with `init_on_free`: the object, and whatever metadata follows it.
    #[cold]
    pub(super) fn wipe_freed(&mut self, cache: CacheId, object: VirtAddr) -> Result<(), Box<Oops>> {
        let layout = self.caches[cache].layout;
        let wiped = self.wipe_object(&layout, object);
        wiped.map_err(|fault| self.fault(fault, "slab_free_hook"))
    }

    /// The size that was asked for survives, where checks go by it (6.2 and later); so does the next red zone.
    fn wipe_object(&mut self, layout: &Layout, object: VirtAddr) -> Result<(), Fault> {
        let keeps_size = self.model.debug.kmalloc_red_zone;
        let asked =
            if keeps_size { self.orig_size(layout, object)?.min(layout.object_size) } else { layout.object_size };
        self.bytes.fill(object, asked, 0)?;
        // A pointer behind the object is linked anew, or left as it is where nothing links it (6.8; the fix of its first
        // days, commit 8f828aa48812, is taken to be in).
        let kept = if self.model.single_free_relinks { layout.inuse } else { layout.pointer_end() };
        self.bytes.fill(object.wrapping_add(kept), layout.end() - kept, 0)?;
        if keeps_size { self.set_orig_size(layout, object, asked) } else { Ok(()) }
    }
}
