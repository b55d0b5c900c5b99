//! Caches of a boot that merges: the kernel's own as it lists them, what the driver makes beside them, and what is left
//! when the driver destroys it again. They are kept on a kernel of their own, with no caches but these.

use super::Replay;
use super::caches::{Expected, compare_made, lay_out_luck};
use crate::allocator::{FrameTable, Kernel};
use crate::layout::{CacheArgs, Layout, Window};
use crate::luck::{Luck, RecordedLuck};
use crate::memory::Flat;
use crate::merge::sysfs_name;
use crate::pages::{PageSource, RecordedPages};
use crate::recording::flags::Asked;
use crate::recording::read::BadFile;
use crate::recording::records::{Create, DestroyMerged, DestroyMergedAhead, Listed, Made};
use crate::recording::report::{Comparison, count};
use crate::recording::subject::Subject;
use crate::recording::unshown;
use crate::units::{CacheId, Pfn, VirtAddr, index_from};
use std::collections::{BTreeMap, BTreeSet};

/// What such a recording tells.
pub(super) enum Merging {
    Listed(Box<Listed>),
    Create(Box<Create>),
    DestroyAhead(DestroyMergedAhead),
    Destroyed(DestroyMerged),
}

/// The caches so far.
pub(super) struct MergedCaches {
    kernel: Kernel<(), Flat>,
    /// Of each cache: where the kernel has it, and its flags.
    theirs: BTreeMap<CacheId, (VirtAddr, u64)>,
    /// The kernel's own, as they are listed before the first is made: the newest first.
    own: Vec<(u32, Listed)>,
    /// The name and the cache of each call that made one.
    made: BTreeMap<u32, (String, CacheId)>,
    /// Calls that are not modelled, and where the kernel has what they returned.
    beyond: BTreeMap<u32, (String, Option<CacheId>)>,
    beyond_at: BTreeSet<VirtAddr>,
    /// How many of the second listing were told.
    listed: u32,
}

impl MergedCaches {
    pub(super) fn new(subject: &Subject) -> Self {
        let kernel = Kernel::without_caches(
            subject.model.clone(),
            Luck::Recorded(RecordedLuck::default()),
            Flat::new(0),
            FrameTable::new(Pfn::from_raw(0), 0),
            PageSource::Recorded(RecordedPages::default()),
            (),
        );
        Self {
            kernel,
            theirs: BTreeMap::new(),
            own: Vec::new(),
            made: BTreeMap::new(),
            beyond: BTreeMap::new(),
            beyond_at: BTreeSet::new(),
            listed: 0,
        }
    }
}

impl Replay {
    /// A record about merging.
    pub(super) fn merging(&mut self, record: Merging, line: u32) -> Result<(), BadFile> {
        match record {
            Merging::Listed(theirs) if self.merged.made.is_empty() && self.merged.beyond.is_empty() => {
                self.merged.own.push((line, *theirs));
            }
            Merging::Listed(theirs) => self.listed_again(&theirs, line),
            Merging::Create(theirs) => {
                for (line, own) in core::mem::take(&mut self.merged.own).into_iter().rev() {
                    self.own(&own, line);
                }
                self.create(&theirs, line);
            }
            Merging::DestroyAhead(theirs) => match self.merged.beyond.get(&theirs.k) {
                Some((why, _)) => count(&mut self.report.not_modelled, why, 1),
                None => {
                    let (_, cache) = self.made_by(theirs.k, line)?;
                    let mut comparison = Self::comparison("destroy_merged?", line);
                    let ours = i64::from(self.merged.kernel.cache(cache).refcount);
                    comparison.same("refcount", theirs.refcount, ours);
                    self.report.close(comparison);
                }
            },
            Merging::Destroyed(theirs) => self.destroyed(theirs, line)?,
        }
        Ok(())
    }

    fn made_by(&self, call: u32, line: u32) -> Result<(String, CacheId), BadFile> {
        let known = self.merged.made.get(&call).cloned();
        known.ok_or_else(|| {
            BadFile::at(line, format!("no cache was made by call {call}"), "a `create` record before it")
        })
    }

