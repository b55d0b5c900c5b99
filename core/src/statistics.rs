//! The counters of `CONFIG_SLUB_STATS`: for each cache, on each CPU, how often each thing happened.

use crate::kernel::StatItem;
use crate::units::{CacheId, CpuId};
use std::collections::BTreeMap;

/// The counters of all caches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    counts: BTreeMap<(CacheId, StatItem, CpuId), u32>,
}

impl Statistics {
    /// Counters wrap, as a kernel's do: `u32::MAX` times is once less.
    pub(crate) fn add(&mut self, cache: CacheId, cpu: CpuId, item: StatItem, times: u32) {
        let count = self.counts.entry((cache, item, cpu)).or_default();
        *count = count.wrapping_add(times);
    }

    /// How often something happened to a cache, on each CPU on which it did.
    pub fn of(&self, cache: CacheId, item: StatItem) -> impl Iterator<Item = (CpuId, u32)> {
        let cpus = (cache, item, CpuId::from_raw(0))..=(cache, item, CpuId::from_raw(u32::MAX));
        self.counts.range(cpus).map(|((_, _, cpu), count)| (*cpu, *count))
    }
}
