//! kmalloc: a size and some gfp words choose a cache, or whole pages.
//!
//! `kmalloc_slab`, `kmalloc_type`, `create_kmalloc_caches`, `kmalloc_large`, `kfree`, `free_large_kmalloc`,
//! `kmalloc_size_roundup` (mm/slab_common.c, mm/slub.c, 4.19 to 6.1).
//!
//! Limitations: `__GFP_DMA` chooses the cache; the pages come from the one zone that there is.

use crate::allocator::{Kernel, Probe};
use crate::event::{AllocPath, Event, FreePath, Oops, OopsKind, Warning};
use crate::kernel::{KmallocAlignment, KmallocNames, Model};
use crate::layout::{CacheArgs, CacheFlags, Window};
use crate::memory::Bytes;
use crate::pages::PageSource;
use crate::units::{CacheId, Order, VirtAddr, index_from};
use core::fmt;

/// The gfp words that change what the allocator does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Gfp {
    /// `GFP_ATOMIC` rather than `GFP_KERNEL`.
    pub atomic: bool,
    /// `__GFP_ZERO`.
    pub zero: bool,
    /// `__GFP_RECLAIMABLE`.
    pub reclaimable: bool,
    /// `__GFP_DMA`.
    pub dma: bool,
    /// `__GFP_ACCOUNT`.
    pub account: bool,
}

impl fmt::Display for Gfp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.atomic { "GFP_ATOMIC" } else { "GFP_KERNEL" })?;
        let words = [
            (self.zero, "__GFP_ZERO"),
            (self.reclaimable, "__GFP_RECLAIMABLE"),
            (self.dma, "__GFP_DMA"),
            (self.account, "__GFP_ACCOUNT"),
        ];
        words.iter().filter(|(on, _)| *on).try_for_each(|(_, word)| write!(f, "|{word}"))
    }
}

/// The size classes, smallest first: 96 and 192 come between the powers of two.
pub const CLASSES: [u64; 13] = [8, 16, 32, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096, 8192];
/// The largest size that a cache serves (`KMALLOC_MAX_CACHE_SIZE`).
pub const MAX_CACHE_SIZE: u64 = 8192;
/// The largest size at all (`KMALLOC_MAX_SIZE`).
pub const MAX_SIZE: u64 = 4 << 20;

/// Which of the parallel arrays of caches serves a request (`enum kmalloc_cache_type`), in order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KmallocType {
    /// `kmalloc-N`.
    Normal,
    /// `kmalloc-cg-N`.
    Cgroup,
    /// `kmalloc-rcl-N`.
    Reclaim,
    /// `dma-kmalloc-N`.
    Dma,
}

impl KmallocType {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Normal, Self::Cgroup, Self::Reclaim, Self::Dma];

    /// The type that gfp words choose: DMA before reclaimable before accounted.
    #[must_use]
    pub const fn of(gfp: Gfp, model: &Model) -> Self {
        if gfp.dma {
            Self::Dma
        } else if gfp.reclaimable && model.kmalloc_reclaim {
            Self::Reclaim
        } else if gfp.account && !gfp.reclaimable && model.kmalloc_cgroup {
            Self::Cgroup
        } else {
            Self::Normal
        }
    }

    /// Whether a kernel has caches of this type.
    #[must_use]
    pub const fn exists(self, model: &Model) -> bool {
        match self {
            Self::Normal | Self::Dma => true,
            Self::Cgroup => model.kmalloc_cgroup,
            Self::Reclaim => model.kmalloc_reclaim,
        }
    }

    fn flags(self) -> CacheFlags {
        let none = CacheFlags::default();
        match self {
            Self::Normal => none,
            Self::Cgroup => CacheFlags { account: true, ..none },
            Self::Reclaim => CacheFlags { reclaim_account: true, ..none },
            Self::Dma => CacheFlags { cache_dma: true, ..none },
        }
    }

    const fn prefix(self) -> &'static str {
        match self {
            Self::Normal => "kmalloc-",
            Self::Cgroup => "kmalloc-cg-",
            Self::Reclaim => "kmalloc-rcl-",
            Self::Dma => "dma-kmalloc-",
        }
    }
}

