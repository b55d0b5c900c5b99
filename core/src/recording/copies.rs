//! The copies that ordinary kmalloc has of its caches, so that who may allocate beside whom is drawn at boot.
//!
//! `kmalloc_type`, `hash_64` (6.6 and later). Each copy is laid out as the cache it copies; copy 0 is that cache.

use crate::kernel::Model;
use crate::kmalloc::{CLASSES, KmallocType, cache_name};

/// Bits of a copy's number: there are 16 (`RANDOM_KMALLOC_CACHES_NR` is 15).
const BITS: u32 = 4;
/// Copies beside the ordinary caches.
pub(super) const BESIDE: u32 = (1 << BITS) - 1;
/// `GOLDEN_RATIO_64`.
const GOLDEN_RATIO: u64 = 0x61c8_8646_80b5_83eb;

/// How a kernel names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copies {
    /// `kmalloc-rnd-05-64`.
    Random,
    /// `kmalloc-part-05-64` (7.2).
    Partitions,
}

impl Copies {
    const fn word(self) -> &'static str {
        match self {
            Self::Random => "rnd",
            Self::Partitions => "part",
        }
    }

    /// The name of a copy of an ordinary kmalloc cache.
    pub(super) fn name(self, copy: u32, ordinary: &str) -> String {
        match ordinary.strip_prefix("kmalloc-") {
            Some(size) if copy > 0 => format!("kmalloc-{}-{copy:02}-{size}", self.word()),
            Some(_) | None => ordinary.to_owned(),
        }
    }

    /// The ordinary cache that `name` is a copy of, or is.
    pub(super) fn ordinary(self, name: &str) -> String {
        let copy = name.strip_prefix("kmalloc-").and_then(|rest| rest.strip_prefix(self.word()));
        let size = copy.and_then(|rest| rest.strip_prefix('-')?.split_once('-')).map(|(_, size)| size);
        size.map_or_else(|| name.to_owned(), |size| format!("kmalloc-{size}"))
    }
}

/// Whether a cache of this name is one of kmalloc's: by each name that there is, since others begin alike.
pub(super) fn is_of_kmalloc(name: &str, model: &Model) -> bool {
    let ordinary: Vec<String> = CLASSES.iter().map(|size| cache_name(KmallocType::Normal, *size, model)).collect();
    let is_copy = |copies: Copies| (1..=BESIDE).any(|copy| ordinary.iter().any(|of| copies.name(copy, of) == name));
    let is_own = |kind| CLASSES.iter().any(|size| cache_name(kind, *size, model) == name);
    let internal = name.strip_prefix("kmalloc-no-objext-").map(|size| format!("kmalloc-{size}"));
    KmallocType::ALL.into_iter().any(is_own)
        || [Copies::Random, Copies::Partitions].into_iter().any(is_copy)
        || internal.is_some_and(|internal| ordinary.contains(&internal))
}

/// The copy that serves a caller: where the call comes from, in a boot with this seed.
pub(super) fn chosen(caller: u64, seed: u64) -> u32 {
    let hash = (caller ^ seed).wrapping_mul(GOLDEN_RATIO) >> (u64::BITS - BITS);
    u32::try_from(hash).expect("4 bits")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As 6.12 drew them with this seed.
    #[test]
    fn recorded_choices() {
        let choose = |caller| chosen(caller, 0x8d1a_d1fd_fda8_e501);
        let callers = [0xffff_ffff_8100_0000, 0xffff_ffff_8100_1357, 0xffff_ffff_8100_26ae, 0xffff_ffff_8100_3a05];
        assert_eq!(callers.map(choose), [4, 1, 2, 11]);
    }

    #[test]
    fn names_that_only_begin_like_kmalloc_are_none_of_it() {
        let config = crate::kernel::KernelConfig::plain(crate::kernel::Version::release(7, 3));
        let model = config.model().expect("a kernel");
        let is = |name| is_of_kmalloc(name, &model);
        assert!(["kmalloc-64", "dma-kmalloc-8k", "kmalloc-part-15-1k", "kmalloc-no-objext-32"].into_iter().all(is));
        assert!(!["kmalloc_buckets", "kmalloc-65", "kmalloc-part-16-1k", "memdup_user-64"].into_iter().any(is));
    }

    #[test]
    fn names_lead_both_ways() {
        assert_eq!(Copies::Random.name(5, "kmalloc-8k"), "kmalloc-rnd-05-8k");
        assert_eq!(Copies::Partitions.name(0, "kmalloc-64"), "kmalloc-64");
        for copies in [Copies::Random, Copies::Partitions] {
            assert_eq!(copies.ordinary(&copies.name(11, "kmalloc-64")), "kmalloc-64");
            assert_eq!(copies.ordinary("kmalloc-rcl-64"), "kmalloc-rcl-64");
        }
    }
}
