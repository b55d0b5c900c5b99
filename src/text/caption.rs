//! Captions of ticks: a command in a word or two.

use slabscope_core::command::Command;

/// A command's caption. An allocation that comes after a free or a write says `alloc`, so that what an attack gets is
/// told from what it began with; the others are the object's name alone.
#[must_use]
pub fn caption(command: &Command, is_later: bool) -> String {
    match command {
        Command::Kmalloc { object, .. } | Command::Alloc { object, .. } if is_later => format!("alloc {object}"),
        Command::Kmalloc { object, .. } | Command::Alloc { object, .. } => object.to_string(),
        Command::Overflow { object, len, .. } => format!("{object} +{len}"),
        Command::Copy { direction, at, len } => format!("copy {} {at} {len}", direction.word()),
        Command::Write { at, len, .. } => format!("{at} ={len}"),
        Command::Krealloc { object, .. } => object.to_string(),
        Command::CreateCache { cache, .. } => format!("cache {cache}"),
        Command::BulkAlloc { prefix, count, .. } => format!("{prefix} ×{count}"),
        Command::BulkFree { objects } => format!("free ×{}", objects.len()),
        Command::CacheFree { at, .. } => format!("free {at}"),
        Command::Cpu { cpu } => format!("CPU {cpu}"),
        Command::Ksize { .. }
        | Command::DestroyCache { .. }
        | Command::Shrink { .. }
        | Command::FlushCpu { .. }
        | Command::Free { .. }
        | Command::Kfree { .. }
        | Command::KfreeRcu { .. }
        | Command::Grace => command.to_string(),
    }
}
