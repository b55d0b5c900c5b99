//! Copies between user space and the kernel: which way they go, and how the kernel tells that it refused one.

use crate::kernel::UsercopyCheck;
use crate::units::VirtAddr;
use core::fmt;
use std::rc::Rc;

/// Which way bytes are copied, as the kernel tells it of its own memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From user space to the kernel (`copy_from_user`).
    To,
    /// From the kernel to user space (`copy_to_user`).
    From,
}

impl Direction {
    /// Its word, in commands and in the kernel's report.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::To => "to",
            Self::From => "from",
        }
    }

    const fn attempt(self) -> &'static str {
        match self {
            Self::To => "overwrite",
            Self::From => "exposure",
        }
    }
}

/// A copy that the kernel refused. Its `Display` is the line that it prints.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RefusedCopy {
    /// Which way.
    pub direction: Direction,
    /// Where in the kernel.
    pub address: VirtAddr,
    /// How many bytes.
    pub len: u64,
    /// The cache of the object there, and how far the copy is into it; `None` for NULL and its like.
    pub object: Option<(Rc<str>, u64)>,
    /// How the kernel tells it.
    pub told: UsercopyCheck,
}

impl fmt::Display for RefusedCopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (attempt, word) = (self.direction.attempt(), self.direction.word());
        let Self { address, len, .. } = self;
        match (self.told, &self.object) {
            (UsercopyCheck::Object, Some((cache, _))) => {
                write!(f, "usercopy: kernel memory {attempt} attempt detected {word} {address} ({cache}) ({len} bytes)")
            }
            (UsercopyCheck::Object, None) => {
                write!(f, "usercopy: kernel memory {attempt} attempt detected {word} {address} (<null>) ({len} bytes)")
            }
            (UsercopyCheck::Window | UsercopyCheck::None, Some((cache, offset))) => write!(
                f,
                "usercopy: Kernel memory {attempt} attempt detected {word} SLUB object '{cache}' (offset {offset}, \
                 size {len})!"
            ),
            (UsercopyCheck::Window | UsercopyCheck::None, None) => write!(
                f,
                "usercopy: Kernel memory {attempt} attempt detected {word} null address (offset {}, size {len})!",
                address.raw()
            ),
        }
    }
}
