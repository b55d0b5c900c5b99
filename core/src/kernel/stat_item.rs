//! What `CONFIG_SLUB_STATS` counts, by version (`enum stat_item`, mm/slub.c, 6.1 to 7.3).
//!
//! The names of 6.1 to 7.3 were read; in which version each came, and what 6.18 has beside them, is not verified.

use super::version::Version;

macro_rules! stat_items {
    ($($(#[$doc:meta])* $item:ident $name:literal,)*) => {
        /// A thing that a cache counts on each CPU.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum StatItem {
            $($(#[$doc])* $item,)*
        }

        impl StatItem {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$item),*];

            /// Its file in `/sys/kernel/slab/<cache>/`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$item => $name,)*
                }
            }

            /// Its place among all of them.
            #[must_use]
            pub fn index(self) -> usize {
                Self::ALL.partition_point(|other| *other < self)
            }
        }
    };
}

stat_items! {
    /// An allocation from the CPU's freelist; from 7.0 on from its sheaves.
    AllocFastpath "alloc_fastpath",
    /// An allocation that had to look elsewhere.
    AllocSlowpath "alloc_slowpath",
    /// An allocation from the CPU's sheaves, where it has a freelist too.
    AllocCpuSheaf "alloc_cpu_sheaf",
    /// A free onto the CPU's freelist; from 7.0 on onto its sheaves.
    FreeFastpath "free_fastpath",
    /// A free onto a slab's own list.
    FreeSlowpath "free_slowpath",
    /// A free onto the CPU's sheaves, where it has a freelist too.
    FreeCpuSheaf "free_cpu_sheaf",
    /// An object that went into an `rcu_free` sheaf.
    FreeRcuSheaf "free_rcu_sheaf",
    /// One that did not.
    FreeRcuSheafFail "free_rcu_sheaf_fail",
    /// A free into a slab that a CPU owns.
    FreeFrozen "free_frozen",
    /// A slab that came onto the node's partial list.
    FreeAddPartial "free_add_partial",
    /// A slab that left the node's partial list because it became empty.
    FreeRemovePartial "free_remove_partial",
    /// A slab that the CPU took from the node's partial list.
    AllocFromPartial "alloc_from_partial",
    /// A new slab.
    AllocSlab "alloc_slab",
    /// The CPU took its slab's own list.
    AllocRefill "alloc_refill",
    /// The CPU's slab was of the wrong node.
    AllocNodeMismatch "alloc_node_mismatch",
    /// A slab's pages went home.
    FreeSlab "free_slab",
    /// The CPU's slab was taken from it.
    CpuslabFlush "cpuslab_flush",
    /// A full slab was given back.
    DeactivateFull "deactivate_full",
    /// An empty one.
    DeactivateEmpty "deactivate_empty",
    /// One that went first on the node's list.
    DeactivateToHead "deactivate_to_head",
    /// One that went last.
    DeactivateToTail "deactivate_to_tail",
    /// One into which others had freed.
    DeactivateRemoteFrees "deactivate_remote_frees",
    /// A full slab that was simply forgotten.
    DeactivateBypass "deactivate_bypass",
    /// A slab smaller than the cache's order.
    OrderFallback "order_fallback",
    /// A race on the CPU's freelist.
    CmpxchgDoubleCpuFail "cmpxchg_double_cpu_fail",
    /// A race on a slab's list.
    CmpxchgDoubleFail "cmpxchg_double_fail",
    /// A slab that came from the CPU's partial list.
    CpuPartialAlloc "cpu_partial_alloc",
    /// A slab that went onto it with a free.
    CpuPartialFree "cpu_partial_free",
    /// A slab that went onto it from the node.
    CpuPartialNode "cpu_partial_node",
    /// A list that was passed on to the node.
    CpuPartialDrain "cpu_partial_drain",
    /// Objects that a sheaf gave to the slabs.
    SheafFlush "sheaf_flush",
    /// Objects that slabs gave to a sheaf.
    SheafRefill "sheaf_refill",
    /// A new sheaf.
    SheafAlloc "sheaf_alloc",
    /// One that was given up.
    SheafFree "sheaf_free",
    /// A full sheaf from the barn.
    BarnGet "barn_get",
    /// The barn had none.
    BarnGetFail "barn_get_fail",
    /// A full sheaf to the barn.
    BarnPut "barn_put",
    /// The barn had no room.
    BarnPutFail "barn_put_fail",
    /// A sheaf asked for in advance, at hand.
    SheafPrefillFast "sheaf_prefill_fast",
    /// One that had to be filled.
    SheafPrefillSlow "sheaf_prefill_slow",
    /// One larger than the cache's.
    SheafPrefillOversize "sheaf_prefill_oversize",
    /// Such a sheaf given back, kept.
    SheafReturnFast "sheaf_return_fast",
    /// One given back that had to be emptied.
    SheafReturnSlow "sheaf_return_slow",
}

