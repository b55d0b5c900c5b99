//! The part that a record plays in a replay.

use super::krealloc::Resizing;
use super::merging::Merging;
use super::operation::Operation;
use crate::recording::records::{
    Alloc, BulkAlloc, BulkFree, Cache, Fill, FlushCpu, Free, FreeSlab, FreeWrongCache, Init, KfreeRcu, Kmalloc,
    KmallocCache, KmallocPick, KmallocSite, KmallocedObject, NewSlab, Pos, RandomKmalloc, Record, Snap, State,
    Validate, Write, WriteSlab,
};

/// The part that a record plays.
pub(super) enum Role {
    /// What an operation did on its way; it comes before the record that closes the operation.
    Course(Course),
    /// An operation that may report, or be the last.
    Announcing(Operation),
    /// An operation that is over.
    Closing(Closing),
    /// The shrink of a cache is over. Recordings leave this out: whatever else comes says so too.
    ShrinkOver(u32),
    /// A step with an object of the boot's own caches is over.
    Object(KmallocedObject),
    /// Something else.
    Between(Between),
}

/// What an operation did on its way.
pub(super) enum Course {
    Newslab(NewSlab),
    Pos(Pos),
    Freeslab(FreeSlab),
    Dmesg(String),
}

/// An operation that is over, and what is known of it.
pub(super) enum Closing {
    Alloc(Alloc),
    Free(Free),
    KfreeRcu(KfreeRcu),
    FlushCpu(FlushCpu),
    Barrier(Operation),
    BulkAlloc(BulkAlloc),
    BulkFree(BulkFree),
    Zalloc { cache: u32, distance: u64 },
    FreeWrongCache { cache: u32, to: u32, id: u32 },
    FreePage { cache: u32 },
    Destroy { cache: u32 },
    Validate(Validate),
}

/// What comes between operations.
pub(super) enum Between {
    SecondHeader,
    Begin {
        scenario: String,
    },
    End {
        scenario: String,
    },
    /// Of no consequence.
    Told(&'static str),
    Cache(Box<Cache>),
    Write(Write),
    Fill(Fill),
    WriteSlab(WriteSlab),
    Snap(Snap),
    State(Box<State>),
    Init(Init),
    OfBoot(OfBoot),
    Merging(Merging),
    Resizing(Resizing),
}

/// What the boot's own caches do.
pub(super) enum OfBoot {
    Kmalloc(Kmalloc),
    KmallocLarge(Kmalloc),
    Roundup { n: u64, r: u64 },
    KmallocAlign { n: u64, align: u64 },
    KmallocSite(KmallocSite),
    Buckets { created: bool },
    BucketsAlloc(Kmalloc),
    RandomKmalloc(RandomKmalloc),
    KmallocPick(KmallocPick),
    KmallocCache(Box<KmallocCache>),
}

impl OfBoot {
    /// As its records are called.
    pub(super) const fn word(&self) -> &'static str {
        match self {
            Self::Kmalloc(_) => "kmalloc",
            Self::KmallocLarge(_) => "kmalloc_large",
            Self::Roundup { .. } => "roundup",
            Self::KmallocAlign { .. } => "kmalloc_align",
            Self::KmallocSite(_) => "kmalloc_site",
            Self::Buckets { .. } => "buckets",
            Self::BucketsAlloc(_) => "buckets_alloc",
            Self::RandomKmalloc(_) => "random_kmalloc",
            Self::KmallocPick(_) => "random_kmalloc_pick",
            Self::KmallocCache(_) => "kmalloc_cache",
        }
    }
}

