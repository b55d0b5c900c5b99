//! The checks of one object: its red zones, its poison, its padding, its pointer.
//!
//! `check_object`, `check_bytes_and_report`, `check_pad_bytes`, `restore_bytes`, `check_valid_pointer` (mm/slub.c, 4.19
//! to 7.3).

use super::patterns::{Activity, END, FREE, IN_USE};
use super::report::Site;
use crate::allocator::{Kernel, Probe};
use crate::layout::Layout;
use crate::memory::Bytes;
use crate::report::{Bytes as Range, Finding, Repair, Zone};
use crate::units::{CacheId, ObjectIndex, SlabId, VirtAddr, count_from, index_from};

/// Bytes that should all be the same.
#[derive(Clone, Copy, Debug)]
struct Expected {
    zone: Zone,
    at: VirtAddr,
    len: u64,
    byte: u8,
}

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// Whether `at` is NULL or the start of an object of `slab`, as `cache` lays it out.
    pub(super) fn is_object(&self, cache: CacheId, slab: SlabId, at: VirtAddr) -> bool {
        at.is_null() || self.object_at(cache, slab, at).is_some()
    }

    /// The object of the slab that starts at `at`, as the cache lays them out.
    pub(crate) fn object_at(&self, cache: CacheId, slab: SlabId, at: VirtAddr) -> Option<ObjectIndex> {
        let s = &self.slabs[slab];
        let index = self.caches[cache].layout.index_at(at.bytes_after(s.base)?)?;
        (index.raw() < s.objects).then_some(index)
    }

    /// Checks an object of the slab, and repairs its bytes; whether all was as it should be.
    pub(super) fn check_object(&mut self, site: Site, activity: Activity) -> bool {
        let layout = self.caches[site.cache].layout;
        let goes_on = self.model.debug.checks_go_on;
        let mut is_sound = true;
        for expected in self.expected_of(&layout, site.object, activity) {
            // Paddings are restored, but up to 6.11 they do not fail the object.
            let is_padding = matches!(expected.zone, Zone::AlignmentPadding | Zone::ObjectPadding);
            let holds = self.check_bytes(site, expected, is_sound);
            if !holds && (goes_on || !is_padding) {
                is_sound = false;
                if !goes_on {
                    return false;
                }
            }
        }
        let follows_pointer = layout.pointer_is_outside() || activity == Activity::Inactive;
        if follows_pointer && !self.check_pointer(site, &layout) {
            return false;
        }
        is_sound
    }

    /// What an object's bytes should be, in the order in which they are looked at.
    fn expected_of(&self, layout: &Layout, object: VirtAddr, activity: Activity) -> Vec<Expected> {
        let flags = layout.checks.flags;
        let size = layout.object_size;
        let behind = layout.inuse - size;
        let at = |offset: u64| object.wrapping_add(offset);
        let mut expected = Vec::new();
        let mut expect = |zone, at, len, byte| {
            if len > 0 {
                expected.push(Expected { zone, at, len, byte });
            }
        };
        if flags.red_zone {
            let before = layout.red_left_pad;
            expect(Zone::LeftRedZone, object.wrapping_sub(before), before, activity.byte());
            expect(Zone::RightRedZone, at(size), behind, activity.byte());
            if self.model.debug.kmalloc_red_zone && activity == Activity::Active {
                let asked = self.orig_size(layout, object).unwrap_or(size).min(size);
                expect(Zone::KmallocRedZone, at(asked), size - asked, activity.byte());
            }
        } else if flags.poison {
            expect(Zone::AlignmentPadding, at(size), behind, IN_USE);
        }
        if flags.poison {
            if activity == Activity::Inactive && layout.checks.object_poison {
                expect(Zone::Poison, object, size - 1, FREE);
                expect(Zone::EndPoison, at(size - 1), 1, END);
            }
            let end = layout.metadata_end();
            expect(Zone::ObjectPadding, at(end), layout.end() - end, IN_USE);
        }
        expected
    }

    /// Checks some bytes; where they are not as expected, tells so and restores them.
    fn check_bytes(&mut self, site: Site, expected: Expected, is_first: bool) -> bool {
        let Expected { zone, at, len, byte } = expected;
        let Some((bytes, found)) = self.wrong_bytes(at, len, byte) else { return true };
        let offset = bytes.at.bytes_after(self.slabs[site.slab].base).unwrap_or_default();
        let finding = Finding::Overwritten { zone, bytes, offset, found, expected: byte };
        if is_first {
            self.report_object(site, finding);
        } else {
            self.report_bytes(site, finding);
        }
        self.restore(site.cache, site.slab, zone, bytes, byte);
        false
    }

    /// From the first wrong byte to the last, and the first one itself.
    pub(super) fn wrong_bytes(&self, at: VirtAddr, len: u64, byte: u8) -> Option<(Range, u8)> {
        let mut bytes = vec![byte; index_from(u32::try_from(len).unwrap_or(u32::MAX))];
        let read = self.bytes.copy_out(at, &mut bytes);
        debug_assert!(read.is_ok(), "an object of a slab is mapped");
        let first = bytes.iter().position(|found| *found != byte)?;
        let last = bytes.iter().rposition(|found| *found != byte)?;
        let start = at.wrapping_add(u64::from(count_from(first)));
        Some((Range { at: start, len: u64::from(count_from(last - first + 1)) }, bytes[first]))
    }

    /// Sets bytes to what they should be.
    pub(super) fn restore(&mut self, cache: CacheId, slab: SlabId, zone: Zone, bytes: Range, byte: u8) {
        self.report_repair(cache, slab, Repair::Restored { zone, bytes, byte });
        let restored = self.bytes.fill(bytes.at, bytes.len, byte);
        debug_assert!(restored.is_ok(), "an object of a slab is mapped");
    }

    /// Checks where an object's free pointer leads. What lies behind a wrong one is lost.
    fn check_pointer(&mut self, site: Site, layout: &Layout) -> bool {
        let code = self.caches[site.cache].code;
        let word = site.object.wrapping_add(layout.offset);
        let next = code.read(&self.bytes, word).unwrap_or(VirtAddr::NULL);
        if self.is_object(site.cache, site.slab, next) {
            return true;
        }
        self.report_object(site, Finding::FreePointer);
        self.cut_after(site);
        false
    }

    /// Makes an object the last of its list.
    pub(super) fn cut_after(&mut self, site: Site) {
        let s = &self.caches[site.cache];
        let word = site.object.wrapping_add(s.layout.offset);
        let cut = s.code.write(&mut self.bytes, word, VirtAddr::NULL);
        debug_assert!(cut.is_ok(), "an object of a slab is mapped");
    }
}
