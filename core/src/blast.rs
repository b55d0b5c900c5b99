//! What a write hits, part by part, before or after it is written.

use crate::machine::Machine;
use crate::units::{CacheId, ObjectIndex, SlabId, VirtAddr};

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
    /// A page of a slab of another cache or of this one: the next page. Given where a slab is entered.
    OtherSlab {
        /// The slab.
        slab: SlabId,
        /// Its cache.
        cache: CacheId,
    },
    /// RAM that is no slab's.
    Ram,
    /// Nothing: the write faults here.
    Unmapped,
}

/// The parts of a write of `len` bytes at `at`, in order of address. A part ends where what it hits does.
#[must_use]
pub fn blast(machine: &Machine, at: VirtAddr, len: u64) -> Vec<Part> {
    let _ = (machine, at, len);
    todo!()
}
