//! Freelist randomization: one permutation a cache, and a start in it for each slab.
//!
//! The piece that the 2016 patch series shares between SLAB and SLUB (`freelist_randomize`, `cache_random_seq_create`,
//! mm/slab_common.c; commits c7ce4f60ac19 and 210e7a43fa90).

use crate::units::{count_from, index_from};
use std::rc::Rc;

/// A cache's permutation of its slabs' object indexes.
#[derive(Clone, Debug)]
pub struct Sequence {
    indexes: Rc<[u32]>,
    /// By index, how many bytes from a slab's start the object is that follows, the first after the last: every slab's
    /// list is this circle, cut at its start.
    following: Rc<[u32]>,
}

impl Sequence {
    /// The sequence of these indexes, which are each of `0..indexes.len()` once, of objects `size` bytes apart.
    ///
    /// # Panics
    /// When they are something else.
    #[must_use]
    pub fn new(indexes: Vec<u32>, size: u64) -> Self {
        let mut following = vec![0; indexes.len()];
        let next = indexes.iter().cycle().skip(1);
        for (index, next) in indexes.iter().zip(next) {
            following[index_from(*index)] = u32::try_from(u64::from(*next) * size).expect("a slab is under 4 GiB");
        }
        Self { indexes: indexes.into(), following: following.into() }
    }

    /// The indexes, first to last.
    #[must_use]
    pub const fn indexes(&self) -> &Rc<[u32]> {
        &self.indexes
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        count_from(self.indexes.len())
    }

    /// By index, how many bytes from a slab's start the object is that follows.
    #[must_use]
    pub fn following(&self) -> &[u32] {
        &self.following
    }

    /// The first index and the last of the list that starts at this position.
    ///
    /// # Panics
    /// When there is no such position.
    #[must_use]
    pub fn ends(&self, start: u32) -> (u32, u32) {
        let start = index_from(start);
        let last = start.checked_sub(1).unwrap_or(self.indexes.len() - 1);
        (self.indexes[start], self.indexes[last])
    }

    /// The indexes that a slab of `count` objects hands out, first to last: the sequence from `start` on, round once.
    /// Indexes that the slab does not have (it is of a smaller order than the sequence was made for) are passed over.
    pub fn rotation(&self, start: u32, count: u32) -> impl Iterator<Item = u32> + '_ {
        let start = index_from(start) % self.indexes.len().max(1);
        let (before, after) = self.indexes.split_at(start);
        after.iter().chain(before).copied().filter(move |index| *index < count)
    }
}

/// A shuffle of `0..count`: Fisher and Yates' from the last index down to 1, with `draw(step, bound)` giving a number
/// below `bound`.
pub fn permutation(count: u32, mut draw: impl FnMut(u32, u32) -> u32) -> Vec<u32> {
    let mut list: Vec<u32> = (0..count).collect();
    for last in (1..count).rev() {
        let other = draw(last, last + 1);
        list.swap(index_from(last), index_from(other));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    /// slub-semantics 4.1: C = 8, draws for i = 7..1 of 5, 0, 3, 1, 2, 2, 0.
    #[test]
    fn worked_example() {
        let mut draws = [5, 0, 3, 1, 2, 2, 0].into_iter();
        let sequence = Sequence::new(permutation(8, |_, _| draws.next().expect("seven draws")), 64);
        assert_eq!(**sequence.indexes(), [4, 6, 7, 2, 1, 3, 0, 5]);
        assert_eq!(sequence.rotation(6, 8).collect::<Vec<_>>(), [0, 5, 4, 6, 7, 2, 1, 3]);
        assert_eq!(sequence.rotation(6, 4).collect::<Vec<_>>(), [0, 2, 1, 3], "a fallback slab filters");
    }

    /// The circle, cut at a start, is the rotation.
    #[test]
    fn a_list_is_the_circle_cut_at_its_start() {
        for count in 2..12 {
            let sequence = Sequence::new(permutation(count, |step, bound| (step * 7 + 3) % bound), 24);
            for start in 0..count {
                let (first, last) = sequence.ends(start);
                let cut = std::iter::successors(Some(first), |index| {
                    (*index != last).then(|| sequence.following()[index_from(*index)] / 24)
                });
                assert!(cut.eq(sequence.rotation(start, count)), "{count} objects from {start}");
            }
        }
    }
}
