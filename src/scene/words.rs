//! The words that figures share: offsets, shortened addresses, what a pointer leads to.

use super::View;
use super::hand::{name_at, names, slab_of};
use super::shape::{Face, Px};
use crate::text::{counted, ordinal};
use slabscope_core::snapshot::{Landing, ObjectState, ObjectView, SlabView, Snapshot};
use slabscope_core::units::VirtAddr;

/// `a, in use; v, free.`
pub(super) fn list<'a>(labels: impl Iterator<Item = &'a str>) -> String {
    labels.collect::<Vec<_>>().join("; ") + "."
}

/// `8 bytes`, `1 byte`.
pub(super) fn bytes(n: u64) -> String {
    counted(n, "byte")
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

/// An object's name; one in use that has none its number, `#5`; a free one where it lies, `+0x140`.
pub(super) fn name_of(view: &View, slab: &SlabView, object: &ObjectView) -> String {
    match (names(view).of_object(object), object.state) {
        (Some(name), _) => name.as_str().to_owned(),
        (None, ObjectState::InUse) => format!("#{}", object.index.raw()),
        (None, ObjectState::Free { .. } | ObjectState::InSheaf { .. } | ObjectState::Waiting | ObjectState::Lost) => {
            offset(slab, object.address)
        }
    }
}

/// What an object is: `in use`, `free · 1st in list`, `lost: on no list`.
pub(super) fn state(object: &ObjectView) -> String {
    state_with(object, " · ")
}

fn state_with(object: &ObjectView, between: &str) -> String {
    match object.state {
        ObjectState::InUse => "in use".to_owned(),
        ObjectState::Free { position } => format!("free{between}{} in list", ordinal(position)),
        ObjectState::InSheaf { position, .. } => format!("free{between}{} in its sheaf", ordinal(position)),
        ObjectState::Waiting => "waits for a grace period".to_owned(),
        ObjectState::Lost => "lost: on no list".to_owned(),
    }
}

/// An object in words, and where it lies: `v, free, 1st in list, +0x040`.
pub(super) fn label(view: &View, slab: &SlabView, object: &ObjectView, more: &str) -> String {
    let (name, at) = (name_of(view, slab, object), offset(slab, object.address));
    let state = state_with(object, ", ");
    if name == at { format!("{name}, {state}{more}") } else { format!("{name}, {state}{more}, {at}") }
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
            let named =
                slab_of(snapshot, slab).and_then(|slab| Some(name_of(view, slab, slab.objects.get(index.index())?)));
            format!("{} + {delta}", named.unwrap_or_else(|| "an object".to_owned()))
        }
        Landing::SlabTail { .. } => "a slab’s tail".to_owned(),
        Landing::Ram => "no slab’s memory".to_owned(),
        Landing::Unmapped => "not mapped".to_owned(),
        Landing::NonCanonical => "no address".to_owned(),
    }
}

/// Cuts a text to the width it has, from its front: its end is what tells it from its neighbours.
pub(super) fn fit_end(text: &str, width: Px, face: Face, size: Px) -> String {
    if face.width(text, size) <= width {
        return text.to_owned();
    }
    let starts = text.char_indices().skip(1).map(|(at, _)| format!("…{}", &text[at..]));
    starts.into_iter().find(|cut| face.width(cut, size) <= width).unwrap_or_default()
}

/// Cuts a text to the width it has; nothing where not even one letter of it fits.
pub(super) fn fit(text: &str, width: Px, face: Face, size: Px) -> String {
    if face.width(text, size) <= width {
        return text.to_owned();
    }
    let mut kept: Vec<char> = text.chars().collect();
    while kept.pop().is_some() && !kept.is_empty() {
        let cut: String = kept.iter().chain(&['…']).collect();
        if face.width(&cut, size) <= width {
            return cut;
        }
    }
    String::new()
}
