//! Memory control groups before 5.9: an accounted object comes from a child of its cache, so that no other group's objects, and
//! no unaccounted ones, share its slabs.
//!
//! `memcg_kmem_get_cache`, `memcg_create_kmem_cache`, `shutdown_memcg_caches`, `cache_from_obj` (mm/memcontrol.c,
//! mm/slab_common.c, 4.5 to 5.8; not verified).
//!
//! Limitations: there is one group, and its tasks run every command; a child exists as soon as it is needed, where a kernel makes
//! it from a work item and serves the first objects from the root cache.

use crate::allocator::{Kernel, Probe};
use crate::event::Oops;
use crate::kernel::AccountedKmalloc;
use crate::kmalloc::Gfp;
use crate::memory::Bytes;
use crate::slub::KmemCache;
use crate::units::CacheId;

/// What a cache is to a memory control group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A cache that somebody made, with the child that serves the group, once there is one.
    Root {
        /// The child.
        child: Option<CacheId>,
    },
    /// The child of a root cache.
    Child {
        /// That cache.
        of: CacheId,
    },
}

/// The name of the child of a cache.
#[must_use]
pub fn child_name(root: &str) -> String {
    format!("{root}(1:user)")
}

impl KmemCache {
    /// Whether somebody made it: `/proc/slabinfo` lists no others.
    #[must_use]
    pub const fn is_root(&self) -> bool {
        matches!(self.family, Family::Root { .. })
    }

    /// Its child.
    #[must_use]
    pub const fn child(&self) -> Option<CacheId> {
        match self.family {
            Family::Root { child } => child,
            Family::Child { .. } => None,
        }
    }
}

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// The cache that really serves an allocation from `cache`: its child, where the object is accounted and children serve those.
    pub fn serving_accounted(&mut self, cache: CacheId, gfp: Gfp) -> CacheId {
        let is_accounted = gfp.account || self.caches[cache].args.flags.account;
        let has_children = self.model.accounted_kmalloc == AccountedKmalloc::Children;
        if is_accounted && has_children { self.child_of(cache) } else { cache }
    }

    /// The child of a root cache; a child is its own.
    pub(crate) fn child_of(&mut self, root: CacheId) -> CacheId {
        let cache = &self.caches[root];
        match cache.family {
            Family::Child { .. } => root,
            Family::Root { child: Some(child) } => child,
            Family::Root { child: None } => {
                let (name, args, layout) = (child_name(&cache.name), cache.args, cache.layout);
                let child = self.make_cache(&name, args, layout);
                self.caches[child].family = Family::Child { of: root };
                self.caches[root].family = Family::Root { child: Some(child) };
                child
            }
        }
    }

    /// Destroys the child of a cache that is to be destroyed: whether none is left. One with objects stays, and its root cache
    /// with it.
    pub(crate) fn destroy_child(&mut self, root: CacheId) -> Result<bool, Box<Oops>> {
        let Some(child) = self.caches[root].child() else { return Ok(true) };
        let gone = self.shut_down(child)?;
        if gone {
            self.caches[root].family = Family::Root { child: None };
        }
        Ok(gone)
    }

    /// Whether an object of `owner` may be freed to `named`: its root cache will do (`slab_equal_or_root`).
    pub(crate) fn is_root_of(&self, named: CacheId, owner: CacheId) -> bool {
        self.caches[owner].family == Family::Child { of: named }
    }
}
