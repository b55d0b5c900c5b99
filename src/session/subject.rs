//! What a step is about: the object that is in hand where nobody took one.

use super::Session;
use crate::scene::ObjectRef;
use slabscope_core::command::{Command, Name};
use slabscope_core::units::CacheId;

impl Session {
    /// The object that the next command writes to or past, else the one touched last.
    pub(super) fn worth_a_look(&self) -> Option<ObjectRef> {
        let next = self.next_command().filter(|command| is_write(command));
        next.and_then(|command| self.touched_by(command)).or_else(|| self.touched_last())
    }

    /// The object touched last. An allocation that comes of a write before it, from the cache of what was written to,
    /// shows what that write did: then it is the object that was written to.
    fn touched_last(&self) -> Option<ObjectRef> {
        let done: Vec<&Command> = self.timeline.commands().take(self.cursor().index()).collect();
        let mut newest = None;
        for command in done.into_iter().rev() {
            // To find out what a command touched is dear, and allocations before the newest one do not matter.
            if newest.is_some() && is_allocation(command) {
                continue;
            }
            let Some(object) = self.touched_by(command) else { continue };
            match (newest, self.asked(command)) {
                (None, Some(cache)) => newest = Some((object, cache)),
                (None, None) => return Some(object),
                (Some((_, cache)), _)
                    if is_write(command) && self.slab(object).is_some_and(|slab| slab.cache == cache) =>
                {
                    return Some(object);
                }
                (Some(_), _) => break,
            }
        }
        newest.map(|(object, _)| object)
    }

    /// Where the last object lies that a command names or makes.
    fn touched_by(&self, command: &Command) -> Option<ObjectRef> {
        match command {
            Command::Write { at, .. }
            | Command::Copy { at, .. }
            | Command::Kfree { at }
            | Command::CacheFree { at, .. } => self.object_at(at),
            Command::BulkAlloc { prefix, count, .. } => {
                let last = Name::new(&format!("{prefix}{}", count.saturating_sub(1)));
                last.and_then(|name| self.place_of(&name))
            }
            _ => names_in(command).into_iter().rev().find_map(|name| self.place_of(name)),
        }
    }

    /// The cache that an allocation asks.
    fn asked(&self, command: &Command) -> Option<CacheId> {
        let machine = self.timeline.machine();
        match command {
            Command::Kmalloc { size, gfp, .. } => machine.cache_named(&machine.kmalloc_cache_name(*size, *gfp)?),
            Command::Alloc { cache, .. } | Command::BulkAlloc { cache, .. } => machine.cache_named(cache.as_str()),
            _ => None,
        }
    }
}

const fn is_allocation(command: &Command) -> bool {
    matches!(command, Command::Kmalloc { .. } | Command::Alloc { .. } | Command::BulkAlloc { .. })
}

const fn is_write(command: &Command) -> bool {
    matches!(command, Command::Overflow { .. } | Command::Write { .. })
}

/// The objects that a command names or makes.
pub(super) fn names_in(command: &Command) -> Vec<&Name> {
    match command {
        Command::Kmalloc { object, .. }
        | Command::Alloc { object, .. }
        | Command::Free { object }
        | Command::KfreeRcu { object }
        | Command::Ksize { object }
        | Command::Overflow { object, .. } => vec![object],
        Command::Krealloc { object, from, .. } => vec![from, object],
        Command::BulkFree { objects } => objects.iter().collect(),
        _ => Vec::new(),
    }
}
