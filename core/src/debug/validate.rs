//! Checking a whole cache when asked to, and listing what is left in one that goes.
//!
//! `validate_slab_cache`, `validate_slab`, `free_partial`, `list_slab_objects` (mm/slub.c, 4.19 to 7.3).

use super::patterns::Activity;
use super::report::{Site, about, plain};
use super::slab::Walk;
use crate::allocator::{Kernel, Probe};
use crate::event::Oops;
use crate::memory::Bytes;
use crate::report::{Finding, Line, Told};
use crate::units::{CacheId, SlabId, VirtAddr, count_from};

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// Checks every slab of a cache that is on a list: how many there were.
    ///
    /// # Errors
    /// An oops while a CPU's list was walked back.
    pub fn validate(&mut self, cache: CacheId) -> Result<u32, Box<Oops>> {
        self.flush_all(cache)?;
        let partial: Vec<SlabId> = self.node_partial(cache).collect();
        for slab in &partial {
            self.validate_slab(cache, *slab);
        }
        let s = &self.caches[cache];
        let (name, counter) = (s.name.clone(), s.nr_partial);
        let mut counted = count_from(partial.len());
        if counted != counter {
            let text = format!("SLUB {name}: {counted} partial slabs counted but counter={counter}");
            self.tell(cache, None, None, Told::Miscounted, vec![plain(text)]);
        }
        if !self.caches[cache].layout.checks.flags.store_user {
            return Ok(counted);
        }
        let full: Vec<SlabId> = self.caches[cache].full.iter().rev().copied().collect();
        for slab in &full {
            self.validate_slab(cache, *slab);
        }
        counted += count_from(full.len());
        let counter = self.caches[cache].nr_slabs;
        if counted != counter {
            let text = format!("SLUB: {name} {counted} slabs counted but counter={counter}");
            self.tell(cache, None, None, Told::Miscounted, vec![plain(text)]);
        }
        Ok(counted)
    }

    fn validate_slab(&mut self, cache: CacheId, slab: SlabId) {
        if !self.check_slab(cache, slab) || self.walk_list(cache, slab, VirtAddr::NULL) == Walk::Cleared {
            return;
        }
        for (object, is_free) in self.objects_by_list(cache, slab) {
            let activity = if is_free { Activity::Inactive } else { Activity::Active };
            if !self.check_object(Site { cache, slab, object }, activity) {
                break;
            }
        }
    }

    /// The objects of a slab, by address, each with whether it is on the slab's own list, as far as that leads to objects
    /// (`__fill_map`).
    pub(super) fn objects_by_list(&self, cache: CacheId, slab: SlabId) -> Vec<(VirtAddr, bool)> {
        let s = &self.caches[cache];
        let mut objects: Vec<_> = self.objects_of(cache, slab).into_iter().map(|object| (object, false)).collect();
        let mut here = self.slabs[slab].freelist;
        while let Some(index) = self.object_at(cache, slab, here)
            && !core::mem::replace(&mut objects[index.index()].1, true)
        {
            here = s.code.read(&self.bytes, here.wrapping_add(s.layout.offset)).unwrap_or(VirtAddr::NULL);
        }
        objects
    }

    /// The objects of a slab that are not on its own list.
    pub(super) fn objects_off_list(&self, cache: CacheId, slab: SlabId) -> impl Iterator<Item = VirtAddr> + use<P, B> {
        self.objects_by_list(cache, slab).into_iter().filter_map(|(object, is_free)| (!is_free).then_some(object))
    }

    /// What is left in a slab of a cache that is destroyed: each object with who has it.
    #[cold]
    pub(crate) fn report_remaining(&mut self, cache: CacheId, slab: SlabId) {
        let base = self.slabs[slab].base;
        let size = self.caches[cache].layout.object_size;
        let mut lines: Vec<Line> = Vec::new();
        let mut objects = 0;
        for object in self.objects_off_list(cache, slab) {
            objects += 1;
            let offset = object.bytes_after(base).unwrap_or_default();
            lines.push(about(format!("Object {object} @offset={offset}"), object, size));
            lines.extend(self.tracks(cache, object));
        }
        self.report_slab(cache, slab, Finding::ObjectsRemain { objects }, lines, "__kmem_cache_shutdown");
    }
}
