//! The records of a recording, one JSON object a line, `t` the kind.
//!
//! A record of a kind that is replayed may have no field that is not read here: an unknown one is an error, so that
//! nothing recorded is passed over unnoticed.

mod caches;
mod kmalloc;
mod krealloc;
mod merging;
mod operations;

pub(super) use caches::{
    Cache, CpuState, EachCpu, FreeSlab, Init, Made, NewSlab, Pos, SheavesState, SlabState, Snap, State,
};
pub(super) use kmalloc::{
    Kmalloc, KmallocCache, KmallocPick, KmallocSite, KmallocedObject, MadeBuckets, RandomKmalloc,
};
pub(super) use krealloc::{Krealloc, KreallocSeq, Ksize};
pub(super) use merging::{Create, DestroyMerged, DestroyMergedAhead, Listed};
pub(super) use operations::{
    Alloc, Brief, BulkAlloc, BulkFree, Fill, FlushCpu, Free, FreeAhead, FreeWrongCache, KfreeRcu, ShrinkAhead,
    Validate, Write, WriteSlab, Zalloc,
};

use super::values::Hex;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;

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
    Case {
        #[serde(rename = "name")]
        _name: String,
        #[serde(rename = "combo")]
        _flags: String,
        #[serde(rename = "size")]
        _size: u64,
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
    #[serde(rename = "flush_cpu?")]
    FlushCpuAhead(OnCache),
    FlushCpu(FlushCpu),
    KfreeRcu(KfreeRcu),
    #[serde(rename = "rcu_barrier?")]
    RcuBarrierAhead(OnCache),
    RcuBarrier(OnCache),
    #[serde(rename = "kvfree_rcu_barrier?")]
    KvfreeRcuBarrierAhead(OnCache),
    KvfreeRcuBarrier(OnCache),
    #[serde(rename = "validate?")]
    ValidateAhead(OnCache),
    Validate(Validate),
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
    Buckets(MadeBuckets),
    BucketsAlloc(Kmalloc),
    RandomKmalloc(RandomKmalloc),
    RandomKmallocPick(KmallocPick),
    KmallocCache(Box<KmallocCache>),
    #[serde(rename = "kobj")]
    KmallocedObject(KmallocedObject),
    KreallocSeq(KreallocSeq),
    Krealloc(Box<Krealloc>),
    Ksize(Ksize),
    Listed(Box<Listed>),
    Create(Box<Create>),
    #[serde(rename = "destroy_merged?")]
    DestroyMergedAhead(DestroyMergedAhead),
    DestroyMerged(DestroyMerged),
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
    /// The CPU that it ran on.
    #[serde(default)]
    pub(super) cpu: u32,
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
