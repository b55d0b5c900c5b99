//! The lists that slabs are on: the node's partial list, and each CPU's.

use super::cache::Listed;
use super::cpu::CpuSlab;
use crate::allocator::{Kernel, Probe};
use crate::event::Event;
use crate::kernel::{CpuPartialLimit, EmptySlab, StatItem};
use crate::memory::Bytes;
use crate::units::{CacheId, SlabId};

/// An end of the node's partial list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Head,
    Tail,
}

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// What the running CPU keeps of a cache.
    #[inline]
    pub(super) fn cpu_slab(&mut self, cache: CacheId) -> &mut CpuSlab {
        &mut self.caches[cache].cpu_slabs_mut().running
    }

    /// `add_partial`.
    pub(crate) fn list(&mut self, cache: CacheId, slab: SlabId, end: End) {
        let s = &mut self.caches[cache];
        s.nr_partial = s.nr_partial.wrapping_add(1);
        let old = match end {
            End::Head => s.partial.head.replace(slab),
            End::Tail => s.partial.tail.replace(slab),
        };
        let (prev, next) = match end {
            End::Head => (None, old),
            End::Tail => (old, None),
        };
        match (end, old) {
            (End::Head, None) => s.partial.tail = Some(slab),
            (End::Tail, None) => s.partial.head = Some(slab),
            (End::Head, Some(old)) => self.relink(old, |listed| listed.prev = Some(slab)),
            (End::Tail, Some(old)) => self.relink(old, |listed| listed.next = Some(slab)),
        }
        self.slabs[slab].listed = Some(Listed { cache, prev, next });
    }

    /// `remove_partial`, on behalf of `cache`, whose count goes down even if the list is another's.
    pub(crate) fn unlist(&mut self, cache: CacheId, slab: SlabId) {
        let s = &mut self.caches[cache];
        s.nr_partial = s.nr_partial.wrapping_sub(1);
        let Some(listed) = self.slabs[slab].listed.take() else { return };
        let owner = &mut self.caches[listed.cache].partial;
        if listed.prev.is_none() {
            owner.head = listed.next;
        }
        if listed.next.is_none() {
            owner.tail = listed.prev;
        }
        if let Some(prev) = listed.prev {
            self.relink(prev, |neighbour| neighbour.next = listed.next);
        }
        if let Some(next) = listed.next {
            self.relink(next, |neighbour| neighbour.prev = listed.prev);
        }
    }

    fn relink(&mut self, slab: SlabId, change: impl FnOnce(&mut Listed)) {
        change(self.slabs[slab].listed.as_mut().expect("a neighbour is on the list"));
    }

    /// Puts a frozen slab on the running CPU's partial list; with `drains`, after passing a full list on to the node
    /// (`put_cpu_partial`).
    pub(super) fn put_cpu_partial(&mut self, cache: CacheId, slab: SlabId, drains: bool) {
        let layout = &self.caches[cache].layout;
        let count = self.caches[cache].cpu_slabs().running.partial_count();
        let is_full = match self.model.cpu_partial {
            CpuPartialLimit::Absent => false,
            // A count of free objects at the time of each put: stale as soon as more are freed.
            CpuPartialLimit::Objects => count > layout.cpu_partial,
            CpuPartialLimit::Slabs => count >= layout.cpu_partial_slabs && count > 0,
        };
        let adds = match self.model.cpu_partial {
            CpuPartialLimit::Absent | CpuPartialLimit::Slabs => 1,
            CpuPartialLimit::Objects => self.slabs[slab].free_objects(),
        };
        if drains && is_full {
            // The newcomer starts a list of its own before the old one is passed on (5.16 and later); either order comes
            // to the same lists.
            let room = core::mem::take(&mut self.drained);
            let drained = core::mem::replace(&mut self.cpu_slab(cache).partial, room);
            self.cpu_slab(cache).partial.push((slab, adds));
            let (cpu, slabs) = (self.cpu, crate::units::count_from(drained.len()));
            self.on(|| Event::CpuPartialDrained { cpu, cache, slabs });
            self.unfreeze_partials(cache, drained);
            self.count(cache, StatItem::CpuPartialDrain);
            return;
        }
        self.cpu_slab(cache).partial.push((slab, count.wrapping_add(adds)));
    }

    /// Whether the node's partial list is so long that it keeps no empty slab.
    pub(super) fn has_enough_partial(&self, cache: CacheId) -> bool {
        let s = &self.caches[cache];
        match self.model.empty_slab {
            EmptySlab::AboveMinimum => s.nr_partial > s.layout.min_partial,
            EmptySlab::GoesHome | EmptySlab::AtMinimum => s.nr_partial >= s.layout.min_partial,
        }
    }

    /// Passes a CPU's partial list on to the node: from its head, each to the tail; those that are empty while the
    /// node has enough go home afterwards, the last first (`__unfreeze_partials`).
    pub(super) fn unfreeze_partials(&mut self, cache: CacheId, mut list: Vec<(SlabId, u32)>) {
        for (slab, _) in list.iter().rev() {
            let has_enough = self.has_enough_partial(cache);
            let descriptor = &mut self.slabs[*slab];
            descriptor.frozen = false;
            if descriptor.inuse != 0 || !has_enough {
                self.list(cache, *slab, End::Tail);
                self.count(cache, StatItem::FreeAddPartial);
            }
        }
        for (slab, _) in &list {
            if self.slabs[*slab].listed.is_none() {
                self.count(cache, StatItem::DeactivateEmpty);
                self.discard(cache, *slab);
                self.count(cache, StatItem::FreeSlab);
            }
        }
        list.clear();
        self.drained = list;
    }
}
