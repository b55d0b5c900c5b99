//! A free pointer in its place: how it is stored, and how a chain of them is walked.
//!
//! ```text
//! stored = ptr                               no CONFIG_SLAB_FREELIST_HARDENED
//! stored = ptr ^ random ^ address            4.14 to 5.6
//! stored = ptr ^ random ^ swab64(address)    5.7 and later
//! ```
//! `address` is that of the word itself. Decoding is the same exclusive or (`freelist_ptr`, mm/slub.c).

use crate::kernel::PointerEncoding;
use crate::memory::{Bytes, Fault};
use crate::units::VirtAddr;

/// How a cache stores its free pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PointerCode {
    /// The form.
    pub encoding: PointerEncoding,
    /// `s->random`; 0 where pointers are not hidden.
    pub random: u64,
}

impl PointerCode {
    /// What is added, exclusively, to a pointer stored at `at`.
    #[must_use]
    #[inline(always)]
    pub const fn mask(&self, at: VirtAddr) -> u64 {
        match self.encoding {
            PointerEncoding::Plain => 0,
            PointerEncoding::Xor => self.random ^ at.raw(),
            PointerEncoding::XorSwapped => self.random ^ at.raw().swap_bytes(),
        }
    }

    /// The word that stores `pointer` at `at`.
    #[must_use]
    #[inline(always)]
    pub const fn encode(&self, pointer: VirtAddr, at: VirtAddr) -> u64 {
        match self.encoding {
            PointerEncoding::Plain => pointer.raw(),
            PointerEncoding::Xor | PointerEncoding::XorSwapped => pointer.raw() ^ self.mask(at),
        }
    }

    /// The pointer that the word `stored` at `at` is taken for.
    #[must_use]
    #[inline(always)]
    pub const fn decode(&self, stored: u64, at: VirtAddr) -> VirtAddr {
        // Plain apart from the others: nothing is to be looked up for it.
        VirtAddr::from_raw(match self.encoding {
            PointerEncoding::Plain => stored,
            PointerEncoding::Xor | PointerEncoding::XorSwapped => stored ^ self.mask(at),
        })
    }

    /// Calls `with` with this code, its form known where it is called: a loop in there need not ask for it each time.
    #[inline(always)]
    pub fn by_form(self, with: impl FnOnce(Self)) {
        match self.encoding {
            PointerEncoding::Plain => with(Self { encoding: PointerEncoding::Plain, ..self }),
            PointerEncoding::Xor => with(Self { encoding: PointerEncoding::Xor, ..self }),
            PointerEncoding::XorSwapped => with(Self { encoding: PointerEncoding::XorSwapped, ..self }),
        }
    }

    /// The pointer stored at `at`.
    ///
    /// # Errors
    /// Where the word is not mapped.
    #[inline]
    pub fn read(&self, bytes: &impl Bytes, at: VirtAddr) -> Result<VirtAddr, Fault> {
        Ok(self.decode(bytes.read_u64(at)?, at))
    }

    /// Stores `pointer` at `at`.
    ///
    /// # Errors
    /// Where the word is not mapped.
    #[inline]
    pub fn write(&self, bytes: &mut impl Bytes, at: VirtAddr, pointer: VirtAddr) -> Result<(), Fault> {
        bytes.write_u64(at, self.encode(pointer, at))
    }
}

/// Finds out that a walk repeats itself, in constant space: Brent's teleporting turtle (1980).
#[derive(Clone, Copy, Debug)]
pub struct LoopGuard {
    turtle: VirtAddr,
    power: u64,
    steps: u64,
}

impl LoopGuard {
    /// A walk that begins at `start`.
    #[must_use]
    pub const fn new(start: VirtAddr) -> Self {
        Self { turtle: start, power: 1, steps: 0 }
    }

    /// Whether the walk, now at `here`, has been here before; told at the latest after thrice the loop and its way in.
    pub fn repeats_at(&mut self, here: VirtAddr) -> bool {
        if here == self.turtle {
            return true;
        }
        self.steps += 1;
        if self.steps == self.power {
            self.turtle = here;
            self.power *= 2;
            self.steps = 0;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors of commit 1ad53d9fa3f6, and one with the pointer in the middle (slub-semantics 5.1).
    #[test]
    fn vectors() {
        let at = VirtAddr::from_raw;
        let old = PointerCode { encoding: PointerEncoding::Xor, random: 0x8652_8eb6_56b3_b59d };
        let new = PointerCode { encoding: PointerEncoding::XorSwapped, ..old };
        assert_eq!(old.encode(at(0xffff_90c2_2e01_9020), at(0xffff_90c2_2e01_9000)), 0x8652_8eb6_56b3_b5bd);
        let rows = [
            (0x9000, 0x9020, 0x793d_1135_d52c_da42),
            (0x9020, 0x9040, 0x593d_1135_d52c_da22),
            (0x9040, 0x9060, 0x393d_1135_d52c_da02),
            (0x9060, 0x9080, 0x193d_1135_d52c_dae2),
            (0x9080, 0x90a0, 0xf93d_1135_d52c_dac2),
        ];
        for (word, next, stored) in rows {
            let base = 0xffff_9eed_6e01_0000;
            assert_eq!(new.encode(at(base + next), at(base + word)), stored, "word at {word:x}");
            assert_eq!(new.decode(stored, at(base + word)), at(base + next));
        }
        let own = PointerCode { encoding: PointerEncoding::XorSwapped, random: 0x1122_3344_5566_7788 };
        assert_eq!(own.encode(at(0xffff_8880_04a3_c040), at(0xffff_8880_04a3_c020)), 0xce1d_18c0_d14d_4837);
        assert_eq!(own.encode(VirtAddr::NULL, at(0xffff_8880_04a3_cfe0)), 0xf1ed_9040_d5ee_8877);
    }

    #[test]
    fn a_walk_that_repeats_is_found() {
        for (way_in, length) in (0_u64..12).flat_map(|way_in| (1_u64..12).map(move |length| (way_in, length))) {
            let next = |at: u64| if at + 1 < way_in + length { at + 1 } else { way_in };
            let mut here = 0;
            let mut guard = LoopGuard::new(VirtAddr::from_raw(here));
            let steps = (1..200)
                .find(|_| {
                    here = next(here);
                    guard.repeats_at(VirtAddr::from_raw(here))
                })
                .expect("a loop");
            assert!(steps <= 3 * (way_in + length) + 1, "way in {way_in}, loop {length}: {steps} steps");
        }
    }
}
