//! Caches as they are made in a boot that merges.

use super::{Made, Nothing};
use crate::recording::values::Hex;
use serde::Deserialize;

/// A cache of `slab_caches`, in the list's order: the newest first.
#[derive(Debug, Deserialize)]
pub(in crate::recording) struct Listed {
    /// The name of its directory in sysfs.
    pub(in crate::recording) sysfs: String,
    pub(in crate::recording) kmem_cache_va: Hex,
    #[serde(flatten)]
    pub(in crate::recording) made: Made,
    #[serde(flatten)]
    _rest: Nothing,
}

/// A call of `kmem_cache_create`, and the cache that it returned.
#[derive(Debug, Deserialize)]
pub(in crate::recording) struct Create {
    /// Which call.
    pub(in crate::recording) k: u32,
    pub(in crate::recording) req_name: String,
    pub(in crate::recording) req_size: u64,
    pub(in crate::recording) req_align: u64,
    pub(in crate::recording) req_flags: Hex,
    pub(in crate::recording) req_ctor: u32,
    pub(in crate::recording) req_useroffset: u64,
    pub(in crate::recording) req_usersize: u64,
    /// Whether there was that cache already.
    pub(in crate::recording) merged: bool,
    /// The first call that returned it; -1 where that is this one, or none of the driver's.
    pub(in crate::recording) merged_k: i64,
    #[serde(flatten)]
    pub(in crate::recording) cache: Listed,
}

/// A call of `kmem_cache_destroy` to come.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct DestroyMergedAhead {
    pub(in crate::recording) k: u32,
    pub(in crate::recording) refcount: i64,
}

/// That call, and the cache where it lives on.
#[derive(Debug, Deserialize)]
pub(in crate::recording) struct DestroyMerged {
    pub(in crate::recording) k: u32,
    pub(in crate::recording) gone: bool,
    #[serde(flatten)]
    pub(in crate::recording) rest: serde_json::Map<String, serde_json::Value>,
}