    /// A cache of the kernel's own: made as its fields say that it was asked for.
    fn own(&mut self, theirs: &Listed, line: u32) {
        let mut comparison = Self::comparison("listed", line);
        let (subject, merged) = (&self.subject, &mut self.merged);
        // Where in the object the free pointer lies is recorded; how large a sheaf was asked for is not.
        let recorded = args_of(&theirs.made, subject);
        let unshown = unshown::complete(recorded, &theirs.made.name, subject.config.version);
        let args = CacheArgs { sheaf_capacity: unshown.sheaf_capacity, ..recorded };
        lay_out_luck(merged.kernel.luck_mut(), &theirs.made, &mut comparison, &mut self.report);
        let older = merged.kernel.find_mergeable(&args).map(|id| merged.kernel.cache(id).name.to_string());
        comparison.same("the older cache that takes it in", None, older);
        match merged.kernel.create_cache_of_its_own(&theirs.made.name, &args) {
            Err(error) => comparison.differ("that it was made", "a cache", error.to_string()),
            Ok(id) => {
                let cache = &mut merged.kernel.caches[id];
                // Users before this one made its objects larger, and counted it up.
                cache.layout.object_size = theirs.made.object_size;
                cache.layout.inuse = cache.layout.inuse.max(theirs.made.object_size.next_multiple_of(8));
                cache.refcount = i32::try_from(theirs.made.refcount).unwrap_or(0);
                let version = subject.config.version;
                cache.layout.sheaf_capacity = unshown::sheaf_capacity(&cache.layout, &theirs.made.name, version);
                merged.theirs.insert(id, (theirs.kmem_cache_va.address(), theirs.made.flags.0));
                self.compare_listed(&mut comparison, theirs, id);
            }
        }
        self.report.close(comparison);
    }

    fn compare_listed(&self, comparison: &mut Comparison, theirs: &Listed, id: CacheId) {
        let (kernel, numbering) = (&self.merged.kernel, self.subject.flags);
        let (at, flags) = self.merged.theirs.get(&id).copied().unwrap_or_default();
        let ours = kernel.cache(id);
        comparison.same("kmem_cache_va", theirs.kmem_cache_va.address(), at);
        comparison.same("sysfs", theirs.sysfs.as_str(), &sysfs_name(ours, kernel.model()));
        compare_made(comparison, &theirs.made, ours, kernel.model(), &Expected { numbering, flags });
    }

    fn listed_again(&mut self, theirs: &Listed, line: u32) {
        if self.merged.beyond_at.contains(&theirs.kmem_cache_va.address()) {
            count(&mut self.report.not_modelled, "listed caches with debugging flags", 1);
            return;
        }
        let mut comparison = Self::comparison("listed", line);
        let nth = self.merged.kernel.caches().rev().nth(index_from(self.merged.listed)).map(|(id, _)| id);
        self.merged.listed += 1;
        match nth {
            Some(id) => self.compare_listed(&mut comparison, theirs, id),
            None => comparison.differ("that it is listed", "a cache", "no more caches"),
        }
        self.report.close(comparison);
    }

