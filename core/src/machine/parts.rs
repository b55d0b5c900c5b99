//! Which parts of the kernel's interface a command asks for.

use crate::command::{Command, Gfp};
use crate::kernel::Part;

/// The parts without which `command` cannot be carried out.
pub(super) fn needed(command: &Command) -> Vec<Part> {
    match command {
        Command::CreateCache { args, .. } => args.needs().collect(),
        Command::Kmalloc { gfp, .. } | Command::Krealloc { gfp, .. } | Command::Alloc { gfp, .. } => words(*gfp),
        Command::BulkAlloc { .. } => vec![Part::AllocBulk],
        Command::BulkFree { .. } => vec![Part::KfreeBulk],
        Command::KfreeRcu { .. } => vec![Part::KfreeRcu],
        Command::DestroyCache { .. }
        | Command::Shrink { .. }
        | Command::Cpu { .. }
        | Command::FlushCpu { .. }
        | Command::Grace
        | Command::Ksize { .. }
        | Command::Free { .. }
        | Command::Kfree { .. }
        | Command::CacheFree { .. }
        | Command::Write { .. }
        | Command::Copy { .. }
        | Command::Overflow { .. } => Vec::new(),
    }
}

fn words(gfp: Gfp) -> Vec<Part> {
    let words = [(gfp.reclaimable, Part::Reclaimable), (gfp.account, Part::Account)];
    words.into_iter().filter_map(|(is_set, part)| is_set.then_some(part)).collect()
}
