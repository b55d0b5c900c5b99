//! Who has the objects of a cache, or freed them before: what the tracks say of every object in use.
//!
//! `process_slab`, `add_location` (mm/slub.c, 4.19 to 7.3).

use super::patterns::Trace;
use crate::allocator::{Kernel, Probe};
use crate::layout::Track;
use crate::memory::Bytes;
use crate::units::{CacheId, SlabId};

/// An object in use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traced {
    /// Who; `None` where nobody is noted.
    pub(crate) trace: Option<Trace>,
    /// Bytes that it has and that were not asked for, where that is told.
    pub(crate) waste: u64,
}

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// The objects in use in the slabs that are on a list, partial ones first. A slab that a check took out of use is on none.
    pub(crate) fn traced(&self, cache: CacheId, track: Track) -> Vec<Traced> {
        let s = &self.caches[cache];
        let tells_waste = self.model.debug.traces_tell_waste && track == Track::Alloc;
        let listed: Vec<SlabId> = self.node_partial(cache).chain(s.full.iter().rev().copied()).collect();
        let mut traced = Vec::new();
        for slab in listed {
            traced.extend(self.objects_off_list(cache, slab).map(|object| {
                let asked = self.orig_size(&s.layout, object).unwrap_or(s.layout.object_size);
                let waste = if tells_waste { s.layout.object_size.saturating_sub(asked) } else { 0 };
                Traced { trace: self.track(&s.layout, object, track), waste }
            }));
        }
        traced
    }
}
