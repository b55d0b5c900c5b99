//! What happened: a closed set, in the past tense, with places and values but no wording.

mod copy;

pub use copy::{Direction, RefusedCopy};

use crate::report::{Repair, Report, Told};
use crate::units::{CacheId, CpuId, Order, SlabId, VirtAddr};
use core::fmt;
use std::rc::Rc;

/// One thing that happened inside the kernel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The page allocator gave a block to a cache.
    SlabMade {
        /// The new slab.
        slab: SlabId,
        /// Its cache.
        cache: CacheId,
        /// Its first byte.
        base: VirtAddr,
        /// Its size.
        order: Order,
        /// The CPU that needed it.
        cpu: CpuId,
    },
    /// A slab's pages went back to the page allocator.
    SlabDiscarded {
        /// The slab.
        slab: SlabId,
        /// Its cache.
        cache: CacheId,
        /// Its first byte.
        base: VirtAddr,
        /// The CPU that sent it.
        cpu: CpuId,
    },
    /// An allocation returned.
    Allocated {
        /// From which cache; `None` for pages of a large kmalloc.
        cache: Option<CacheId>,
        /// What it returned.
        address: VirtAddr,
        /// How it was found.
        path: AllocPath,
    },
    /// krealloc left an object where it was.
    KeptInPlace {
        /// The object.
        address: VirtAddr,
        /// The bytes that it has room for.
        room: u64,
    },
    /// `ksize` returned.
    Sized {
        /// Of what.
        address: VirtAddr,
        /// The bytes that may be used.
        room: u64,
    },
    /// A free was carried out.
    Freed {
        /// To which cache; `None` for pages of a large kmalloc.
        cache: Option<CacheId>,
        /// What was freed.
        address: VirtAddr,
        /// Where it went.
        path: FreePath,
    },
    /// A free of NULL or of `ZERO_SIZE_PTR`, which does nothing.
    FreeIgnored {
        /// What was passed.
        address: VirtAddr,
    },
    /// `kfree_rcu` keeps an object until a grace period has passed.
    FreeDeferred {
        /// What is to be freed.
        address: VirtAddr,
    },
    /// An object that lay in a sheaf went onto its slab's list.
    Flushed {
        /// Its cache.
        cache: CacheId,
        /// The object.
        address: VirtAddr,
    },
    /// A grace period passed.
    GracePeriodPassed,
    /// A CPU's slab went back to the node, or was forgotten because it was full.
    Deactivated {
        /// The slab.
        slab: SlabId,
        /// The CPU that had it.
        cpu: CpuId,
    },
    /// A CPU's partial list overflowed to the node.
    CpuPartialDrained {
        /// The CPU.
        cpu: CpuId,
        /// Its cache.
        cache: CacheId,
        /// How many slabs went.
        slabs: u32,
    },
    /// Kernel code wrote to memory.
    Written {
        /// The first byte.
        at: VirtAddr,
        /// How many.
        len: u64,
    },
    /// SLUB's checks told something.
    Reported(Rc<Report>),
    /// Kernel memory was copied to user space.
    Exposed {
        /// The first byte.
        at: VirtAddr,
        /// How many.
        len: u64,
    },
    /// A copy from or to user space was refused; a BUG follows.
    CopyRefused(Rc<RefusedCopy>),
    /// The kernel complained and went on.
    Warned(Warning),
    /// The kernel oopsed or hung.
    Oopsed(Oops),
}

impl Event {
    /// What an allocation returned and how it was found, if that is what happened.
    #[must_use]
    pub const fn allocated(&self) -> Option<(VirtAddr, AllocPath)> {
        if let Self::Allocated { address, path, .. } = self { Some((*address, *path)) } else { None }
    }

    /// The report, if that is what happened.
    #[must_use]
    pub fn report(&self) -> Option<&Report> {
        if let Self::Reported(report) = self { Some(report) } else { None }
    }

    /// Whether a check refused to free `object`.
    #[must_use]
    pub fn refuses_free_of(&self, object: VirtAddr) -> bool {
        let Self::Reported(report) = self else { return false };
        report.told == Told::Repaired(Repair::NotFreed { at: object })
    }

    /// The complaint, if that is what happened.
    #[must_use]
    pub const fn warning(&self) -> Option<Warning> {
        if let Self::Warned(warning) = self { Some(*warning) } else { None }
    }
}

