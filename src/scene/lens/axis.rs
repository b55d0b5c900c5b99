//! From bytes to px and back, with breaks where bytes are dull.

use super::super::measure::px_count;
use super::super::shape::Px;
use slabscope_core::sorted::sorted_by;
use std::ops::Range;

/// Turns bytes into px and back. Between two runs there may be a gap of paper.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// The runs, in order; not empty.
    pub runs: Vec<AxisRun>,
}

/// A run of bytes at one scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisRun {
    /// Its first byte.
    pub from: u64,
    /// The byte after its last.
    pub to: u64,
    /// Where its first byte is drawn.
    pub x: Px,
    /// Where it ends.
    pub right: Px,
    /// Whether its bytes are left out: a break.
    pub cut: bool,
}

impl AxisRun {
    fn px_a_byte(&self) -> Px {
        (self.right - self.x) / px_count((self.to - self.from).max(1))
    }
}

impl Axis {
    /// Where a byte starts. Past the last run is its end.
    #[must_use]
    pub fn px_from_byte(&self, byte: u64) -> Px {
        let run = self.runs.iter().find(|run| byte < run.to).or(self.runs.last());
        run.map_or(0.0, |run| run.x + px_count(byte.clamp(run.from, run.to) - run.from) * run.px_a_byte())
    }

    /// Where a run of bytes ends: as the start of the byte after it, but on this side of a gap.
    #[must_use]
    pub fn px_from_end(&self, byte: u64) -> Px {
        let run = self.runs.iter().find(|run| byte <= run.to).or(self.runs.last());
        run.map_or(0.0, |run| run.x + px_count(byte.clamp(run.from, run.to) - run.from) * run.px_a_byte())
    }

    /// The byte whose start is nearest.
    #[must_use]
    pub fn byte_from_px(&self, x: Px) -> u64 {
        let Some(run) = self.runs.iter().find(|run| x <= run.right).or(self.runs.last()) else { return 0 };
        let bytes = (x.max(run.x).min(run.right) - run.x) / run.px_a_byte();
        (run.from..=run.to)
            .min_by(|one, other| {
                let distance = |byte: &u64| (px_count(byte - run.from) - bytes).abs();
                distance(one).total_cmp(&distance(other))
            })
            .unwrap_or(run.from)
    }

    /// The bytes that it covers.
    #[must_use]
    pub fn last_byte(&self) -> u64 {
        self.runs.last().map_or(0, |run| run.to)
    }

    /// Its right end.
    pub(super) fn right(&self) -> Px {
        self.runs.last().map_or(0.0, |run| run.right)
    }

    /// `size` bytes at `scale`, cut outside of `keep` where `cut` says that they do not fit. Starts at 0 px.
    pub(super) fn of_object(size: u64, scale: Px, keep: &[Range<u64>], break_width: Px) -> Self {
        let mut runs = Vec::new();
        let mut x = 0.0;
        let mut at = 0;
        let mut add = |from: u64, to: u64, cut: bool| {
            let width = if cut { break_width } else { px_count(to - from) * scale };
            runs.push(AxisRun { from, to, x, right: x + width, cut });
            x += width;
        };
        for zone in merged(size, scale, keep, break_width) {
            if zone.start > at {
                add(at, zone.start, true);
            }
            add(zone.start, zone.end, false);
            at = zone.end;
        }
        if at < size {
            add(at, size, at > 0);
        }
        Self { runs }
    }

    /// The same, moved to the right by px and on by bytes.
    pub(super) fn moved(&self, x: Px, bytes: u64) -> impl Iterator<Item = AxisRun> + '_ {
        self.runs.iter().map(move |run| AxisRun {
            from: run.from + bytes,
            to: run.to + bytes,
            x: run.x + x,
            right: run.right + x,
            cut: run.cut,
        })
    }
}

/// Zones in order, those joined whose break would be no shorter than what it leaves out.
fn merged(size: u64, scale: Px, keep: &[Range<u64>], break_width: Px) -> Vec<Range<u64>> {
    let zones = keep.iter().map(|zone| zone.start..zone.end.min(size)).filter(|zone| zone.start < zone.end);
    let mut joined: Vec<Range<u64>> = Vec::new();
    for zone in sorted_by(zones, |one, other| one.start.cmp(&other.start)) {
        match joined.last_mut() {
            Some(last) if px_count(zone.start.saturating_sub(last.end)) * scale <= break_width * 1.25 => {
                last.end = last.end.max(zone.end);
            }
            _ => joined.push(zone),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut_of_256() -> Axis {
        Axis::of_object(256, 6.0, &[0..24, 120..144, 232..256], 78.0)
    }

    #[test]
    fn an_object_that_fits_is_one_run() {
        let axis = Axis::of_object(64, 6.0, core::slice::from_ref(&(0..64)), 78.0);
        assert_eq!(axis.runs.len(), 1);
        assert_eq!((axis.px_from_byte(8), axis.right()), (48.0, 384.0));
    }

    #[test]
    fn a_cut_object_keeps_its_zones_at_scale_and_says_what_is_left_out() {
        let axis = cut_of_256();
        let shape: Vec<_> = axis.runs.iter().map(|run| (run.from, run.to, run.cut)).collect();
        assert_eq!(shape, [(0, 24, false), (24, 120, true), (120, 144, false), (144, 232, true), (232, 256, false)]);
        assert_eq!(axis.right(), 72.0 * 6.0 + 2.0 * 78.0);
    }

    #[test]
    fn every_byte_outside_a_break_comes_back_from_its_px() {
        let axis = cut_of_256();
        for byte in (0..=24).chain(120..=144).chain(232..=256) {
            assert_eq!(axis.byte_from_px(axis.px_from_byte(byte)), byte, "byte {byte}");
        }
    }

    #[test]
    fn px_grow_with_bytes() {
        let axis = cut_of_256();
        assert!((0..256).all(|byte| axis.px_from_byte(byte) < axis.px_from_byte(byte + 1)));
    }

    #[test]
    fn zones_near_each_other_are_joined_rather_than_cut() {
        let axis = Axis::of_object(256, 6.0, &[0..24, 30..54], 78.0);
        assert_eq!(axis.runs[0].to, 54);
    }
}
