//! `SLAB_*` flags as recordings print them: bits of Linux 6.1, and names.

use crate::layout::CacheFlags;

/// A flag's bit in 6.1 (include/linux/slab.h), its name in recordings, and what the model makes of it.
struct Flag {
    bit: u64,
    name: &'static str,
    is: Meaning,
}

#[derive(Clone, Copy)]
enum Meaning {
    /// A debugging check, which is not modelled yet.
    Debugging,
    /// Changes nothing here but the flags themselves.
    Carried,
    /// A field of [`CacheFlags`].
    Modelled(fn(&mut CacheFlags)),
}

const FLAGS: [Flag; 14] = [
    Flag { bit: 0x100, name: "CONSISTENCY_CHECKS", is: Meaning::Debugging },
    Flag { bit: 0x400, name: "RED_ZONE", is: Meaning::Debugging },
    Flag { bit: 0x800, name: "POISON", is: Meaning::Debugging },
    Flag { bit: KMALLOC, name: "KMALLOC", is: Meaning::Carried },
    Flag { bit: 0x2000, name: "HWCACHE_ALIGN", is: Meaning::Modelled(|flags| flags.hwcache_align = true) },
    Flag { bit: 0x4000, name: "CACHE_DMA", is: Meaning::Modelled(|flags| flags.cache_dma = true) },
    Flag { bit: 0x8000, name: "CACHE_DMA32", is: Meaning::Modelled(|flags| flags.cache_dma32 = true) },
    Flag { bit: 0x1_0000, name: "STORE_USER", is: Meaning::Debugging },
    Flag { bit: 0x2_0000, name: "RECLAIM_ACCOUNT", is: Meaning::Modelled(|flags| flags.reclaim_account = true) },
    Flag { bit: 0x4_0000, name: "PANIC", is: Meaning::Modelled(|flags| flags.panic = true) },
    Flag { bit: 0x8_0000, name: "TYPESAFE_BY_RCU", is: Meaning::Modelled(|flags| flags.typesafe_by_rcu = true) },
    Flag { bit: 0x20_0000, name: "TRACE", is: Meaning::Debugging },
    Flag { bit: 0x400_0000, name: "ACCOUNT", is: Meaning::Modelled(|flags| flags.account = true) },
    Flag { bit: CMPXCHG_DOUBLE, name: "__CMPXCHG_DOUBLE", is: Meaning::Carried },
];

const KMALLOC: u64 = 0x1000;
const CMPXCHG_DOUBLE: u64 = 0x4000_0000;

/// `__GFP_COMP`, `GFP_DMA`, `GFP_DMA32` and `__GFP_RECLAIMABLE` of 6.1.
const GFP_COMP: u64 = 0x4_0000;
const GFP_DMA: u64 = 0x1;
const GFP_DMA32: u64 = 0x4;
const GFP_RECLAIMABLE: u64 = 0x10;

/// What a cache was asked to be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Something that the model makes.
    Modelled(CacheFlags),
    /// Something with these flags, which it does not make yet.
    Beyond(String),
}

/// Reads the flags that a cache was asked for.
pub(super) fn asked(bits: u64) -> Asked {
    let beyond: Vec<String> = FLAGS
        .iter()
        .filter(|flag| bits & flag.bit != 0 && matches!(flag.is, Meaning::Debugging))
        .map(|flag| flag.name.to_owned())
        .chain(unknown(bits))
        .collect();
    if !beyond.is_empty() {
        return Asked::Beyond(beyond.join("|"));
    }
    let mut flags = CacheFlags::default();
    for flag in FLAGS.iter().filter(|flag| bits & flag.bit != 0) {
        if let Meaning::Modelled(set) = flag.is {
            set(&mut flags);
        }
    }
    Asked::Modelled(flags)
}

fn unknown(bits: u64) -> Option<String> {
    let known = FLAGS.iter().fold(0, |known, flag| known | flag.bit);
    let rest = bits & !known;
    (rest != 0).then(|| format!("flag bits {rest:#x}"))
}

/// The flags of a cache as made from `asked`: x86-64 compares and swaps two words at once, and no debugging check
/// forbids it (`kmem_cache_open`, 6.1).
pub(super) const fn of_cache(asked: u64) -> u64 {
    asked | CMPXCHG_DOUBLE
}

/// The flags of a kmalloc cache (`create_kmalloc_caches`, 6.1).
pub(super) fn of_kmalloc(flags: CacheFlags) -> u64 {
    let bit = |is_set: bool, bit: u64| if is_set { bit } else { 0 };
    of_cache(
        KMALLOC | bit(flags.cache_dma, 0x4000) | bit(flags.reclaim_account, 0x2_0000) | bit(flags.account, 0x400_0000),
    )
}

/// The names of flags, sorted.
pub(super) fn names(bits: u64) -> Vec<String> {
    let mut names: Vec<String> = FLAGS
        .iter()
        .filter(|flag| bits & flag.bit != 0)
        .map(|flag| flag.name.to_owned())
        .chain(unknown(bits))
        .collect();
    names.sort_unstable();
    names
}

/// What a cache adds to each request for pages (`calculate_sizes`, 6.1).
pub(super) fn gfp_for_pages(flags: CacheFlags, order: u32) -> u64 {
    let bit = |is_set: bool, bit: u64| if is_set { bit } else { 0 };
    bit(order > 0, GFP_COMP)
        | bit(flags.cache_dma, GFP_DMA)
        | bit(flags.cache_dma32, GFP_DMA32)
        | bit(flags.reclaim_account, GFP_RECLAIMABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debugging_and_unknown_flags_are_told_by_name() {
        assert_eq!(asked(0x10d00), Asked::Beyond("CONSISTENCY_CHECKS|RED_ZONE|POISON|STORE_USER".to_owned()));
        assert_eq!(asked(0x1), Asked::Beyond("flag bits 0x1".to_owned()));
        let rcu = CacheFlags { typesafe_by_rcu: true, hwcache_align: true, ..CacheFlags::default() };
        assert_eq!(asked(0x82000), Asked::Modelled(rcu));
    }

    /// As 6.1 prints them: `orc_hwrcu_72_33`, `kmalloc-rcl-64`, `dma-kmalloc-1k`.
    #[test]
    fn made_flags() {
        assert_eq!(of_cache(0x82000), 0x4008_2000);
        assert_eq!(names(0x4008_2000), ["HWCACHE_ALIGN", "TYPESAFE_BY_RCU", "__CMPXCHG_DOUBLE"]);
        let reclaim = CacheFlags { reclaim_account: true, ..CacheFlags::default() };
        assert_eq!((of_kmalloc(reclaim), gfp_for_pages(reclaim, 0)), (0x4002_1000, 0x10));
        let dma = CacheFlags { cache_dma: true, ..CacheFlags::default() };
        assert_eq!((of_kmalloc(dma), gfp_for_pages(dma, 1)), (0x4000_5000, 0x4_0001));
    }
}
