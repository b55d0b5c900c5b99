//! Recordings of real kernels, replayed: every datum that the rules determine is compared with ours.
//!
//! A recording (`.jsonl`, plain or gzipped) is a list of operations on caches and of what the kernel had after each.
//! The replay takes from it which operation comes next, the bytes that were written, and luck (pages, start
//! positions, sequences, secrets); everything else is computed and compared. A listing of caches (`geometry.json`)
//! is compared with the layouts that the caches' own arguments come to. Results of the kernel's own tests (`kunit.json`,
//! `lkdtm.json`) are compared with what the same acts come to here.
//!
//! ```text
//! read ──► records ──► replay ──► report          read ──► geometry, kernel_tests ──► report
//! ```
//!
//! Limitations: Linux 6.1, 6.12 and 7.3 with SLUB. The rest is counted by name as not modelled, never as equal.

mod console;
mod facts;
mod flags;
mod geometry;
mod kernel_tests;
mod kmalloc_names;
mod read;
mod records;
mod replay;
mod report;
mod subject;
mod unshown;
mod values;

pub use read::{BadFile, INFLATE_LIMIT};
pub use replay::Step;
pub use report::{Difference, Place, Report, Tally, Verdict};

use records::Tag;

/// Compares what a file records with what ours does.
///
/// # Errors
/// A file that is no recording and no listing, or a broken one, with the line and what would be right.
pub fn verify(file: &[u8]) -> Result<Report, BadFile> {
    verify_watched(file, |_| {})
}

/// As [`verify`], with `watch` told the kernel after each operation that was replayed.
///
/// # Errors
/// As [`verify`].
pub fn verify_watched(file: &[u8], watch: impl FnMut(Step<'_>)) -> Result<Report, BadFile> {
    let text = read::text_of(file)?;
    if text.trim().is_empty() {
        return Err(BadFile::whole("an empty file", "a recording (.jsonl) or a geometry.json"));
    }
    let first = text.lines().next().unwrap_or_default();
    match serde_json::from_str::<Tag>(first) {
        Ok(_) => replay::replay(&text, watch),
        Err(_) => geometry::compare(&text),
    }
}
