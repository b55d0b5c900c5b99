//! Where slabs' pages come from: the buddy allocator, or a recording of what a real one gave.

mod buddy;

pub use buddy::Buddy;

use crate::units::{Order, Pfn};
use std::collections::VecDeque;

/// A source of blocks of pages.
#[derive(Clone, Debug)]
pub enum PageSource {
    /// The buddy allocator.
    Buddy(Buddy),
    /// Blocks as recorded.
    Recorded(RecordedPages),
}

/// Blocks laid out by who replays a recording.
#[derive(Clone, Debug, Default)]
pub struct RecordedPages {
    /// The blocks to come, in order: first frame and size.
    pub coming: VecDeque<(Pfn, Order)>,
    /// A block was wanted and none was laid out.
    pub missing: bool,
}

impl PageSource {
    /// A block of `order`; `None` when there is none.
    pub fn alloc(&mut self, order: Order) -> Option<Pfn> {
        match self {
            Self::Buddy(buddy) => buddy.alloc(order),
            Self::Recorded(recorded) => {
                recorded.missing |= recorded.coming.is_empty();
                // A block of another size than asked for: the kernel got none of this one, and asks again.
                let next = recorded.coming.pop_front_if(|(_, size)| *size == order);
                next.map(|(block, _)| block)
            }
        }
    }

    /// Takes a block back.
    pub fn free(&mut self, block: Pfn, order: Order) {
        match self {
            Self::Buddy(buddy) => buddy.free(block, order),
            Self::Recorded(_) => {}
        }
    }
}
