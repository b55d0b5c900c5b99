//! What lies at an address.

use super::Machine;
use crate::memory::Bytes;
use crate::units::{ObjectIndex, SlabId, VirtAddr};

/// What lies at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Landing {
    /// NULL: the end of a list.
    Null,
    /// The start of an object.
    Object {
        /// Its slab.
        slab: SlabId,
        /// Which.
        index: ObjectIndex,
    },
    /// Inside an object, or between objects.
    InsideObject {
        /// Its slab.
        slab: SlabId,
        /// The object that starts before.
        index: ObjectIndex,
        /// Bytes from its start.
        delta: u64,
    },
    /// After a slab's last object, or before its first.
    SlabTail {
        /// The slab.
        slab: SlabId,
    },
    /// RAM that is no slab's.
    Ram,
    /// Nothing: a page fault.
    Unmapped,
    /// Not an address: a general protection fault.
    NonCanonical,
}

impl Machine {
    /// What lies at an address.
    #[must_use]
    pub fn landing(&self, address: VirtAddr) -> Landing {
        if address.is_null() {
            return Landing::Null;
        }
        if !address.is_canonical() {
            return Landing::NonCanonical;
        }
        if !self.kernel().bytes().is_mapped(address) {
            return Landing::Unmapped;
        }
        let Some(slab) = self.kernel().slab_at(address) else { return Landing::Ram };
        let descriptor = self.kernel().slab(slab);
        let layout = &self.kernel().cache(descriptor.cache).layout;
        let offset = address.bytes_after(descriptor.base).expect("the slab holds the address");
        if offset >= descriptor.used_bytes(layout) {
            return Landing::SlabTail { slab };
        }
        // A left red zone counts to the object before it, as all between two objects does.
        let Some(offset) = offset.checked_sub(layout.red_left_pad) else { return Landing::SlabTail { slab } };
        let index = ObjectIndex::from_raw(u32::try_from(offset / layout.size).expect("at most 32767 objects"));
        match offset % layout.size {
            0 => Landing::Object { slab, index },
            delta => Landing::InsideObject { slab, index, delta },
        }
    }

    /// Where an object starts.
    #[must_use]
    pub fn object_address(&self, slab: SlabId, index: ObjectIndex) -> VirtAddr {
        let descriptor = self.kernel().slab(slab);
        let layout = &self.kernel().cache(descriptor.cache).layout;
        descriptor.base.wrapping_add(layout.object_offset(index))
    }
}
