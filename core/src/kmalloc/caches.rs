//! The caches of kmalloc: size classes, types, names, and how each cache is asked for.
//!
//! `create_kmalloc_caches`, `kmalloc_info`, `kmalloc_type` (mm/slab_common.c, 4.19 to 7.3).

use super::Gfp;
use super::caller::{Buckets, COPIES, copy_name};
use crate::allocator::{Kernel, Probe};
use crate::kernel::{AccountedKmalloc, KmallocAlignment, KmallocCopies, KmallocCreation, KmallocNames, Model};
use crate::layout::{CacheArgs, CacheFlags, Window};
use crate::memcg::child_name;
use crate::memory::Bytes;
use crate::units::{CacheId, Order, index_from};
use std::rc::Rc;

/// The size classes, smallest first: 96 and 192 come between the powers of two.
pub const CLASSES: [u64; 13] = [8, 16, 32, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096, 8192];
/// The largest size that a cache serves (`KMALLOC_MAX_CACHE_SIZE`).
pub const MAX_CACHE_SIZE: u64 = 8192;
/// The largest size at all (`KMALLOC_MAX_SIZE`).
pub const MAX_SIZE: u64 = 4 << 20;

/// Which of the parallel arrays of caches serves a request (`enum kmalloc_cache_type`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KmallocType {
    /// `kmalloc-N`.
    Normal,
    /// `kmalloc-cg-N`; before 5.9 `kmalloc-N(1:user)`, the children of `kmalloc-N` for one group.
    Cgroup,
    /// `kmalloc-rcl-N`.
    Reclaim,
    /// `dma-kmalloc-N`.
    Dma,
}

impl KmallocType {
    /// All that a kernel has, in order of creation.
    pub fn all(model: &Model) -> impl Iterator<Item = Self> {
        let all = match model.kmalloc_creation {
            KmallocCreation::BySize => [Self::Normal, Self::Cgroup, Self::Reclaim, Self::Dma],
            KmallocCreation::OddFirst => [Self::Normal, Self::Reclaim, Self::Dma, Self::Cgroup],
        };
        let accounted_apart = model.accounted_kmalloc != AccountedKmalloc::Ordinary;
        let reclaim_apart = model.kmalloc_reclaim;
        all.into_iter().filter(move |kind| match kind {
            Self::Normal | Self::Dma => true,
            Self::Cgroup => accounted_apart,
            Self::Reclaim => reclaim_apart,
        })
    }

    /// The type that gfp words choose: DMA before reclaimable before accounted.
    #[must_use]
    pub const fn of(gfp: Gfp, model: &Model) -> Self {
        if gfp.dma {
            Self::Dma
        } else if gfp.reclaimable && model.kmalloc_reclaim {
            Self::Reclaim
        } else if gfp.account && !gfp.reclaimable && !matches!(model.accounted_kmalloc, AccountedKmalloc::Ordinary) {
            Self::Cgroup
        } else {
            Self::Normal
        }
    }

    fn flags(self, model: &Model) -> CacheFlags {
        let none = CacheFlags::default();
        match self {
            Self::Normal => none,
            Self::Cgroup => CacheFlags { account: model.accounted_kmalloc == AccountedKmalloc::Own, ..none },
            Self::Reclaim => CacheFlags { reclaim_account: true, ..none },
            Self::Dma => CacheFlags { cache_dma: true, ..none },
        }
    }
}

/// A cache of each class.
pub(crate) type Class = [Option<CacheId>; CLASSES.len()];

/// The caches of kmalloc, by type and class.
#[derive(Clone, Debug, Default)]
pub struct KmallocCaches {
    /// What serves a caller of whom nothing is known. Where the ordinary caches have copies, it is one of them.
    by_type: [Class; 4],
    /// The classes of small sizes, by (size - 1) / 8: a table, as in the kernel.
    by_eighth: [Option<CacheId>; 24],
    /// The ordinary caches, and after them their copies.
    pub(super) copies: Vec<Class>,
    /// What chooses among the copies.
    pub(super) seed: u64,
    /// Callers with caches of their own.
    pub(super) buckets: Vec<Buckets>,
}

impl KmallocCaches {
    /// The cache of a type and class.
    #[must_use]
    pub fn get(&self, kind: KmallocType, class: usize) -> Option<CacheId> {
        match kind {
            KmallocType::Normal => self.copy(0, class),
            KmallocType::Cgroup | KmallocType::Reclaim | KmallocType::Dma => self.by_type[kind_index(kind)][class],
        }
    }

    /// A copy of an ordinary cache; copy 0 is that cache.
    #[must_use]
    pub fn copy(&self, copy: u32, class: usize) -> Option<CacheId> {
        self.copies.get(index_from(copy))?.get(class).copied()?
    }

    /// The cache that serves `size` bytes of this type, whoever calls.
    #[inline]
    pub(super) fn serving_anyone(&self, kind: KmallocType, size: u64) -> Option<CacheId> {
        self.by_type[kind_index(kind)][class_of(size)?]
    }

    /// The ordinary cache that serves `size` bytes, whoever calls.
    #[inline(always)]
    pub(super) fn serving_plain(&self, size: u64) -> Option<CacheId> {
        let last = size.wrapping_sub(1);
        if let Some(cache) = self.by_eighth.get(usize::try_from(last / 8).unwrap_or(usize::MAX)) {
            return *cache;
        }
        // From 256 bytes on, class n has 2^(n + 1).
        match self.by_type[kind_index(KmallocType::Normal)].get(index_from((last | 1).ilog2())) {
            Some(cache) => *cache,
            None => None,
        }
    }

