//! The records of a recording, one JSON object a line, `t` the kind.
//!
//! A record of a kind that is replayed may have no field that is not read here: an unknown one is an error, so that
//! nothing recorded is passed over unnoticed. Kinds that are not modelled yet are listed in [`BEYOND`].

use super::values::{Distance, Hex, HexBytes, Link};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;

/// Kinds of records that no part of the model answers for yet.
pub(super) const BEYOND: [&str; 22] = [
    "buckets",
    "buckets_alloc",
    "case",
    "create",
    "destroy_merged",
    "destroy_merged?",
    "flush_cpu",
    "flush_cpu?",
    "kfree_rcu",
    "kobj",
    "krealloc",
    "krealloc_seq",
    "ksize",
    "kvfree_rcu_barrier",
    "kvfree_rcu_barrier?",
    "listed",
    "random_kmalloc",
    "random_kmalloc_pick",
    "rcu_barrier",
    "rcu_barrier?",
    "validate",
    "validate?",
];

/// What every record has.
#[derive(Deserialize)]
pub(super) struct Tag {
    /// The kind.
    pub(super) t: String,
    /// The cache, where there is one.
    pub(super) c: Option<u32>,
}

/// A record.
#[derive(Debug, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Record {
    Header(Header),
    Begin {
        scenario: String,
        #[serde(rename = "seed_xor")]
        _seed_xor: Hex,
    },
    End {
        scenario: String,
    },
    Seed {
        #[serde(rename = "prng")]
        _prng: String,
        #[serde(rename = "seed")]
        _seed: Hex,
    },
    Mark {
        #[serde(rename = "l")]
        _label: String,
    },
    Dmesg {
        l: String,
    },
    Cache(Box<Cache>),
    Newslab(NewSlab),
    Pos(Pos),
    Freeslab(FreeSlab),
    #[serde(rename = "alloc?")]
    AllocAhead(OnCache),
    Alloc(Alloc),
    #[serde(rename = "free?")]
    FreeAhead(FreeAhead),
    Free(Free),
    BulkAlloc(BulkAlloc),
    BulkFree(BulkFree),
    Write(Write),
    Fill(Fill),
    WriteSlab(WriteSlab),
    Snap(Snap),
    State(Box<State>),
    #[serde(rename = "shrink?")]
    ShrinkAhead(ShrinkAhead),
    Shrink(OnCache),
    #[serde(rename = "destroy?")]
    DestroyAhead(OnCache),
    Destroy(OnCache),
    #[serde(rename = "free_wrong_cache?")]
    FreeWrongCacheAhead(FreeWrongCache),
    FreeWrongCache(FreeWrongCache),
    #[serde(rename = "free_page_as_object?")]
    FreePageAhead(OnCache),
    FreePageAsObject(OnCache),
    Init(Init),
    Zalloc(Zalloc),
    Kmalloc(Kmalloc),
    KmallocLarge(Kmalloc),
    Roundup {
        n: u64,
        r: u64,
    },
    KmallocAlign {
        n: u64,
        align: u64,
    },
    KmallocSite(KmallocSite),
    KmallocCache(Box<KmallocCache>),
}

/// What was recorded, and on which machine.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub(super) scenario: String,
    pub(super) release: String,
    #[serde(rename = "version")]
    _version: String,
    pub(super) cmdline: String,
    pub(super) nr_cpu_ids: u32,
    pub(super) num_online_cpus: u32,
    #[serde(rename = "PAGE_SIZE")]
    pub(super) page_size: u64,
    pub(super) page_offset: Hex,
    pub(super) wipe_fresh_pages: u32,
    #[serde(default, rename = "ram")]
    _ram: BTreeMap<String, u64>,
    pub(super) cfg: BTreeMap<String, u64>,
}

/// A record that says no more than which cache.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OnCache {
    pub(super) c: u32,
    pub(super) cpu: Option<u32>,
}

/// A cache as it was asked for, and as the kernel made it.
#[derive(Debug, Deserialize)]
pub(super) struct Cache {
    pub(super) c: u32,
    pub(super) req_size: u64,
    pub(super) req_align: u64,
    pub(super) req_flags: Hex,
    pub(super) req_ctor: u32,
    pub(super) req_freeptr_offset: i64,
    #[serde(rename = "kmem_cache_va")]
    _kmem_cache_va: Hex,
    #[serde(flatten)]
    pub(super) made: Made,
    #[serde(flatten)]
    _rest: Nothing,
}

