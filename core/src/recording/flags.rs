//! `SLAB_*` flags as recordings print them: bits of the versions that were recorded, and names.

use crate::kernel::Version;
use crate::layout::{CacheFlags, Checks};

/// Which bits the flags have. The numbers are internal to a kernel, and later ones depend on its build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbering {
    /// Written out one by one (include/linux/slab.h, 6.1).
    WrittenOut,
    /// Counted by an enum (6.9, not verified), as the recorded builds of 6.12 and 7.3 came to count them.
    Counted,
}

impl Numbering {
    /// That of a version.
    pub(super) fn of(version: Version) -> Self {
        if version >= Version::release(6, 9) { Self::Counted } else { Self::WrittenOut }
    }

    const fn choose(self, bits: Bits) -> u64 {
        match self {
            Self::WrittenOut => bits.0,
            Self::Counted => bits.1,
        }
    }
}

/// A flag's bit by [`Numbering`]; 0 where it has none.
type Bits = (u64, u64);

/// A flag's bits, its name in recordings, and what the model makes of it.
struct Flag {
    bits: Bits,
    /// Empty where recordings have none.
    name: &'static str,
    is: Meaning,
}

#[derive(Clone, Copy)]
enum Meaning {
    /// Changes nothing here but the flags themselves.
    Carried,
    /// A field of [`CacheFlags`].
    Modelled(fn(&mut CacheFlags)),
}

const FLAGS: [Flag; 17] = [
    Flag {
        bits: CONSISTENCY,
        name: "CONSISTENCY_CHECKS",
        is: Meaning::Modelled(|flags| flags.debug.consistency = true),
    },
    Flag { bits: RED_ZONE, name: "RED_ZONE", is: Meaning::Modelled(|flags| flags.debug.red_zone = true) },
    Flag { bits: POISON, name: "POISON", is: Meaning::Modelled(|flags| flags.debug.poison = true) },
    Flag { bits: KMALLOC, name: "KMALLOC", is: Meaning::Modelled(|flags| flags.kmalloc = true) },
    Flag { bits: (0x2000, 0x10), name: "HWCACHE_ALIGN", is: Meaning::Modelled(|flags| flags.hwcache_align = true) },
    Flag { bits: CACHE_DMA, name: "CACHE_DMA", is: Meaning::Modelled(|flags| flags.cache_dma = true) },
    Flag { bits: (0x8000, 0x40), name: "", is: Meaning::Modelled(|flags| flags.cache_dma32 = true) },
    Flag { bits: STORE_USER, name: "STORE_USER", is: Meaning::Modelled(|flags| flags.debug.store_user = true) },
    Flag {
        bits: RECLAIM_ACCOUNT,
        name: "RECLAIM_ACCOUNT",
        is: Meaning::Modelled(|flags| flags.reclaim_account = true),
    },
    Flag { bits: (0x4_0000, 0x100), name: "PANIC", is: Meaning::Modelled(|flags| flags.panic = true) },
    Flag {
        bits: (0x8_0000, 0x200),
        name: "TYPESAFE_BY_RCU",
        is: Meaning::Modelled(|flags| flags.typesafe_by_rcu = true),
    },
    Flag { bits: TRACE, name: "TRACE", is: Meaning::Modelled(|flags| flags.debug.trace = true) },
    Flag { bits: ACCOUNT, name: "ACCOUNT", is: Meaning::Modelled(|flags| flags.account = true) },
    Flag { bits: CMPXCHG_DOUBLE, name: "__CMPXCHG_DOUBLE", is: Meaning::Carried },
    Flag { bits: OBJECT_POISON, name: "__OBJECT_POISON", is: Meaning::Carried },
    Flag { bits: NO_MERGE, name: "NO_MERGE", is: Meaning::Modelled(|flags| flags.no_merge = true) },
    Flag { bits: NO_OBJ_EXT, name: "", is: Meaning::Carried },
];

