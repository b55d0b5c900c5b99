//! The bytes: what is mapped, and what lies there.
//!
//! Only the direct map of RAM is mapped. Everything else faults: a non-canonical address with #GP, any other with a
//! page fault at the first byte that is not there. What the bytes mean is nobody's business here.

mod flat;
mod paged;

pub use flat::Flat;
pub use paged::{Page, Paged};

use crate::units::VirtAddr;

/// An access that the processor refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// #GP: bits 63 to 47 differ.
    NonCanonical(VirtAddr),
    /// #PF: nothing is mapped there.
    Unmapped(VirtAddr),
}

impl Fault {
    /// The fault that an access to an unmapped `at` takes.
    #[must_use]
    pub const fn at(at: VirtAddr) -> Self {
        if at.is_canonical() { Self::Unmapped(at) } else { Self::NonCanonical(at) }
    }
}

/// Memory as the allocator uses it. Words are little-endian and may be misaligned.
pub trait Bytes: Clone {
    /// The word at `at`, where it is at hand. Where it is not, it may be there all the same.
    fn word(&self, at: VirtAddr) -> Option<u64>;

    /// The word at `at` to be written, where it is at hand. Where it is not, it may be there all the same.
    fn word_mut(&mut self, at: VirtAddr) -> Option<&mut [u8; 8]>;

    /// The word at `at`.
    ///
    /// # Errors
    /// Where some byte of it is not mapped.
    #[inline]
    fn read_u64(&self, at: VirtAddr) -> Result<u64, Fault> {
        self.word(at).map_or_else(|| self.read_in_pieces(at), Ok)
    }

    /// Writes a word. A word that runs off mapped memory is not written at all.
    ///
    /// # Errors
    /// Where some byte of it is not mapped.
    #[inline(always)]
    fn write_u64(&mut self, at: VirtAddr, value: u64) -> Result<(), Fault> {
        match self.word_mut(at) {
            Some(word) => *word = value.to_le_bytes(),
            None => return self.write_in_pieces(at, value),
        }
        Ok(())
    }

    /// A word that is not at hand.
    ///
    /// # Errors
    /// As [`read_u64`](Self::read_u64).
    #[cold]
    fn read_in_pieces(&self, at: VirtAddr) -> Result<u64, Fault> {
        let mut word = [0; 8];
        self.copy_out(at, &mut word)?;
        Ok(u64::from_le_bytes(word))
    }

    /// A word that is not at hand.
    ///
    /// # Errors
    /// As [`write_u64`](Self::write_u64).
    #[cold]
    fn write_in_pieces(&mut self, at: VirtAddr, value: u64) -> Result<(), Fault> {
        self.read_in_pieces(at)?;
        self.copy_in(at, &value.to_le_bytes())
    }

    /// Copies memory from `at` on into `into`.
    ///
    /// # Errors
    /// Where some byte is not mapped; the bytes before it are copied.
    fn copy_out(&self, at: VirtAddr, into: &mut [u8]) -> Result<(), Fault>;

    /// Copies `from` to memory from `at` on.
    ///
    /// # Errors
    /// Where some byte is not mapped; the bytes before it are written.
    fn copy_in(&mut self, at: VirtAddr, from: &[u8]) -> Result<(), Fault>;

    /// Sets `len` bytes from `at` on.
    ///
    /// # Errors
    /// Where some byte is not mapped; the bytes before it are written.
    fn fill(&mut self, at: VirtAddr, len: u64, byte: u8) -> Result<(), Fault>;

    /// The `len` bytes from `at` on, if they are mapped and lie in one piece, which a page always does.
    fn piece_mut(&mut self, at: VirtAddr, len: u64) -> Option<&mut [u8]>;

    /// Whether the byte at `at` is mapped.
    fn is_mapped(&self, at: VirtAddr) -> bool;
}

/// How an access of `len` bytes at `at` falls into pages: (address, length) of each piece.
fn by_page(at: VirtAddr, len: usize) -> impl Iterator<Item = (VirtAddr, core::ops::Range<usize>)> {
    let page = crate::units::index_from(4096);
    let mut done = 0;
    core::iter::from_fn(move || {
        if done == len {
            return None;
        }
        let here = at.wrapping_add(u64::try_from(done).expect("a length"));
        let room = page - offset_in_page(here);
        let piece = room.min(len - done);
        done += piece;
        Some((here, done - piece..done))
    })
}

/// The place of an address in its page, as an index.
#[inline]
fn offset_in_page(at: VirtAddr) -> usize {
    crate::units::index_from(u32::try_from(at.raw() % crate::units::PAGE_SIZE).expect("under 4096"))
}
