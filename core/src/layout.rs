//! Where things lie in an object and in a slab: a pure function of what a cache asked for and the kernel.
//!
//! ```text
//! one stride of a slab (no debugging):
//!   | object ............ object_size | pad to 8 | free pointer, if outside | pad to align |
//!   ^ the object's address                        ^ inuse                    ^           size
//! ```
//! Sources: `calculate_sizes`, `calculate_order`, `slab_order`, `calculate_alignment`, `set_cpu_partial` as
//! read in 4.19, 5.10, 6.1, 6.12 and 7.3. What checks add to an object is in [`metadata`](Checks).

mod metadata;
mod order;

pub use metadata::{Checks, Track};

use order::slab_order;

use crate::kernel::{AskedPointer, CpuPartialLimit, DebugFlags, MinPartial, Model, Part, PointerPlace, SheafUse};
use crate::units::Order;
use core::fmt;

/// Bytes of a machine word: every object is a multiple of it apart.
pub const WORD: u64 = 8;
/// Bytes of a cache line (x86-64).
pub const CACHE_LINE: u64 = 64;
/// The largest object: a block of the largest order.
const MAX_OBJECT_SIZE: u64 = 4 << 20;
/// Most objects of a sheaf: its array and a header of 32 bytes are one kmalloc object.
const MAX_SHEAF_CAPACITY: u32 = ((4 << 20) - 32) / 8;

/// What a cache is asked to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct CacheArgs {
    /// `object_size`: bytes that a user of an object may touch.
    pub object_size: u64,
    /// Alignment asked for; 0 for none.
    pub align: u64,
    /// `SLAB_*` flags.
    pub flags: CacheFlags,
    /// Whether there is a constructor.
    pub ctor: bool,
    /// Where the free pointer is to lie although objects are constructed or looked at while they are free, if anywhere
    /// (`freeptr_offset`, 6.10).
    pub pointer_at: Option<u64>,
    /// Objects that a sheaf is to hold at least; 0 for no wish (`sheaf_capacity`, 6.18).
    pub sheaf_capacity: u32,
    /// The bytes of an object that may be copied to and from user space (4.16; before, all of them).
    pub window: Window,
}

impl CacheArgs {
    /// The parts of the kernel's interface that it takes to ask for this.
    #[must_use]
    pub fn needs(&self) -> [(bool, Part); 4] {
        [
            (self.flags.account, Part::Account),
            (self.flags.cache_dma32, Part::Dma32),
            (self.flags.no_merge, Part::NoMerge),
            (self.window != Window::default(), Part::Window),
        ]
    }
}

/// A part of an object: `useroffset` and `usersize`. No bytes where `kmem_cache_create` names none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Window {
    /// Where it starts, from the object.
    pub offset: u64,
    /// How many bytes.
    pub size: u64,
}

/// The `SLAB_*` flags that change what the allocator does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct CacheFlags {
    /// `SLAB_HWCACHE_ALIGN`.
    pub hwcache_align: bool,
    /// `SLAB_TYPESAFE_BY_RCU`.
    pub typesafe_by_rcu: bool,
    /// `SLAB_RECLAIM_ACCOUNT`.
    pub reclaim_account: bool,
    /// `SLAB_CACHE_DMA`.
    pub cache_dma: bool,
    /// `SLAB_CACHE_DMA32`.
    pub cache_dma32: bool,
    /// `SLAB_ACCOUNT`.
    pub account: bool,
    /// `SLAB_PANIC`.
    pub panic: bool,
    /// `SLAB_NO_MERGE` (6.5).
    pub no_merge: bool,
    /// `SLAB_KMALLOC`: objects may be larger than what was asked for.
    pub kmalloc: bool,
    /// `SLAB_NO_USER_FLAGS`: the boot option `slub_debug=` does not reach the cache.
    pub no_user_flags: bool,
    /// The checks.
    pub debug: DebugFlags,
}

