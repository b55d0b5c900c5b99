//! Caches, their slabs, and what was seen of both.

use super::Nothing;
use crate::recording::values::{Hex, HexBytes, Link, SheafObject};
use serde::Deserialize;

/// A cache as it was asked for, and as the kernel made it.
#[derive(Debug, Deserialize)]
pub(in crate::recording) struct Cache {
    pub(in crate::recording) c: u32,
    pub(in crate::recording) req_size: u64,
    pub(in crate::recording) req_align: u64,
    pub(in crate::recording) req_flags: Hex,
    pub(in crate::recording) req_ctor: u32,
    pub(in crate::recording) req_freeptr_offset: i64,
    #[serde(rename = "kmem_cache_va")]
    _kmem_cache_va: Hex,
    #[serde(flatten)]
    pub(in crate::recording) made: Made,
    #[serde(flatten)]
    _rest: Nothing,
}

/// The fields of a `struct kmem_cache` of SLUB.
#[derive(Debug, Deserialize)]
pub(in crate::recording) struct Made {
    pub(in crate::recording) alloc: String,
    pub(in crate::recording) name: String,
    pub(in crate::recording) object_size: u64,
    pub(in crate::recording) size: u64,
    pub(in crate::recording) align: u64,
    pub(in crate::recording) offset: u64,
    pub(in crate::recording) inuse: u64,
    pub(in crate::recording) red_left_pad: u64,
    pub(in crate::recording) order: u32,
    pub(in crate::recording) objects: u32,
    pub(in crate::recording) min_order: u32,
    pub(in crate::recording) min_objects: u32,
    pub(in crate::recording) oo: Hex,
    pub(in crate::recording) min_partial: u32,
    pub(in crate::recording) flags: Hex,
    pub(in crate::recording) flag_names: Vec<String>,
    pub(in crate::recording) ctor: bool,
    pub(in crate::recording) refcount: i64,
    pub(in crate::recording) allocflags: Hex,
    /// Up to 6.x.
    pub(in crate::recording) cpu_partial: Option<u32>,
    pub(in crate::recording) cpu_partial_slabs: Option<u32>,
    /// From 7.0 on.
    pub(in crate::recording) sheaf_capacity: Option<u32>,
    pub(in crate::recording) useroffset: u64,
    pub(in crate::recording) usersize: u64,
    pub(in crate::recording) random: Option<Hex>,
    pub(in crate::recording) random_seq_unit: Option<String>,
    pub(in crate::recording) random_seq: Option<Vec<u64>>,
}

/// The page of a slab came; printed before the operation that needed it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct NewSlab {
    pub(in crate::recording) c: u32,
    pub(in crate::recording) s: u32,
    pub(in crate::recording) va: Hex,
    pub(in crate::recording) order: u32,
    pub(in crate::recording) objects: u32,
    /// The CPU that it ran on.
    #[serde(default)]
    pub(in crate::recording) cpu: u32,
}

/// Where in the sequence that slab starts.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct Pos {
    pub(in crate::recording) c: u32,
    pub(in crate::recording) s: u32,
    pub(in crate::recording) pos: u32,
}

/// A slab's pages went back to the page allocator.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct FreeSlab {
    pub(in crate::recording) c: u32,
    pub(in crate::recording) s: u32,
    pub(in crate::recording) va: Hex,
    /// The CPU that it ran on.
    #[serde(default)]
    pub(in crate::recording) cpu: u32,
}

/// The bytes of a slab.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct Snap {
    pub(in crate::recording) c: u32,
    pub(in crate::recording) s: u32,
    pub(in crate::recording) va: Hex,
    pub(in crate::recording) len: u32,
    pub(in crate::recording) hex: HexBytes,
}

/// All lists of a cache.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct State {
    pub(in crate::recording) c: u32,
    #[serde(rename = "why")]
    _why: String,
    /// Where CPUs own slabs.
    pub(in crate::recording) cpu: Option<CpuState>,
    /// Where caches have sheaves.
    pub(in crate::recording) sheaves: Option<SheavesState>,
    pub(in crate::recording) nr_partial: u32,
    pub(in crate::recording) partial: Vec<i64>,
    pub(in crate::recording) full: Vec<i64>,
    pub(in crate::recording) nr_slabs: u32,
    pub(in crate::recording) total_objects: u32,
    pub(in crate::recording) slabs: Vec<SlabState>,
    /// Where several CPUs were recorded: each of them.
    pub(in crate::recording) cpus: Option<Vec<EachCpu>>,
}

/// What one CPU has: a slab and a partial list, or sheaves.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct EachCpu {
    pub(in crate::recording) cpu: u32,
    /// Null where it has none, not there where CPUs own no slabs.
    #[serde(default, deserialize_with = "super::present")]
    pub(in crate::recording) slab: Option<Option<i64>>,
    pub(in crate::recording) fl: Option<Vec<Link>>,
    pub(in crate::recording) partial: Option<Vec<i64>>,
    pub(in crate::recording) partial_slabs: Option<u32>,
    pub(in crate::recording) main: Option<Vec<SheafObject>>,
    pub(in crate::recording) spare: Option<Vec<SheafObject>>,
    pub(in crate::recording) rcu_free: Option<Vec<SheafObject>>,
}

/// What CPU 0 has.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct CpuState {
    pub(in crate::recording) slab: Option<i64>,
    pub(in crate::recording) head: Option<Hex>,
    pub(in crate::recording) fl: Vec<Link>,
    pub(in crate::recording) partial: Vec<i64>,
    pub(in crate::recording) partial_slabs: u32,
}

/// CPU 0's sheaves and the node's, the first object of each first.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct SheavesState {
    pub(in crate::recording) main: Vec<SheafObject>,
    pub(in crate::recording) spare: Option<Vec<SheafObject>>,
    pub(in crate::recording) rcu_free: Option<Vec<SheafObject>>,
    pub(in crate::recording) barn_nr_full: u32,
    pub(in crate::recording) barn_nr_empty: u32,
    pub(in crate::recording) barn_full: Vec<Vec<SheafObject>>,
}

/// A slab's counters and its own list.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct SlabState {
    pub(in crate::recording) s: u32,
    pub(in crate::recording) inuse: u32,
    pub(in crate::recording) objects: u32,
    pub(in crate::recording) frozen: u32,
    pub(in crate::recording) head: Option<Hex>,
    /// Left out where the state of a running mix was recorded.
    pub(in crate::recording) fl: Option<Vec<Link>>,
}

/// The boot's zeroing, as the driver found it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct Init {
    pub(in crate::recording) on_alloc: u32,
    pub(in crate::recording) on_free: u32,
    /// Whether the driver goes on to allocate with `__GFP_ZERO`.
    #[serde(rename = "gfp_zero")]
    _gfp_zero: Option<u32>,
}