impl Role {
    /// The part that `record` plays.
    pub(super) fn of(record: Record) -> Self {
        match record {
            Record::Newslab(slab) => Self::Course(Course::Newslab(slab)),
            Record::Pos(pos) => Self::Course(Course::Pos(pos)),
            Record::Freeslab(slab) => Self::Course(Course::Freeslab(slab)),
            Record::Dmesg { l } => Self::Course(Course::Dmesg(l)),
            Record::AllocAhead(on) => Self::Announcing(Operation::Alloc { cache: on.c, cpu: on.cpu }),
            Record::FreeAhead(free) => {
                Self::Announcing(Operation::Free { cache: free.c, id: free.id, delta: free.delta, cpu: free.cpu })
            }
            Record::ShrinkAhead(on) => {
                let flushed_before = on.flushed_before.unwrap_or(true);
                Self::Announcing(Operation::Shrink { cache: on.c, cpu: on.cpu, flushed_before })
            }
            Record::FlushCpuAhead(on) => Self::Announcing(Operation::FlushCpu { cache: on.c, cpu: on.cpu }),
            Record::RcuBarrierAhead(on) => Self::Announcing(Operation::RcuBarrier { cache: on.c }),
            Record::KvfreeRcuBarrierAhead(on) => Self::Announcing(Operation::KvfreeRcuBarrier { cache: on.c }),
            Record::ValidateAhead(on) => Self::Announcing(Operation::Validate { cache: on.c }),
            Record::Validate(validate) => Self::Closing(Closing::Validate(validate)),
            Record::DestroyAhead(on) => Self::Announcing(Operation::Destroy { cache: on.c }),
            Record::FreeWrongCacheAhead(free) => Self::Announcing(wrong_free(free)),
            Record::FreePageAhead(on) => Self::Announcing(Operation::FreePage { cache: on.c }),
            Record::Alloc(alloc) => Self::Closing(Closing::Alloc(alloc)),
            Record::Free(free) => Self::Closing(Closing::Free(free)),
            Record::KfreeRcu(free) => Self::Closing(Closing::KfreeRcu(free)),
            Record::FlushCpu(flush) => Self::Closing(Closing::FlushCpu(flush)),
            Record::RcuBarrier(on) => Self::barrier(Operation::RcuBarrier { cache: on.c }),
            Record::KvfreeRcuBarrier(on) => Self::barrier(Operation::KvfreeRcuBarrier { cache: on.c }),
            Record::BulkAlloc(bulk) => Self::Closing(Closing::BulkAlloc(bulk)),
            Record::BulkFree(bulk) => Self::Closing(Closing::BulkFree(bulk)),
            Record::Zalloc(alloc) => Self::Closing(Closing::Zalloc { cache: alloc.c, distance: alloc.off.0 }),
            Record::FreeWrongCache(free) => {
                Self::Closing(Closing::FreeWrongCache { cache: free.c, to: free.to, id: free.id })
            }
            Record::FreePageAsObject(on) => Self::Closing(Closing::FreePage { cache: on.c }),
            Record::Shrink(on) => Self::ShrinkOver(on.c),
            Record::Destroy(on) => Self::Closing(Closing::Destroy { cache: on.c }),
            Record::Header(_) => Self::Between(Between::SecondHeader),
            Record::Begin { scenario, .. } => Self::Between(Between::Begin { scenario }),
            Record::End { scenario } => Self::Between(Between::End { scenario }),
            Record::Seed { .. } => Self::told("seed"),
            Record::Case { .. } => Self::told("case"),
            Record::Mark { .. } => Self::told("mark"),
            Record::Cache(cache) => Self::Between(Between::Cache(cache)),
            Record::Write(write) => Self::Between(Between::Write(write)),
            Record::Fill(fill) => Self::Between(Between::Fill(fill)),
            Record::WriteSlab(write) => Self::Between(Between::WriteSlab(write)),
            Record::Snap(snap) => Self::Between(Between::Snap(snap)),
            Record::State(state) => Self::Between(Between::State(state)),
            Record::Init(init) => Self::Between(Between::Init(init)),
            Record::Kmalloc(call) => Self::Between(Between::OfBoot(OfBoot::Kmalloc(call))),
            Record::KmallocLarge(call) => Self::Between(Between::OfBoot(OfBoot::KmallocLarge(call))),
            Record::Roundup { n, r } => Self::Between(Between::OfBoot(OfBoot::Roundup { n, r })),
            Record::KmallocAlign { n, align } => Self::Between(Between::OfBoot(OfBoot::KmallocAlign { n, align })),
            Record::KmallocSite(site) => Self::Between(Between::OfBoot(OfBoot::KmallocSite(site))),
            Record::Buckets(made) => Self::Between(Between::OfBoot(OfBoot::Buckets { created: made.created })),
            Record::BucketsAlloc(call) => Self::Between(Between::OfBoot(OfBoot::BucketsAlloc(call))),
            Record::RandomKmalloc(drawn) => Self::Between(Between::OfBoot(OfBoot::RandomKmalloc(drawn))),
            Record::RandomKmallocPick(pick) => Self::Between(Between::OfBoot(OfBoot::KmallocPick(pick))),
            Record::KmallocCache(cache) => Self::Between(Between::OfBoot(OfBoot::KmallocCache(cache))),
            Record::KmallocedObject(object) => Self::Object(object),
            Record::KreallocSeq(plan) => Self::Between(Between::Resizing(Resizing::Sequence(plan))),
            Record::Krealloc(step) => Self::Between(Between::Resizing(Resizing::Step(step))),
            Record::Ksize(call) => Self::Between(Between::Resizing(Resizing::Ksize(call))),
            Record::Listed(cache) => Self::Between(Between::Merging(Merging::Listed(cache))),
            Record::Create(call) => Self::Between(Between::Merging(Merging::Create(call))),
            Record::DestroyMergedAhead(call) => Self::Between(Between::Merging(Merging::DestroyAhead(call))),
            Record::DestroyMerged(call) => Self::Between(Between::Merging(Merging::Destroyed(call))),
        }
    }

    const fn told(kind: &'static str) -> Self {
        Self::Between(Between::Told(kind))
    }

    const fn barrier(operation: Operation) -> Self {
        Self::Closing(Closing::Barrier(operation))
    }
}

/// A free to a cache that the object is not from.
const fn wrong_free(free: FreeWrongCache) -> Operation {
    Operation::FreeWrongCache { cache: free.c, to: free.to, id: free.id }
}
