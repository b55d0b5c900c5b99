//! What a write hits, part by part, before or after it is written.

use crate::layout::WORD;
use crate::machine::Landing;
use crate::machine::Machine;
use crate::units::{ObjectIndex, PAGE_SIZE, SlabId, VirtAddr};

/// A run of bytes of a write, all of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// Its first byte.
    pub at: VirtAddr,
    /// Its length.
    pub len: u64,
    /// What lies there.
    pub what: Struck,
}

/// What a run of bytes belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Struck {
    /// An object's data: bytes of `object_size` that hold no free pointer.
    Data {
        /// The slab.
        slab: SlabId,
        /// The object.
        index: ObjectIndex,
        /// Whether somebody has it.
        in_use: bool,
    },
    /// A free object's free pointer, or some bytes of it.
    FreePointer {
        /// The slab.
        slab: SlabId,
        /// The object.
        index: ObjectIndex,
        /// The first of its bytes that is hit, 0 to 7.
        first: u64,
    },
    /// Between an object's end and the next one's start.
    Padding {
        /// The slab.
        slab: SlabId,
        /// The object.
        index: ObjectIndex,
    },
    /// After a slab's last object.
    SlabTail {
        /// The slab.
        slab: SlabId,
    },
    /// RAM that is no slab's.
    Ram,
    /// Nothing: the write faults here.
    Unmapped,
}

/// The parts of a write of `len` bytes at `at`, in order of address. A part ends where what it hits does; the write
/// ends at the first byte that is not mapped.
#[must_use]
pub fn blast(machine: &Machine, at: VirtAddr, len: u64) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut here = at;
    let mut left = len;
    while left > 0 {
        let (what, room) = struck_at(machine, here);
        let piece = room.min(left).max(1);
        match parts.last_mut() {
            Some(last) if last.what == what => last.len += piece,
            Some(_) | None => parts.push(Part { at: here, len: piece, what }),
        }
        if what == Struck::Unmapped {
            break;
        }
        here = here.wrapping_add(piece);
        left -= piece;
    }
    parts
}

/// What the byte at `at` belongs to, and how many bytes from it on do too.
fn struck_at(machine: &Machine, at: VirtAddr) -> (Struck, u64) {
    let to_page_end = PAGE_SIZE - at.raw() % PAGE_SIZE;
    match machine.landing(at) {
        Landing::Null | Landing::Unmapped | Landing::NonCanonical => (Struck::Unmapped, u64::MAX),
        Landing::Ram => (Struck::Ram, to_page_end),
        Landing::SlabTail { slab } => (Struck::SlabTail { slab }, to_page_end),
        Landing::Object { slab, index } => struck_in_object(machine, slab, index, 0),
        Landing::InsideObject { slab, index, delta } => struck_in_object(machine, slab, index, delta),
    }
}

fn struck_in_object(machine: &Machine, slab: SlabId, index: ObjectIndex, delta: u64) -> (Struck, u64) {
    let layout = machine.kernel().cache(machine.kernel().slab(slab).cache).layout;
    let in_use = machine.is_live(slab, index);
    let pointer = layout.offset..layout.offset + WORD;
    let counts = machine.holds_pointer(slab, index);
    if counts && pointer.contains(&delta) {
        let first = delta - pointer.start;
        return (Struck::FreePointer { slab, index, first }, pointer.end - delta);
    }
    // Up to the pointer, if it lies ahead and counts.
    let stop = |end: u64| if counts && delta < pointer.start { end.min(pointer.start) } else { end };
    if delta < layout.object_size {
        (Struck::Data { slab, index, in_use }, stop(layout.object_size) - delta)
    } else {
        (Struck::Padding { slab, index }, stop(layout.size) - delta)
    }
}
