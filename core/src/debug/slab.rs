//! The checks of a slab: its counts, its end, its list; and of all its objects when it goes.
//!
//! `check_slab`, `slab_pad_check`, `on_freelist` (mm/slub.c, 4.19 to 7.3).

use super::dump::{self, Section};
use super::patterns::{Activity, IN_USE};
use super::report::Site;
use crate::allocator::{Kernel, Probe};
use crate::memory::Bytes;
use crate::report::{Finding, Repair, Zone};
use crate::units::{CacheId, ObjectIndex, SlabId, VirtAddr};

/// What a walk along a slab's list came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walk {
    /// The object that was looked for is on it.
    Found,
    /// It is not; the list was followed, and cut where it was broken.
    Absent,
    /// Not even the head was one, or the list had no end: it was cleared.
    Cleared,
}

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// Whether a slab is fit to be worked with.
    pub(super) fn check_slab(&mut self, cache: CacheId, slab: SlabId) -> bool {
        let s = &self.slabs[slab];
        let (objects, inuse, frozen) = (s.objects, u32::from(s.inuse), s.frozen);
        let most = s.order.bytes() / self.caches[cache].layout.size;
        let finding = if u64::from(objects) > most {
            Some(Finding::TooManyObjects { objects, most })
        } else if inuse > objects {
            Some(Finding::TooManyInUse { inuse, objects })
        } else if frozen && self.model.debug.disables_slab {
            Some(Finding::Disabled)
        } else {
            None
        };
        if let Some(finding) = finding {
            self.report_slab(cache, slab, finding, Vec::new(), "__slab_err");
            return false;
        }
        self.check_end(cache, slab);
        true
    }

    /// Checks the bytes behind the last object, and restores them.
    fn check_end(&mut self, cache: CacheId, slab: SlabId) {
        let layout = self.caches[cache].layout;
        if !layout.checks.flags.poison {
            return;
        }
        let s = &self.slabs[slab];
        let (base, len) = (s.base, s.order.bytes());
        let rest = len % layout.size;
        let end = base.wrapping_add(len - rest);
        let Some((bytes, found)) = self.wrong_bytes(end, rest, IN_USE) else { return };
        let offset = bytes.at.bytes_after(base).unwrap_or_default();
        let finding = Finding::Overwritten { zone: Zone::SlabPadding, bytes, offset, found, expected: IN_USE };
        let dump = dump::lines(&self.bytes, Section::SlabPadding, end, rest, &self.model.debug.told);
        self.report_slab(cache, slab, finding, dump, "__slab_err");
        self.restore(cache, slab, Zone::SlabPadding, bytes, IN_USE);
    }

    /// Follows a slab's list, as far as it leads and `wanted` is not met, and corrects its count.
    pub(super) fn walk_list(&mut self, cache: CacheId, slab: SlabId, wanted: VirtAddr) -> Walk {
        let (code, offset) = (self.caches[cache].code, self.caches[cache].layout.offset);
        let objects = self.slabs[slab].objects;
        let mut before = VirtAddr::NULL;
        let mut here = self.slabs[slab].freelist;
        let mut links = 0;
        while !here.is_null() && links <= objects {
            if here == wanted {
                return Walk::Found;
            }
            if !self.is_object(cache, slab, here) {
                if before.is_null() {
                    self.report_slab(cache, slab, Finding::FreePointer, Vec::new(), "__slab_err");
                    return self.clear_list(cache, slab);
                }
                let site = Site { cache, slab, object: before };
                self.report_object(site, Finding::Freechain);
                self.cut_after(site);
                break;
            }
            before = here;
            here = code.read(&self.bytes, here.wrapping_add(offset)).unwrap_or(VirtAddr::NULL);
            links += 1;
        }
        if links > objects && self.model.debug.finds_cycles {
            self.report_slab(cache, slab, Finding::FreelistCycle, Vec::new(), "__slab_err");
            return self.clear_list(cache, slab);
        }
        self.check_count(cache, slab, links);
        Walk::Absent
    }

    fn clear_list(&mut self, cache: CacheId, slab: SlabId) -> Walk {
        self.use_up(slab);
        self.report_repair(cache, slab, Repair::FreelistCleared);
        Walk::Cleared
    }

    /// A slab gives out no more objects.
    pub(super) fn use_up(&mut self, slab: SlabId) {
        let s = &mut self.slabs[slab];
        s.freelist = VirtAddr::NULL;
        s.inuse = crate::slub::full(s.objects);
    }

    fn check_count(&mut self, cache: CacheId, slab: SlabId, links: u32) {
        let s = &self.slabs[slab];
        let (counter, counted) = (u32::from(s.inuse), i64::from(s.objects) - i64::from(links));
        if i64::from(counter) == counted {
            return;
        }
        self.report_slab(cache, slab, Finding::ObjectCount { counter, counted }, Vec::new(), "__slab_err");
        // 16 bits, in which a count below zero wraps.
        self.slabs[slab].inuse = u16::try_from(counted.rem_euclid(1 << 16)).unwrap_or(u16::MAX);
        self.report_repair(cache, slab, Repair::CountAdjusted);
    }

    /// Checks a slab and all its objects, all of them free, before its pages go home (`free_slab`).
    #[cold]
    pub(crate) fn check_going(&mut self, cache: CacheId, slab: SlabId) {
        self.check_end(cache, slab);
        for object in self.objects_of(cache, slab) {
            self.check_object(Site { cache, slab, object }, Activity::Inactive);
        }
    }

    /// The objects of a slab, by address.
    pub(super) fn objects_of(&self, cache: CacheId, slab: SlabId) -> Vec<VirtAddr> {
        let layout = &self.caches[cache].layout;
        let s = &self.slabs[slab];
        let indexes = (0..s.objects).map(ObjectIndex::from_raw);
        indexes.map(|index| s.base.wrapping_add(layout.object_offset(index))).collect()
    }
}
