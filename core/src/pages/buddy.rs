//! The buddy allocator: free blocks by order, split from above, merged with their buddies.
//!
//! As `__rmqueue_smallest`, `expand`, `__free_one_page` and `buddy_merge_likely` behave (mm/page_alloc.c, 4.19 to 6.1).
//!
//! Limitations: one migratetype, one zone, no per-CPU page lists.

use crate::units::{Order, Pfn, count_from, index_from};

/// No block: the end of a list.
const NIL: u32 = u32::MAX;
/// Number of orders.
const ORDERS: usize = 11;

/// The free blocks of a run of frames.
#[derive(Clone, Debug)]
pub struct Buddy {
    first: Pfn,
    frames: Vec<Frame>,
    lists: [List; ORDERS],
}

/// What the allocator knows of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Frame {
    next: u32,
    prev: u32,
    /// The order of the free block that starts here.
    free: Option<Order>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct List {
    head: u32,
    tail: u32,
    len: u32,
}

impl Buddy {
    /// `count` frames from `first` on, all free, the lowest block at the head of its list.
    ///
    /// # Panics
    /// When `first` or `count` is not a multiple of the largest block.
    #[must_use]
    pub fn new(first: Pfn, count: u32) -> Self {
        let block = count_from(index_from(1) << Order::MAX.raw());
        assert!(first.raw().is_multiple_of(u64::from(block)), "the first frame starts a block of the largest order");
        assert!(count.is_multiple_of(block), "whole blocks of the largest order");
        let frame = Frame { next: NIL, prev: NIL, free: None };
        let list = List { head: NIL, tail: NIL, len: 0 };
        let mut buddy = Self { first, frames: vec![frame; index_from(count)], lists: [list; ORDERS] };
        for start in (0..count).step_by(index_from(block)) {
            buddy.push_tail(start, Order::MAX);
        }
        buddy
    }

    /// A block of `order`: from the smallest order that has one, lower halves first.
    pub fn alloc(&mut self, order: Order) -> Option<Pfn> {
        let found = (order.raw()..=Order::MAX.raw()).find(|o| self.lists[index_from(*o)].len > 0)?;
        let block = self.lists[index_from(found)].head;
        self.unlink(block);
        for half in (order.raw()..found).rev() {
            self.push_head(block + (1 << half), Order::from_raw(half));
        }
        Some(self.first.offset(u64::from(block)))
    }

    /// Takes a block back, and merges it with its buddy as long as that is free.
    ///
    /// # Panics
    /// When the block is not this allocator's, or is free already.
    pub fn free(&mut self, block: Pfn, order: Order) {
        let mut start = self.index_of(block).expect("a block of this allocator");
        assert!(self.frames[index_from(start)].free.is_none(), "a block is freed once");
        let mut order = order;
        while order < Order::MAX {
            let buddy = start ^ (1 << order.raw());
            if self.frames.get(index_from(buddy)).is_none_or(|frame| frame.free != Some(order)) {
                break;
            }
            self.unlink(buddy);
            start &= !(1 << order.raw());
            order = Order::from_raw(order.raw() + 1);
        }
        if self.merge_is_likely(start, order) {
            self.push_tail(start, order);
        } else {
            self.push_head(start, order);
        }
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
            (self.frames[index_from(start)].free == Some(order)).then(|| (self.first.offset(u64::from(start)), order))
        })
    }

    /// Free blocks of `order`, head first.
    pub fn free_blocks(&self, order: Order) -> impl Iterator<Item = Pfn> + '_ {
        let mut at = self.lists[index_from(order.raw())].head;
        core::iter::from_fn(move || {
            let here = (at != NIL).then_some(at)?;
            at = self.frames[index_from(here)].next;
            Some(self.first.offset(u64::from(here)))
        })
    }

    /// Whether the block one order up would be completed soon: then this one is best used late.
    fn merge_is_likely(&self, start: u32, order: Order) -> bool {
        if order.raw() + 1 >= Order::MAX.raw() {
            return false;
        }
        let parent = start & !(1 << order.raw());
        let uncle = parent ^ (1 << (order.raw() + 1));
        let up = Order::from_raw(order.raw() + 1);
        self.frames.get(index_from(uncle)).is_some_and(|frame| frame.free == Some(up))
    }

    fn index_of(&self, frame: Pfn) -> Option<u32> {
        let index = u32::try_from(frame.raw().checked_sub(self.first.raw())?).ok()?;
        (index_from(index) < self.frames.len()).then_some(index)
    }

    fn push_head(&mut self, block: u32, order: Order) {
        let list = &mut self.lists[index_from(order.raw())];
        let old = list.head;
        list.head = block;
        list.len += 1;
        match old {
            NIL => list.tail = block,
            old => self.frames[index_from(old)].prev = block,
        }
        self.frames[index_from(block)] = Frame { next: old, prev: NIL, free: Some(order) };
    }

    fn push_tail(&mut self, block: u32, order: Order) {
        let list = &mut self.lists[index_from(order.raw())];
        let old = list.tail;
        list.tail = block;
        list.len += 1;
        match old {
            NIL => list.head = block,
            old => self.frames[index_from(old)].next = block,
        }
        self.frames[index_from(block)] = Frame { next: NIL, prev: old, free: Some(order) };
    }

    fn unlink(&mut self, block: u32) {
        let Frame { next, prev, free } = self.frames[index_from(block)];
        let order = free.expect("a free block");
        let list = &mut self.lists[index_from(order.raw())];
        list.len -= 1;
        match prev {
            NIL => list.head = next,
            prev => self.frames[index_from(prev)].next = next,
        }
        match next {
            NIL => list.tail = prev,
            next => self.frames[index_from(next)].prev = prev,
        }
        self.frames[index_from(block)] = Frame { next: NIL, prev: NIL, free: None };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buddy() -> Buddy {
        Buddy::new(Pfn::from_raw(4096), 2048)
    }

    fn order(raw: u32) -> Order {
        Order::from_raw(raw)
    }

    #[test]
    fn a_split_gives_ascending_addresses() {
        let mut buddy = buddy();
        let got: Vec<_> = (0..4).map(|_| buddy.alloc(order(0)).expect("free").raw()).collect();
        assert_eq!(got, [4096, 4097, 4098, 4099]);
    }

    #[test]
    fn everything_freed_is_whole_again() {
        for order_raw in 0..=10 {
            let mut buddy = buddy();
            let blocks: Vec<_> = std::iter::from_fn(|| buddy.alloc(order(order_raw))).collect();
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
        let [first, _, third] = [(); 3].map(|()| buddy.alloc(order(0)).expect("free"));
        buddy.free(first, order(0));
        buddy.free(third, order(0));
        assert_eq!(buddy.alloc(order(0)), Some(first), "third merged with its buddy, so only first is of order 0");
    }
}
