//! A slab's birth and death: pages, and back.
//!
//! `allocate_slab`, `setup_object`, `discard_slab`, `__free_slab` (mm/slub.c, 4.19 to 6.1).

use super::cache::Slab;
use super::rcu::Callback;
use crate::allocator::{Kernel, Probe};
use crate::event::Event;
use crate::kernel::StatItem;
use crate::layout::Layout;
use crate::memory::Bytes;
use crate::pages::Request;
use crate::units::{CacheId, ObjectIndex, Order, Pfn, SlabId, VirtAddr, count_from};

/// What a constructor of this model writes: `c0 c1 … cf` into the first 16 bytes.
const CONSTRUCTED: [u8; 16] =
    [0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf];

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// A slab with all its objects on its own freelist; `None` when no pages are to be had.
    #[inline]
    pub(crate) fn new_slab(&mut self, cache: CacheId) -> Option<SlabId> {
        let slab = self.new_unlinked_slab(cache)?;
        self.construct_all(cache, slab);
        self.link_all(cache, slab);
        Some(slab)
    }

    /// A slab whose objects are on no list yet.
    #[inline]
    pub(super) fn new_unlinked_slab(&mut self, cache: CacheId) -> Option<SlabId> {
        self.draw_sequence(cache);
        let s = &self.caches[cache];
        let Layout { order, objects, .. } = s.layout;
        let request = Request { order, of: s.migratetype(), cpu: self.cpu, gives_up: true };
        let (block, order, objects) = match self.pages.alloc(request) {
            Some(block) => (block, order, objects),
            None => self.smaller_block(cache, request)?,
        };
        self.count(cache, StatItem::AllocSlab);
        let slab = self.describe(cache, block, order, objects);
        self.wipe_fresh(block, order);
        Some(slab)
    }

    /// Pages for the fewest objects that a slab of this cache may have.
    #[cold]
    fn smaller_block(&mut self, cache: CacheId, request: Request) -> Option<(Pfn, Order, u32)> {
        let Layout { min_order, min_objects, .. } = self.caches[cache].layout;
        let block = self.pages.alloc(Request { order: min_order, gives_up: false, ..request })?;
        self.count(cache, StatItem::OrderFallback);
        Some((block, min_order, min_objects))
    }

    #[inline]
    fn describe(&mut self, cache: CacheId, block: Pfn, order: Order, objects: u32) -> SlabId {
        let slab = SlabId::from_raw(count_from(self.slabs.len()));
        let s = &mut self.caches[cache];
        let ordinal = s.slabs_made;
        s.slabs_made += 1;
        s.nr_slabs += 1;
        s.total_objects += objects;
        self.frames.mark_slab(block, order, slab, cache);
        let base = block.address();
        self.slabs.push(Slab {
            cache,
            base,
            order,
            objects,
            inuse: 0,
            frozen: false,
            freelist: VirtAddr::NULL,
            listed: None,
            alive: true,
            ordinal,
        });
        let cpu = self.cpu;
        self.on(|| Event::SlabMade { slab, cache, base, order, cpu });
        slab
    }

    /// Zeroes pages that come, where the page allocator does.
    pub(crate) fn wipe_fresh(&mut self, block: Pfn, order: Order) {
        if self.wipes_fresh_pages {
            self.wipe(block, order);
        }
    }

    /// It zeroes them as they go (`init_on_free`; `free_pages_prepare`, mm/page_alloc.c).
    pub(crate) fn wipe_going(&mut self, block: Pfn, order: Order) {
        if self.model.init_on_free {
            self.wipe(block, order);
        }
    }

    fn wipe(&mut self, block: Pfn, order: Order) {
        let wiped = self.bytes.fill(block.address(), order.bytes(), 0);
        debug_assert!(wiped.is_ok(), "a block of pages is mapped");
    }

    #[inline]
    pub(super) fn construct_all(&mut self, cache: CacheId, slab: SlabId) {
        if self.caches[cache].layout.is_checked() {
            self.prepare_slab(cache, slab);
        }
        if self.caches[cache].args.ctor {
            self.construct_each(cache, slab);
        }
    }

    #[cold]
    fn construct_each(&mut self, cache: CacheId, slab: SlabId) {
        let s = &self.caches[cache];
        let room = usize::try_from(s.layout.object_size).map_or(16, |size| size.min(16));
        for index in 0..self.slabs[slab].objects {
            let object = self.slabs[slab].base.wrapping_add(s.layout.object_offset(ObjectIndex::from_raw(index)));
            let constructed = self.bytes.copy_in(object, &CONSTRUCTED[..room]);
            debug_assert!(constructed.is_ok(), "a slab's objects are mapped");
        }
    }

    /// `discard_slab`: the slab leaves its cache; its pages go home, at once or after a grace period.
    pub(crate) fn discard(&mut self, cache: CacheId, slab: SlabId) {
        let descriptor = &self.slabs[slab];
        let objects = descriptor.objects;
        let owner = descriptor.cache;
        let s = &mut self.caches[cache];
        s.nr_slabs = s.nr_slabs.wrapping_sub(1);
        s.total_objects = s.total_objects.wrapping_sub(objects);
        if s.layout.checks.flags.consistency {
            self.check_going(cache, slab);
        }
        if self.caches[owner].args.flags.typesafe_by_rcu {
            self.call_rcu(Callback::FreeSlab(slab));
        } else {
            self.send_home(slab);
        }
    }

    pub(super) fn send_home(&mut self, slab: SlabId) {
        let descriptor = &mut self.slabs[slab];
        descriptor.alive = false;
        let (cache, base, order) = (descriptor.cache, descriptor.base, descriptor.order);
        let block = base.pfn().expect("a slab lies in the direct map");
        self.frames.clear_slab(block, order);
        let cpu = self.cpu;
        self.wipe_going(block, order);
        self.pages.free(block, order, cpu);
        self.on(|| Event::SlabDiscarded { slab, cache, base, cpu });
    }
}
