//! What SLUB's own checks keep beside an object, and where.
//!
//! ```text
//! one stride of a cache with Z, P and U:
//!   | left red zone | object | right red zone | free pointer | allocated by | freed by | asked for | padding |
//!   ^               ^        ^                ^              ^ pointer_end                         ^
//!   chunk           object   object_size      inuse          track_at(Alloc)               metadata_end
//!     red_left_pad                                                                                   size
//! ```
//! Offsets are from the object, as in the kernel; the left red zone lies before it. `calculate_sizes`,
//! `get_info_end`, `get_track`, `size_from_object` (mm/slub.c, 4.19 to 7.3).

use super::{CacheArgs, Layout, LayoutError, WORD, align_up};
use crate::kernel::{DebugFlags, Model};
use crate::units::{ObjectIndex, Order};

/// Which checks a cache has, and what they keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Checks {
    /// The checks.
    pub flags: DebugFlags,
    /// Whether objects themselves are poisoned (`__OBJECT_POISON`): not where their contents must survive a free.
    pub object_poison: bool,
    /// Bytes of each of the two tracks; 0 where there are none.
    pub track_size: u64,
    /// Bytes of the size that was asked for; 0 where it is not kept.
    pub orig_size: u64,
}

/// Who did something to an object last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Track {
    /// `TRACK_ALLOC`.
    Alloc,
    /// `TRACK_FREE`.
    Free,
}

impl Checks {
    pub(super) fn of(args: &CacheArgs, model: &Model) -> Self {
        let flags = args.flags.debug;
        let keeps_size = flags.store_user && args.flags.kmalloc;
        Self {
            flags,
            object_poison: flags.poison && !args.flags.typesafe_by_rcu && !args.ctor,
            track_size: if flags.store_user { model.debug.track_size } else { 0 },
            orig_size: if keeps_size { model.debug.orig_size } else { 0 },
        }
    }

    /// Whether a check needs the free pointer behind the object.
    pub(super) const fn moves_pointer(&self, object_size: u64, model: &Model) -> bool {
        let small = object_size < WORD && model.debug.small_red_zoned_outside;
        let may_shrink = self.orig_size > 0 && model.debug.kmalloc_red_zone;
        self.flags.poison || (self.flags.red_zone && (small || may_shrink))
    }

    /// Bytes behind the free pointer, and the left red zone: what is kept, and a word so that whoever writes before
    /// the next object meets padding first.
    pub(super) fn room(&self, align: u64, model: &Model) -> (u64, u64) {
        let kept = 2 * self.track_size + self.orig_size;
        match (self.flags.red_zone, model.debug.left_red_zone) {
            (true, true) => (kept + WORD, align_up(WORD, align)),
            (true, false) => (kept + WORD, 0),
            (false, _) => (kept, 0),
        }
    }
}

impl Layout {
    /// What a cache of this name comes to, with the checks that the boot option gives it (`kmem_cache_flags`), and its
    /// layout. With `O` those that would raise its slabs' smallest order are taken away again (`kmem_cache_open`).
    ///
    /// # Errors
    /// A geometry that no kernel accepts, with the value at fault.
    pub fn at_boot(name: &str, args: &CacheArgs, model: &Model) -> Result<(CacheArgs, Self), LayoutError> {
        let mut args = *args;
        let option = model.debug.option.as_ref();
        if let Some(option) = option.filter(|_| !args.flags.no_user_flags) {
            args.flags.debug = args.flags.debug.and(option.flags_of(name));
        }
        if !model.debug.is_built {
            args.flags.debug = DebugFlags::default();
        }
        let layout = Self::of(&args, model)?;
        let is_higher = Order::holding(layout.size) > Order::holding(layout.object_size);
        if is_higher && option.is_some_and(crate::kernel::SlubDebug::keeps_order) {
            args.flags.debug = args.flags.debug.without_metadata();
            return Ok((args, Self::of(&args, model)?));
        }
        Ok((args, layout))
    }

    /// Whether the cache has checks.
    #[must_use]
    pub const fn is_checked(&self) -> bool {
        self.checks.flags.checks()
    }

    /// Bytes of an object that are zeroed where an allocation is: those that were asked for where the rest is a red zone
    /// (6.2 and later, `slab_post_alloc_hook`).
    #[must_use]
    pub fn bytes_to_zero(&self, asked: u64, model: &Model) -> u64 {
        let keeps_rest = model.debug.kmalloc_red_zone && self.orig_size_at().is_some() && self.checks.flags.red_zone;
        if keeps_rest { asked.min(self.object_size) } else { self.object_size }
    }

    /// Bytes from an object on that its user may use (`slab_ksize`): not what checks or readers rely on.
    #[must_use]
    pub const fn usable(&self, typesafe_by_rcu: bool) -> u64 {
        let flags = self.checks.flags;
        if flags.red_zone || flags.poison {
            self.object_size
        } else if flags.store_user || typesafe_by_rcu {
            self.inuse
        } else {
            self.size
        }
    }

    /// The first byte behind the object, its right red zone and the free pointer.
    #[must_use]
    pub const fn pointer_end(&self) -> u64 {
        if self.pointer_is_outside() { self.inuse + WORD } else { self.inuse }
    }

