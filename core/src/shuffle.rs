//! Freelist randomization: one permutation a cache, and a start in it for each slab.
//!
//! The piece that the 2016 patch series shares between SLAB and SLUB (`freelist_randomize`, `cache_random_seq_create`,
//! mm/slab_common.c; commits c7ce4f60ac19 and 210e7a43fa90).

/// A shuffle of `0..count`: Fisher and Yates' from the last index down to 1, with `draw(step, bound)` giving a number
/// below `bound`.
pub fn permutation(count: u32, mut draw: impl FnMut(u32, u32) -> u32) -> Vec<u32> {
    let mut list: Vec<u32> = (0..count).collect();
    for last in (1..count).rev() {
        let other = draw(last, last + 1);
        list.swap(crate::units::index_from(last), crate::units::index_from(other));
    }
    list
}

/// The indexes that a slab of `count` objects hands out, first to last: `sequence` from `start` on, round once.
/// Indexes that the slab does not have (it is of a smaller order than the sequence was made for) are passed over.
pub fn rotation(sequence: &[u32], start: u32, count: u32) -> impl Iterator<Item = u32> + '_ {
    let start = crate::units::index_from(start) % sequence.len().max(1);
    let (before, after) = sequence.split_at(start);
    after.iter().chain(before).copied().filter(move |index| *index < count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// slub-semantics 4.1: C = 8, draws for i = 7..1 of 5, 0, 3, 1, 2, 2, 0.
    #[test]
    fn worked_example() {
        let mut draws = [5, 0, 3, 1, 2, 2, 0].into_iter();
        let list = permutation(8, |_, _| draws.next().expect("seven draws"));
        assert_eq!(list, [4, 6, 7, 2, 1, 3, 0, 5]);
        assert_eq!(rotation(&list, 6, 8).collect::<Vec<_>>(), [0, 5, 4, 6, 7, 2, 1, 3]);
        assert_eq!(rotation(&list, 6, 4).collect::<Vec<_>>(), [0, 2, 1, 3], "a fallback slab filters");
    }
}
