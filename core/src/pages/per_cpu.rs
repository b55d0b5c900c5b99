//! Per-CPU page lists: what a CPU freed last is what it gets next, before the buddy allocator is asked.
//!
//! As `rmqueue_pcplist`, `free_unref_page_commit` and `free_pcppages_bulk` behave (mm/page_alloc.c, 5.13 to 6.12).
//!
//! Limitations: one CPU's `batch` stays as it is, where kernels let it grow while a CPU only allocates or only frees
//! (`free_factor`, `alloc_factor`), and `high` is not tuned (6.7).

use super::MigrateType;
use super::buddy::Buddy;
use crate::units::{Order, Pfn, count_from, index_from};

/// How large a CPU's lists may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PcpLimits {
    /// The largest order that lists hold.
    pub highest: Order,
    /// Pages that come or go at a time.
    pub batch: u32,
    /// Pages from which on they go.
    pub high: u32,
}

impl PcpLimits {
    /// Those of a machine of 512 MiB: `batch` from `zone_batchsize`, `high` from `zone_highsize`, of which the low
    /// watermark (883 pages of about 125,000) is shared by the CPUs. Before 5.13 only order 0, and `high` six batches
    /// (not verified).
    #[must_use]
    pub const fn new(holds_high_orders: bool, cpus: u32) -> Self {
        const BATCH: u32 = 31;
        const LOW_WATERMARK: u32 = 883;
        if !holds_high_orders {
            return Self { highest: Order::from_raw(0), batch: BATCH, high: 6 * BATCH };
        }
        let share = LOW_WATERMARK / cpus;
        let high = if share > 4 * BATCH { share } else { 4 * BATCH };
        Self { highest: Order::from_raw(3), batch: BATCH, high }
    }
}

/// Lists by order and migratetype, up to `PAGE_ALLOC_COSTLY_ORDER`.
const LISTS: usize = 4 * MigrateType::ALL.len();

/// The lists of one CPU.
#[derive(Clone, Debug, Default)]
pub(super) struct PerCpuPages {
    /// The block that was freed last is the last.
    lists: [Vec<Pfn>; LISTS],
    /// Pages in all of them.
    count: u32,
}

impl PerCpuPages {
    /// The block that was freed last; where the list is empty, after `batch` pages of the buddy allocator's.
    pub(super) fn alloc(&mut self, order: Order, of: MigrateType, limits: PcpLimits, buddy: &mut Buddy) -> Option<Pfn> {
        let at = list_of(order, of);
        let block = match self.lists[at].pop() {
            Some(block) => block,
            None => {
                self.refill(order, of, limits, buddy);
                self.lists[at].pop()?
            }
        };
        self.count -= size_of(order);
        Some(block)
    }

    #[inline(never)]
    fn refill(&mut self, order: Order, of: MigrateType, limits: PcpLimits, buddy: &mut Buddy) {
        let list = &mut self.lists[list_of(order, of)];
        let blocks = if order == Order::from_raw(0) { limits.batch } else { (limits.batch >> order.raw()).max(2) };
        for _ in 0..blocks {
            let Some(block) = buddy.alloc(order, of) else { break };
            list.push(block);
        }
        list.reverse();
        self.count += size_of(order) * count_from(list.len());
    }

    /// Keeps a block; a CPU that has too many passes some on.
    pub(super) fn free(&mut self, block: Pfn, order: Order, limits: PcpLimits, buddy: &mut Buddy) {
        let at = list_of(order, buddy.migratetype_of(block));
        self.lists[at].push(block);
        self.count += size_of(order);
        if self.count >= limits.high {
            self.pass_on(limits.batch, at, buddy);
        }
    }

    /// Passes at least `pages` on to the buddy allocator: the coldest of each list in turn, beginning with list `from`.
    #[inline(never)]
    fn pass_on(&mut self, pages: u32, from: usize, buddy: &mut Buddy) {
        let mut left = pages.min(self.count);
        let mut at = from;
        while left > 0 {
            let order = Order::from_raw(count_from(at / MigrateType::ALL.len()));
            let list = &mut self.lists[at];
            let coldest = list.len().min(index_from(left.div_ceil(size_of(order))));
            for block in list.drain(..coldest) {
                buddy.free(block, order);
            }
            let pages = size_of(order) * count_from(coldest);
            self.count -= pages;
            left = left.saturating_sub(pages);
            at = (at + 1) % LISTS;
        }
    }

