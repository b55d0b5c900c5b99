//! What ours would print, as facts, and comparing them with what a real kernel printed.

use super::console::{Console, DeathKind, Fact, comparable};
use super::report::{Comparison, Place, Report};
use crate::allocator::{Kernel, Recorder};
use crate::event::{Event, Oops, OopsKind, Warning};
use crate::kernel::WrongCache;
use crate::memory::Paged;

/// Stands in our texts for an address that is luck.
const ANY_ADDRESS: &str = "<any address>";

/// Compares facts in order. `at` is where what ours alone has is told.
pub(super) fn compare(report: &mut Report, theirs: &[(Fact, Place)], ours: &[Fact], at: &Place) {
    for number in 0..theirs.len().max(ours.len()) {
        let (theirs_here, ours) = (theirs.get(number), ours.get(number));
        let place = theirs_here.or(theirs.last()).map_or(at, |(_, place)| place).clone();
        let theirs = theirs_here.map(|(fact, _)| fact);
        let kind = match theirs.or(ours) {
            Some(Fact::Death { .. }) => "death",
            Some(Fact::SlabReport(_)) => "report line",
            Some(Fact::Warning { .. } | Fact::Unknown(_)) | None => "warning",
        };
        let mut comparison = Comparison::new(kind, place);
        let show = |fact: Option<&Fact>| fact.map_or_else(|| "nothing".to_owned(), ToString::to_string);
        let same = theirs.zip(ours).is_some_and(|(theirs, ours)| agree(theirs, ours));
        if same {
            comparison.same("what was printed", true, true);
        } else {
            comparison.differ("what was printed", show(theirs), show(ours));
        }
        report.close(comparison);
    }
}

/// What a kernel would print.
pub(super) fn of(kernel: &Kernel<Recorder, Paged>, events: &[Event], oops: Option<&Oops>) -> Vec<Fact> {
    let mut facts = Vec::new();
    for event in events {
        if let Event::Reported(report) = event {
            facts.extend(facts_of_report(report));
        }
        facts.extend(event.warning().and_then(|warning| fact_of_warning(kernel, warning)));
    }
    facts.extend(oops.map(fact_of_oops));
    facts
}

fn fact_of_warning(kernel: &Kernel<Recorder, Paged>, warning: Warning) -> Option<Fact> {
    let name = |cache| &kernel.cache(cache).name;
    let names_call = kernel.model().checked_wrong_cache == WrongCache::Leaked;
    let (text, function) = match warning {
        Warning::WrongCache { told: false, .. } | Warning::NotASlabPage { told: false, .. } => return None,
        Warning::WrongCache { named, owner, address, .. } if names_call => {
            let call = format!("kmem_cache_free({}, {:x})", name(named), address.raw());
            (format!("{call}: object belongs to different cache {}", name(owner)), "warn_free_bad_obj")
        }
        Warning::WrongCache { named, owner, .. } => {
            let (named, owner) = (name(named), name(owner));
            let text = format!("cache_from_obj: Wrong slab cache. {named} but object is from {owner}");
            (text, "kmem_cache_free")
        }
        Warning::NotASlabPage { named, .. } if names_call => {
            let named = named.map_or("(null)", |named| name(named));
            let call = format!("kmem_cache_free({named}, {ANY_ADDRESS})");
            (format!("{call}: object is not in a slab page"), "warn_free_bad_obj")
        }
        Warning::NotASlabPage { .. } => ("virt_to_cache: Object is not a Slab page!".to_owned(), "kmem_cache_free"),
        Warning::ObjectsRemain { cache } => {
            let text = format!("kmem_cache_destroy {}: Slab cache still has objects when called from", name(cache));
            (text, "kmem_cache_destroy")
        }
        Warning::NotALargeKmalloc { address, .. } => (format!("object pointer: {address}"), "free_large_kmalloc"),
        // The driver's requests are quiet; that memory ran out shows in what they return.
        Warning::OutOfMemory { .. } => return None,
    };
    Some(Fact::Warning { text: Some(text), function: function.to_owned() })
}
/// The lines of a report, read as the console's are.
fn facts_of_report(report: &crate::report::Report) -> Vec<Fact> {
    let mut console = Console::default();
    report.lines.iter().for_each(|line| console.line(&line.text));
    console.close();
    console.facts
}

fn fact_of_oops(oops: &Oops) -> Fact {
    let (kind, at) = match oops.kind {
        OopsKind::GeneralProtection { address } => (DeathKind::GeneralProtection(address), None),
        OopsKind::PageFault { address } => (DeathKind::PageFault(address), None),
        OopsKind::DoubleFree { line, .. } => {
            (DeathKind::Bug, Some(line.map_or_else(|| "mm/slub.c".to_owned(), |line| format!("mm/slub.c:{line}"))))
        }
        OopsKind::Usercopy => (DeathKind::Bug, Some("mm/usercopy.c".to_owned())),
        OopsKind::BadFree { .. } => (DeathKind::Bug, Some("mm/slub.c".to_owned())),
        OopsKind::Hang { .. } => (DeathKind::Stall, None),
    };
    Fact::Death { kind, at, function: Some(oops.function.to_owned()) }
}

/// Whether theirs is what ours would print. A place without a line matches every line of its file.
fn agree(theirs: &Fact, ours: &Fact) -> bool {
    match (theirs, ours) {
        (Fact::SlabReport(theirs), Fact::SlabReport(ours)) => comparable(theirs) == comparable(ours),
        (Fact::Warning { text: their_text, function: theirs }, Fact::Warning { text: our_text, function: ours }) => {
            let same_text = match (their_text, our_text) {
                (Some(theirs), Some(ours)) if ours.ends_with("when called from") => theirs.starts_with(ours.as_str()),
                (Some(theirs), Some(ours)) if ours.contains(ANY_ADDRESS) => is_alike(theirs, ours),
                _ => their_text == our_text,
            };
            same_text && theirs == ours
        }
        (
            Fact::Death { kind: their_kind, at: their_at, function: theirs },
            Fact::Death { kind: our_kind, at: our_at, function: ours },
        ) => {
            let same_place = match (their_at, our_at) {
                (Some(theirs), Some(ours)) => theirs == ours || theirs.starts_with(&format!("{ours}:")),
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            };
            their_kind == our_kind && same_place && (theirs.is_none() || theirs == ours)
        }
        _ => false,
    }
}

/// Whether a text is one of ours in which an address was left open.
fn is_alike(theirs: &str, ours: &str) -> bool {
    let Some((before, after)) = ours.split_once(ANY_ADDRESS) else { return theirs == ours };
    let address = theirs.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    address.is_some_and(|address| address.len() == 16 && address.chars().all(|digit| digit.is_ascii_hexdigit()))
}