/// The caches of kmalloc, by type and class.
#[derive(Clone, Debug, Default)]
pub struct KmallocCaches {
    by_type: [[Option<CacheId>; CLASSES.len()]; 4],
    /// The classes of small sizes, by (size - 1) / 8: a table, as in the kernel.
    by_eighth: [Option<CacheId>; 24],
}

impl KmallocCaches {
    /// The cache of a type and class.
    #[must_use]
    pub fn get(&self, kind: KmallocType, class: usize) -> Option<CacheId> {
        self.by_type[index_from(kind_index(kind))][class]
    }

    /// The cache that serves `size` bytes of this type.
    #[must_use]
    #[inline]
    pub fn serving(&self, kind: KmallocType, size: u64) -> Option<CacheId> {
        self.get(kind, class_of(size)?)
    }
}

const fn kind_index(kind: KmallocType) -> u32 {
    match kind {
        KmallocType::Normal => 0,
        KmallocType::Cgroup => 1,
        KmallocType::Reclaim => 2,
        KmallocType::Dma => 3,
    }
}

/// The class that serves `size`, as an index into [`CLASSES`]; `None` for 0 and for sizes that get pages.
#[must_use]
#[inline]
pub fn class_of(size: u64) -> Option<usize> {
    match size {
        0 => None,
        1..=192 => CLASSES.iter().position(|class| *class >= size),
        193..=MAX_CACHE_SIZE => Some(index_from((size - 1).ilog2() - 7) + 7),
        _ => None,
    }
}

/// The name of a kmalloc cache.
#[must_use]
pub fn cache_name(kind: KmallocType, class_size: u64, model: &Model) -> String {
    let prefix = kind.prefix();
    match model.kmalloc_names {
        KmallocNames::Short if class_size >= 1024 => format!("{prefix}{}k", class_size / 1024),
        KmallocNames::Short | KmallocNames::Decimal => format!("{prefix}{class_size}"),
    }
}

/// What a kmalloc cache is asked to be.
#[must_use]
pub fn cache_args(kind: KmallocType, class_size: u64, model: &Model) -> CacheArgs {
    let align = match model.kmalloc_alignment {
        KmallocAlignment::PowersOfTwo if class_size.is_power_of_two() => class_size,
        KmallocAlignment::LargestDivisor => 1 << class_size.trailing_zeros(),
        KmallocAlignment::PowersOfTwo | KmallocAlignment::Word => 0,
    };
    let no_merge = stays_apart(kind, model) && model.no_merge_flag;
    let flags = CacheFlags { no_merge, ..kind.flags() };
    let window = Window { offset: 0, size: class_size };
    CacheArgs { object_size: class_size, align, flags, window, ..CacheArgs::default() }
}

/// With accounting, ordinary kmalloc stays apart from accounted caches (5.14, commit 494c1dfe855e).
fn stays_apart(kind: KmallocType, model: &Model) -> bool {
    kind == KmallocType::Normal && model.kmalloc_cgroup
}

/// `kmalloc_size_roundup`: the bytes that `kmalloc(size)` really gives.
#[must_use]
pub fn size_roundup(size: u64, model: &Model) -> u64 {
    match (size, class_of(size)) {
        (0, _) => 0,
        (_, Some(class)) => CLASSES[class],
        (size, None) if size > MAX_SIZE && model.roundup_keeps_too_large => size,
        (size, None) if size > 1 << 62 => size,
        (size, None) => Order::holding(size).bytes(),
    }
}

impl<P: Probe, B: Bytes> Kernel<P, B> {
    pub(crate) fn create_kmalloc_caches(&mut self) {
        for kind in KmallocType::ALL {
            if !kind.exists(&self.model) {
                continue;
            }
            for (class, size) in CLASSES.into_iter().enumerate() {
                let name = cache_name(kind, size, &self.model);
                let args = cache_args(kind, size, &self.model);
                let cache = self.create_cache_of_its_own(&name, &args).expect("a kmalloc class is a sane cache");
                if stays_apart(kind, &self.model) && !self.model.no_merge_flag {
                    // Before there was a flag for it, the count said so.
                    self.caches[cache.index()].refcount = -1;
                }
                self.kmalloc.by_type[index_from(kind_index(kind))][class] = Some(cache);
            }
        }
        for eighth in 0..24_u64 {
            self.kmalloc.by_eighth[index_from(u32::try_from(eighth).expect("under 24"))] =
                self.kmalloc.serving(KmallocType::Normal, eighth * 8 + 1);
        }
    }

