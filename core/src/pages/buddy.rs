//! The buddy allocator: free blocks by migratetype and order, split from above, merged with their buddies.
//!
//! As `__rmqueue_smallest`, `expand`, `__rmqueue_fallback`, `steal_suitable_fallback`, `__free_one_page`,
//! `buddy_merge_likely` and `shuffle_zone` behave (mm/page_alloc.c, mm/shuffle.c, 4.19 to 6.12).
//!
//! Limitations: one zone; every page that is in use counts as unmovable, since nobody but slabs takes any.

use super::MigrateType;
use crate::luck::{Purpose, Seed};
use crate::numbered::Numbered;
use crate::units::{Order, Pfn, count_from, index_from};

/// No block: the end of a list.
const NIL: u32 = u32::MAX;
/// Number of orders.
const ORDERS: usize = 11;
/// The order of a pageblock: 2 MiB have one migratetype.
const PAGEBLOCK_ORDER: u32 = 9;
/// Frames of a pageblock.
const PAGEBLOCK: u32 = 1 << PAGEBLOCK_ORDER;

/// The free blocks of a run of frames.
#[derive(Clone, Debug)]
pub struct Buddy {
    first: Pfn,
    frames: Numbered<u32, Frame>,
    lists: [[List; ORDERS]; MigrateType::ALL.len()],
    /// The migratetype of each pageblock: where its blocks go when they are freed.
    pageblocks: Vec<MigrateType>,
    shuffle: Option<Shuffle>,
}

/// What the allocator knows of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Frame {
    next: u32,
    prev: u32,
    /// The order of the free block that starts here, and whose list it is on.
    free: Option<(Order, MigrateType)>,
}

impl Frame {
    const UNLISTED: Self = Self { next: NIL, prev: NIL, free: None };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct List {
    head: u32,
    tail: u32,
}

impl List {
    const EMPTY: Self = Self { head: NIL, tail: NIL };

    const fn is_empty(self) -> bool {
        self.head == NIL
    }
}

/// `page_alloc.shuffle=1`.
#[derive(Clone, Copy, Debug)]
struct Shuffle {
    luck: Seed,
    /// Coins tossed so far.
    coins: u64,
}

/// An end of a free list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Head,
    Tail,
}

impl Buddy {
    /// `count` frames from `first` on, all free and movable, the lowest block at the head of its list.
    ///
    /// # Panics
    /// When `first` or `count` is not a multiple of the largest block.
    #[must_use]
    pub fn new(first: Pfn, count: u32) -> Self {
        let blocks: Vec<u32> = (0..count).step_by(index_from(1) << Order::MAX.raw()).collect();
        Self::listing(first, count, &blocks)
    }

    /// As [`new`](Self::new) with `page_alloc.shuffle=1`: the blocks of the largest order lie in drawn order, and those
    /// that are freed later go to an end that a coin decides (5.2, commits e900a918b098 and 97500a4a54876).
    ///
    /// # Panics
    /// As [`new`](Self::new).
    #[must_use]
    pub fn shuffled(first: Pfn, count: u32, luck: Seed) -> Self {
        let largest = count_from(index_from(1) << Order::MAX.raw());
        let permutation = crate::shuffle::permutation(count / largest, |step, bound| {
            luck.below(Purpose::PageShuffle, "boot", u64::from(step), bound)
        });
        let blocks: Vec<u32> = permutation.into_iter().map(|block| block * largest).collect();
        Self { shuffle: Some(Shuffle { luck, coins: 0 }), ..Self::listing(first, count, &blocks) }
    }

    fn listing(first: Pfn, count: u32, blocks: &[u32]) -> Self {
        let block = count_from(index_from(1) << Order::MAX.raw());
        assert!(first.raw().is_multiple_of(u64::from(block)), "the first frame starts a block of the largest order");
        assert!(count.is_multiple_of(block), "whole blocks of the largest order");
        let mut buddy = Self {
            first,
            frames: vec![Frame::UNLISTED; index_from(count)].into(),
            lists: [[List::EMPTY; ORDERS]; MigrateType::ALL.len()],
            pageblocks: vec![MigrateType::Movable; index_from(count / PAGEBLOCK)],
            shuffle: None,
        };
        for start in blocks {
            buddy.push(*start, Order::MAX, MigrateType::Movable, End::Tail);
        }
        buddy
    }

