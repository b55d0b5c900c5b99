//! SLUB's own checks (`slub_debug=`): patterns in memory, what is found wrong, what is done about it, how it is told.
//!
//! ```text
//! alloc, free, discard, validate, destroy ──► checks ──► findings and repairs ──► telling ──► Event::Reported
//! ```
//! A cache with checks has neither a CPU's freelist nor sheaves, so every allocation and free of it comes through the
//! slow paths, which lead here; a cache without pays nothing.
//!
//! Limitations: stacks, callers, ages and process ids are invented; `A` makes nothing fail.

mod alloc;
mod dump;
mod free;
mod log;
mod object;
mod out_of_memory;
mod patterns;
mod report;
mod slab;
mod telling;
mod traces;
mod validate;

pub use log::KernelLog;
pub(crate) use patterns::Trace;
pub(crate) use traces::Traced;
