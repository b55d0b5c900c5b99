//! The machine around the allocator: names, a ledger of who has what, and one door for every change.

use crate::command::{Command, Name};
use crate::event::Event;
use crate::kernel::{ConfigError, KernelConfig};
use crate::layout::LayoutError;
use crate::luck::Seed;
use crate::outcome::Verdict;
use crate::snapshot::{Landing, Snapshot};
use crate::units::{CacheId, VirtAddr};
use core::fmt;

/// Whether the machine still runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It runs.
    Running,
    /// An oops killed the task that was running. The next command runs in another one; what was done stays done.
    TaskKilled,
    /// A CPU walks a list for ever. No command gets through.
    Hung,
}

/// What a command did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// What happened, in order. An oops is the last.
    pub events: Vec<Event>,
    /// What the last allocation returned; `None` where nothing was allocated or nothing returned.
    pub returned: Option<VirtAddr>,
}

/// A command that was not carried out; nothing changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No object has this name.
    UnknownObject(Name),
    /// No cache has this name.
    UnknownCache(Name),
    /// A cache has this name already.
    CacheExists(Name),
    /// No kernel makes such a cache.
    Layout(LayoutError),
    /// The machine hangs.
    Hung,
    /// A write of no bytes, or of more than the model takes at once.
    WriteLength {
        /// The length asked for.
        len: u64,
    },
    /// A bulk call of no objects, or of more than the model takes at once.
    BulkCount {
        /// The count asked for.
        count: u32,
    },
    /// An allocation that no kernel makes: over 4 MiB.
    TooLarge {
        /// The size asked for.
        size: u64,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownObject(name) => {
                write!(f, "no object is named `{name}`: allocate it first, as in `{name} = kmalloc 64`")
            }
            Self::UnknownCache(name) => {
                write!(f, "no cache is named `{name}`: create it first, as in `cache {name} 64`")
            }
            Self::CacheExists(name) => write!(f, "a cache named `{name}` exists already"),
            Self::Layout(error) => error.fmt(f),
            Self::Hung => f.write_str("the machine hangs: step back"),
            Self::WriteLength { len } => write!(f, "a write of {len} bytes: 1 to {}", Machine::MAX_WRITE),
            Self::BulkCount { count } => write!(f, "{count} objects at once: 1 to {}", Machine::MAX_BULK),
            Self::TooLarge { size } => write!(f, "kmalloc of {size} bytes: at most 4194304 (4 MiB)"),
        }
    }
}

impl core::error::Error for Refusal {}

/// A kernel that runs, and what its users did with it.
#[derive(Clone, Debug)]
pub struct Machine {}

impl Machine {
    /// The longest write of one command.
    pub const MAX_WRITE: u64 = 1 << 20;
    /// The most objects of one bulk call.
    pub const MAX_BULK: u32 = 4096;

    /// Boots the kernel that `config` chooses.
    ///
    /// # Errors
    /// Where no such kernel exists.
    pub fn boot(config: &KernelConfig, luck: Seed) -> Result<Self, ConfigError> {
        let _ = (config, luck);
        todo!()
    }

    /// Carries out a command. The only door for a change.
    ///
    /// # Errors
    /// A refusal: nothing changed.
    pub fn apply(&mut self, command: &Command) -> Result<Applied, Refusal> {
        let _ = command;
        todo!()
    }

    /// The read model.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        todo!()
    }

    /// Whether it still runs.
    #[must_use]
    pub fn status(&self) -> Status {
        todo!()
    }

    /// A hash of everything that the machine is: bytes, lists, names, luck. Equal on every host.
    #[must_use]
    pub fn digest(&self) -> u64 {
        todo!()
    }

    /// What lies at an address.
    #[must_use]
    pub fn landing(&self, address: VirtAddr) -> Landing {
        let _ = address;
        todo!()
    }

    /// The cache of this name.
    #[must_use]
    pub fn cache_named(&self, name: &str) -> Option<CacheId> {
        let _ = name;
        todo!()
    }

    /// The name of the cache that serves `kmalloc(size)` with these gfp words; `None` where pages do.
    #[must_use]
    pub fn kmalloc_cache_name(&self, size: u64, gfp: crate::command::Gfp) -> Option<std::rc::Rc<str>> {
        let _ = (size, gfp);
        todo!()
    }

    /// `/proc/slabinfo`.
    #[must_use]
    pub fn slabinfo(&self) -> String {
        todo!()
    }

    /// What the commands so far came to; `None` where nothing went out of bounds.
    #[must_use]
    pub fn verdict(&self) -> Option<&Verdict> {
        todo!()
    }
}
