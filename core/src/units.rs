//! The numbers of the allocator, each with its space in its type.
//!
//! A kernel address, a page frame number, an object's index and a cache's id are all integers and must
//! never be mistaken for one another, so each is a newtype. This is also the one place that converts to
//! `usize`: stored values are `u32` and `u64`, the same on a 64-bit host and on wasm32.

use core::fmt;
use core::num::NonZeroU32;

/// Bytes in a page (x86-64).
pub const PAGE_SIZE: u64 = 4096;
/// Binary logarithm of [`PAGE_SIZE`].
pub const PAGE_SHIFT: u32 = 12;
/// Where the direct map of physical memory starts (x86-64, four-level paging, no KASLR).
pub const PAGE_OFFSET: u64 = 0xffff_8880_0000_0000;
/// Where the array of `struct page` starts (x86-64, four-level paging, no KASLR).
pub const VMEMMAP_BASE: u64 = 0xffff_ea00_0000_0000;
/// `sizeof(struct page)` on x86-64.
pub const STRUCT_PAGE_SIZE: u64 = 64;

const _: () = assert!(usize::BITS >= 32, "a u32 must fit a usize on every target");

/// Converts a 32-bit number to an index.
#[must_use]
#[inline]
#[expect(clippy::as_conversions, reason = "the one place; the const assert above proves it lossless")]
pub const fn index_from(value: u32) -> usize {
    value as usize
}

/// Converts a length or index of something held in memory to `u32`.
///
/// # Panics
/// When the value is over `u32::MAX`: nothing in this crate holds that many things.
#[must_use]
#[inline]
pub fn count_from(value: usize) -> u32 {
    u32::try_from(value).expect("nothing here holds 2^32 things")
}

/// A kernel virtual address, of whatever quality: it may be unmapped, misaligned or non-canonical.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct VirtAddr(u64);

impl VirtAddr {
    /// The null pointer.
    pub const NULL: Self = Self(0);
    /// What `kmalloc(0)` returns (`ZERO_SIZE_PTR`, include/linux/slab.h).
    pub const ZERO_SIZE_PTR: Self = Self(16);

    /// An address from its 64 bits.
    #[must_use]
    #[inline]
    pub const fn from_raw(raw: u64) -> Self {
        Self(raw)
    }

    /// The 64 bits.
    #[must_use]
    #[inline]
    pub const fn raw(self) -> u64 {
        self.0
    }

    /// Whether this is the null pointer.
    #[must_use]
    #[inline]
    pub const fn is_null(self) -> bool {
        self.0 == 0
    }

    /// Whether `kfree` takes this for "nothing" (`ZERO_OR_NULL_PTR`).
    #[must_use]
    #[inline]
    pub const fn is_zero_or_null(self) -> bool {
        self.0 <= 16
    }

    /// The address `bytes` further on. Wraps as the processor's addition does.
    #[must_use]
    #[inline]
    pub const fn wrapping_add(self, bytes: u64) -> Self {
        Self(self.0.wrapping_add(bytes))
    }

    /// The address `bytes` before. Wraps as the processor's subtraction does.
    #[must_use]
    #[inline]
    pub const fn wrapping_sub(self, bytes: u64) -> Self {
        Self(self.0.wrapping_sub(bytes))
    }

    /// How many bytes `self` lies after `start`; `None` when it lies before.
    #[must_use]
    #[inline]
    pub const fn bytes_after(self, start: Self) -> Option<u64> {
        self.0.checked_sub(start.0)
    }

    /// Whether bits 63 to 47 are all equal (four-level paging): other addresses fault with #GP.
    #[must_use]
    #[inline]
    pub const fn is_canonical(self) -> bool {
        let high = self.0 >> 47;
        high == 0 || high == 0x1_ffff
    }

