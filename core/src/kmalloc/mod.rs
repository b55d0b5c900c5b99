//! kmalloc: a size and some gfp words choose a cache, or whole pages.
//!
//! `kmalloc_slab`, `kmalloc_type`, `create_kmalloc_caches`, `kmalloc_large`, `kfree`, `free_large_kmalloc`,
//! `kmalloc_size_roundup` (mm/slab_common.c, mm/slub.c, 4.19 to 6.1).
//!
//! Limitations: `__GFP_DMA` chooses the cache; the pages come from the one zone that there is.

mod caches;
mod caller;
mod gfp;

pub use caches::{
    CLASSES, KmallocCaches, KmallocType, MAX_CACHE_SIZE, MAX_SIZE, cache_args, cache_name, class_of, size_roundup,
};
pub(crate) use caches::{Class, class_name};
pub use caller::{BucketArgs, Buckets, COPIES, Caller, chosen, copy_name};
pub use gfp::Gfp;

use crate::allocator::{Kernel, Probe};
use crate::event::{AllocPath, Event, FreePath, Oops, OopsKind, Warning};
use crate::memory::Bytes;
use crate::pages::{MigrateType, PageSource, Request};
use crate::units::{CacheId, Order, VirtAddr};

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// The cache that serves `kmalloc(size)`; `None` for 0 and for sizes that get pages.
    #[must_use]
    pub fn kmalloc_cache(&self, size: u64, gfp: Gfp) -> Option<CacheId> {
        self.kmalloc.serving_anyone(KmallocType::of(gfp, &self.model), size)
    }

    /// The caches of kmalloc.
    #[must_use]
    pub const fn kmalloc_caches(&self) -> &KmallocCaches {
        &self.kmalloc
    }

    /// `kmalloc`: an object, `ZERO_SIZE_PTR` for no bytes, or NULL when no pages are to be had.
    ///
    /// # Errors
    /// An oops. What was done before stays done.
    #[inline(always)]
    pub fn kmalloc(&mut self, size: u64, gfp: Gfp) -> Result<VirtAddr, Oops> {
        let cache = self.serving(size, gfp);
        match if gfp.zero { None } else { self.take_at_once(cache) } {
            Some(object) => Ok(object),
            None => self.kmalloc_in_full(cache, size, gfp),
        }
    }

    /// The oops is not in a box: to look at one would cost the fast path.
    #[cold]
    fn kmalloc_in_full(&mut self, cache: Option<CacheId>, size: u64, gfp: Gfp) -> Result<VirtAddr, Oops> {
        self.kmalloc_from(cache, size, gfp).map_err(|oops| *oops)
    }

    /// `kmalloc` from a known caller, who may have caches of its own.
    ///
    /// # Errors
    /// An oops. What was done before stays done.
    pub fn kmalloc_for(&mut self, caller: Caller, size: u64, gfp: Gfp) -> Result<VirtAddr, Box<Oops>> {
        self.kmalloc_from(self.kmalloc_cache_for(caller, size, gfp), size, gfp)
    }

    fn kmalloc_from(&mut self, cache: Option<CacheId>, size: u64, gfp: Gfp) -> Result<VirtAddr, Box<Oops>> {
        match cache {
            Some(cache) => self.alloc_asked(cache, gfp.zero, size),
            None => Ok(self.kmalloc_pages(size, gfp)),
        }
    }

    /// The cache that serves a caller's `kmalloc(size)`. Special gfp words count before a place or a type, and buckets
    /// before both.
    #[must_use]
    pub fn kmalloc_cache_for(&self, caller: Caller, size: u64, gfp: Gfp) -> Option<CacheId> {
        let is_ordinary = KmallocType::of(gfp, &self.model) == KmallocType::Normal;
        match (caller, self.kmalloc.serving_caller(caller, self.model.kmalloc_copies)) {
            (Caller::Bucket(_), Some(caches)) => caches[class_of(size)?],
            (Caller::Site(_) | Caller::Token(_), Some(caches)) if is_ordinary => caches[class_of(size)?],
            (Caller::Anyone | Caller::Site(_) | Caller::Token(_) | Caller::Bucket(_), _) => {
                self.kmalloc_cache(size, gfp)
            }
        }
    }

    /// The cache that serves a request: plain ones without a search.
    #[inline(always)]
    fn serving(&self, size: u64, gfp: Gfp) -> Option<CacheId> {
        if gfp.is_plain() { self.kmalloc.serving_plain(size) } else { self.kmalloc_cache(size, gfp) }
    }

    #[cold]
    fn kmalloc_pages(&mut self, size: u64, gfp: Gfp) -> VirtAddr {
        if size == 0 {
            let address = VirtAddr::ZERO_SIZE_PTR;
            self.on(|| Event::Allocated { cache: None, address, path: AllocPath::ZeroSize });
            return address;
        }
        let order = Order::holding(size);
        let of = if gfp.reclaimable { MigrateType::Reclaimable } else { MigrateType::Unmovable };
        let request = Request { order, of, cpu: self.cpu, gives_up: false };
        let block = if order <= Order::MAX { self.pages.alloc(request) } else { None };
        let Some(block) = block else {
            self.on(|| Event::Warned(Warning::OutOfMemory { cache: None, order }));
            return VirtAddr::NULL;
        };
        self.frames.mark_large(block, order);
        self.wipe_fresh(block, order);
        let address = block.address();
        if gfp.zero {
            let zeroed = self.bytes.fill(address, order.bytes(), 0);
            debug_assert!(zeroed.is_ok(), "a block of pages is mapped");
        }
        self.on(|| Event::Allocated { cache: None, address, path: AllocPath::Large });
        address
    }

    /// [`kfree`](Self::kfree), where a call is cheap beside the rest.
    ///
    /// # Errors
    /// As [`kfree`](Self::kfree).
    #[inline(never)]
    pub(crate) fn kfree_aside(&mut self, object: VirtAddr) -> Result<(), Box<Oops>> {
        self.kfree(object)
    }

    /// `kfree` of anything.
    ///
    /// # Errors
    /// An oops. What was done before stays done.
    #[inline(always)]
    pub fn kfree(&mut self, object: VirtAddr) -> Result<(), Box<Oops>> {
        if let Some((slab, cache)) = self.frames.owner_at(object) {
            return self.free_to(cache, slab, object);
        }
        self.kfree_page(object)
    }

    #[cold]
    fn kfree_page(&mut self, object: VirtAddr) -> Result<(), Box<Oops>> {
        if object.is_zero_or_null() {
            self.on(|| Event::FreeIgnored { address: object });
            return Ok(());
        }
        if let Err(kind) = self.slab_of_object(object) {
            return Err(self.oops(kind, "kfree"));
        }
        let frame = object.pfn().expect("mapped memory lies in the direct map");
        if let Some((block, order)) = self.frames.large(frame) {
            self.frames.clear_large(block);
            self.wipe_going(block, order);
            self.pages.free(block, order, self.cpu);
            self.on(|| Event::Freed { cache: None, address: object, path: FreePath::Large });
            return Ok(());
        }
        if self.model.bad_kfree_bug {
            return Err(self.oops(OopsKind::BadFree { address: object }, "kfree"));
        }
        let is_in_use = matches!(&self.pages, PageSource::Allocator(pages) if pages.is_in_use(frame));
        let freed = is_in_use && !self.model.large_kmalloc_is_marked;
        self.on(|| Event::Warned(Warning::NotALargeKmalloc { address: object, freed }));
        self.log.warned();
        if freed {
            let order = Order::from_raw(0);
            self.wipe_going(frame, order);
            self.pages.free(frame, order, self.cpu);
        }
        Ok(())
    }
}
