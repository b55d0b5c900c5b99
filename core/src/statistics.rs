//! The counters of `CONFIG_SLUB_STATS`: for each cache, on each CPU, how often each thing happened.

use crate::kernel::StatItem;
use crate::units::{CacheId, CpuId};

const ITEMS: usize = StatItem::ALL.len();

/// The counters of all caches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// By cache, up to the highest that counted: all items of CPU 0, all of CPU 1, and so on, up to the last that counted.
    counts: Vec<Vec<u32>>,
}

impl Statistics {
    /// Counters wrap, as a kernel's do: `u32::MAX` times is once less.
    pub(crate) fn add(&mut self, cache: CacheId, cpu: CpuId, item: StatItem, times: u32) {
        let count = reach(reach(&mut self.counts, cache.index()), cpu.index() * ITEMS + item.index());
        *count = count.wrapping_add(times);
    }

    /// How often something happened to a cache, on each CPU on which it did.
    pub fn of(&self, cache: CacheId, item: StatItem) -> impl Iterator<Item = (CpuId, u32)> {
        let counts = self.counts.get(cache.index()).into_iter().flatten().skip(item.index()).step_by(ITEMS);
        (0..).map(CpuId::from_raw).zip(counts.copied()).filter(|(_, count)| *count != 0)
    }
}

/// The place of a list, which grows up to it.
fn reach<T: Clone + Default>(list: &mut Vec<T>, place: usize) -> &mut T {
    if place >= list.len() {
        list.resize(place + 1, T::default());
    }
    &mut list[place]
}
