//! `/proc/buddyinfo`, as `frag_show_print` prints it (mm/vmstat.c).

use crate::machine::Machine;
use crate::pages::PageSource;
use crate::units::{Order, count_from};
use core::fmt::Write as _;

impl Machine {
    /// `/proc/buddyinfo`: free blocks by order, of the zone that there is. What lies on a CPU's lists does not count.
    #[must_use]
    pub fn buddyinfo(&self) -> String {
        let PageSource::Allocator(pages) = self.kernel().pages() else { return String::new() };
        let mut text = "Node 0, zone    DMA32 ".to_owned();
        for order in (0..=Order::MAX.raw()).map(Order::from_raw) {
            let written = write!(text, "{:6} ", count_from(pages.buddy().free_blocks(order).count()));
            debug_assert!(written.is_ok(), "a String takes what is written to it");
        }
        text.push('\n');
        text
    }
}