    fn create(&mut self, theirs: &Create, line: u32) {
        let flags = match self.subject.flags.asked(theirs.req_flags.0) {
            Asked::Modelled(flags) => flags,
            Asked::Beyond(names) => return self.create_beyond(theirs, &format!("caches with {names}")),
        };
        let args = CacheArgs {
            object_size: theirs.req_size,
            align: theirs.req_align,
            flags,
            ctor: theirs.req_ctor != 0,
            window: Window { offset: theirs.req_useroffset, size: theirs.req_usersize },
            pointer_at: None,
            sheaf_capacity: 0,
        };
        let mut comparison = Self::comparison("create", line);
        let merged = &mut self.merged;
        if !theirs.merged {
            lay_out_luck(merged.kernel.luck_mut(), &theirs.cache.made, &mut comparison, &mut self.report);
            count(&mut self.report.luck, "kmem_cache_va", 1);
        }
        match merged.kernel.create_cache(&theirs.req_name, &args) {
            Err(error) => comparison.differ("that it was made", "a cache", error.to_string()),
            Ok(id) => {
                let checks = &merged.kernel.cache(id).layout.checks;
                let flags = self.subject.flags.of_cache(theirs.req_flags.0, checks);
                let made = (theirs.cache.kmem_cache_va.address(), flags);
                let is_new = !merged.theirs.contains_key(&id);
                merged.theirs.entry(id).or_insert(made);
                let first = merged.made.iter().find(|(_, (_, cache))| *cache == id).map_or(-1, |(k, _)| i64::from(*k));
                comparison.same("merged", theirs.merged, !is_new);
                if theirs.merged {
                    comparison.same("merged_k", theirs.merged_k, first);
                } else {
                    // The first call of the same address, which a cache that is gone may have had.
                    count(&mut self.report.luck, "an address that comes again", u64::from(theirs.merged_k >= 0));
                }
                merged.made.insert(theirs.k, (theirs.req_name.clone(), id));
                self.compare_listed(&mut comparison, &theirs.cache, id);
            }
        }
        self.report.close(comparison);
    }

    /// A call that is not modelled. Where its cache is one that ours has too, that one has one user more.
    fn create_beyond(&mut self, theirs: &Create, why: &str) {
        count(&mut self.report.not_modelled, why, 1);
        let at = theirs.cache.kmem_cache_va.address();
        let known = self.merged.theirs.iter().find(|(_, (known, _))| *known == at).map(|(id, _)| *id);
        match known {
            Some(id) => self.merged.kernel.caches[id].refcount += 1,
            None => _ = self.merged.beyond_at.insert(at),
        }
        self.merged.beyond.insert(theirs.k, (why.to_owned(), known));
    }

    fn destroyed(&mut self, theirs: DestroyMerged, line: u32) -> Result<(), BadFile> {
        if let Some((why, known)) = self.merged.beyond.get(&theirs.k) {
            count(&mut self.report.not_modelled, why, 1);
            if let Some(id) = known {
                self.merged.kernel.caches[*id].refcount -= 1;
            }
            return Ok(());
        }
        let (name, id) = self.made_by(theirs.k, line)?;
        let mut comparison = Self::comparison("destroy_merged", line);
        let ours = self.merged.kernel.destroy_cache(id, &name);
        comparison.same("gone", Some(theirs.gone), ours.ok());
        if !theirs.gone {
            let left: Listed = serde_json::from_value(theirs.rest.into())
                .map_err(|error| BadFile::at(line, error.to_string(), "the fields of the cache that lives on"))?;
            self.compare_listed(&mut comparison, &left, id);
        }
        self.report.close(comparison);
        Ok(())
    }
}

/// What a cache was asked to be. Where others were merged with it since, its objects were smaller: how small is told by
/// where its free pointer lies.
fn args_of(made: &Made, subject: &Subject) -> CacheArgs {
    let flags = subject.flags.known(made.flags.0);
    let is_inside = (made.ctor || flags.typesafe_by_rcu) && made.offset < made.object_size;
    let args = CacheArgs {
        object_size: made.object_size,
        align: made.align,
        flags,
        ctor: made.ctor,
        pointer_at: is_inside.then_some(made.offset),
        sheaf_capacity: 0,
        window: Window { offset: made.useroffset, size: made.usersize },
    };
    let as_they_have = |args: &CacheArgs| {
        Layout::of(args, &subject.model).is_ok_and(|ours| ours.size == made.size && ours.offset == made.offset)
    };
    let smaller = (1..=made.object_size).rev().map(|object_size| CacheArgs { object_size, ..args });
    let before = if made.refcount > 1 { smaller.take(index_from(64)).find(as_they_have) } else { None };
    before.unwrap_or(args)
}
