//! The first freelist of a slab: its objects by address, or round the cache's sequence from a drawn start.
//!
//! `shuffle_freelist`, `allocate_slab`, `next_freelist_entry` (mm/slub.c, 4.19 to 6.1).

use super::cache::Slab;
use crate::allocator::{Kernel, Probe};
use crate::freelist::PointerCode;
use crate::layout::Layout;
use crate::memory::Bytes;
use crate::units::{CacheId, SlabId, VirtAddr, index_from};

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// Links all objects of a slab as its own freelist.
    pub(super) fn link_all(&mut self, cache: CacheId, slab: SlabId) {
        let s = &self.caches[cache.index()];
        let Slab { base, objects, ordinal, .. } = self.slabs[slab.index()];
        let first = base.wrapping_add(s.layout.red_left_pad);
        let objects = Objects { first, count: objects, code: s.code };
        let head = match &s.sequence {
            None => {
                objects.link(&mut self.bytes, &s.layout, objects.count.saturating_sub(1), |index| index + 1);
                Some(0)
            }
            Some(sequence) if sequence.count() == objects.count => {
                let start = self.luck.start(&s.name, ordinal, sequence.count());
                sequence.ends(start).map(|(first, last)| {
                    let following = sequence.following();
                    objects.link(&mut self.bytes, &s.layout, last, |index| following[index_from(index)]);
                    first
                })
            }
            // A slab of a smaller order has not all of the sequence's objects.
            Some(_) => {
                let order = self.object_order(cache, slab);
                return self.link_rest(cache, slab, &order);
            }
        };
        let head = head.map_or(VirtAddr::NULL, |index| first.wrapping_add(u64::from(index) * s.layout.size));
        self.slabs[slab.index()].freelist = head;
    }

    /// The indexes of a slab's objects in the order in which they go out.
    pub(super) fn object_order(&mut self, cache: CacheId, slab: SlabId) -> Vec<u32> {
        let Slab { objects, ordinal, .. } = self.slabs[slab.index()];
        let s = &self.caches[cache.index()];
        match s.sequence.as_ref().filter(|_| objects >= 2) {
            None => (0..objects).collect(),
            Some(sequence) => {
                let start = self.luck.start(&s.name, ordinal, sequence.count());
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
    first: VirtAddr,
    count: u32,
    code: PointerCode,
}

impl Objects {
    /// Writes the free pointer of each object, `last`'s being NULL and every other's leading to the object `following`
    /// it. The words are written in the order of their addresses, whatever the order of the list: memory likes that best.
    #[inline]
    fn link<B: Bytes>(self, bytes: &mut B, layout: &Layout, last: u32, following: impl Fn(u32) -> u32) {
        let Self { first, count, code } = self;
        let first_word = first.wrapping_add(layout.offset);
        let word_of = |index: u32| first_word.wrapping_add(u64::from(index) * layout.size);
        let next_of = |index: u32| first.wrapping_add(u64::from(following(index)) * layout.size);
        let size = usize::try_from(layout.size).unwrap_or(usize::MAX);
        let len = (u64::from(count) * layout.size).saturating_sub(layout.red_left_pad + layout.offset);
        match bytes.piece_mut(first_word, len) {
            Some(mut piece) => code.by_form(|code| {
                let values = (0..count).map(|index| code.encode(next_of(index), word_of(index)));
                for value in values {
                    let Some((word, _)) = piece.split_first_chunk_mut() else { break };
                    *word = value.to_le_bytes();
                    piece = piece.get_mut(size..).unwrap_or_default();
                }
            }),
            None => {
                for index in 0..count {
                    let linked = code.write(bytes, word_of(index), next_of(index));
                    debug_assert!(linked.is_ok(), "a slab's objects are mapped");
                }
            }
        }
        let ended = code.write(bytes, word_of(last), VirtAddr::NULL);
        debug_assert!(ended.is_ok(), "a slab's objects are mapped");
    }
}
