//! Operations, and writes between them.

use super::Nothing;
use crate::recording::values::{Distance, Hex, HexBytes};
use serde::Deserialize;

/// A CPU's and a node's counters after an operation. Those of CPU slabs and those of sheaves exclude each other.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(in crate::recording) struct Brief {
    /// The CPU's slab, -1 for none.
    pub(in crate::recording) cs: Option<i64>,
    /// `slabs` of the head of the CPU's partial list, 0 for none.
    pub(in crate::recording) cp: Option<u32>,
    /// Objects in the main sheaf.
    pub(in crate::recording) ms: Option<u32>,
    /// Objects in the spare one, -1 for none.
    pub(in crate::recording) ss: Option<i64>,
    /// Objects in the `rcu_free` one, -1 for none, where it was recorded.
    pub(in crate::recording) rs: Option<i64>,
    /// Full sheaves in the barn.
    pub(in crate::recording) bf: Option<u32>,
    /// Empty ones.
    pub(in crate::recording) be: Option<u32>,
    /// `nr_partial` of the node.
    pub(in crate::recording) np: u32,
    /// `nr_slabs` of the node.
    pub(in crate::recording) ns: u32,
}

/// An allocation and what it returned.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(in crate::recording) struct Alloc {
    pub(in crate::recording) c: u32,
    pub(in crate::recording) id: u32,
    /// -1: outside every slab of the cache; `va` says where.
    pub(in crate::recording) s: i64,
    /// -1: not an object boundary.
    pub(in crate::recording) i: Option<i64>,
    pub(in crate::recording) off: Option<u64>,
    pub(in crate::recording) va: Option<Hex>,
    /// The CPU that it ran on.
    #[serde(default)]
    pub(in crate::recording) cpu: u32,
    #[serde(flatten)]
    pub(in crate::recording) brief: Brief,
    #[serde(flatten)]
    _rest: Nothing,
}

/// A free that may be the last thing the kernel does.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct FreeAhead {
    pub(in crate::recording) c: u32,
    pub(in crate::recording) id: u32,
    #[serde(default)]
    pub(in crate::recording) delta: i64,
    /// The CPU that it ran on.
    #[serde(default)]
    pub(in crate::recording) cpu: u32,
}

/// A free.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(in crate::recording) struct Free {
    pub(in crate::recording) c: u32,
    pub(in crate::recording) id: u32,
    /// What was freed lies this far from the object.
    #[serde(default)]
    pub(in crate::recording) delta: i64,
    /// The CPU that it ran on.
    #[serde(default)]
    pub(in crate::recording) cpu: u32,
    #[serde(flatten)]
    pub(in crate::recording) brief: Brief,
    #[serde(flatten)]
    _rest: Nothing,
}

/// `kfree_rcu` of an object.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(in crate::recording) struct KfreeRcu {
    pub(in crate::recording) c: u32,
    pub(in crate::recording) id: u32,
    /// The CPU that it ran on.
    #[serde(default)]
    pub(in crate::recording) cpu: u32,
    #[serde(flatten)]
    pub(in crate::recording) brief: Brief,
    #[serde(flatten)]
    _rest: Nothing,
}

/// What a CPU kept of a cache went to the node.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(in crate::recording) struct FlushCpu {
    pub(in crate::recording) c: u32,
    /// The CPU that it ran on.
    #[serde(default)]
    pub(in crate::recording) cpu: u32,
    #[serde(flatten)]
    pub(in crate::recording) brief: Brief,
    #[serde(flatten)]
    _rest: Nothing,
}

/// `kmem_cache_alloc_bulk` and the objects that it returned, as slab and index.
#[derive(Clone, Debug, Deserialize)]
pub(in crate::recording) struct BulkAlloc {
    pub(in crate::recording) c: u32,
    pub(in crate::recording) n: u32,
    pub(in crate::recording) objs: Vec<(i64, i64)>,
    #[serde(flatten)]
    pub(in crate::recording) brief: Brief,
    #[serde(flatten)]
    _rest: Nothing,
}

/// `kmem_cache_free_bulk` of what the last `bulk_alloc` returned.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(in crate::recording) struct BulkFree {
    pub(in crate::recording) c: u32,
    pub(in crate::recording) n: u32,
    #[serde(flatten)]
    pub(in crate::recording) brief: Brief,
    #[serde(flatten)]
    _rest: Nothing,
}

/// Bytes written from an object on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct Write {
    pub(in crate::recording) c: u32,
    pub(in crate::recording) id: u32,
    pub(in crate::recording) off: i64,
    pub(in crate::recording) hex: HexBytes,
}

/// One byte written over and over.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct Fill {
    pub(in crate::recording) c: u32,
    pub(in crate::recording) id: u32,
    pub(in crate::recording) off: i64,
    pub(in crate::recording) byte: u8,
    pub(in crate::recording) n: u32,
}

/// Bytes written from a slab's first on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct WriteSlab {
    pub(in crate::recording) c: u32,
    pub(in crate::recording) s: u32,
    pub(in crate::recording) off: u64,
    pub(in crate::recording) hex: HexBytes,
}

/// `kmem_cache_shrink`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct ShrinkAhead {
    pub(in crate::recording) c: u32,
    /// The CPU that it ran on.
    #[serde(default)]
    pub(in crate::recording) cpu: u32,
    /// Whether all CPUs were flushed one by one before; if not, they flush themselves, in no fixed order.
    pub(in crate::recording) flushed_before: Option<bool>,
}

/// `validate_slab_cache`, and what it returned: slabs that it found on lists.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct Validate {
    pub(in crate::recording) c: u32,
    pub(in crate::recording) ret: i64,
}

/// A free to a cache that the object is not from.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct FreeWrongCache {
    pub(in crate::recording) c: u32,
    pub(in crate::recording) to: u32,
    pub(in crate::recording) id: u32,
}

/// An allocation with `__GFP_ZERO`: its distance from the cache's slab 0.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct Zalloc {
    pub(in crate::recording) c: u32,
    /// Modulo 2^64.
    pub(in crate::recording) off: Distance,
}
