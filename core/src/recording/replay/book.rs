//! Which of ours is which of theirs: caches, slabs and objects by the numbers that the recording gives them.

use crate::recording::read::BadFile;
use crate::units::{CacheId, SlabId, VirtAddr, count_from, index_from};
use std::collections::BTreeMap;

/// The caches of a recording, by number.
#[derive(Debug, Default)]
pub(super) struct Book {
    caches: BTreeMap<u32, Entry>,
    /// The number and cache of each of our slabs.
    slabs: BTreeMap<SlabId, (u32, u32)>,
    /// Allocations since the last cache was made.
    pub(super) allocations: u32,
}

#[derive(Debug)]
enum Entry {
    Ours(Tracked),
    Lost(String),
}

/// A cache that is replayed.
#[derive(Debug)]
pub(super) struct Tracked {
    pub(super) id: CacheId,
    /// Its slabs, by number.
    pub(super) slabs: Vec<SlabId>,
    /// Its objects, by allocation number; an entry stays when the object is freed.
    pub(super) objects: BTreeMap<u32, VirtAddr>,
    /// What the last bulk allocation returned.
    pub(super) bulk: Vec<VirtAddr>,
    /// Slabs of a `TYPESAFE_BY_RCU` cache that went home: by our count, and by theirs.
    pub(super) home: (Vec<u32>, Vec<u32>),
}

impl Book {
    /// Enters a cache.
    pub(super) fn enter(&mut self, cache: u32, id: CacheId) {
        let tracked = Tracked {
            id,
            slabs: Vec::new(),
            objects: BTreeMap::new(),
            bulk: Vec::new(),
            home: (Vec::new(), Vec::new()),
        };
        self.caches.insert(cache, Entry::Ours(tracked));
    }

    /// Gives a cache up, for the first reason there was: its records are not modelled from here on. Returns what was
    /// known of it.
    pub(super) fn lose(&mut self, cache: u32, why: &str) -> Option<Tracked> {
        match self.caches.remove(&cache) {
            Some(lost @ Entry::Lost(_)) => {
                self.caches.insert(cache, lost);
                None
            }
            before => {
                self.caches.insert(cache, Entry::Lost(why.to_owned()));
                match before {
                    Some(Entry::Ours(tracked)) => Some(tracked),
                    Some(Entry::Lost(_)) | None => None,
                }
            }
        }
    }

    /// Why a cache was given up.
    pub(super) fn lost(&self, cache: u32) -> Option<&str> {
        match self.caches.get(&cache) {
            Some(Entry::Lost(why)) => Some(why),
            Some(Entry::Ours(_)) | None => None,
        }
    }

    /// A cache that is replayed.
    pub(super) fn cache(&self, cache: u32, line: u32) -> Result<&Tracked, BadFile> {
        match self.caches.get(&cache) {
            Some(Entry::Ours(tracked)) => Ok(tracked),
            Some(Entry::Lost(_)) | None => Err(no_cache(cache, line)),
        }
    }

    /// A cache that is replayed, to be changed.
    pub(super) fn cache_mut(&mut self, cache: u32, line: u32) -> Result<&mut Tracked, BadFile> {
        match self.caches.get_mut(&cache) {
            Some(Entry::Ours(tracked)) => Ok(tracked),
            Some(Entry::Lost(_)) | None => Err(no_cache(cache, line)),
        }
    }

    /// The address of an object.
    pub(super) fn object(&self, cache: u32, id: u32, line: u32) -> Result<VirtAddr, BadFile> {
        self.cache(cache, line)?.objects.get(&id).copied().ok_or_else(|| {
            let problem = format!("cache {cache} never returned an allocation number {id}");
            BadFile::at(line, problem, "the id of an earlier alloc record of this cache")
        })
    }

    /// One of our slabs, by their number.
    pub(super) fn slab(&self, cache: u32, number: u32, line: u32) -> Result<SlabId, BadFile> {
        self.cache(cache, line)?.slabs.get(index_from(number)).copied().ok_or_else(|| {
            let problem = format!("cache {cache} never had a slab {number}");
            BadFile::at(line, problem, "the s of an earlier newslab record of this cache")
        })
    }

    /// Gives a slab of ours the next number in its cache: that cache's number and it. `None` where the cache is none
    /// of the recording's.
    pub(super) fn number(&mut self, slab: SlabId, cache: CacheId) -> Option<(u32, u32)> {
        let (number, tracked) = self.caches.iter_mut().find_map(|(number, entry)| match entry {
            Entry::Ours(tracked) if tracked.id == cache => Some((*number, tracked)),
            Entry::Ours(_) | Entry::Lost(_) => None,
        })?;
        tracked.slabs.push(slab);
        let numbered = (number, count_from(tracked.slabs.len() - 1));
        self.slabs.insert(slab, numbered);
        Some(numbered)
    }

    /// The cache and number of one of our slabs.
    pub(super) fn number_of(&self, slab: SlabId) -> Option<(u32, u32)> {
        self.slabs.get(&slab).copied()
    }

    /// The number that a slab has among those of `cache`; -1 for none, as recordings write it.
    pub(super) fn in_cache(&self, slab: Option<SlabId>, cache: u32) -> i64 {
        match slab.and_then(|slab| self.number_of(slab)) {
            Some((owner, number)) if owner == cache => i64::from(number),
            Some(_) | None => -1,
        }
    }
}

fn no_cache(cache: u32, line: u32) -> BadFile {
    BadFile::at(line, format!("there is no cache {cache}"), "a cache that an earlier cache record made")
}
