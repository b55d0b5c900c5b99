//! What SLUB's checks found and did, as data, with the lines that a kernel prints of it.
//!
//! What is found and done is decided in [`debug`](crate::debug), and so is how it reads; here is only what passes
//! between them and everybody else.

use crate::units::{CacheId, SlabId, VirtAddr};
use core::fmt;

/// One report, as it stands in the kernel's log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Report {
    /// The cache that it names.
    pub cache: CacheId,
    /// The slab, where it is about one.
    pub slab: Option<SlabId>,
    /// The object, where it is about one.
    pub object: Option<VirtAddr>,
    /// What it says.
    pub told: Told,
    /// Its lines.
    pub lines: Vec<Line>,
}

/// A line of the kernel's log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    /// As it is printed.
    pub text: String,
    /// The bytes of memory that it speaks of, if it speaks of any.
    pub bytes: Option<Bytes>,
}

/// A range of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bytes {
    /// The first byte.
    pub at: VirtAddr,
    /// How many.
    pub len: u64,
}

/// What a report says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Told {
    /// `BUG NAME`: a check failed.
    Found(Finding),
    /// `FIX NAME`: what was done about it.
    Repaired(Repair),
    /// `SLUB NAME`: a count of the node is not what its lists come to. It is not repaired.
    Miscounted,
    /// Who allocated and freed an object; a warning stands before it.
    Tracks,
    /// `TRACE NAME`: an allocation or a free of a cache with `T`.
    Traced,
    /// `SLUB: Unable to allocate memory`: no page was to be had for a slab.
    OutOfMemory,
}

/// What a check found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finding {
    /// Bytes that nobody may write are not as they were left.
    Overwritten {
        /// Which bytes.
        zone: Zone,
        /// From the first wrong one to the last.
        bytes: Bytes,
        /// How far into its slab the first wrong one lies.
        offset: u64,
        /// The first wrong one.
        found: u8,
        /// What it should be.
        expected: u8,
    },
    /// The next object to go out is none of its slab's.
    FreelistHead,
    /// A free object's pointer leads to nothing of its slab.
    FreePointer,
    /// A link in a slab's list leads to nothing of it.
    Freechain,
    /// A slab's list has more links than the slab has objects.
    FreelistCycle,
    /// What was freed is no object.
    NoObject {
        /// What was freed.
        at: VirtAddr,
    },
    /// What was freed is free.
    AlreadyFree,
    /// What was freed is of another cache.
    OtherCache,
    /// The slab failed a check before.
    Disabled,
    /// A slab has more objects than fit.
    TooManyObjects {
        /// How many.
        objects: u32,
        /// How many of this cache fit.
        most: u64,
    },
    /// A slab has more objects in use than it has.
    TooManyInUse {
        /// How many in use.
        inuse: u32,
        /// How many it has.
        objects: u32,
    },
    /// More objects are freed than a slab has in use.
    TooManyFreed {
        /// How many it has in use.
        inuse: u32,
        /// How many are freed.
        freed: u32,
    },
    /// A chain that is freed has another length than was said.
    ChainLength {
        /// What was said.
        expected: u32,
        /// What it has.
        found: u32,
    },
    /// A slab does not count as many objects in use as its list comes to.
    ObjectCount {
        /// What it counts.
        counter: u32,
        /// What its list comes to; below zero where the list has more links than the slab has objects.
        counted: i64,
    },
    /// A cache is destroyed and has objects.
    ObjectsRemain {
        /// How many in this slab.
        objects: u32,
    },
}

/// Bytes that only the allocator writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Zone {
    /// Before the object.
    LeftRedZone,
    /// Behind the object.
    RightRedZone,
    /// What was not asked for of a kmalloc object.
    KmallocRedZone,
    /// Behind the object, up to the next word.
    AlignmentPadding,
    /// A free object, but for its last byte.
    Poison,
    /// The last byte of a free object.
    EndPoison,
    /// Behind all that is kept of an object.
    ObjectPadding,
    /// Behind the last object of a slab.
    SlabPadding,
}

/// What was done about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repair {
    /// Bytes were set to what they should be.
    Restored {
        /// Which.
        zone: Zone,
        /// From the first wrong one to the last.
        bytes: Bytes,
        /// What they are now.
        byte: u8,
    },
    /// A free was not carried out.
    NotFreed {
        /// What was freed.
        at: VirtAddr,
    },
    /// A slab gives out no more objects.
    AllUsed,
    /// A slab's list was cut off.
    FreelistCleared,
    /// A slab's count of objects in use was corrected.
    CountAdjusted,
}

impl Report {
    /// What was found, if that is what it says.
    #[must_use]
    pub const fn finding(&self) -> Option<Finding> {
        match self.told {
            Told::Found(finding) => Some(finding),
            Told::Repaired(_) | Told::Miscounted | Told::Tracks | Told::Traced | Told::OutOfMemory => None,
        }
    }

    /// How often the kernel's own tests count it: findings, repairs and wrong counts once each, and each object that
    /// remains in a destroyed cache.
    #[must_use]
    pub const fn count(&self) -> u32 {
        match self.told {
            Told::Found(Finding::ObjectsRemain { objects }) => 1 + objects,
            Told::Found(_) | Told::Repaired(_) | Told::Miscounted => 1,
            Told::Tracks | Told::Traced | Told::OutOfMemory => 0,
        }
    }
}

impl fmt::Display for Finding {
    /// In a few words, the same for every kernel.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overwritten { zone, .. } => write!(f, "{zone} overwritten"),
            Self::FreelistHead => f.write_str("the next object is none of its slab’s"),
            Self::FreePointer => f.write_str("a free pointer leads out of its slab"),
            Self::Freechain => f.write_str("a slab’s list leads out of the slab"),
            Self::FreelistCycle => f.write_str("a slab’s list loops"),
            Self::NoObject { .. } => f.write_str("what was freed is no object"),
            Self::AlreadyFree => f.write_str("what was freed is free already"),
            Self::OtherCache => f.write_str("what was freed is of another cache"),
            Self::Disabled => f.write_str("the slab failed a check before"),
            Self::TooManyObjects { .. } => f.write_str("a slab has more objects than fit"),
            Self::TooManyInUse { .. } => f.write_str("a slab has more in use than it has"),
            Self::TooManyFreed { .. } => f.write_str("more is freed than the slab has in use"),
            Self::ChainLength { .. } => f.write_str("the freed chain has another length"),
            Self::ObjectCount { .. } => f.write_str("a slab’s count is not its list’s length"),
            Self::ObjectsRemain { .. } => f.write_str("objects remain in a destroyed cache"),
        }
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LeftRedZone => "left red zone",
            Self::RightRedZone => "right red zone",
            Self::KmallocRedZone => "kmalloc red zone",
            Self::AlignmentPadding => "alignment padding",
            Self::Poison => "poison",
            Self::EndPoison => "end of the poison",
            Self::ObjectPadding => "object padding",
            Self::SlabPadding => "slab padding",
        })
    }
}
