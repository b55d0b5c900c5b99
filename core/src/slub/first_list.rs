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
    /// Links all objects of a slab as its own freelist. By itself, so that its loops have the registers.
    #[inline(never)]
    pub(super) fn link_all(&mut self, cache: CacheId, slab: SlabId) {
        let s = &self.caches[cache];
        let Slab { base, objects: count, ordinal, .. } = self.slabs[slab];
        let objects = Objects { base, count, layout: &s.layout, code: s.code };
        let (first, last) = match &s.sequence {
            None => {
                // Without an end, so that no count is to be compared.
                let size = s.layout.size;
                let links = core::iter::successors(Some(objects.at(1)), |at| Some(at.wrapping_add(size)));
                objects.link(&mut self.bytes, links);
                (0, count.saturating_sub(1))
            }
            Some(sequence) if sequence.count() == count => {
                let from = objects.at(0);
                let following = sequence.following().iter();
                objects.link(&mut self.bytes, following.map(|next| from.wrapping_add(u64::from(*next))));
                sequence.ends(self.luck.start(s.starts, ordinal, count))
            }
            // A slab of a smaller order has not all of the sequence's objects.
            Some(_) => {
                let order = self.object_order(cache, slab);
                return self.link_rest(cache, slab, &order);
            }
        };
        objects.end(&mut self.bytes, last);
        self.slabs[slab].freelist = objects.at(first);
    }

    /// The indexes of a slab's objects in the order in which they go out.
    pub(super) fn object_order(&mut self, cache: CacheId, slab: SlabId) -> Vec<u32> {
        let Slab { objects, ordinal, .. } = self.slabs[slab];
        let s = &self.caches[cache];
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
        let s = &self.caches[cache];
        let first = self.slabs[slab].base.wrapping_add(s.layout.red_left_pad);
        let mut next = VirtAddr::NULL;
        for index in indexes.iter().rev() {
            let object = first.wrapping_add(u64::from(*index) * s.layout.size);
            let linked = s.code.write(&mut self.bytes, object.wrapping_add(s.layout.offset), next);
            debug_assert!(linked.is_ok(), "a slab's objects are mapped");
            next = object;
        }
        self.slabs[slab].freelist = next;
    }
}

/// The objects of a slab that is to be linked.
struct Objects<'a> {
    /// The slab's first byte.
    base: VirtAddr,
    count: u32,
    layout: &'a Layout,
    code: PointerCode,
}

impl Objects<'_> {
    fn at(&self, index: u32) -> VirtAddr {
        self.base.wrapping_add(self.layout.red_left_pad + u64::from(index) * self.layout.size)
    }

    /// Writes the free pointer of each object, in the order of their addresses, whatever that of the list: memory likes
    /// that best. `links` has them in that order.
    #[inline(always)]
    fn link<B: Bytes>(&self, bytes: &mut B, links: impl Iterator<Item = VirtAddr>) {
        let Layout { size, offset, .. } = *self.layout;
        let mut at = self.at(0).wrapping_add(offset);
        match self.chunks(bytes) {
            Some(chunks) => self.code.by_form(|code| {
                for (chunk, next) in chunks.zip(links) {
                    self.write_word(chunk, code.encode(next, at));
                    at = at.wrapping_add(size);
                }
            }),
            None => (0..self.count).zip(links).for_each(|(_, next)| {
                self.write_link(bytes, at, next);
                at = at.wrapping_add(size);
            }),
        }
    }

    /// The bytes of each object, if they lie in one piece, with its red zones.
    #[inline(always)]
    fn chunks<'b, B: Bytes>(&self, bytes: &'b mut B) -> Option<core::slice::ChunksExactMut<'b, u8>> {
        let size = usize::try_from(self.layout.size).ok()?;
        Some(bytes.piece_mut(self.base, u64::from(self.count) * self.layout.size)?.chunks_exact_mut(size))
    }

    #[inline(always)]
    fn write_word(&self, chunk: &mut [u8], value: u64) {
        let offset = usize::try_from(self.layout.red_left_pad + self.layout.offset).unwrap_or(usize::MAX);
        if let Some(word) = chunk.get_mut(offset..).and_then(|rest| rest.first_chunk_mut()) {
            *word = value.to_le_bytes();
        }
    }

    fn write_link<B: Bytes>(&self, bytes: &mut B, at: VirtAddr, next: VirtAddr) {
        let linked = self.code.write(bytes, at, next);
        debug_assert!(linked.is_ok(), "a slab's objects are mapped");
    }

    /// Ends the list at this object.
    fn end<B: Bytes>(&self, bytes: &mut B, last: u32) {
        self.write_link(bytes, self.at(last).wrapping_add(self.layout.offset), VirtAddr::NULL);
    }
}
