//! The words that figures share: places in a list, offsets, shortened addresses, what a pointer leads to.

use super::View;
use super::hand::{name_at, slab_of};
use slabscope_core::snapshot::{Landing, ObjectState, ObjectView, SlabView, Snapshot};
use slabscope_core::units::VirtAddr;

/// `1st`, `2nd`, `3rd`, `4th` …
pub(super) fn ordinal(n: u32) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

/// `8 bytes`, `1 byte`.
pub(super) fn bytes(n: u64) -> String {
    if n == 1 { "1 byte".to_owned() } else { format!("{n} bytes") }
}

/// `+0x040`: where an object lies in its slab.
pub(super) fn offset(slab: &SlabView, address: VirtAddr) -> String {
    format!("+0x{:03x}", address.raw().wrapping_sub(slab.base.raw()))
}

/// An address, shortened to what tells it from its neighbours.
pub(super) fn short(address: VirtAddr, home: Option<&SlabView>) -> String {
    let raw = address.raw();
    let at_home = home.is_some_and(|slab| address.bytes_after(slab.base).is_some_and(|far| far < slab.order.bytes()));
    match () {
        () if raw < 0x1_0000 => format!("0x{raw:x}"),
        () if at_home => format!("0x…{:04x}", raw & 0xffff),
        () if address.is_canonical() => format!("0x…{:07x}", raw & 0xfff_ffff),
        () => format!("0x{:04x}…{:04x}", raw >> 48, raw & 0xffff),
    }
}

/// An object's name, or its number: `v`, `#5`.
pub(super) fn name_of(object: &ObjectView) -> String {
    object.name.as_ref().map_or_else(|| format!("#{}", object.index.raw()), |name| name.as_str().to_owned())
}

/// What an object is: `in use`, `free · 1st in list`, `lost: on no list`.
pub(super) fn state(object: &ObjectView) -> String {
    match object.state {
        ObjectState::InUse => "in use".to_owned(),
        ObjectState::Free { position } => format!("free · {} in list", ordinal(position)),
        ObjectState::Lost => "lost: on no list".to_owned(),
    }
}

/// What a pointer leads to: `2nd in list`, `target`, `end of list`, `not mapped`.
pub(super) fn leads_to(view: &View, snapshot: &Snapshot, to: VirtAddr, landing: Landing) -> String {
    match landing {
        Landing::Null => "end of list".to_owned(),
        Landing::Object { slab, index } => {
            let slab_view = slab_of(snapshot, slab);
            let object = slab_view.and_then(|slab| slab.objects.get(index.index()));
            match (name_at(view, to), object) {
                (Some(name), _) => name.to_owned(),
                (None, Some(ObjectView { state: ObjectState::Free { position }, .. })) => {
                    format!("{} in list", ordinal(*position))
                }
                (None, _) => format!("object {} of slab {}", index.raw(), slab.raw()),
            }
        }
        Landing::InsideObject { slab, index, delta } => {
            let object = slab_of(snapshot, slab).and_then(|slab| slab.objects.get(index.index()));
            format!("{} + {delta}", object.map_or_else(|| "an object".to_owned(), name_of))
        }
        Landing::SlabTail { .. } => "a slab’s tail".to_owned(),
        Landing::Ram => "no slab’s memory".to_owned(),
        Landing::Unmapped => "not mapped".to_owned(),
        Landing::NonCanonical => "no address".to_owned(),
    }
}

/// Cuts a text to the width it has, by what letters of its size take; nothing where not even two fit.
pub(super) fn fit(text: &str, width: f64, letter: f64) -> String {
    let count = text.chars().count();
    let width_of = |letters: usize| f64::from(u32::try_from(letters).unwrap_or(u32::MAX)) * letter;
    if width_of(count) <= width {
        return text.to_owned();
    }
    let kept = (1..count).rev().find(|kept| width_of(kept + 1) <= width).unwrap_or(0);
    if kept == 0 { String::new() } else { text.chars().take(kept).chain(['…']).collect() }
}