    /// A block of `order`: from the smallest order that has one, lower halves first; where this migratetype has none,
    /// after taking a block from another.
    pub fn alloc(&mut self, order: Order, wanted: MigrateType) -> Option<Pfn> {
        self.take_smallest(order, wanted).or_else(|| self.claim_and_take(order, wanted))
    }

    #[cold]
    fn claim_and_take(&mut self, order: Order, wanted: MigrateType) -> Option<Pfn> {
        self.claim_from_others(order, wanted).then(|| self.take_smallest(order, wanted)).flatten()
    }

    #[inline]
    fn take_smallest(&mut self, order: Order, wanted: MigrateType) -> Option<Pfn> {
        let lists = self.lists[wanted.index()].iter_mut().enumerate().skip(index_from(order.raw()));
        let (found, list) = lists.into_iter().find(|(_, list)| !list.is_empty())?;
        let block = list.head;
        let next = core::mem::replace(&mut self.frames[block], Frame::UNLISTED).next;
        list.head = next;
        match next {
            NIL => list.tail = NIL,
            next => self.frames[next].prev = NIL,
        }
        // The orders below had no block, and now have an upper half each.
        for half in (order.raw()..count_from(found)).rev() {
            let upper = block + (1 << half);
            self.lists[wanted.index()][index_from(half)] = List { head: upper, tail: upper };
            self.frames[upper].free = Some((Order::from_raw(half), wanted));
        }
        Some(self.first.offset(u64::from(block)))
    }

    /// Makes the largest block that another migratetype has this one's: the fewer pageblocks of mixed use there are,
    /// the more can be moved out of the way later.
    fn claim_from_others(&mut self, order: Order, wanted: MigrateType) -> bool {
        let found = (order.raw()..=Order::MAX.raw()).rev().find_map(|size| {
            let from =
                wanted.fallbacks().into_iter().find(|from| !self.lists[from.index()][index_from(size)].is_empty())?;
            Some((size, self.lists[from.index()][index_from(size)].head, from))
        });
        let Some((size, block, from)) = found else { return false };
        if size >= PAGEBLOCK_ORDER {
            let first = index_from(block / PAGEBLOCK);
            self.pageblocks[first..first + (index_from(1) << (size - PAGEBLOCK_ORDER))].fill(wanted);
            self.unlink(block);
            self.push(block, Order::from_raw(size), wanted, End::Head);
        } else {
            self.claim_within_pageblock(block, from, wanted);
        }
        true
    }

    /// The free blocks of a pageblock change lists; the pageblock itself changes its type if half of it is free, or used
    /// alike.
    fn claim_within_pageblock(&mut self, block: u32, from: MigrateType, wanted: MigrateType) {
        let start = block / PAGEBLOCK * PAGEBLOCK;
        let mut free = 0;
        for frame in start..start + PAGEBLOCK {
            if let Some((order, _)) = self.frames[frame].free {
                self.unlink(frame);
                self.push(frame, order, wanted, End::Tail);
                free += 1 << order.raw();
            }
        }
        let alike = match from {
            MigrateType::Movable => PAGEBLOCK - free,
            MigrateType::Unmovable | MigrateType::Reclaimable => 0,
        };
        if free + alike >= PAGEBLOCK / 2 {
            self.pageblocks[index_from(block / PAGEBLOCK)] = wanted;
        }
    }

    /// Takes a block back, and merges it with its buddy as long as that is free.
    ///
    /// # Panics
    /// When the block is not this allocator's, or is free already.
    pub fn free(&mut self, block: Pfn, order: Order) {
        let mut start = self.index_of(block).expect("a block of this allocator");
        assert!(self.frames[start].free.is_none(), "a block is freed once");
        let of = self.pageblocks[index_from(start / PAGEBLOCK)];
        let mut order = order;
        while order < Order::MAX {
            let buddy = start ^ (1 << order.raw());
            let is_free = |frame: &Frame| frame.free.is_some_and(|(size, _)| size == order);
            if !self.frames.get(index_from(buddy)).is_some_and(is_free) {
                break;
            }
            self.unlink(buddy);
            start &= !(1 << order.raw());
            order = Order::from_raw(order.raw() + 1);
        }
        let end = self.end_for(start, order);
        self.push(start, order, of, end);
    }