impl StatItem {
    /// Whether a version counts it.
    pub(super) fn is_in(self, version: Version) -> bool {
        let since = |major, minor| version >= Version::release(major, minor);
        match self {
            Self::AllocFastpath
            | Self::AllocSlowpath
            | Self::FreeFastpath
            | Self::FreeSlowpath
            | Self::FreeAddPartial
            | Self::FreeRemovePartial
            | Self::AllocSlab
            | Self::FreeSlab => true,
            Self::OrderFallback => version >= Version::of_2_6(26),
            Self::AllocNodeMismatch | Self::CmpxchgDoubleFail => since(3, 1),
            Self::FreeFrozen
            | Self::AllocFromPartial
            | Self::AllocRefill
            | Self::CpuslabFlush
            | Self::DeactivateFull
            | Self::DeactivateEmpty
            | Self::DeactivateToHead
            | Self::DeactivateToTail
            | Self::DeactivateRemoteFrees => !since(7, 0),
            Self::CmpxchgDoubleCpuFail => version >= Version::of_2_6(39) && !since(7, 0),
            Self::DeactivateBypass => since(3, 1) && !since(7, 0),
            Self::CpuPartialAlloc | Self::CpuPartialFree => since(3, 2) && !since(7, 0),
            Self::CpuPartialNode | Self::CpuPartialDrain => since(3, 4) && !since(7, 0),
            Self::AllocCpuSheaf | Self::FreeCpuSheaf => since(6, 18) && !since(7, 0),
            Self::FreeRcuSheaf
            | Self::FreeRcuSheafFail
            | Self::SheafFlush
            | Self::SheafRefill
            | Self::SheafAlloc
            | Self::SheafFree
            | Self::BarnGet
            | Self::BarnGetFail
            | Self::BarnPut
            | Self::BarnPutFail
            | Self::SheafPrefillFast
            | Self::SheafPrefillSlow
            | Self::SheafPrefillOversize
            | Self::SheafReturnFast
            | Self::SheafReturnSlow => since(6, 18),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// slub-semantics 10.2: the counters of E1 to E6, and those of E8.
    #[test]
    fn each_era_has_its_counters() {
        let names = |version| -> Vec<&str> {
            StatItem::ALL.iter().filter(|item| item.is_in(version)).map(|item| item.name()).collect()
        };
        let mut classic = names(Version::release(6, 1));
        classic.sort_unstable();
        let mut expected = "alloc_fastpath alloc_slowpath free_fastpath free_slowpath free_frozen free_add_partial \
            free_remove_partial alloc_from_partial alloc_slab alloc_refill alloc_node_mismatch free_slab cpuslab_flush \
            deactivate_full deactivate_empty deactivate_to_head deactivate_to_tail deactivate_remote_frees deactivate_bypass \
            order_fallback cmpxchg_double_fail cmpxchg_double_cpu_fail cpu_partial_alloc cpu_partial_free cpu_partial_node \
            cpu_partial_drain"
            .split_whitespace()
            .collect::<Vec<_>>();
        expected.sort_unstable();
        assert_eq!(classic, expected);
        let mut with_sheaves = names(Version::release(7, 3));
        with_sheaves.sort_unstable();
        let mut expected = "alloc_fastpath alloc_slowpath free_rcu_sheaf free_rcu_sheaf_fail free_fastpath free_slowpath \
            free_add_partial free_remove_partial alloc_slab alloc_node_mismatch free_slab order_fallback cmpxchg_double_fail \
            sheaf_flush sheaf_refill sheaf_alloc sheaf_free barn_get barn_get_fail barn_put barn_put_fail sheaf_prefill_fast \
            sheaf_prefill_slow sheaf_prefill_oversize sheaf_return_fast sheaf_return_slow"
            .split_whitespace()
            .collect::<Vec<_>>();
        expected.sort_unstable();
        assert_eq!(with_sheaves, expected);
    }
}
