//! kmalloc, and the caches that serve it.

use super::Made;
use super::{Nothing, present};
use crate::recording::values::{Hex, HexBytes};
use serde::Deserialize;

/// A kmalloc cache as the kernel made it at boot.
#[derive(Debug, Deserialize)]
pub(in crate::recording) struct KmallocCache {
    #[serde(rename = "type")]
    pub(in crate::recording) kind: u32,
    pub(in crate::recording) idx: u32,
    #[serde(flatten)]
    pub(in crate::recording) made: Made,
    #[serde(flatten)]
    _rest: Nothing,
}

/// A kmalloc and who served it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct Kmalloc {
    pub(in crate::recording) gfp: Option<String>,
    pub(in crate::recording) n: u64,
    pub(in crate::recording) cache: Option<String>,
    pub(in crate::recording) object_size: Option<u64>,
    pub(in crate::recording) size: Option<u64>,
    pub(in crate::recording) page_order: Option<u32>,
    pub(in crate::recording) ksize: Option<u64>,
    pub(in crate::recording) roundup: Option<u64>,
    /// What was returned, where that is no object: `ZERO_SIZE_PTR`, or NULL.
    #[serde(default, deserialize_with = "present")]
    pub(in crate::recording) va: Option<Option<Hex>>,
}

/// Whether the driver has buckets of its own.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct MadeBuckets {
    pub(in crate::recording) created: bool,
}

/// A kmalloc from a known place in the code.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct KmallocSite {
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(rename = "site")]
    _site: u32,
    pub(in crate::recording) n: u64,
    pub(in crate::recording) caller: Hex,
    pub(in crate::recording) cache: String,
    pub(in crate::recording) object_size: u64,
    pub(in crate::recording) size: u64,
}

/// The seed that chooses among the copies of the ordinary caches.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct RandomKmalloc {
    pub(in crate::recording) seed: Hex,
    #[serde(rename = "NR_KMALLOC_TYPES")]
    pub(in crate::recording) types: u32,
}

/// The copy that a caller would get.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct KmallocPick {
    pub(in crate::recording) caller: Hex,
    #[serde(rename = "type")]
    pub(in crate::recording) kind: u32,
    pub(in crate::recording) cache64: String,
}

/// An object of a kmalloc cache after a step of the driver's: the whole stride.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::recording) struct KmallocedObject {
    /// The step.
    pub(in crate::recording) why: String,
    /// How many bytes the step was about: those asked for, those written.
    pub(in crate::recording) n: u64,
    pub(in crate::recording) cache: String,
    pub(in crate::recording) va: Hex,
    pub(in crate::recording) left_pad: u64,
    pub(in crate::recording) hex: HexBytes,
}