const CONSISTENCY: Bits = (0x100, 0x1);
const RED_ZONE: Bits = (0x400, 0x2);
const POISON: Bits = (0x800, 0x4);
const STORE_USER: Bits = (0x1_0000, 0x80);
const TRACE: Bits = (0x20_0000, 0x400);
const KMALLOC: Bits = (0x1000, 0x8);
const CACHE_DMA: Bits = (0x4000, 0x20);
const RECLAIM_ACCOUNT: Bits = (0x2_0000, 0x4000);
/// In builds without `CONFIG_MEMCG`, the only ones recorded with the later numbering, it is no flag there.
const ACCOUNT: Bits = (0x400_0000, 0);
const OBJECT_POISON: Bits = (0x8000_0000, 0x8000);
const CMPXCHG_DOUBLE: Bits = (0x4000_0000, 0x1_0000);
/// It came with 6.5.
const NO_MERGE: Bits = (0, 0x1000);

/// `SLAB_NO_OBJ_EXT` (7.3).
const NO_OBJ_EXT: Bits = (0, 0x2_0000);

/// `__GFP_COMP`, `GFP_DMA`, `GFP_DMA32` and `__GFP_RECLAIMABLE`.
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

impl Numbering {
    /// Reads the flags that a cache was asked for.
    pub(super) fn asked(self, bits: u64) -> Asked {
        if let Some(unknown) = self.unknown(bits) {
            return Asked::Beyond(unknown);
        }
        Asked::Modelled(self.known(bits))
    }

    /// Those of a cache's flags that the model has.
    pub(super) fn known(self, bits: u64) -> CacheFlags {
        let mut flags = CacheFlags::default();
        for flag in self.set(bits) {
            if let Meaning::Modelled(set) = flag.is {
                set(&mut flags);
            }
        }
        flags
    }