    fn end_for(&mut self, start: u32, order: Order) -> End {
        if let Some(shuffle) = self.shuffle.as_mut().filter(|_| order == Order::MAX) {
            shuffle.coins += 1;
            let coin = shuffle.luck.below(Purpose::PageShuffle, "free", shuffle.coins, 2);
            return if coin == 0 { End::Head } else { End::Tail };
        }
        if self.merge_is_likely(start, order) { End::Tail } else { End::Head }
    }

    /// The migratetype that a block has when it is freed.
    ///
    /// # Panics
    /// When the block is not this allocator's.
    #[must_use]
    pub fn migratetype_of(&self, block: Pfn) -> MigrateType {
        let index = self.index_of(block).expect("a block of this allocator");
        self.pageblocks[index_from(index / PAGEBLOCK)]
    }

    /// Whether a frame is this allocator's to give.
    #[must_use]
    pub fn owns(&self, frame: Pfn) -> bool {
        self.index_of(frame).is_some()
    }

    /// The free block that holds `frame`, if it is free.
    #[must_use]
    pub fn free_block_of(&self, frame: Pfn) -> Option<(Pfn, Order)> {
        let index = self.index_of(frame)?;
        (0..=Order::MAX.raw()).map(Order::from_raw).find_map(|order| {
            let start = index & !((1 << order.raw()) - 1);
            let free = self.frames[start].free;
            free.is_some_and(|(size, _)| size == order).then(|| (self.first.offset(u64::from(start)), order))
        })
    }

