//! Memory in one piece: nothing is shared, an access is an index. For benchmarks and for replaying recordings.

use super::{Bytes, Fault};
use crate::units::{PAGE_OFFSET, PAGE_SIZE, VirtAddr, index_from};

/// RAM from frame 0 on, all of it held. The host gives a page only once it is written.
#[derive(Clone, Debug)]
pub struct Flat {
    bytes: Vec<u8>,
}

impl Flat {
    /// `ram` pages of RAM.
    #[must_use]
    pub fn new(ram: u32) -> Self {
        Self { bytes: vec![0; index_from(ram) * index_from(4096)] }
    }

    /// Pages of RAM.
    #[must_use]
    pub fn pages(&self) -> u32 {
        crate::units::count_from(self.bytes.len() / index_from(4096))
    }

    /// Where `len` bytes from `at` on are, or the fault at the first that is nowhere, and how many came before it.
    #[inline]
    fn range(&self, at: VirtAddr, len: usize) -> Result<core::ops::Range<usize>, (Fault, core::ops::Range<usize>)> {
        let Ok(start) = usize::try_from(at.raw().wrapping_sub(PAGE_OFFSET)) else {
            return Err((Fault::at(at), 0..0));
        };
        match start.checked_add(len) {
            Some(end) if end <= self.bytes.len() => Ok(start..end),
            _ if start < self.bytes.len() => {
                let end = VirtAddr::from_raw(PAGE_OFFSET).wrapping_add(u64::from(self.pages()) * PAGE_SIZE);
                Err((Fault::at(end), start..self.bytes.len()))
            }
            _ => Err((Fault::at(at), 0..0)),
        }
    }
}

impl Flat {
    /// The index of the byte at `at`, if there is one.
    #[inline]
    fn index(at: VirtAddr) -> Option<usize> {
        usize::try_from(at.raw().wrapping_sub(PAGE_OFFSET)).ok()
    }

    /// The fault of a word that is not all there.
    #[cold]
    fn word_fault(&self, at: VirtAddr) -> Fault {
        self.range(at, 8).map_or_else(|(fault, _)| fault, |_| Fault::at(at))
    }
}

impl Bytes for Flat {
    #[inline]
    fn read_u64(&self, at: VirtAddr) -> Result<u64, Fault> {
        let word = Self::index(at).and_then(|start| self.bytes.get(start..)?.first_chunk());
        word.map(|word| u64::from_le_bytes(*word)).ok_or_else(|| self.word_fault(at))
    }

    #[inline]
    fn write_u64(&mut self, at: VirtAddr, value: u64) -> Result<(), Fault> {
        match Self::index(at).and_then(|start| self.bytes.get_mut(start..)?.first_chunk_mut()) {
            Some(word) => *word = value.to_le_bytes(),
            None => return Err(self.word_fault(at)),
        }
        Ok(())
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
        let start = Self::index(at)?;
        self.bytes.get_mut(start..)?.get_mut(..usize::try_from(len).ok()?)
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