/// How an allocation found its object (the kernel's statistics have the same names).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AllocPath {
    /// The CPU's freelist.
    Fastpath,
    /// What others had freed into the CPU's slab.
    Refill,
    /// The CPU's partial list.
    CpuPartial,
    /// The node's partial list.
    NodePartial,
    /// A new slab.
    NewSlab,
    /// The CPU's main sheaf, or its spare.
    Sheaf,
    /// A full sheaf of the node's barn.
    Barn,
    /// A sheaf that was filled from the slabs for it.
    SheafRefill,
    /// Whole pages.
    Large,
    /// `kmalloc(0)`.
    ZeroSize,
}

/// Where a free put its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FreePath {
    /// Onto the CPU's freelist.
    Fastpath,
    /// Onto the CPU's main sheaf: nothing is written to the object.
    Sheaf,
    /// Onto its slab's list; nothing moved.
    Slab,
    /// Onto its slab's list, which went onto the CPU's partial list.
    CpuPartial,
    /// Onto its slab's list, which went onto the node's partial list.
    NodePartial,
    /// Onto its slab's list, and the slab, now empty, went home.
    Discarded,
    /// Whole pages.
    Large,
}

/// A complaint that stops nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Warning {
    /// `cache_from_obj`: "Wrong slab cache."
    WrongCache {
        /// The cache that was named.
        named: CacheId,
        /// The cache that the object is from.
        owner: CacheId,
        /// What was freed.
        address: VirtAddr,
        /// Whether it was printed: 7.x does so once.
        told: bool,
    },
    /// `free_large_kmalloc` of a single page: "object pointer: 0x…".
    NotALargeKmalloc {
        /// What was freed.
        address: VirtAddr,
        /// Whether its page was freed all the same.
        freed: bool,
    },
    /// `kmem_cache_free` of an address that is in no slab (`virt_to_cache`: "Object is not a Slab page!").
    NotASlabPage {
        /// The cache that was named; `None` for NULL.
        named: Option<CacheId>,
        /// What was freed.
        address: VirtAddr,
        /// Whether it was printed: once a boot.
        told: bool,
    },
    /// `kmem_cache_destroy` of a cache that has objects.
    ObjectsRemain {
        /// The cache.
        cache: CacheId,
    },
    /// No block of pages was to be had: the allocation returns NULL.
    OutOfMemory {
        /// The cache; `None` for a large kmalloc.
        cache: Option<CacheId>,
        /// The order that was asked for.
        order: Order,
    },
}

/// The end of the task that was running, or of everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Oops {
    /// What kind.
    pub kind: OopsKind,
    /// The kernel function that it happened in.
    pub function: &'static str,
}

/// What kind of end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OopsKind {
    /// `general protection fault, probably for non-canonical address`.
    GeneralProtection {
        /// The address.
        address: VirtAddr,
    },
    /// `BUG: unable to handle page fault for address`, or `kernel NULL pointer dereference` on the first page.
    PageFault {
        /// The address.
        address: VirtAddr,
    },
    /// `kernel BUG at mm/slub.c`: a freed object was the head of the list that it went onto.
    DoubleFree {
        /// The object.
        object: VirtAddr,
        /// The line, where it is known.
        line: Option<u32>,
    },
    /// `kernel BUG`: kfree of something that is neither a slab's nor a large block (`PageCompound` check, before 5.17).
    BadFree {
        /// What was freed.
        address: VirtAddr,
    },
    /// `kernel BUG at mm/usercopy.c`: a copy from or to user space was refused.
    Usercopy,
    /// A walk that never ends: the CPU is stuck.
    Hang {
        /// The link where the walk came back to where it had been.
        at: VirtAddr,
    },
}

impl fmt::Display for OopsKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GeneralProtection { address } => {
                write!(f, "general protection fault, probably for non-canonical address {:#x}", address.raw())
            }
            Self::PageFault { address } if address.raw() < 4096 => {
                write!(f, "BUG: kernel NULL pointer dereference, address: {:016x}", address.raw())
            }
            Self::PageFault { address } => {
                write!(f, "BUG: unable to handle page fault for address: {:016x}", address.raw())
            }
            Self::DoubleFree { line: Some(line), .. } => write!(f, "kernel BUG at mm/slub.c:{line}!"),
            Self::DoubleFree { line: None, .. } => f.write_str("kernel BUG at mm/slub.c!"),
            Self::BadFree { .. } => f.write_str("kernel BUG at mm/slub.c!"),
            Self::Usercopy => f.write_str("kernel BUG at mm/usercopy.c!"),
            Self::Hang { .. } => f.write_str("rcu: INFO: rcu_sched self-detected stall on CPU"),
        }
    }
}
