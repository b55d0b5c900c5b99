//! What an attack came to: five words, the same on the page, in scenarios and on the command line.

use crate::report::Finding;
use crate::units::VirtAddr;
use core::fmt;

/// The five outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// An allocation returned an address that was not the allocator's to give.
    Hijacked,
    /// The kernel oopsed or hung.
    Crashed,
    /// A check noticed.
    Caught,
    /// A write went out of bounds and hit nothing that the allocator follows, or nobody's data.
    Missed,
    /// Something was damaged and nobody has noticed.
    Silent,
}

impl Outcome {
    /// All five, worst first.
    pub const ALL: [Self; 5] = [Self::Hijacked, Self::Crashed, Self::Caught, Self::Missed, Self::Silent];

    /// The word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Hijacked => "HIJACKED",
            Self::Crashed => "CRASHED",
            Self::Caught => "CAUGHT",
            Self::Missed => "MISSED",
            Self::Silent => "SILENT",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// An outcome and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// The outcome.
    pub outcome: Outcome,
    /// Why.
    pub why: Why,
}

/// What a verdict rests on. Its `Display` is one line of at most 46 signs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// An allocation returned this object, which somebody else has.
    Returned {
        /// What was called, as in `kmalloc(64)`.
        call: String,
        /// The name of what came back, or its address.
        what: String,
    },
    /// A general protection fault at this address.
    NotCanonical(VirtAddr),
    /// A page fault at this address.
    NotMapped(VirtAddr),
    /// A walk that never ends.
    Endless,
    /// The BUG of the double-free check.
    DoubleFree,
    /// A free of something that is no object (`kfree`).
    BadFree,
    /// One of SLUB's own checks (`slub_debug=`).
    Found(Finding),
    /// A copy from or to user space that left what may be copied.
    Usercopy,
    /// "Wrong slab cache".
    WrongCache,
    /// The write ended this many bytes before the pointer.
    Short {
        /// Bytes.
        bytes: u64,
    },
    /// The write hit no free pointer.
    NoPointer,
    /// The write hit this object's data.
    Data {
        /// The object.
        object: String,
    },
    /// The write hit a free pointer that nothing has followed yet.
    Waiting,
    /// An object was handed out twice.
    Twice {
        /// The object.
        object: String,
    },
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Returned { call, what } => write!(f, "{call} returned {what}"),
            Self::NotCanonical(address) => write!(f, "{address} is no address"),
            Self::NotMapped(address) => write!(f, "{address} is not mapped"),
            Self::Endless => f.write_str("the list loops, and the walk never ends"),
            Self::DoubleFree => f.write_str("freed twice in a row: kernel BUG"),
            Self::BadFree => f.write_str("what was freed is no object: kernel BUG"),
            Self::Found(finding) => finding.fmt(f),
            Self::Usercopy => f.write_str("the copy left its window: kernel BUG"),
            Self::WrongCache => f.write_str("the object is of another cache"),
            Self::Short { bytes } => write!(f, "the write ended {bytes} bytes before the pointer"),
            Self::NoPointer => f.write_str("the write hit no free pointer"),
            Self::Data { object } => write!(f, "{object}’s data was changed, unnoticed"),
            Self::Waiting => f.write_str("the pointer is damaged; nothing followed it"),
            Self::Twice { object } => write!(f, "{object} was handed out twice"),
        }
    }
}
