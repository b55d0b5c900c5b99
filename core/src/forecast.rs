//! What comes next: the allocations to come, now or if some command were carried out first.

use crate::command::Command;
use crate::event::{AllocPath, Event, Oops};
use crate::machine::{Landing, Machine, Status};
use crate::units::{CacheId, VirtAddr, count_from};

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

/// The next `count` allocations from `cache` on the CPU that runs, after `first` if one is given. Stops after one that
/// dies. The machine itself is not touched.
#[must_use]
pub fn forecast(machine: &Machine, first: Option<&Command>, cache: CacheId, count: u32) -> Vec<Ahead> {
    let mut future = machine.clone();
    if let Some(first) = first {
        // A refused command changes nothing, so the forecast is that of the machine as it is.
        let _ = future.apply(first);
    }
    let mut ahead = Vec::new();
    while count_from(ahead.len()) < count && future.status() != Status::Hung {
        let next = allocate_in(&mut future, cache);
        let died = matches!(next, Ahead::Dies(_));
        ahead.push(next);
        if died {
            break;
        }
    }
    ahead
}

fn allocate_in(future: &mut Machine, cache: CacheId) -> Ahead {
    let (result, events) = future.probe_allocation(cache);
    let path = events.iter().rev().find_map(Event::allocated).map(|(_, path)| path);
    match (result, path) {
        (Err(oops), _) => Ahead::Dies(oops),
        (Ok(address), Some(path)) if !address.is_null() => {
            Ahead::Returns { address, landing: future.landing(address), path }
        }
        (Ok(_), _) => Ahead::Fails,
    }
}
