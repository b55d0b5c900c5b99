//! krealloc, and how many bytes lie behind a pointer.
//!
//! `ksize`, `__ksize`, `__do_krealloc`, `krealloc` (mm/slab_common.c, 6.1 and 6.12; mm/slub.c, 7.3).

use crate::allocator::{Kernel, Probe};
use crate::event::{Event, Oops};
use crate::kernel::KreallocRoom;
use crate::kmalloc::{Caller, Gfp};
use crate::layout::Layout;
use crate::memory::Bytes;
use crate::units::{VirtAddr, index_from};

/// `SLUB_RED_ACTIVE`.
const RED_ACTIVE: u8 = 0xcc;

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// `ksize`: the bytes that may be used behind a pointer that the allocator gave. Who asks may use them all: where the
    /// size that was asked for bounds a red zone, it is forgotten (6.2).
    ///
    /// # Errors
    /// A fault, where the object's metadata is not mapped.
    pub fn ksize(&mut self, object: VirtAddr) -> Result<u64, Box<Oops>> {
        if let (true, Some(layout)) = (self.model.debug.kmalloc_red_zone, self.layout_of(object)) {
            let kept = self.set_orig_size(&layout, object, layout.object_size);
            kept.map_err(|fault| self.fault(fault, "ksize"))?;
        }
        Ok(self.usable(object))
    }

    /// `__ksize`: the same, without a consequence.
    #[must_use]
    pub fn usable(&self, object: VirtAddr) -> u64 {
        if object.is_zero_or_null() {
            return 0;
        }
        let Some(slab) = self.slab_at(object) else { return self.block_size(object) };
        let cache = self.cache(self.slab(slab).cache);
        cache.layout.usable(cache.args.flags.typesafe_by_rcu)
    }

    /// `krealloc`: the same object where it has room for `size` bytes, however few they are; else another one with the
    /// bytes of the first, which is freed. `size` 0 only frees.
    ///
    /// # Errors
    /// An oops. What was done before stays done.
    pub fn krealloc(&mut self, object: VirtAddr, size: u64, gfp: Gfp) -> Result<VirtAddr, Box<Oops>> {
        if size == 0 {
            self.kfree_aside(object)?;
            return Ok(VirtAddr::ZERO_SIZE_PTR);
        }
        if object.is_zero_or_null() {
            return self.kmalloc_for(Caller::Anyone, size, gfp);
        }
        let (room, used) = self.room_of(object)?;
        if size <= room {
            self.keep_in_place(object, size, (room, used), gfp)?;
            return Ok(object);
        }
        let moved = self.kmalloc_for(Caller::Anyone, size, gfp)?;
        if !moved.is_null() {
            self.copy(object, moved, used)?;
            self.kfree_aside(object)?;
        }
        Ok(moved)
    }

    /// How many bytes krealloc takes an object to have, and how many of them to be used.
    pub(crate) fn room_of(&mut self, object: VirtAddr) -> Result<(u64, u64), Box<Oops>> {
        match (self.model.krealloc_room, self.layout_of(object)) {
            (KreallocRoom::ObjectSize, Some(layout)) => {
                let asked = self.orig_size(&layout, object).map_err(|fault| self.fault(fault, "krealloc"))?;
                Ok((layout.object_size, asked.min(layout.object_size)))
            }
            (KreallocRoom::ObjectSize, None) | (KreallocRoom::Ksize, _) => {
                let room = self.ksize(object)?;
                Ok((room, room))
            }
        }
    }

    /// What is asked for is zeroed from the new size on, not from the old one: what lay between them shows. Where the size
    /// that was asked for is known, it is zeroed from the old one to the new one, and a red zone follows.
    fn keep_in_place(
        &mut self,
        object: VirtAddr,
        size: u64,
        (room, used): (u64, u64),
        gfp: Gfp,
    ) -> Result<(), Box<Oops>> {
        if self.model.krealloc_zeroes_rest && (gfp.zero || self.model.init_on_alloc) {
            let unused = if used < size { used..size } else { size..room };
            self.set(object, unused, 0)?;
        }
        if let (KreallocRoom::ObjectSize, Some(layout)) = (self.model.krealloc_room, self.layout_of(object))
            && layout.orig_size_at().is_some()
        {
            self.set_orig_size(&layout, object, size).map_err(|fault| self.fault(fault, "krealloc"))?;
            if layout.checks.flags.red_zone {
                self.set(object, size..room, RED_ACTIVE)?;
            }
        }
        self.on(|| Event::KeptInPlace { address: object, room });
        Ok(())
    }

    fn set(&mut self, object: VirtAddr, bytes: core::ops::Range<u64>, byte: u8) -> Result<(), Box<Oops>> {
        let set = self.bytes.fill(object.wrapping_add(bytes.start), bytes.end - bytes.start, byte);
        set.map_err(|fault| self.fault(fault, "krealloc"))
    }

    fn copy(&mut self, from: VirtAddr, to: VirtAddr, len: u64) -> Result<(), Box<Oops>> {
        let mut contents = vec![0; index_from(u32::try_from(len).unwrap_or(u32::MAX))];
        let copied = self.bytes.copy_out(from, &mut contents).and_then(|()| self.bytes.copy_in(to, &contents));
        copied.map_err(|fault| self.fault(fault, "krealloc"))
    }

    /// The layout of an object's cache.
    fn layout_of(&self, object: VirtAddr) -> Option<Layout> {
        let slab = if object.is_zero_or_null() { None } else { self.slab_at(object) };
        slab.map(|slab| self.cache(self.slab(slab).cache).layout)
    }

    /// The bytes of a large kmalloc's block; 0 for what is none.
    fn block_size(&self, object: VirtAddr) -> u64 {
        object.pfn().and_then(|frame| self.frames.large(frame)).map_or(0, |(_, order)| order.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Name;
    use crate::kernel::{KernelConfig, Version};
    use crate::luck::Seed;
    use crate::machine::Machine;
    use crate::script::parse_command;

    /// Runs lines, and reads the last object's first bytes.
    fn after<const LEN: usize>(version: Version, lines: &[&str], object: &str) -> (u64, [u8; LEN]) {
        let mut machine = Machine::boot(&KernelConfig::plain(version), Seed(1)).expect("a kernel");
        for line in lines {
            machine.apply(&parse_command(line).expect("a command")).expect("carried out");
        }
        let name = Name::new(object).expect("a name");
        let named = machine.named().find(|named| named.name == name).expect("an object");
        let mut bytes = [0; LEN];
        machine.kernel().bytes().copy_out(named.address, &mut bytes).expect("mapped");
        (machine.kernel().usable(named.address), bytes)
    }

    /// As recorded: shrinking stays in place, and zeroing begins at the new size.
    #[test]
    fn zeroing_in_place_begins_at_the_new_size() {
        let lines = ["a = kmalloc 64", "write a 64 \"A\"", "b = krealloc a 4 GFP_KERNEL|__GFP_ZERO"];
        let (room, bytes) = after(Version::release(6, 12), &lines, "b");
        assert_eq!((room, bytes), (64, *b"AAAA\0\0\0\0"));
        let grown = [lines[0], lines[1], "b = krealloc a 8", "c = krealloc b 12 GFP_KERNEL|__GFP_ZERO"];
        assert_eq!(after(Version::release(6, 12), &grown, "c").1, *b"AAAAAAAAAAAA\0\0\0\0");
    }

    #[test]
    fn what_does_not_fit_moves_with_its_bytes() {
        let lines = ["a = kmalloc 8", "write a 8 \"A\"", "b = krealloc a 9 GFP_KERNEL|__GFP_ZERO", "c = kmalloc 8"];
        let (room, bytes) = after(Version::release(6, 1), &lines, "b");
        assert_eq!((room, bytes), (16, *b"AAAAAAAA\0\0\0\0\0\0\0\0"));
    }

    #[test]
    fn a_size_of_nothing_frees() {
        let lines = ["a = kmalloc 64", "write a 64 \"A\"", "b = krealloc a 0", "c = krealloc b 64"];
        let (room, bytes) = after(Version::release(5, 6), &lines, "c");
        assert_eq!(room, 64);
        assert_eq!(&bytes[8..], [b'A'; 8], "the same object, with what was in it");
        let _: [u8; 16] = bytes;
    }
}
