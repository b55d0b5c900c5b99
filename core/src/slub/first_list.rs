//! The first freelist of a slab: its objects by address, or round the cache's sequence from a drawn start.
//!
//! `shuffle_freelist`, `allocate_slab`, `next_freelist_entry` (mm/slub.c, 4.19 to 6.1).

use super::cache::Slab;
use crate::allocator::{Kernel, Probe};
use crate::freelist::PointerCode;
use crate::layout::Layout;
use crate::memory::Bytes;
use crate::units::{CacheId, SlabId, VirtAddr};

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// Links all objects of a slab as its own freelist.
    #[inline(never)]
    pub(super) fn link_all(&mut self, cache: CacheId, slab: SlabId) {
        let s = &self.caches[cache.index()];
        let Slab { base, objects, ordinal, .. } = self.slabs[slab.index()];
        let start = base.wrapping_add(s.layout.red_left_pad);
        let objects = Objects { start, count: objects, code: s.code };
        let size = s.layout.size;
        let (first, last) = match &s.sequence {
            None => {
                objects.link(&mut self.bytes, &s.layout, (0..u64::from(objects.count)).map(|index| (index + 1) * size));
                (0, objects.count.saturating_sub(1))
            }
            Some(sequence) if sequence.count() == objects.count => {
                let start = self.luck.start(s.starts, ordinal, objects.count);
                objects.link(&mut self.bytes, &s.layout, sequence.following().iter().map(|next| u64::from(*next)));
                sequence.ends(start)
            }
            // A slab of a smaller order has not all of the sequence's objects.
            Some(_) => {
                let order = self.object_order(cache, slab);
                return self.link_rest(cache, slab, &order);
            }
        };
        let word = start.wrapping_add(u64::from(last) * size + s.layout.offset);
        let ended = s.code.write(&mut self.bytes, word, VirtAddr::NULL);
        debug_assert!(ended.is_ok(), "a slab's objects are mapped");
        self.slabs[slab.index()].freelist = start.wrapping_add(u64::from(first) * size);
    }

    /// The indexes of a slab's objects in the order in which they go out.
    pub(super) fn object_order(&mut self, cache: CacheId, slab: SlabId) -> Vec<u32> {
        let Slab { objects, ordinal, .. } = self.slabs[slab.index()];
        let s = &self.caches[cache.index()];
        match s.sequence.as_ref().filter(|_| objects >= 2) {
            None => (0..objects).collect(),
            Some(sequence) => {
                let start = self.luck.start(s.starts, ordinal, sequence.count());
                sequence.rotation(start, objects).collect()
            }
        }
    }

    /// Links the objects of these indexes, in this order, as the slab's own freelist.
    pub(super) fn link_rest(&mut self, cache: CacheId, slab: SlabId, indexes: &[u32]) {
        let s = &self.caches[cache.index()];
        let first = self.slabs[slab.index()].base.wrapping_add(s.layout.red_left_pad);
        let mut next = VirtAddr::NULL;
        for index in indexes.iter().rev() {
            let object = first.wrapping_add(u64::from(*index) * s.layout.size);
            let linked = s.code.write(&mut self.bytes, object.wrapping_add(s.layout.offset), next);
            debug_assert!(linked.is_ok(), "a slab's objects are mapped");
            next = object;
        }
        self.slabs[slab.index()].freelist = next;
    }
}

/// The objects of a slab that is to be linked.
#[derive(Clone, Copy)]
struct Objects {
    /// Where the first one starts.
    start: VirtAddr,
    count: u32,
    code: PointerCode,
}

impl Objects {
    /// Writes the free pointer of each object, in the order of their addresses, whatever that of the list: memory likes
    /// that best. `following` says of each how many bytes from the first object the one is that follows it.
    #[inline(always)]
    fn link<B: Bytes>(self, bytes: &mut B, layout: &Layout, following: impl Iterator<Item = u64>) {
        let Self { start, count, code } = self;
        let first_word = start.wrapping_add(layout.offset);
        let len = (u64::from(count) * layout.size).saturating_sub(layout.red_left_pad + layout.offset);
        let links = following.map(|offset| start.wrapping_add(offset));
        let Some(mut piece) = bytes.piece_mut(first_word, len) else {
            let mut word = first_word;
            for next in links {
                let linked = code.write(bytes, word, next);
                debug_assert!(linked.is_ok(), "a slab's objects are mapped");
                word = word.wrapping_add(layout.size);
            }
            return;
        };
        let size = usize::try_from(layout.size).unwrap_or(usize::MAX);
        code.by_form(|code| {
            let mut at = first_word;
            for next in links {
                let Some((word, _)) = piece.split_first_chunk_mut() else { break };
                *word = code.encode(next, at).to_le_bytes();
                at = at.wrapping_add(layout.size);
                let Some(rest) = core::mem::take(&mut piece).get_mut(size..) else { break };
                piece = rest;
            }
        });
    }
}