/// How a cache lays out its objects and slabs. All sizes and offsets in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// What was asked for.
    pub object_size: u64,
    /// The stride between objects.
    pub size: u64,
    /// The alignment of the first object and of the stride.
    pub align: u64,
    /// Where metadata starts, from the object.
    pub inuse: u64,
    /// Where the free pointer lies, from the object.
    pub offset: u64,
    /// The order of a slab.
    pub order: Order,
    /// Objects in a slab of that order.
    pub objects: u32,
    /// The order that is tried when that one is not to be had.
    pub min_order: Order,
    /// Objects in a slab of the smaller order.
    pub min_objects: u32,
    /// Slabs that the node's partial list keeps even when they are empty.
    pub min_partial: u32,
    /// `cpu_partial`: free objects that a CPU's partial list aims at.
    pub cpu_partial: u32,
    /// `sheaf_capacity`: objects that a sheaf holds; 0 where there are no sheaves.
    pub sheaf_capacity: u32,
    /// `cpu_partial_slabs`: slabs that a CPU's partial list holds (counted from 5.16; 0 before).
    pub cpu_partial_slabs: u32,
    /// Bytes of a chunk before its object, all of them red zone; 0 where there is none.
    pub red_left_pad: u64,
    /// What is kept for checks.
    pub checks: Checks,
}

impl Layout {
    /// Lays out the cache that `args` ask for, under `model`.
    ///
    /// # Errors
    /// A geometry that no kernel accepts, with the value at fault.
    pub fn of(args: &CacheArgs, model: &Model) -> Result<Self, LayoutError> {
        check(args, model)?;
        let align = alignment(args);
        let checks = Checks::of(args, model);
        let word_aligned = align_up(args.object_size, WORD);
        let needs_red_zone = checks.flags.red_zone && word_aligned == args.object_size;
        let inuse = word_aligned + if needs_red_zone { WORD } else { 0 };
        let (offset, end) = match (must_keep_contents(args), args.pointer_at) {
            _ if checks.moves_pointer(args.object_size, model) => (inuse, inuse + WORD),
            (true, Some(offset)) => (offset, inuse),
            (true, None) => (inuse, inuse + WORD),
            (false, _) => (pointer_offset(args.object_size, inuse, model.pointer_place), inuse),
        };
        let (kept, red_left_pad) = checks.room(align, model);
        let size = align_up(end + kept + red_left_pad, align);
        let order = slab_order(size, model)?;
        let min_order = if model.order_fallback { Order::holding(size) } else { order };
        let cpu_partial = if checks.flags.checks() { 0 } else { cpu_partial_objects(size, model.cpu_partial) };
        let objects = objects_in(order, size);
        Ok(Self {
            object_size: args.object_size,
            size,
            align,
            inuse,
            offset,
            order,
            objects,
            min_order,
            min_objects: objects_in(min_order, size),
            min_partial: match model.min_partial {
                MinPartial::Fixed(slabs) => slabs,
                MinPartial::Logarithm => size.ilog2().clamp(5, 10),
                MinPartial::HalfLogarithm => (size.ilog2() / 2).clamp(5, 10),
            },
            cpu_partial,
            sheaf_capacity: match model.sheaves {
                _ if checks.flags.checks() => 0,
                SheafUse::Never => 0,
                SheafUse::Asked => args.sheaf_capacity,
                SheafUse::Every => sheaf_capacity(size).max(args.sheaf_capacity),
            },
            cpu_partial_slabs: match model.cpu_partial {
                CpuPartialLimit::Slabs => (cpu_partial * 2).div_ceil(objects),
                CpuPartialLimit::Absent | CpuPartialLimit::Objects => 0,
            },
            red_left_pad,
            checks,
        })
    }

    /// Whether the free pointer lies after the object rather than in it.
    #[must_use]
    pub const fn pointer_is_outside(&self) -> bool {
        self.offset >= self.inuse
    }

    /// Bytes of a slab of the preferred order that belong to no object.
    #[must_use]
    pub fn tail(&self) -> u64 {
        self.order.bytes() - u64::from(self.objects) * self.size
    }
}

