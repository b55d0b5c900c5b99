//! How far an overflow must go to replace the next object's free pointer, size by size, before 5.7 and since.

use crate::session::{is_middle, reach_in};
use slabscope_core::kernel::{KernelConfig, Version};
use slabscope_core::layout::{CacheArgs, Layout};

/// A size of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReachRow {
    /// Bytes of the object.
    pub size: u64,
    /// Bytes past its end that replace the whole pointer, up to 5.6.
    pub before: u64,
    /// The same with the pointer in the middle.
    pub after: u64,
}

/// The sizes that `kmalloc` serves from slabs of a few pages.
const SIZES: [u64; 10] = [8, 16, 32, 64, 96, 128, 192, 256, 512, 1024];

/// The rows, from the layouts of 5.6 and of this kernel, or of 5.7 where this one keeps its pointers at the start.
#[must_use]
pub fn reaches(config: &KernelConfig) -> Vec<ReachRow> {
    let before = KernelConfig::plain(Version::release(5, 6));
    let after = if is_middle(config) { config.clone() } else { KernelConfig::plain(Version::release(5, 7)) };
    let row = |size| Some(ReachRow { size, before: reach(&before, size)?, after: reach(&after, size)? });
    SIZES.into_iter().filter_map(row).collect()
}

fn reach(config: &KernelConfig, size: u64) -> Option<u64> {
    let align = if size.is_power_of_two() { size } else { 8 };
    let args = CacheArgs { object_size: size, align, ..CacheArgs::default() };
    Layout::of(&args, &config.model().ok()?).ok().map(|layout| reach_in(&layout))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn since_5_7_it_takes_half_the_object_and_eight() {
        let rows = reaches(&KernelConfig::plain(Version::release(5, 6)));
        let since: Vec<(u64, u64)> = rows.iter().map(|row| (row.size, row.after)).collect();
        let expected = [
            (8, 8),
            (16, 16),
            (32, 24),
            (64, 40),
            (96, 56),
            (128, 72),
            (192, 104),
            (256, 136),
            (512, 264),
            (1024, 520),
        ];
        assert_eq!(since, expected);
        assert!(rows.iter().all(|row| row.before == 8));
    }
}
