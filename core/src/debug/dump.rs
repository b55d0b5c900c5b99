//! The hex dump of a report: sixteen bytes a line, behind a label.

use crate::kernel::Telling;
use crate::memory::Bytes;
use crate::report::{Bytes as Range, Line};
use crate::units::{VirtAddr, count_from, index_from};
use core::fmt::Write;

/// What a section of a dump is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// A red zone, on either side.
    RedZone,
    /// Sixteen bytes before an object without one.
    Before,
    /// The object.
    Object,
    /// Padding, of an object.
    Padding,
    /// The end of a slab.
    SlabPadding,
}

const BYTES_A_LINE: usize = 16;
/// Where the letters stand, from the first digit on.
const LETTERS_AT: usize = 49;

impl Section {
    /// Labels are nine letters wide, but for those that the slab's own padding and traces have.
    const fn label(self, told: &Telling) -> &'static str {
        match (self, told.wide_labels) {
            (Self::RedZone, true) => "Redzone  ",
            (Self::RedZone, false) => "Redzone ",
            (Self::Before, _) => "Bytes b4 ",
            (Self::Object, true) => "Object   ",
            (Self::Object, false) => "Object ",
            (Self::Padding, true) => "Padding  ",
            (Self::Padding, false) | (Self::SlabPadding, _) => "Padding ",
        }
    }
}

/// The lines of `len` bytes from `at` on (`print_section`).
pub(super) fn lines(memory: &impl Bytes, section: Section, at: VirtAddr, len: u64, told: &Telling) -> Vec<Line> {
    labelled(memory, section.label(told), at, len)
}

/// The same with a label of one's choice.
pub(super) fn labelled(memory: &impl Bytes, label: &str, at: VirtAddr, len: u64) -> Vec<Line> {
    let mut bytes = vec![0; index_from(u32::try_from(len).unwrap_or(u32::MAX))];
    if memory.copy_out(at, &mut bytes).is_err() {
        // A kernel that dumps what is not mapped would fault; nothing that is dumped here is outside of a slab.
        return Vec::new();
    }
    let mut here = at;
    bytes
        .chunks(BYTES_A_LINE)
        .map(|row| {
            let range = Range { at: here, len: u64::from(count_from(row.len())) };
            here = here.wrapping_add(range.len);
            Line { text: line(label, range.at, row), bytes: Some(range) }
        })
        .collect()
}

fn line(label: &str, at: VirtAddr, row: &[u8]) -> String {
    let mut digits = String::new();
    for byte in row {
        // Writing to a string does not fail.
        let _ = write!(digits, "{byte:02x} ");
    }
    let letters: String = row.iter().map(|byte| printable(*byte)).collect();
    format!("{label}{:016x}: {digits:<LETTERS_AT$}{letters}", at.raw())
}

fn printable(byte: u8) -> char {
    if (0x20..0x7f).contains(&byte) { char::from(byte) } else { '.' }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of slub-semantics 6.5, example 1.
    #[test]
    fn whole_and_short_lines() {
        let at = VirtAddr::from_raw(0xffff_8880_04a3_c140);
        let whole = "Object   ffff888004a3c140: 41 41 41 41 41 41 41 41 41 41 41 41 41 41 41 41  AAAAAAAAAAAAAAAA";
        assert_eq!(line("Object   ", at, &[0x41; 16]), whole);
        let short = "Redzone  ffff888004a3c180: 00 cc cc cc cc cc cc cc                          ........";
        assert_eq!(line("Redzone  ", at.wrapping_add(64), &[0, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc]), short);
    }
}