/// Why no kernel makes such a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutError {
    /// Objects of no size, or larger than the largest block of pages.
    ObjectSize {
        /// The size asked for.
        object_size: u64,
    },
    /// An alignment that is not a power of two, or larger than the largest block of pages.
    Align {
        /// The alignment asked for.
        align: u64,
    },
    /// A place for the free pointer that is not inside the object, or that this cache may not ask for.
    PointerAt {
        /// The offset asked for.
        offset: u64,
    },
    /// A usercopy window that does not lie in the object.
    Window {
        /// The window asked for.
        window: Window,
        /// The object's size.
        object_size: u64,
    },
    /// Sheaves that this kernel does not have, or that hold more than a kmalloc object.
    SheafCapacity {
        /// The capacity asked for.
        capacity: u32,
    },
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ObjectSize { object_size } => write!(
                f,
                "objects of {object_size} bytes: kmem_cache_create takes 1 to {MAX_OBJECT_SIZE} bytes (4 MiB)"
            ),
            Self::Align { align } => write!(f, "an alignment of {align}: it must be 0 or a power of two up to 4 MiB"),
            Self::PointerAt { offset } => write!(
                f,
                "a free pointer at {offset}: only caches with typesafe_by_rcu (6.10) or a constructor (7.0) may choose, and a \
                 word inside the object"
            ),
            Self::Window { window: Window { offset, size }, object_size } => write!(
                f,
                "a usercopy window of {size} bytes at {offset} in an object of {object_size}: kmem_cache_create_usercopy \
                 takes one that lies in the object, and none has no offset"
            ),
            Self::SheafCapacity { capacity } => write!(
                f,
                "sheaves of {capacity} objects: caches may ask for sheaves from 6.18 on, of at most {MAX_SHEAF_CAPACITY} \
                 objects"
            ),
        }
    }
}

impl core::error::Error for LayoutError {}

/// The sanity checks of `kmem_cache_create` (`kmem_cache_sanity_check`: at most `KMALLOC_MAX_SIZE`). That an object be
/// at least a word was asked for up to 5.12, and only under `CONFIG_DEBUG_VM` (commit 74c1d3e08153 took it away).
pub(crate) fn check(args: &CacheArgs, model: &Model) -> Result<(), LayoutError> {
    if !(1..=MAX_OBJECT_SIZE).contains(&args.object_size) {
        return Err(LayoutError::ObjectSize { object_size: args.object_size });
    }
    if args.align != 0 && (!args.align.is_power_of_two() || args.align > MAX_OBJECT_SIZE) {
        return Err(LayoutError::Align { align: args.align });
    }
    let Window { offset, size } = args.window;
    if args.object_size.checked_sub(size).is_none_or(|rest| rest < offset) || (size == 0 && offset != 0) {
        return Err(LayoutError::Window { window: args.window, object_size: args.object_size });
    }
    let has_no_sheaves = args.sheaf_capacity > 0 && model.sheaves == SheafUse::Never;
    if has_no_sheaves || args.sheaf_capacity > MAX_SHEAF_CAPACITY {
        return Err(LayoutError::SheafCapacity { capacity: args.sheaf_capacity });
    }
    match args.pointer_at {
        Some(offset) if !may_ask(args, offset, model.asked_pointer) => Err(LayoutError::PointerAt { offset }),
        Some(_) | None => Ok(()),
    }
}

/// `create_cache` (mm/slab_common.c, 6.12): a place inside the object, for objects that need one.
const fn may_ask(args: &CacheArgs, offset: u64, asked: AskedPointer) -> bool {
    let by_kind = match asked {
        AskedPointer::Never => false,
        AskedPointer::ByRcu => args.flags.typesafe_by_rcu,
        AskedPointer::ByRcuOrConstructed => args.flags.typesafe_by_rcu || args.ctor,
    };
    by_kind && offset < args.object_size && offset.is_multiple_of(WORD)
}

/// `calculate_alignment` (mm/slab_common.c, 4.19 to 6.1).
pub(crate) fn alignment(args: &CacheArgs) -> u64 {
    let mut align = args.align;
    if args.flags.hwcache_align {
        let mut line = CACHE_LINE;
        while args.object_size <= line / 2 {
            line /= 2;
        }
        align = align.max(line);
    }
    align_up(align.max(WORD), WORD)
}

/// A constructed object must keep its contents while it is free, and so must one that readers may still hold.
const fn must_keep_contents(args: &CacheArgs) -> bool {
    args.ctor || args.flags.typesafe_by_rcu
}

/// `inuse` counts a red zone.
fn pointer_offset(object_size: u64, inuse: u64, place: PointerPlace) -> u64 {
    match place {
        PointerPlace::Start => 0,
        PointerPlace::MiddleUp { red_zone_counted } => {
            let area = if red_zone_counted { inuse } else { align_up(object_size, WORD) };
            if area > WORD { align_up(area / 2, WORD) } else { 0 }
        }
        PointerPlace::MiddleDown => object_size / 2 / WORD * WORD,
    }
}

