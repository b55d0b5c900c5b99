//! krealloc and ksize.

use super::present;
use serde::Deserialize;

/// The sizes that krealloc will be asked for, one after the other.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct KreallocSeq {
    pub(in crate::recording) k: u32,
    pub(in crate::recording) gfp: String,
    /// Whether `ksize` is called before and after each: it may change what krealloc does.
    pub(in crate::recording) calls_ksize: bool,
    pub(in crate::recording) sizes: Vec<u64>,
}

/// One of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct Krealloc {
    pub(in crate::recording) k: u32,
    pub(in crate::recording) from: String,
    pub(in crate::recording) n: u64,
    pub(in crate::recording) gfp: String,
    pub(in crate::recording) result: String,
    /// What the allocator keeps as the size asked for: that of the cache's objects where it keeps none, -1 of pages.
    pub(in crate::recording) orig_size_before: i64,
    pub(in crate::recording) orig_size: Option<i64>,
    #[serde(default, deserialize_with = "present")]
    pub(in crate::recording) cache: Option<Option<String>>,
    pub(in crate::recording) object_size: Option<u64>,
    pub(in crate::recording) size: Option<u64>,
    pub(in crate::recording) page_order: Option<u32>,
    pub(in crate::recording) ksize_before: Option<u64>,
    pub(in crate::recording) ksize: Option<u64>,
    /// The first `n` bytes, as values and how often each comes.
    #[serde(default)]
    pub(in crate::recording) runs: Vec<(u8, u64)>,
    pub(in crate::recording) runs_cut: Option<bool>,
    /// Those from `n` on, to the end of what was given.
    #[serde(default)]
    pub(in crate::recording) tail: Vec<(u8, u64)>,
    pub(in crate::recording) tail_cut: Option<bool>,
}

/// `ksize` of a fresh object.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct Ksize {
    pub(in crate::recording) n: u64,
    pub(in crate::recording) ksize: u64,
    pub(in crate::recording) cache: Option<String>,
    pub(in crate::recording) object_size: Option<u64>,
    pub(in crate::recording) size: Option<u64>,
    pub(in crate::recording) page_order: Option<u32>,
}
