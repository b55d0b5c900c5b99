//! Who wrote the bytes of memory last, other than the allocator.

use crate::sorted::Map;
use crate::units::VirtAddr;
use core::ops::Range;

/// Who wrote a byte last, other than the allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mark {
    /// Its owner.
    Owner,
    /// Somebody who had no business there.
    Damage,
}

/// The addresses of a write, as numbers; one that would run over the top ends there.
pub(crate) fn range_of(at: VirtAddr, len: u64) -> Range<u64> {
    at.raw()..at.raw().saturating_add(len)
}

/// The marks of all memory: ranges that do not overlap. Those that touch have different marks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    /// By first byte: the end, and the mark.
    ranges: Map<u64, (u64, Mark)>,
}

impl Marks {
    /// The marked ranges that have bytes in common with `range`, whole, in order of address.
    pub(crate) fn overlapping(&self, range: &Range<u64>) -> Vec<(Range<u64>, Mark)> {
        let before_end = self.ranges.up_to(range.end).filter(|(start, _)| *start < range.end);
        let touched = before_end.take_while(|(_, (end, _))| *end > range.start);
        let mut overlapping: Vec<_> = touched.map(|(start, (end, mark))| (*start..*end, *mark)).collect();
        overlapping.reverse();
        overlapping
    }

    /// Marks a range, whatever it was before.
    pub(super) fn insert(&mut self, range: Range<u64>, mark: Mark) {
        self.remove(&range);
        let Range { mut start, mut end } = range;
        if let Some((before, _)) = self.ranges.up_to(start).next().filter(|(_, other)| *other == (start, mark)) {
            start = *before;
        }
        if let Some((after, _)) = self.ranges.get(&end).copied().filter(|(_, other)| *other == mark) {
            self.ranges.remove(&end);
            end = after;
        }
        self.ranges.insert(start, (end, mark));
    }

    /// Takes the marks off a range.
    pub(super) fn remove(&mut self, range: &Range<u64>) {
        for (marked, mark) in self.overlapping(range) {
            self.ranges.remove(&marked.start);
            if marked.start < range.start {
                self.ranges.insert(marked.start, (range.start, mark));
            }
            if range.end < marked.end {
                self.ranges.insert(range.end, (marked.end, mark));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks byte by byte, to compare with.
    struct ByByte([Option<Mark>; 64]);

    impl ByByte {
        /// Runs of bytes with the same mark.
        fn ranges(&self) -> Vec<(Range<u64>, Mark)> {
            let mut ranges: Vec<(Range<u64>, Mark)> = Vec::new();
            for (byte, at) in self.0.iter().zip(0..) {
                let Some(mark) = *byte else { continue };
                match ranges.last_mut() {
                    Some((range, last)) if range.end == at && *last == mark => range.end += 1,
                    Some(_) | None => ranges.push((at..at + 1, mark)),
                }
            }
            ranges
        }
    }

    #[test]
    fn each_byte_has_the_mark_that_came_last() {
        let mut marks = Marks::default();
        let mut model = ByByte([None; 64]);
        for nth in 0..2000_usize {
            let start = nth * 37 % 61;
            let end = (start + 1 + nth * 11 % 13).min(64);
            let mark = [None, Some(Mark::Owner), Some(Mark::Damage)][nth * 5 % 3];
            let range = count(start)..count(end);
            match mark {
                Some(mark) => marks.insert(range.clone(), mark),
                None => marks.remove(&range),
            }
            model.0[start..end].fill(mark);
            assert_eq!(marks.overlapping(&(0..64)), model.ranges(), "after {nth} changes");
            let some =
                model.ranges().into_iter().filter(|(other, _)| other.start < range.end && range.start < other.end);
            assert_eq!(marks.overlapping(&range), some.collect::<Vec<_>>());
        }
    }

    fn count(at: usize) -> u64 {
        u64::try_from(at).expect("a small number")
    }
}
