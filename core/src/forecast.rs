//! What comes next: the allocations to come, now or if some command were carried out first.

use crate::command::Command;
use crate::event::{AllocPath, Oops};
use crate::machine::Machine;
use crate::snapshot::Landing;
use crate::units::{CacheId, VirtAddr};

/// One allocation to come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// It returns this.
    Returns {
        /// The address.
        address: VirtAddr,
        /// What lies there, before the allocation.
        landing: Landing,
        /// How it is found.
        path: AllocPath,
    },
    /// It returns NULL.
    Fails,
    /// It dies.
    Dies(Oops),
}

/// The next `count` allocations from `cache` on CPU 0, after `first` if one is given. Stops after one that dies.
#[must_use]
pub fn forecast(machine: &Machine, first: Option<&Command>, cache: CacheId, count: u32) -> Vec<Ahead> {
    let _ = (machine, first, cache, count);
    todo!()
}