    /// The cache that serves `kmalloc(size)`; `None` for 0 and for sizes that get pages.
    #[must_use]
    pub fn kmalloc_cache(&self, size: u64, gfp: Gfp) -> Option<CacheId> {
        self.kmalloc.serving(KmallocType::of(gfp, &self.model), size)
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
        match self.serving(size, gfp) {
            Some(cache) => self.alloc(cache, gfp.zero),
            None => Ok(self.kmalloc_pages(size, gfp)),
        }
    }

    /// The cache that serves a request: small plain ones by the table.
    #[inline]
    fn serving(&self, size: u64, gfp: Gfp) -> Option<CacheId> {
        let eighth = usize::try_from(size.wrapping_sub(1) / 8).unwrap_or(usize::MAX);
        let small = self.kmalloc.by_eighth.get(eighth).filter(|_| gfp == Gfp::default());
        small.copied().unwrap_or_else(|| self.kmalloc_cache(size, gfp))
    }

    #[cold]
    fn kmalloc_pages(&mut self, size: u64, gfp: Gfp) -> VirtAddr {
        if size == 0 {
            let address = VirtAddr::ZERO_SIZE_PTR;
            self.on(|| Event::Allocated { cache: None, address, path: AllocPath::ZeroSize });
            return address;
        }
        let order = Order::holding(size);
        let block = if order <= Order::MAX { self.pages.alloc(order) } else { None };
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

    /// `kfree` of anything.
    ///
    /// # Errors
    /// An oops. What was done before stays done.
    #[inline(always)]
    pub fn kfree(&mut self, object: VirtAddr) -> Result<(), Oops> {
        if let Some((slab, cache)) = self.frames.owner_at(object) {
            return self.free_to(cache, slab, object);
        }
        self.kfree_page(object)
    }

    #[cold]
    fn kfree_page(&mut self, object: VirtAddr) -> Result<(), Oops> {
        if object.is_zero_or_null() {
            self.on(|| Event::FreeIgnored { address: object });
            return Ok(());
        }
        if let Err(kind) = self.slab_of_object(object) {
            return Err(self.oops(kind, "kfree"));
        }
        let frame = object.pfn().expect("mapped memory lies in the direct map");
        if let Some((block, order)) = self.frames.large(frame) {
            self.frames.clear(block, order);
            self.pages.free(block, order);
            self.on(|| Event::Freed { cache: None, address: object, path: FreePath::Large });
            return Ok(());
        }
        if self.model.bad_kfree_bug {
            return Err(self.oops(OopsKind::BadFree { address: object }, "kfree"));
        }
        self.on(|| Event::Warned(Warning::NotALargeKmalloc { address: object }));
        if let PageSource::Buddy(buddy) = &mut self.pages
            && buddy.owns(frame)
            && buddy.free_block_of(frame).is_none()
        {
            buddy.free(frame, Order::from_raw(0));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{KernelConfig, Version};

    /// Each size at which the class changes (slub-semantics 2.1), and its neighbours.
    #[test]
    fn classes_change_where_the_kernel_changes_them() {
        let model = |version| KernelConfig::plain(version).model().expect("plain");
        let (old, new) = (model(Version::release(6, 1)), model(Version::release(6, 12)));
        let size_roundup = |size| size_roundup(size, &old);
        let mut below = 0;
        for class in CLASSES {
            assert_eq!(size_roundup(below + 1), class);
            assert_eq!(size_roundup(class), class);
            below = class;
        }
        assert_eq!(class_of(8193), None);
        assert_eq!(size_roundup(8193), 16384);
        assert_eq!(size_roundup(131_073), 262_144);
        assert_eq!(size_roundup(0), 0);
        assert_eq!(size_roundup(u64::MAX), u64::MAX);
        assert_eq!(size_roundup(MAX_SIZE + 1), 2 * MAX_SIZE);
        assert_eq!([MAX_SIZE, MAX_SIZE + 1].map(|size| super::size_roundup(size, &new)), [MAX_SIZE, MAX_SIZE + 1]);
    }
}
