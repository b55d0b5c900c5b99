//! SLUB: caches, slabs, the CPU's slab and partial list, the node's partial list.
//!
//! The state machines are those of 3.2 to 7.3. Up to 6.19 a CPU owns one slab and its freelist, keeps slabs that had their first
//! free on a partial list of its own, and passes them on to the node when that list is full. Which formula, which
//! limit and which order of lists applies is [`Model`](crate::kernel::Model)'s.

mod alloc;
mod beneath;
mod bulk;
mod cache;
mod cpu;
mod first_list;
mod flush;
mod free;
mod lists;
mod new_slab;
mod null_cache;
mod rcu;
mod sheaf;
mod shrink;

pub(crate) use alloc::full;
pub(crate) use free::Batch;
pub(crate) use lists::End;

pub use cache::{KmemCache, PartialList, Slab};
pub use cpu::{CpuSlab, CpuSlabs};
pub use rcu::{AfterGrace, Callback, KfreeRcuBatch, Rcu};
pub use sheaf::{Barn, CpuSheaves, MAX_FULL, Sheaf, Sheaves};