    /// Where a track lies.
    #[must_use]
    pub const fn track_at(&self, track: Track) -> u64 {
        match track {
            Track::Alloc => self.pointer_end(),
            Track::Free => self.pointer_end() + self.checks.track_size,
        }
    }

    /// Where the size that was asked for lies, if it is kept.
    #[must_use]
    pub const fn orig_size_at(&self) -> Option<u64> {
        let at = self.pointer_end() + 2 * self.checks.track_size;
        if self.checks.orig_size > 0 { Some(at) } else { None }
    }

    /// The first byte of padding.
    #[must_use]
    pub const fn metadata_end(&self) -> u64 {
        self.pointer_end() + 2 * self.checks.track_size + self.checks.orig_size
    }

    /// The first byte of the next object's chunk.
    #[must_use]
    pub const fn end(&self) -> u64 {
        self.size - self.red_left_pad
    }

    /// Where an object starts, from its slab's first byte.
    #[must_use]
    pub fn object_offset(&self, index: ObjectIndex) -> u64 {
        u64::from(index.raw()) * self.size + self.red_left_pad
    }

    /// The object that starts so many bytes from its slab's first; `None` where none does.
    #[must_use]
    pub fn index_at(&self, offset: u64) -> Option<ObjectIndex> {
        let offset = offset.checked_sub(self.red_left_pad)?;
        let index = u32::try_from(offset / self.size).ok()?;
        offset.is_multiple_of(self.size).then_some(ObjectIndex::from_raw(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{KernelConfig, SlubDebug, Version};
    use crate::kmalloc::{KmallocType, cache_args};

    fn kmalloc(version: Version, cpus: u32, option: &str, object_size: u64) -> Layout {
        let slub_debug = Some(SlubDebug::parse(option));
        let model = KernelConfig { cpus, slub_debug, ..KernelConfig::plain(version) }.model().expect("a kernel");
        let args = cache_args(KmallocType::Normal, object_size, &model);
        Layout::at_boot("kmalloc", &args, &model).expect("a kmalloc class").1
    }

    type Row = (u64, u64, u64, u64, u64, u64, u64, [(u32, u32); 3]);

    fn check_rows(version: Version, rows: &[Row]) {
        for (object_size, pad, inuse, offset, metadata_end, padding, size, geometry) in rows {
            for (cpus, geometry) in [1, 4, 16].into_iter().zip(geometry) {
                let layout = kmalloc(version, cpus, "FZPU", *object_size);
                let found = (layout.red_left_pad, layout.inuse, layout.offset, layout.metadata_end(), layout.size);
                assert_eq!(found, (*pad, *inuse, *offset, *metadata_end, *size), "{object_size} under {version}");
                assert_eq!(layout.end() - layout.metadata_end(), *padding, "{object_size} under {version}");
                assert_eq!((layout.order.raw(), layout.objects), *geometry, "{object_size} on {cpus} CPUs");
                assert_eq!((layout.cpu_partial, layout.sheaf_capacity), (0, 0));
            }
        }
    }

    /// slub-semantics 1.6.
    #[test]
    fn worked_table_with_checks() {
        let rows = [
            (8, 8, 16, 16, 96, 8, 112, [(0, 36), (0, 36), (0, 36)]),
            (16, 16, 24, 24, 104, 8, 128, [(0, 32), (0, 32), (0, 32)]),
            (32, 32, 40, 40, 120, 8, 160, [(0, 25), (0, 25), (0, 25)]),
            (64, 64, 72, 72, 152, 40, 256, [(0, 16), (0, 16), (1, 32)]),
            (96, 32, 104, 104, 184, 8, 224, [(0, 18), (0, 18), (1, 36)]),
            (128, 128, 136, 136, 216, 40, 384, [(0, 10), (1, 21), (2, 42)]),
            (192, 64, 200, 200, 280, 40, 384, [(0, 10), (1, 21), (2, 42)]),
            (256, 256, 264, 264, 344, 168, 768, [(1, 10), (2, 21), (3, 42)]),
            (512, 512, 520, 520, 600, 424, 1536, [(2, 10), (3, 21), (3, 21)]),
            (1024, 1024, 1032, 1032, 1112, 936, 3072, [(3, 10), (3, 10), (3, 10)]),
            (2048, 2048, 2056, 2056, 2136, 1960, 6144, [(3, 5), (3, 5), (3, 5)]),
            (4096, 4096, 4104, 4104, 4184, 4008, 12288, [(3, 2), (3, 2), (3, 2)]),
            (8192, 8192, 8200, 8200, 8280, 8104, 24576, [(3, 1), (3, 1), (3, 1)]),
        ];
        check_rows(Version::release(6, 12), &rows);
        check_rows(Version::release(7, 3), &rows);
        let old = [
            (8, 8, 16, 16, 92, 12, 112, [(0, 36), (0, 36), (0, 36)]),
            (16, 16, 24, 24, 100, 12, 128, [(0, 32), (0, 32), (0, 32)]),
            (32, 32, 40, 40, 116, 12, 160, [(0, 25), (0, 25), (0, 25)]),
            (64, 64, 72, 72, 148, 44, 256, [(0, 16), (0, 16), (1, 32)]),
            (96, 8, 104, 104, 180, 12, 200, [(0, 20), (0, 20), (1, 40)]),
            (128, 128, 136, 136, 212, 44, 384, [(0, 10), (1, 21), (2, 42)]),
            (192, 8, 200, 200, 276, 12, 296, [(0, 13), (1, 27), (1, 27)]),
            (256, 256, 264, 264, 340, 172, 768, [(1, 10), (2, 21), (3, 42)]),
        ];
        check_rows(Version::release(6, 1), &old);
    }

    /// A cache of 24 bytes that is none of kmalloc's keeps no size.
    #[test]
    fn only_kmalloc_keeps_the_size_asked_for() {
        let slub_debug = Some(SlubDebug::parse("FZPU"));
        let config = KernelConfig { slub_debug, ..KernelConfig::plain(Version::release(6, 12)) };
        let model = config.model().expect("a kernel");
        let args = CacheArgs { object_size: 24, ..CacheArgs::default() };
        let (_, layout) = Layout::at_boot("own", &args, &model).expect("a sane cache");
        assert_eq!((layout.red_left_pad, layout.inuse, layout.metadata_end(), layout.size), (8, 32, 104, 120));
        assert_eq!((layout.orig_size_at(), layout.order.raw(), layout.objects), (None, 0, 34));
    }

    /// slub-semantics 1.6, the sizes of 5.10 and 4.19.
    #[test]
    fn sizes_before_the_stack_depot() {
        let sizes = |version, classes: &[u64]| -> Vec<u64> {
            classes.iter().map(|size| kmalloc(version, 1, "FZPU", *size).size).collect()
        };
        let classes = [8, 16, 32, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096, 8192];
        let in_5_10 = [344, 368, 416, 512, 432, 640, 528, 1024, 1536, 3072, 6144, 12288, 24576];
        let in_4_19 = [344, 352, 368, 400, 432, 464, 528, 592, 848, 1360, 2384, 4432, 8528];
        assert_eq!(sizes(Version::release(5, 10), &classes), in_5_10);
        assert_eq!(sizes(Version::release(4, 19), &classes), in_4_19);
        let slabs = |size| {
            [1, 4, 16]
                .map(|cpus| kmalloc(Version::release(5, 10), cpus, "FZPU", size))
                .map(|l| (l.order.raw(), l.objects))
        };
        assert_eq!(slabs(8), [(1, 23), (1, 23), (2, 47)]);
        assert_eq!(slabs(64), [(0, 8), (1, 16), (2, 32)]);
        assert_eq!(slabs(256), [(1, 8), (2, 16), (3, 32)]);
        assert_eq!(slabs(8192), [(3, 1); 3]);
    }

    /// slub-semantics 1.6, trap 2.
    #[test]
    fn o_takes_away_what_raises_the_order() {
        let flags = |size| kmalloc(Version::release(6, 1), 1, "FZPUO", size).checks.flags;
        assert_eq!([8, 64, 512, 1024].map(flags), [DebugFlags::DEFAULT; 4]);
        let left = DebugFlags { consistency: true, ..DebugFlags::NONE };
        assert_eq!([2048, 4096, 8192].map(flags), [left; 3]);
    }

    /// `SLAB_NO_USER_FLAGS`: the boot option does not reach the cache, its own flags do.
    #[test]
    fn a_cache_can_keep_the_boot_option_out() {
        let slub_debug = Some(SlubDebug::parse("FZPU"));
        let config = KernelConfig { slub_debug, ..KernelConfig::plain(Version::release(6, 1)) };
        let model = config.model().expect("a kernel");
        let poison = DebugFlags { poison: true, ..DebugFlags::NONE };
        let flags = super::super::CacheFlags { no_user_flags: true, debug: poison, ..Default::default() };
        let args = CacheArgs { object_size: 64, flags, ..CacheArgs::default() };
        let (args, layout) = Layout::at_boot("TestSlub", &args, &model).expect("a sane cache");
        assert_eq!((args.flags.debug, layout.size), (poison, 72));
    }

    /// The three formulas on a red-zoned cache (slub-semantics 1.1, step 5): 5.7-rc1 counts the red zone.
    #[test]
    fn a_red_zone_and_the_pointers_place() {
        let place = |version, object_size| {
            let slub_debug = Some(SlubDebug::parse("Z"));
            let model = KernelConfig { slub_debug, ..KernelConfig::plain(version) }.model().expect("a kernel");
            let args = CacheArgs { object_size, ..CacheArgs::default() };
            Layout::at_boot("own", &args, &model).expect("a sane cache").1.offset
        };
        let [rc1, fixed, today] = [Version::candidate(5, 7, 1), Version::release(5, 7), Version::release(5, 13)]
            .map(|v| [8, 24].map(|s| place(v, s)));
        assert_eq!((rc1, fixed, today), ([8, 16], [0, 16], [0, 8]));
        assert_eq!(place(Version::release(6, 1), 4), 8, "too small to keep it");
    }
}