/// `set_cpu_partial`: 5.16 raised the numbers when it began to count slabs half full (commit b47291ef02b0).
fn cpu_partial_objects(size: u64, limit: CpuPartialLimit) -> u32 {
    let by_size = |huge, large, medium, small| match size {
        4096.. => huge,
        1024.. => large,
        256.. => medium,
        _ => small,
    };
    match limit {
        CpuPartialLimit::Absent => 0,
        CpuPartialLimit::Objects => by_size(2, 6, 13, 30),
        CpuPartialLimit::Slabs => by_size(6, 24, 52, 120),
    }
}

/// `calculate_sheaf_capacity` (7.3): so many that the array and its header fill a kmalloc class.
const fn sheaf_capacity(size: u64) -> u32 {
    match size {
        4096.. => 4,
        1024.. => 12,
        256.. => 28,
        _ => 60,
    }
}

fn objects_in(order: Order, size: u64) -> u32 {
    u32::try_from(order.bytes() / size).expect("at most 2^22 / 8 objects")
}

/// Rounds up to a multiple of `align`.
#[must_use]
pub const fn align_up(value: u64, align: u64) -> u64 {
    value.div_ceil(align) * align
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{KernelConfig, Version};

    fn layout(version: Version, cpus: u32, object_size: u64, align: u64) -> Layout {
        let model = KernelConfig { cpus, ..KernelConfig::plain(version) }.model().expect("a plain kernel");
        Layout::of(&CacheArgs { object_size, align, ..CacheArgs::default() }, &model).expect("a sane cache")
    }

    /// slub-semantics 1.5: (size, offset, [(order, objects); 1, 4, 16 CPUs], cpu_partial_slabs, min_partial).
    #[test]
    fn worked_table_without_debugging() {
        type Row = (u64, u64, u64, [(u32, u32); 3], [u32; 3], u32);
        let rows: [Row; 14] = [
            (8, 8, 0, [(0, 512), (0, 512), (0, 512)], [1, 1, 1], 5),
            (16, 16, 8, [(0, 256), (0, 256), (0, 256)], [1, 1, 1], 5),
            (24, 8, 8, [(0, 170), (0, 170), (0, 170)], [2, 2, 2], 5),
            (32, 32, 16, [(0, 128), (0, 128), (0, 128)], [2, 2, 2], 5),
            (64, 64, 32, [(0, 64), (0, 64), (0, 64)], [4, 4, 4], 5),
            (96, 8, 48, [(0, 42), (0, 42), (0, 42)], [6, 6, 6], 5),
            (128, 128, 64, [(0, 32), (0, 32), (0, 32)], [8, 8, 8], 5),
            (192, 8, 96, [(0, 21), (0, 21), (1, 42)], [12, 12, 6], 5),
            (256, 256, 128, [(0, 16), (0, 16), (1, 32)], [7, 7, 4], 5),
            (512, 512, 256, [(0, 8), (1, 16), (2, 32)], [13, 7, 4], 5),
            (1024, 1024, 512, [(1, 8), (2, 16), (3, 32)], [6, 3, 2], 5),
            (2048, 2048, 1024, [(2, 8), (3, 16), (3, 16)], [6, 3, 3], 5),
            (4096, 4096, 2048, [(3, 8), (3, 8), (3, 8)], [2, 2, 2], 6),
            (8192, 8, 4096, [(3, 4), (3, 4), (3, 4)], [3, 3, 3], 6),
        ];
        for (object_size, align, offset, geometry, slabs, min_partial) in rows {
            for (column, cpus) in [1, 4, 16].into_iter().enumerate() {
                let layout = layout(Version::release(6, 1), cpus, object_size, align);
                assert_eq!((layout.order.raw(), layout.objects), geometry[column], "{object_size} on {cpus} CPUs");
                assert_eq!(layout.cpu_partial_slabs, slabs[column], "{object_size} on {cpus} CPUs");
                assert_eq!((layout.offset, layout.min_partial), (offset, min_partial), "{object_size}");
            }
        }
    }

    /// The four formulas for the free pointer's place, on sizes that tell them apart.
    #[test]
    fn pointer_place_by_version() {
        let places = |object_size| {
            [Version::release(5, 6), Version::release(5, 7), Version::release(5, 13)]
                .map(|version| layout(version, 1, object_size, 0).offset)
        };
        assert_eq!(places(8), [0, 0, 0]);
        assert_eq!(places(16), [0, 8, 8]);
        assert_eq!(places(24), [0, 16, 8]);
        assert_eq!(places(64), [0, 32, 32]);
        assert_eq!(places(100), [0, 56, 48]);
        assert_eq!(places(5000), [0, 2504, 2496]);
    }

    #[test]
    fn a_constructor_or_rcu_moves_the_pointer_out() {
        let model = KernelConfig::plain(Version::release(6, 1)).model().expect("plain");
        let rcu = CacheFlags { typesafe_by_rcu: true, ..CacheFlags::default() };
        for args in [
            CacheArgs { object_size: 60, ctor: true, ..CacheArgs::default() },
            CacheArgs { object_size: 60, flags: rcu, ..CacheArgs::default() },
        ] {
            let layout = Layout::of(&args, &model).expect("sane");
            assert_eq!((layout.offset, layout.inuse, layout.size), (64, 64, 72));
            assert!(layout.pointer_is_outside());
        }
    }

    /// 6.1 and 6.12 as recorded.
    #[test]
    fn from_6_7_a_slab_wastes_more_before_it_holds_fewer() {
        let slab = |minor| {
            let layout = layout(Version::release(6, minor), 1, 12_000, 0);
            (layout.order.raw(), layout.objects)
        };
        assert_eq!([slab(1), slab(12)], [(2, 1), (3, 2)]);
    }

    /// 6.12 as recorded; that a constructed object may ask in 7.3 shows in its `ext4_inode_cache`.
    #[test]
    fn a_pointer_place_asked_for_keeps_it_in() {
        let of = |version, typesafe_by_rcu, pointer_at| {
            let model = KernelConfig::plain(version).model().expect("plain");
            let flags = CacheFlags { typesafe_by_rcu, ..CacheFlags::default() };
            let ctor = !typesafe_by_rcu;
            let args = CacheArgs { object_size: 64, flags, ctor, pointer_at: Some(pointer_at), ..CacheArgs::default() };
            Layout::of(&args, &model).map(|layout| (layout.offset, layout.size))
        };
        assert_eq!(of(Version::release(6, 12), true, 8), Ok((8, 64)));
        assert_eq!(of(Version::release(7, 3), false, 8), Ok((8, 64)));
        let refused = |offset| Err(LayoutError::PointerAt { offset });
        assert_eq!(of(Version::release(6, 9), true, 8), refused(8));
        assert_eq!(of(Version::release(6, 12), false, 8), refused(8));
        assert_eq!([64, 4].map(|offset| of(Version::release(7, 3), true, offset)), [refused(64), refused(4)]);
    }

    /// slub-semantics 3.9: from 6.18 for caches that ask, as much as they ask for (6.18's `vm_area_struct`, listed);
    /// from 7.0 for all, at least what their size comes to (7.3's `maple_node`, listed).
    #[test]
    fn sheaves_are_for_who_asks_and_then_for_all() {
        let of = |version, object_size, sheaf_capacity| {
            let model = KernelConfig::plain(version).model().expect("plain");
            let args = CacheArgs { object_size, sheaf_capacity, ..CacheArgs::default() };
            Layout::of(&args, &model).map(|layout| layout.sheaf_capacity)
        };
        assert_eq!(of(Version::release(6, 17), 192, 0), Ok(0));
        assert_eq!(of(Version::release(6, 17), 192, 32), Err(LayoutError::SheafCapacity { capacity: 32 }));
        assert_eq!([of(Version::release(6, 18), 192, 0), of(Version::release(6, 18), 192, 32)], [Ok(0), Ok(32)]);
        let with = |asked| [64, 256, 1024, 4096].map(|size| of(Version::release(7, 0), size, asked));
        assert_eq!(with(0), [Ok(60), Ok(28), Ok(12), Ok(4)]);
        assert_eq!(with(32), [Ok(60), Ok(32), Ok(32), Ok(32)]);
        assert_eq!(of(Version::release(7, 3), 64, 600_000), Err(LayoutError::SheafCapacity { capacity: 600_000 }));
    }

    #[test]
    fn refusals_name_the_value() {
        let model = KernelConfig::plain(Version::release(6, 1)).model().expect("plain");
        let of = |object_size, align| Layout::of(&CacheArgs { object_size, align, ..CacheArgs::default() }, &model);
        assert_eq!(of(0, 0), Err(LayoutError::ObjectSize { object_size: 0 }));
        assert_eq!(of(64, 24), Err(LayoutError::Align { align: 24 }));
    }
}
