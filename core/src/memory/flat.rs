//! Memory in one piece: nothing is shared, an access is an index. For benchmarks and for replaying recordings.

use super::{Bytes, Fault};
use crate::units::{PAGE_OFFSET, PAGE_SIZE, VirtAddr, index_from};

/// RAM from frame 0 on, all of it held. The host gives a page only once it is written.
#[derive(Clone, Debug)]
pub struct Flat {
    bytes: Vec<u8>,
}

const PAGE: usize = 4096;

impl Flat {
    /// `ram` pages of RAM.
    #[must_use]
    pub fn new(ram: u32) -> Self {
        Self { bytes: vec![0; index_from(ram) * PAGE] }
    }

    /// Pages of RAM.
    #[must_use]
    pub fn pages(&self) -> u32 {
        crate::units::count_from(self.bytes.len() / PAGE)
    }

    /// Where `len` bytes from `at` on are, or the fault at the first that is nowhere, and how many came before it.
    #[inline]
    fn range(&self, at: VirtAddr, len: usize) -> Result<core::ops::Range<usize>, (Fault, core::ops::Range<usize>)> {
        let Some(start) = byte_index(at) else { return Err((Fault::at(at), 0..0)) };
        let all = self.bytes.len();
        match start.checked_add(len) {
            Some(end) if end <= all => Ok(start..end),
            _ if start < all => {
                let end = VirtAddr::from_raw(PAGE_OFFSET).wrapping_add(u64::from(self.pages()) * PAGE_SIZE);
                Err((Fault::at(end), start..all))
            }
            _ => Err((Fault::at(at), 0..0)),
        }
    }
}

/// The index of the byte at `at`.
#[inline(always)]
fn byte_index(at: VirtAddr) -> Option<usize> {
    usize::try_from(at.raw().wrapping_sub(PAGE_OFFSET)).ok()
}

impl Bytes for Flat {
    #[inline(always)]
    fn word(&self, at: VirtAddr) -> Option<u64> {
        let word = self.bytes.get(byte_index(at)?..)?.first_chunk()?;
        Some(u64::from_le_bytes(*word))
    }

    #[inline(always)]
    fn word_mut(&mut self, at: VirtAddr) -> Option<&mut [u8; 8]> {
        self.bytes.get_mut(byte_index(at)?..)?.first_chunk_mut()
    }

    fn copy_out(&self, at: VirtAddr, into: &mut [u8]) -> Result<(), Fault> {
        let (range, result) = split(self.range(at, into.len()));
        into[..range.len()].copy_from_slice(&self.bytes[range]);
        result
    }

    fn copy_in(&mut self, at: VirtAddr, from: &[u8]) -> Result<(), Fault> {
        let (range, result) = split(self.range(at, from.len()));
        let len = range.len();
        self.bytes[range].copy_from_slice(&from[..len]);
        result
    }

    fn fill(&mut self, at: VirtAddr, len: u64, byte: u8) -> Result<(), Fault> {
        let len = index_from(u32::try_from(len).unwrap_or(u32::MAX));
        let (range, result) = split(self.range(at, len));
        self.bytes[range].fill(byte);
        result
    }

    fn piece_mut(&mut self, at: VirtAddr, len: u64) -> Option<&mut [u8]> {
        let start = byte_index(at)?;
        let end = start.checked_add(usize::try_from(len).ok()?)?;
        self.bytes.get_mut(start..end)
    }

    fn is_mapped(&self, at: VirtAddr) -> bool {
        self.range(at, 1).is_ok()
    }
}

/// The bytes that there are, and the fault at those that are not.
fn split(
    range: Result<core::ops::Range<usize>, (Fault, core::ops::Range<usize>)>,
) -> (core::ops::Range<usize>, Result<(), Fault>) {
    match range {
        Ok(range) => (range, Ok(())),
        Err((fault, range)) => (range, Err(fault)),
    }
}