    /// Passes everything on (`drain_pages`).
    pub(super) fn drain(&mut self, buddy: &mut Buddy) {
        self.pass_on(self.count, 0, buddy);
    }

    /// Every block that is kept, with its size.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (Pfn, Order)> + '_ {
        self.lists.iter().zip(0_u32..).flat_map(|(list, at)| {
            let order = Order::from_raw(at / count_from(MigrateType::ALL.len()));
            list.iter().rev().map(move |block| (*block, order))
        })
    }
}

/// `order_to_pindex`.
fn list_of(order: Order, of: MigrateType) -> usize {
    index_from(order.raw()) * MigrateType::ALL.len() + of.index()
}

const fn size_of(order: Order) -> u32 {
    1 << order.raw()
}

#[cfg(test)]
mod tests {
    use super::*;
    use MigrateType::{Reclaimable, Unmovable};

    const LIMITS: PcpLimits = PcpLimits { highest: Order::from_raw(3), batch: 4, high: 12 };
    const PAGE: Order = Order::from_raw(0);

    fn both() -> (PerCpuPages, Buddy) {
        (PerCpuPages::default(), Buddy::new(Pfn::from_raw(4096), 2048))
    }

    fn take(pcp: &mut PerCpuPages, buddy: &mut Buddy, order: Order, of: MigrateType) -> u64 {
        pcp.alloc(order, of, LIMITS, buddy).expect("pages").raw()
    }

    /// slub-semantics 8.2: an empty list takes a batch, and gives it out in ascending order.
    #[test]
    fn a_refill_gives_ascending_addresses() {
        let (mut pcp, mut buddy) = both();
        assert_eq!([(); 3].map(|()| take(&mut pcp, &mut buddy, PAGE, Unmovable)), [4096, 4097, 4098]);
        assert_eq!(pcp.count, 1, "of a batch of four");
        assert_eq!(take(&mut pcp, &mut buddy, Order::from_raw(1), Unmovable), 4100, "another list, another batch");
    }

    /// slub-semantics 8.2: the page freed last is the next one out, to whoever asks for its size and type.
    #[test]
    fn last_freed_first_out() {
        let (mut pcp, mut buddy) = both();
        let pages = [(); 3].map(|()| take(&mut pcp, &mut buddy, PAGE, Unmovable));
        for page in pages {
            pcp.free(Pfn::from_raw(page), PAGE, LIMITS, &mut buddy);
        }
        assert_ne!(take(&mut pcp, &mut buddy, PAGE, Reclaimable), 4098, "the other type has pages of its own");
        assert_eq!(take(&mut pcp, &mut buddy, PAGE, Unmovable), 4098);
        assert_eq!(take(&mut pcp, &mut buddy, PAGE, Unmovable), 4097);
    }

    /// slub-semantics 8.2: a CPU with `high` pages passes a batch on, the coldest first; only those can merge.
    #[test]
    fn a_full_list_passes_its_coldest_on() {
        let (mut pcp, mut buddy) = both();
        let pages: Vec<u64> = (0..12).map(|_| take(&mut pcp, &mut buddy, PAGE, Unmovable)).collect();
        assert_eq!(pcp.count, 0);
        for page in &pages[..11] {
            pcp.free(Pfn::from_raw(*page), PAGE, LIMITS, &mut buddy);
        }
        assert!(pages.iter().all(|page| buddy.free_block_of(Pfn::from_raw(*page)).is_none()));
        pcp.free(Pfn::from_raw(pages[11]), PAGE, LIMITS, &mut buddy);
        let whole = Some((Pfn::from_raw(pages[0]), Order::from_raw(2)));
        assert_eq!(buddy.free_block_of(Pfn::from_raw(pages[3])), whole, "the first four freed, merged");
        assert_eq!(pcp.count, 8);
    }

    #[test]
    fn draining_loses_nothing() {
        let (mut pcp, mut buddy) = both();
        for order in (0..4).map(Order::from_raw) {
            for of in [Unmovable, Reclaimable] {
                let block = take(&mut pcp, &mut buddy, order, of);
                pcp.free(Pfn::from_raw(block), order, LIMITS, &mut buddy);
            }
        }
        pcp.drain(&mut buddy);
        assert_eq!((pcp.count, pcp.blocks().count()), (0, 0));
        assert_eq!(buddy.free_blocks(Order::MAX).count(), 2);
    }
}