/// A kmalloc cache as the kernel made it at boot.
#[derive(Debug, Deserialize)]
pub(super) struct KmallocCache {
    #[serde(rename = "type")]
    pub(super) kind: u32,
    pub(super) idx: u32,
    #[serde(flatten)]
    pub(super) made: Made,
    #[serde(flatten)]
    _rest: Nothing,
}

/// The fields of a `struct kmem_cache` of SLUB.
#[derive(Debug, Deserialize)]
pub(super) struct Made {
    pub(super) alloc: String,
    pub(super) name: String,
    pub(super) object_size: u64,
    pub(super) size: u64,
    pub(super) align: u64,
    pub(super) offset: u64,
    pub(super) inuse: u64,
    pub(super) red_left_pad: u64,
    pub(super) order: u32,
    pub(super) objects: u32,
    pub(super) min_order: u32,
    pub(super) min_objects: u32,
    pub(super) oo: Hex,
    pub(super) min_partial: u32,
    pub(super) flags: Hex,
    pub(super) flag_names: Vec<String>,
    pub(super) ctor: bool,
    pub(super) refcount: i64,
    pub(super) allocflags: Hex,
    pub(super) cpu_partial: u32,
    pub(super) cpu_partial_slabs: u32,
    pub(super) useroffset: u64,
    pub(super) usersize: u64,
    pub(super) random: Option<Hex>,
    pub(super) random_seq_unit: Option<String>,
    pub(super) random_seq: Option<Vec<u64>>,
}

/// The page of a slab came; printed before the operation that needed it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewSlab {
    pub(super) c: u32,
    pub(super) s: u32,
    pub(super) va: Hex,
    pub(super) order: u32,
    pub(super) objects: u32,
    pub(super) cpu: Option<u32>,
}

/// Where in the sequence that slab starts.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pos {
    pub(super) c: u32,
    pub(super) s: u32,
    pub(super) pos: u32,
}

/// A slab's pages went back to the page allocator.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FreeSlab {
    pub(super) c: u32,
    pub(super) s: u32,
    pub(super) va: Hex,
    pub(super) cpu: Option<u32>,
}

/// A CPU's and a node's counters after an operation.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Brief {
    /// The CPU's slab, -1 for none.
    pub(super) cs: i64,
    /// `slabs` of the head of the CPU's partial list, 0 for none.
    pub(super) cp: u32,
    /// `nr_partial` of the node.
    pub(super) np: u32,
    /// `nr_slabs` of the node.
    pub(super) ns: u32,
}

/// An allocation and what it returned.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Alloc {
    pub(super) c: u32,
    pub(super) id: u32,
    /// -1: outside every slab of the cache; `va` says where.
    pub(super) s: i64,
    /// -1: not an object boundary.
    pub(super) i: Option<i64>,
    pub(super) off: Option<u64>,
    pub(super) va: Option<Hex>,
    pub(super) cpu: Option<u32>,
    #[serde(flatten)]
    pub(super) brief: Brief,
    #[serde(flatten)]
    _rest: Nothing,
}

/// A free that may be the last thing the kernel does.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FreeAhead {
    pub(super) c: u32,
    pub(super) id: u32,
    #[serde(default)]
    pub(super) delta: i64,
    pub(super) cpu: Option<u32>,
}

/// A free.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Free {
    pub(super) c: u32,
    pub(super) id: u32,
    /// What was freed lies this far from the object.
    #[serde(default)]
    pub(super) delta: i64,
    pub(super) cpu: Option<u32>,
    #[serde(flatten)]
    pub(super) brief: Brief,
    #[serde(flatten)]
    _rest: Nothing,
}

/// `kmem_cache_alloc_bulk` and the objects that it returned, as slab and index.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct BulkAlloc {
    pub(super) c: u32,
    pub(super) n: u32,
    pub(super) objs: Vec<(i64, i64)>,
    #[serde(flatten)]
    pub(super) brief: Brief,
    #[serde(flatten)]
    _rest: Nothing,
}

/// `kmem_cache_free_bulk` of what the last `bulk_alloc` returned.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct BulkFree {
    pub(super) c: u32,
    pub(super) n: u32,
    #[serde(flatten)]
    pub(super) brief: Brief,
    #[serde(flatten)]
    _rest: Nothing,
}

