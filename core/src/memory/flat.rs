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

impl Bytes for Flat {
    #[inline]
    fn read_u64(&self, at: VirtAddr) -> Result<u64, Fault> {
        let range = self.range(at, 8).map_err(|(fault, _)| fault)?;
        Ok(u64::from_le_bytes(*self.bytes[range].first_chunk().expect("8 bytes")))
    }

    #[inline]
    fn write_u64(&mut self, at: VirtAddr, value: u64) -> Result<(), Fault> {
        let range = self.range(at, 8).map_err(|(fault, _)| fault)?;
        self.bytes[range].copy_from_slice(&value.to_le_bytes());
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