    /// Has a copy of the ordinary caches serve those of whom nothing is known.
    pub(super) fn serve_anyone_from(&mut self, copy: u32) {
        self.by_type[kind_index(KmallocType::Normal)] = self.copies[index_from(copy)];
        for (eighth, cache) in (0..).zip(0..self.by_eighth.len()) {
            self.by_eighth[cache] = self.serving_anyone(KmallocType::Normal, eighth * 8 + 1);
        }
    }
}

#[inline]
const fn kind_index(kind: KmallocType) -> usize {
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
    let size = class_name(class_size, model);
    match kind {
        KmallocType::Normal => copy_name(0, class_size, model),
        KmallocType::Cgroup if model.accounted_kmalloc == AccountedKmalloc::Children => {
            child_name(&copy_name(0, class_size, model))
        }
        KmallocType::Cgroup => format!("kmalloc-cg-{size}"),
        KmallocType::Reclaim => format!("kmalloc-rcl-{size}"),
        KmallocType::Dma => format!("dma-kmalloc-{size}"),
    }
}

/// How a class is called in names.
pub(crate) fn class_name(class_size: u64, model: &Model) -> String {
    match model.kmalloc_names {
        KmallocNames::Short if class_size >= 1024 => format!("{}k", class_size / 1024),
        KmallocNames::Short | KmallocNames::Decimal => class_size.to_string(),
    }
}

/// The classes in the order in which their caches are made.
fn creation_order(model: &Model) -> Vec<usize> {
    let odd_first = model.kmalloc_creation == KmallocCreation::OddFirst;
    let comes_later = |class: &usize| odd_first && CLASSES[*class].is_power_of_two();
    let (later, mut classes): (Vec<usize>, Vec<usize>) = (0..CLASSES.len()).partition(comes_later);
    classes.extend(later);
    classes
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
    let flags = CacheFlags { kmalloc: true, no_merge, ..kind.flags(model) };
    let window = Window { offset: 0, size: class_size };
    CacheArgs { object_size: class_size, align, flags, window, ..CacheArgs::default() }
}

/// With accounted kmalloc in caches of its own, the ordinary ones stay apart from all others (5.14, commit
/// 494c1dfe855e), and so do they with copies (6.6).
fn stays_apart(kind: KmallocType, model: &Model) -> bool {
    match kind {
        KmallocType::Normal => {
            model.accounted_kmalloc == AccountedKmalloc::Own || model.kmalloc_copies != KmallocCopies::None
        }
        KmallocType::Cgroup | KmallocType::Reclaim | KmallocType::Dma => false,
    }
}

/// `kmalloc_size_roundup`: the bytes that `kmalloc(size)` really gives.
#[must_use]
pub fn size_roundup(size: u64, model: &Model) -> u64 {
    match (size, class_of(size)) {
        (0, _) => 0,
        (_, Some(class)) if CLASSES[class] <= model.kmalloc_largest => CLASSES[class],
        (size, _) if size > MAX_SIZE && model.roundup_keeps_too_large => size,
        (size, _) if size > 1 << 62 => size,
        (size, _) => Order::holding(size).bytes(),
    }
}

impl<P: Probe, B: Bytes> Kernel<P, B> {
    pub(crate) fn create_kmalloc_caches(&mut self) {
        let model = Rc::clone(&self.model);
        for kind in KmallocType::all(&model) {
            if kind == KmallocType::Cgroup && model.accounted_kmalloc == AccountedKmalloc::Children {
                self.kmalloc.by_type[kind_index(kind)] =
                    self.kmalloc.copies[0].map(|ordinary| ordinary.map(|cache| self.child_of(cache)));
                continue;
            }
            let caches = self.create_classes_of(kind, &|size| cache_name(kind, size, &model));
            if kind == KmallocType::Normal {
                self.kmalloc.copies.push(caches);
                let copies = if model.kmalloc_copies == KmallocCopies::None { 1 } else { COPIES };
                for copy in 1..copies {
                    let caches = self.create_classes_of(kind, &|size| copy_name(copy, size, &model));
                    self.kmalloc.copies.push(caches);
                }
            }
            self.kmalloc.by_type[kind_index(kind)] = caches;
        }
        let seed = self.luck.copies_seed();
        self.seed_copies(seed);
        self.create_own_buckets();
    }

    /// The caches of a type, one of each class.
    fn create_classes_of(&mut self, kind: KmallocType, name: &dyn Fn(u64) -> String) -> Class {
        let model = Rc::clone(&self.model);
        let caches = self.create_classes(&|size| (name(size), cache_args(kind, size, &model)));
        if stays_apart(kind, &model) && !model.no_merge_flag {
            // Before there was a flag for it, the count said so.
            caches.iter().flatten().for_each(|cache| self.caches[*cache].refcount = -1);
        }
        caches
    }

    /// A cache of each class, as `cache` says for its size what it is named and asked to be.
    pub(super) fn create_classes(&mut self, cache: &dyn Fn(u64) -> (String, CacheArgs)) -> Class {
        let mut caches = Class::default();
        let largest = self.model.kmalloc_largest;
        for class in creation_order(&self.model).into_iter().filter(|class| CLASSES[*class] <= largest) {
            let (name, args) = cache(CLASSES[class]);
            let cache = self.create_cache_of_its_own(&name, &args);
            caches[class] = Some(cache.unwrap_or_else(|error| panic!("a kmalloc class is a sane cache: {error}")));
        }
        caches
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