    /// The page frame behind this address if it lies in the direct map, however much RAM there is.
    #[must_use]
    #[inline]
    pub const fn pfn(self) -> Option<Pfn> {
        match self.0.checked_sub(PAGE_OFFSET) {
            Some(offset) if offset >> 46 == 0 => Some(Pfn(offset >> PAGE_SHIFT)),
            _ => None,
        }
    }
}

impl fmt::Debug for VirtAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VirtAddr(0x{:016x})", self.0)
    }
}

impl fmt::Display for VirtAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:016x}", self.0)
    }
}

/// A page frame number: the index of a page of physical memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pfn(u64);

impl Pfn {
    /// A frame from its number.
    #[must_use]
    #[inline]
    pub const fn from_raw(raw: u64) -> Self {
        Self(raw)
    }

    /// The frame's number.
    #[must_use]
    #[inline]
    pub const fn raw(self) -> u64 {
        self.0
    }

    /// The address of the frame's first byte in the direct map.
    #[must_use]
    #[inline]
    pub const fn address(self) -> VirtAddr {
        VirtAddr(PAGE_OFFSET.wrapping_add(self.0 << PAGE_SHIFT))
    }

    /// The frame `pages` further on.
    #[must_use]
    #[inline]
    pub const fn offset(self, pages: u64) -> Self {
        Self(self.0 + pages)
    }

    /// The address of the frame's `struct page`.
    #[must_use]
    #[inline]
    pub const fn struct_page(self) -> VirtAddr {
        VirtAddr(VMEMMAP_BASE.wrapping_add(self.0.wrapping_mul(STRUCT_PAGE_SIZE)))
    }
}

/// The size of a block of pages: 2^order of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Order(u32);

impl Order {
    /// The largest order that the buddy allocator has (`MAX_ORDER - 1` up to 6.3, `MAX_PAGE_ORDER` now).
    pub const MAX: Self = Self(10);

    /// An order from its exponent.
    #[must_use]
    #[inline]
    pub const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    /// The exponent.
    #[must_use]
    #[inline]
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// Pages in the block.
    #[must_use]
    #[inline]
    pub const fn pages(self) -> u64 {
        1 << self.0
    }

    /// Bytes in the block.
    #[must_use]
    #[inline]
    pub const fn bytes(self) -> u64 {
        PAGE_SIZE << self.0
    }

    /// The smallest order whose block holds `bytes` (`get_order`).
    #[must_use]
    pub const fn holding(bytes: u64) -> Self {
        let mut order = 0;
        while order < 51 && (PAGE_SIZE << order) < bytes {
            order += 1;
        }
        Self(order)
    }
}

/// What an item of a [`Numbered`](crate::numbered::Numbered) list is found by.
pub trait Id {
    /// Its place.
    fn place(self) -> usize;
}

/// A number counts from 0.
impl Id for u32 {
    #[inline]
    fn place(self) -> usize {
        index_from(self)
    }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        // One more than the number, so that an `Option` of it takes no more room and one comparison.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// The id from its number, of which `u32::MAX` is none.
            #[must_use]
            #[inline]
            pub const fn from_raw(raw: u32) -> Self {
                Self(NonZeroU32::MIN.saturating_add(raw))
            }

            /// The number.
            #[must_use]
            #[inline]
            pub const fn raw(self) -> u32 {
                self.0.get() - 1
            }

            /// The number as an index.
            #[must_use]
            #[inline]
            pub const fn index(self) -> usize {
                index_from(self.raw())
            }
        }

        impl Id for $name {
            #[inline]
            fn place(self) -> usize {
                self.index()
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::from_raw(0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.raw())
            }
        }
    };
}

id!(
    /// A `kmem_cache`, numbered in order of creation; never given twice in one machine.
    CacheId
);
id!(
    /// A slab, numbered in order of first use; a page that comes again as a slab gets a new number.
    SlabId
);
id!(
    /// A processor.
    CpuId
);
id!(
    /// An object's place in its slab, by address: 0 is the first.
    ObjectIndex
);
id!(
    /// A place in a timeline: step 0 is the machine after boot, step n the one after n commands.
    Step
);
