//! Which parts of the kernel's interface a command asks for.

use crate::command::{Command, Gfp};
use crate::kernel::{KernelConfig, Missing, Part};

/// Whether the kernel has all parts without which `command` cannot be carried out.
pub(super) fn has_needed(config: &KernelConfig, command: &Command) -> Result<(), Missing> {
    match command {
        Command::CreateCache { args, .. } => config.has(&args.needs()),
        Command::Kmalloc { gfp, .. } | Command::Krealloc { gfp, .. } | Command::Alloc { gfp, .. } => {
            config.has(&needs(*gfp))
        }
        Command::BulkAlloc { .. } => config.has(&[(true, Part::AllocBulk)]),
        Command::BulkFree { .. } => config.has(&[(true, Part::KfreeBulk)]),
        Command::KfreeRcu { .. } => config.has(&[(true, Part::KfreeRcu)]),
        Command::DestroyCache { .. }
        | Command::Shrink { .. }
        | Command::Validate { .. }
        | Command::Cpu { .. }
        | Command::FlushCpu { .. }
        | Command::Grace
        | Command::Ksize { .. }
        | Command::Free { .. }
        | Command::Kfree { .. }
        | Command::CacheFree { .. }
        | Command::Write { .. }
        | Command::Copy { .. }
        | Command::Overflow { .. } => Ok(()),
    }
}

const fn needs(gfp: Gfp) -> [(bool, Part); 2] {
    [(gfp.reclaimable, Part::Reclaimable), (gfp.account, Part::Account)]
}
