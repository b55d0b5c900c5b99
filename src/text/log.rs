//! What the kernel said and did, a line each.

use super::names::address_words;
use super::ordinal::counted;
use slabscope_core::event::{Event, Warning};
use slabscope_core::snapshot::Snapshot;
use slabscope_core::timeline::Record;
use slabscope_core::units::CacheId;

/// The lines of one step: the command, then what happened.
#[must_use]
pub fn log_lines(record: &Record, snapshot: &Snapshot) -> Vec<String> {
    match &record.result {
        Ok(applied) => applied.events.iter().flat_map(|event| lines(event, snapshot)).collect(),
        Err(refusal) => vec![format!("not carried out: {refusal}")],
    }
}

/// A report is told as the kernel prints it, anything else in a line of ours.
fn lines(event: &Event, snapshot: &Snapshot) -> Vec<String> {
    let cache = |id: &CacheId| {
        let view = snapshot.caches.iter().find(|cache| cache.id == *id);
        view.map_or_else(|| format!("cache {}", id.raw()), |cache| cache.name.to_string())
    };
    let place = |address| address_words(snapshot, address);
    let line = match event {
        Event::SlabMade { cache: id, base, order, .. } => {
            format!("{}: new slab at {base}, {}", cache(id), counted(order.pages(), "page"))
        }
        Event::SlabDiscarded { cache: id, base, .. } => format!("{}: slab at {base} goes home", cache(id)),
        Event::Allocated { address, path, .. } => format!("returned {} = {address} ({path:?})", place(*address)),
        Event::Freed { address, path, .. } => format!("freed {} = {address} ({path:?})", place(*address)),
        Event::KeptInPlace { address, room } => format!("{} stays: it has room for {room} bytes", place(*address)),
        Event::Sized { address, room } => format!("ksize({}) = {room}", place(*address)),
        Event::FreeIgnored { address } => format!("kfree({address}) does nothing"),
        Event::FreeDeferred { address } => format!("{} = {address} waits for a grace period", place(*address)),
        Event::Flushed { cache: id, address } => format!("{}: {address} leaves its sheaf for its slab", cache(id)),
        Event::GracePeriodPassed => "a grace period passed".to_owned(),
        Event::Deactivated { slab, cpu } => format!("CPU {} lets slab {} go", cpu.raw(), slab.raw()),
        Event::CpuPartialDrained { cpu, cache: id, slabs } => {
            format!("{}: CPU {} gives {slabs} partial slabs to the node", cache(id), cpu.raw())
        }
        Event::Exposed { at, len } => format!("{len} bytes read at {at}, and given to user space"),
        Event::CopyRefused(refused) => refused.to_string(),
        Event::Written { at, len } => format!("{len} bytes written at {at}"),
        Event::Reported(report) => return report.lines.iter().map(|line| line.text.clone()).collect(),
        Event::Warned(warning) => warned(warning, cache),
        Event::Oopsed(oops) => format!("{} in {}", oops.kind, oops.function),
    };
    vec![line]
}

fn warned(warning: &Warning, cache: impl Fn(&CacheId) -> String) -> String {
    match warning {
        Warning::WrongCache { named, owner, .. } => {
            format!("cache_from_obj: Wrong slab cache. {} but object is from {}", cache(named), cache(owner))
        }
        Warning::NotALargeKmalloc { address } => format!("free_large_kmalloc: object pointer: {address}"),
        Warning::NotASlabPage { address, .. } => format!("virt_to_cache: Object is not a Slab page! {address}"),
        Warning::ObjectsRemain { cache: id } => {
            format!("kmem_cache_destroy {}: Slab cache still has objects", cache(id))
        }
        Warning::OutOfMemory { order, .. } => format!("page allocation failure: order:{}", order.raw()),
    }
}
