//! The Linux kernel's slab allocator over a byte array, and the machine around it.
//!
//! Arrows point one way: each module below uses only those above it. See `docs/architecture.md`.

#![forbid(unsafe_code)]
#![warn(missing_docs, unreachable_pub)]
#![deny(clippy::as_conversions, clippy::wildcard_enum_match_arm)]
#![warn(clippy::iter_over_hash_type, clippy::unwrap_used, clippy::allow_attributes, clippy::dbg_macro)]
#![warn(clippy::todo, clippy::print_stdout, clippy::too_many_lines)]

pub mod allocator;
pub mod blast;
pub mod command;
pub mod debug;
mod digest;
pub mod event;
pub mod forecast;
pub mod freelist;
pub mod invariants;
pub mod kernel;
pub mod kmalloc;
mod krealloc;
pub mod layout;
pub mod luck;
pub mod machine;
pub mod memcg;
pub mod memory;
pub mod merge;
pub mod numbered;
pub mod outcome;
pub mod pages;
#[cfg(feature = "recording")]
pub mod recording;
pub mod report;
pub mod script;
pub mod shuffle;
pub mod slab_test;
pub mod slub;
pub mod snapshot;
pub mod sorted;
pub mod statistics;
pub mod timeline;
pub mod units;
pub mod usercopy;