/// Bytes written from an object on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Write {
    pub(super) c: u32,
    pub(super) id: u32,
    pub(super) off: i64,
    pub(super) hex: HexBytes,
}

/// One byte written over and over.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fill {
    pub(super) c: u32,
    pub(super) id: u32,
    pub(super) off: i64,
    pub(super) byte: u8,
    pub(super) n: u32,
}

/// Bytes written from a slab's first on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WriteSlab {
    pub(super) c: u32,
    pub(super) s: u32,
    pub(super) off: u64,
    pub(super) hex: HexBytes,
}

/// The bytes of a slab.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Snap {
    pub(super) c: u32,
    pub(super) s: u32,
    pub(super) va: Hex,
    pub(super) len: u32,
    pub(super) hex: HexBytes,
}

/// All lists of a cache.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    pub(super) c: u32,
    #[serde(rename = "why")]
    _why: String,
    pub(super) cpu: CpuState,
    pub(super) nr_partial: u32,
    pub(super) partial: Vec<i64>,
    pub(super) full: Vec<i64>,
    pub(super) nr_slabs: u32,
    pub(super) total_objects: u32,
    pub(super) slabs: Vec<SlabState>,
    /// Where several CPUs were recorded: each of them.
    pub(super) cpus: Option<IgnoredAny>,
}

/// What CPU 0 has.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CpuState {
    pub(super) slab: Option<i64>,
    pub(super) head: Option<Hex>,
    pub(super) fl: Vec<Link>,
    pub(super) partial: Vec<i64>,
    pub(super) partial_slabs: u32,
}

/// A slab's counters and its own list.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SlabState {
    pub(super) s: u32,
    pub(super) inuse: u32,
    pub(super) objects: u32,
    pub(super) frozen: u32,
    pub(super) head: Option<Hex>,
    /// Left out where the state of a running mix was recorded.
    pub(super) fl: Option<Vec<Link>>,
}

/// `kmem_cache_shrink`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShrinkAhead {
    pub(super) c: u32,
    pub(super) cpu: Option<u32>,
    /// Whether all CPUs were flushed one by one before. With nothing on other CPUs it makes no difference.
    #[serde(rename = "flushed_before")]
    _flushed_before: Option<bool>,
}

/// A free to a cache that the object is not from.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FreeWrongCache {
    pub(super) c: u32,
    pub(super) to: u32,
    pub(super) id: u32,
}

/// The boot's zeroing, as the driver found it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Init {
    pub(super) on_alloc: u32,
    pub(super) on_free: u32,
    /// Whether the driver goes on to allocate with `__GFP_ZERO`.
    #[serde(rename = "gfp_zero")]
    _gfp_zero: Option<u32>,
}

/// An allocation with `__GFP_ZERO`: its distance from the cache's slab 0.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Zalloc {
    pub(super) c: u32,
    /// Modulo 2^64.
    pub(super) off: Distance,
}

/// A kmalloc and who served it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kmalloc {
    pub(super) gfp: Option<String>,
    pub(super) n: u64,
    pub(super) cache: Option<String>,
    pub(super) object_size: Option<u64>,
    pub(super) size: Option<u64>,
    pub(super) page_order: Option<u32>,
    pub(super) ksize: Option<u64>,
    pub(super) roundup: Option<u64>,
    /// What was returned, where that is no object: `ZERO_SIZE_PTR`, or NULL.
    #[serde(default, deserialize_with = "present")]
    pub(super) va: Option<Option<Hex>>,
}

/// A kmalloc from a known place in the code.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KmallocSite {
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(rename = "site")]
    _site: u32,
    pub(super) n: u64,
    #[serde(rename = "caller")]
    _caller: Hex,
    pub(super) cache: String,
    pub(super) object_size: u64,
    pub(super) size: u64,
}

/// Tells a field that is null from one that is not there.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(deserializer).map(Some)
}

/// The fields of a record that nothing reads: there may be none.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "BTreeMap<String, IgnoredAny>")]
pub(super) struct Nothing;

impl TryFrom<BTreeMap<String, IgnoredAny>> for Nothing {
    type Error = String;

    fn try_from(rest: BTreeMap<String, IgnoredAny>) -> Result<Self, String> {
        rest.first_key_value().map_or(Ok(Self), |(name, _)| Err(format!("unknown field `{name}`")))
    }
}