    fn set(self, bits: u64) -> impl Iterator<Item = &'static Flag> {
        FLAGS.iter().filter(move |flag| bits & self.choose(flag.bits) != 0)
    }

    fn unknown(self, bits: u64) -> Option<String> {
        let known = FLAGS.iter().fold(0, |known, flag| known | self.choose(flag.bits));
        let rest = bits & !known;
        (rest != 0).then(|| format!("flag bits {rest:#x}"))
    }

    /// The flags of a cache as made from `asked` with these checks: x86-64 compares and swaps two words at once, unless a
    /// check forbids it (`SLAB_NO_CMPXCHG`; `kmem_cache_open`, 6.1; `do_kmem_cache_create`, 6.12).
    pub(super) const fn of_cache(self, asked: u64, checks: &Checks) -> u64 {
        let flags = checks.flags;
        let must_lock = flags.consistency || flags.store_user || flags.trace;
        asked
            | self.bit(!must_lock, CMPXCHG_DOUBLE)
            | self.bit(flags.consistency, CONSISTENCY)
            | self.bit(flags.red_zone, RED_ZONE)
            | self.bit(flags.poison, POISON)
            | self.bit(flags.store_user, STORE_USER)
            | self.bit(flags.trace, TRACE)
            | self.bit(checks.object_poison, OBJECT_POISON)
    }

    const fn bit(self, is_set: bool, bits: Bits) -> u64 {
        if is_set { self.choose(bits) } else { 0 }
    }

    /// The flags of a kmalloc cache (`create_kmalloc_caches`).
    pub(super) const fn of_kmalloc(self, flags: CacheFlags, checks: &Checks) -> u64 {
        let asked = self.bit(true, KMALLOC)
            | self.bit(flags.cache_dma, CACHE_DMA)
            | self.bit(flags.reclaim_account, RECLAIM_ACCOUNT)
            | self.bit(flags.account, ACCOUNT)
            | self.bit(flags.no_merge, NO_MERGE);
        self.of_cache(asked, checks)
    }

    /// The names of flags, sorted.
    pub(super) fn names(self, bits: u64) -> Vec<String> {
        let named = self.set(bits).filter(|flag| !flag.name.is_empty()).map(|flag| flag.name.to_owned());
        let mut names: Vec<String> = named.chain(self.unknown(bits)).collect();
        names.sort_unstable();
        names
    }

    /// What a cache adds to each request for pages (`calculate_sizes`): 6.1 asks for a compound page where there is more
    /// than one, 6.12 always.
    pub(super) fn gfp_for_pages(self, flags: CacheFlags, order: u32) -> u64 {
        let bit = |is_set: bool, bit: u64| if is_set { bit } else { 0 };
        bit(order > 0 || self == Self::Counted, GFP_COMP)
            | bit(flags.cache_dma, GFP_DMA)
            | bit(flags.cache_dma32, GFP_DMA32)
            | bit(flags.reclaim_account, GFP_RECLAIMABLE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::DebugFlags;

    #[test]
    fn checks_are_read_and_unknown_bits_told() {
        let all = CacheFlags { debug: DebugFlags::DEFAULT, ..CacheFlags::default() };
        assert_eq!(Numbering::WrittenOut.asked(0x10d00), Asked::Modelled(all));
        assert_eq!(Numbering::Counted.asked(0x1087), Asked::Modelled(CacheFlags { no_merge: true, ..all }));
        assert_eq!(Numbering::WrittenOut.asked(0x1), Asked::Beyond("flag bits 0x1".to_owned()));
        let rcu = CacheFlags { typesafe_by_rcu: true, hwcache_align: true, ..CacheFlags::default() };
        assert_eq!(Numbering::WrittenOut.asked(0x82000), Asked::Modelled(rcu));
        assert_eq!(Numbering::Counted.asked(0x1210), Asked::Modelled(CacheFlags { no_merge: true, ..rcu }));
    }

    /// `orc_FZPU_64_0` and `orc_initZ_64_6` of 6.1 and 7.3.
    #[test]
    fn made_flags_with_checks() {
        let all = Checks { flags: DebugFlags::DEFAULT, object_poison: true, ..Checks::default() };
        assert_eq!(Numbering::WrittenOut.of_cache(0x10d00, &all), 0x8001_0d00);
        assert_eq!(Numbering::Counted.of_cache(0x1087, &all), 0x9087);
        let red = Checks { flags: DebugFlags { red_zone: true, ..DebugFlags::NONE }, ..Checks::default() };
        assert_eq!(Numbering::WrittenOut.of_cache(0x400, &red), 0x4000_0400);
    }

    /// As 6.1 prints them: `orc_hwrcu_72_33`, `kmalloc-rcl-64`, `dma-kmalloc-1k`.
    #[test]
    fn made_flags_written_out() {
        let (ours, none) = (Numbering::WrittenOut, Checks::default());
        assert_eq!(ours.of_cache(0x82000, &none), 0x4008_2000);
        assert_eq!(ours.names(0x4008_2000), ["HWCACHE_ALIGN", "TYPESAFE_BY_RCU", "__CMPXCHG_DOUBLE"]);
        let reclaim = CacheFlags { reclaim_account: true, ..CacheFlags::default() };
        assert_eq!((ours.of_kmalloc(reclaim, &none), ours.gfp_for_pages(reclaim, 0)), (0x4002_1000, 0x10));
        let dma = CacheFlags { cache_dma: true, ..CacheFlags::default() };
        assert_eq!((ours.of_kmalloc(dma, &none), ours.gfp_for_pages(dma, 1)), (0x4000_5000, 0x4_0001));
        let no_merge = CacheFlags { no_merge: true, ..CacheFlags::default() };
        assert_eq!(ours.of_kmalloc(no_merge, &none), 0x4000_1000, "there is no such flag yet");
    }

    /// As 6.12 and 7.3 print them: the same, and `kmalloc-96` beside random copies.
    #[test]
    fn made_flags_counted() {
        let (ours, none) = (Numbering::Counted, Checks::default());
        assert_eq!(ours.of_cache(0x1210, &none), 0x11210);
        assert_eq!(ours.names(0x11210), ["HWCACHE_ALIGN", "NO_MERGE", "TYPESAFE_BY_RCU", "__CMPXCHG_DOUBLE"]);
        let reclaim = CacheFlags { reclaim_account: true, ..CacheFlags::default() };
        assert_eq!((ours.of_kmalloc(reclaim, &none), ours.gfp_for_pages(reclaim, 0)), (0x14008, 0x4_0010));
        let dma = CacheFlags { cache_dma: true, ..CacheFlags::default() };
        assert_eq!((ours.of_kmalloc(dma, &none), ours.gfp_for_pages(dma, 0)), (0x10028, 0x4_0001));
        let no_merge = CacheFlags { no_merge: true, ..CacheFlags::default() };
        assert_eq!(ours.of_kmalloc(no_merge, &none), 0x11008);
    }
}
