//! How findings and repairs read, by the kernel's era: words only, no decisions.
//!
//! The texts are those of mm/slub.c in 4.19, 5.10, 6.1, 6.12 and 7.3, as recorded or read.

use crate::kernel::Telling;
use crate::report::{Bytes, Finding, Repair, Zone};

/// What is said at the end of a report, once.
pub(super) const LOCK_DEBUGGING: &str = "Disabling lock debugging due to kernel taint";

/// What stands behind `BUG NAME (taint): `.
pub(super) fn headline(finding: Finding, name: &str, told: &Telling) -> String {
    match finding {
        Finding::Overwritten { zone: Zone::SlabPadding, bytes, offset, .. } => {
            format!("Padding overwritten. {}{}", from_to(bytes), place(offset, told))
        }
        Finding::Overwritten { .. } if told.fault_first => "Object corrupt".to_owned(),
        Finding::Overwritten { zone: what, .. } => format!("{} overwritten", zone(what, told)),
        Finding::FreelistHead => "Freelist Pointer check fails".to_owned(),
        Finding::FreePointer => "Freepointer corrupt".to_owned(),
        Finding::Freechain => "Freechain corrupt".to_owned(),
        Finding::FreelistCycle => "Freelist cycle detected".to_owned(),
        Finding::NoObject { at } => format!("Invalid object pointer {at}"),
        Finding::AlreadyFree => "Object already free".to_owned(),
        Finding::OtherCache => "page slab pointer corrupt.".to_owned(),
        Finding::Disabled => "Slab disabled since SLUB metadata consistency check failed".to_owned(),
        Finding::TooManyObjects { objects, most } => format!("objects {objects} > max {most}"),
        Finding::TooManyInUse { inuse, objects } => format!("inuse {inuse} > max {objects}"),
        Finding::TooManyFreed { inuse, freed } => {
            format!("Slab has {inuse} allocated objects but {freed} are to be freed")
        }
        Finding::ChainLength { expected, found } if !told.bulk_in_words => {
            format!("Bulk Freelist count({expected}) invalid({found})")
        }
        Finding::ChainLength { expected, found } => format!("Bulk free expected {expected} objects but found {found}"),
        Finding::ObjectCount { counter, counted } => {
            format!("Wrong object count. Counter is {counter} but counted were {counted}")
        }
        Finding::ObjectsRemain { .. } if told.fault_first => "Objects remaining on __kmem_cache_shutdown()".to_owned(),
        Finding::ObjectsRemain { .. } => format!("Objects remaining in {name} on __kmem_cache_shutdown()"),
    }
}

/// The line about the first wrong byte.
pub(super) fn fault_line(what: Zone, bytes: Bytes, offset: u64, found: u8, expected: u8, told: &Telling) -> String {
    let start = if told.fault_first { format!("[{} overwritten] ", zone(what, told)) } else { info(told).to_owned() };
    format!("{start}{}{}. First byte {found:#x} instead of {expected:#x}", from_to(bytes), place(offset, told))
}

/// What stands behind `FIX NAME: `, and whether an empty line follows.
pub(super) fn repair(repair: Repair, told: &Telling) -> (String, bool) {
    match repair {
        Repair::Restored { zone: what, bytes, byte } => {
            let what = if told.names_restored { format!("{} ", restored(what, told)) } else { String::new() };
            (format!("Restoring {what}{}={byte:#x}", from_to(bytes)), !told.names_restored)
        }
        Repair::NotFreed { at } => (format!("Object at {at} not freed"), false),
        Repair::AllUsed => ("Marking all objects used".to_owned(), false),
        Repair::FreelistCleared => ("Freelist cleared".to_owned(), false),
        Repair::CountAdjusted if told.names_restored => ("Object count adjusted".to_owned(), false),
        Repair::CountAdjusted => ("Object count adjusted.".to_owned(), false),
    }
}

/// How far into its slab something lies, where a kernel says that.
fn place(offset: u64, told: &Telling) -> String {
    if told.fault_offset { format!(" @offset={offset}") } else { String::new() }
}

/// `INFO: `, where a kernel says that.
pub(super) const fn info(told: &Telling) -> &'static str {
    if told.says_info { "INFO: " } else { "" }
}

/// The flags of a slab's page, without NUMA.
pub(super) fn page_flags(is_listed: bool, told: &Telling) -> String {
    match (told.says_info, told.slab_is_a_type, is_listed) {
        (true, ..) => "0x100000000000200".to_owned(),
        (false, false, _) => "0x4000000000000200(slab|zone=1)".to_owned(),
        (false, true, true) => "0x4000000000000200(workingset|zone=1)".to_owned(),
        (false, true, false) => "0x4000000000000000(zone=1)".to_owned(),
    }
}

/// The name of some bytes.
const fn zone(zone: Zone, told: &Telling) -> &'static str {
    match (zone, told.tells_sides) {
        (Zone::LeftRedZone, true) => "Left Redzone",
        (Zone::RightRedZone, true) => "Right Redzone",
        (Zone::LeftRedZone | Zone::RightRedZone, false) => "Redzone",
        (Zone::KmallocRedZone, _) => "kmalloc Redzone",
        (Zone::AlignmentPadding, _) => "Alignment padding",
        (Zone::EndPoison, true) => "End Poison",
        (Zone::Poison | Zone::EndPoison, _) => "Poison",
        (Zone::ObjectPadding, _) => "Object padding",
        (Zone::SlabPadding, _) => "Padding",
    }
}

const fn restored(what: Zone, told: &Telling) -> &'static str {
    match what {
        Zone::SlabPadding => "slab padding",
        Zone::LeftRedZone
        | Zone::RightRedZone
        | Zone::KmallocRedZone
        | Zone::AlignmentPadding
        | Zone::Poison
        | Zone::EndPoison
        | Zone::ObjectPadding => zone(what, told),
    }
}

/// The first and the last byte.
fn from_to(bytes: Bytes) -> String {
    format!("{}-{}", bytes.at, bytes.at.wrapping_add(bytes.len - 1))
}