    /// Free blocks of `order`, those of each migratetype from the head of its list on.
    pub fn free_blocks(&self, order: Order) -> impl Iterator<Item = Pfn> + '_ {
        MigrateType::ALL.into_iter().flat_map(move |of| {
            let mut at = self.lists[of.index()][index_from(order.raw())].head;
            core::iter::from_fn(move || {
                let here = (at != NIL).then_some(at)?;
                at = self.frames[here].next;
                Some(self.first.offset(u64::from(here)))
            })
        })
    }

    /// Whether the block one order up would be completed soon: then this one is best used late.
    fn merge_is_likely(&self, start: u32, order: Order) -> bool {
        if order.raw() + 1 >= Order::MAX.raw() {
            return false;
        }
        let parent = start & !(1 << order.raw());
        let uncle = parent ^ (1 << (order.raw() + 1));
        let is_free = |frame: &Frame| frame.free.is_some_and(|(size, _)| size.raw() == order.raw() + 1);
        self.frames.get(index_from(uncle)).is_some_and(is_free)
    }

    fn index_of(&self, frame: Pfn) -> Option<u32> {
        let index = u32::try_from(frame.raw().checked_sub(self.first.raw())?).ok()?;
        (index_from(index) < self.frames.len()).then_some(index)
    }

    fn push(&mut self, block: u32, order: Order, of: MigrateType, end: End) {
        let list = &mut self.lists[of.index()][index_from(order.raw())];
        let old = match end {
            End::Head => core::mem::replace(&mut list.head, block),
            End::Tail => core::mem::replace(&mut list.tail, block),
        };
        let frame = match (end, old) {
            (End::Head, NIL) => {
                list.tail = block;
                Frame::UNLISTED
            }
            (End::Tail, NIL) => {
                list.head = block;
                Frame::UNLISTED
            }
            (End::Head, old) => {
                self.frames[old].prev = block;
                Frame { next: old, ..Frame::UNLISTED }
            }
            (End::Tail, old) => {
                self.frames[old].next = block;
                Frame { prev: old, ..Frame::UNLISTED }
            }
        };
        self.frames[block] = Frame { free: Some((order, of)), ..frame };
    }

    fn unlink(&mut self, block: u32) {
        let Frame { next, prev, free } = self.frames[block];
        let (order, of) = free.expect("a free block");
        let list = &mut self.lists[of.index()][index_from(order.raw())];
        match prev {
            NIL => list.head = next,
            prev => self.frames[prev].next = next,
        }
        match next {
            NIL => list.tail = prev,
            next => self.frames[next].prev = prev,
        }
        self.frames[block] = Frame::UNLISTED;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MigrateType::{Movable, Reclaimable, Unmovable};

    const FIRST: Pfn = Pfn::from_raw(4096);

    fn buddy() -> Buddy {
        Buddy::new(FIRST, 2048)
    }

    fn order(raw: u32) -> Order {
        Order::from_raw(raw)
    }

    #[test]
    fn a_split_gives_ascending_addresses() {
        let mut buddy = buddy();
        let got: Vec<_> = (0..4).map(|_| buddy.alloc(order(0), Unmovable).expect("free").raw()).collect();
        assert_eq!(got, [4096, 4097, 4098, 4099]);
    }

    #[test]
    fn everything_freed_is_whole_again() {
        for order_raw in 0..=10 {
            let mut buddy = buddy();
            let blocks: Vec<_> = std::iter::from_fn(|| buddy.alloc(order(order_raw), Unmovable)).collect();
            assert_eq!(blocks.len(), 2048 >> order_raw);
            for block in blocks {
                buddy.free(block, order(order_raw));
            }
            assert_eq!(buddy.free_blocks(Order::MAX).count(), 2);
            assert!((0..10).all(|lower| buddy.free_blocks(order(lower)).count() == 0));
        }
    }

    #[test]
    fn a_freed_block_merges_with_its_free_buddy() {
        let mut buddy = buddy();
        let [first, _, third] = [(); 3].map(|()| buddy.alloc(order(0), Unmovable).expect("free"));
        buddy.free(first, order(0));
        buddy.free(third, order(0));
        assert_eq!(
            buddy.alloc(order(0), Unmovable),
            Some(first),
            "third merged with its buddy, so only first is of order 0"
        );
    }

    /// slub-semantics 8.1: the largest block of another type is taken, and its pageblocks change sides.
    #[test]
    fn a_type_without_pages_claims_the_largest_block_of_another() {
        let mut buddy = buddy();
        let unmovable = buddy.alloc(order(0), Unmovable).expect("free");
        let reclaimable = buddy.alloc(order(0), Reclaimable).expect("free");
        assert_eq!([unmovable, reclaimable].map(Pfn::raw), [4096, 4096 + 1024], "each type its own block of order 10");
        assert_eq!(
            [0, 512, 1024, 1536].map(|at| buddy.migratetype_of(FIRST.offset(at))),
            [Unmovable, Unmovable, Reclaimable, Reclaimable]
        );
    }

    #[test]
    fn a_small_block_takes_the_free_part_of_its_pageblock_along() {
        let mut buddy = Buddy::new(Pfn::from_raw(1024), 1024);
        let low = buddy.alloc(order(9), Unmovable).expect("free");
        let rest: Vec<Pfn> = (0..2).map(|_| buddy.alloc(order(8), Unmovable).expect("free")).collect();
        buddy.free(rest[1], order(8));
        let claimed = buddy.alloc(order(0), Reclaimable).expect("half of a pageblock is free");
        assert_eq!(claimed, rest[1], "the lowest page of the only free block");
        assert_eq!(buddy.migratetype_of(claimed), Reclaimable, "half of the pageblock was free");
        assert_eq!(buddy.migratetype_of(low), Unmovable);
    }

    #[test]
    fn a_shuffle_lays_the_largest_blocks_in_another_order_and_loses_none() {
        let order_of = |luck| {
            let mut buddy = Buddy::shuffled(FIRST, 8192, Seed(luck));
            std::iter::from_fn(move || buddy.alloc(Order::MAX, Movable)).collect::<Vec<_>>()
        };
        let mut shuffled = order_of(1);
        assert_ne!(shuffled, order_of(2));
        shuffled.sort_unstable();
        let mut plain = Buddy::new(FIRST, 8192);
        assert_eq!(shuffled, std::iter::from_fn(move || plain.alloc(Order::MAX, Movable)).collect::<Vec<_>>());
    }
}
