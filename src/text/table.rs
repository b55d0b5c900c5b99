//! The picture as a table: M and F as libslub prints them.

use super::names::{Names, short_address};
use slabscope_core::snapshot::{Landing, ObjectState, PointerView, SlabView};

/// An object as a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// Its place in the slab.
    pub index: u32,
    /// Its address.
    pub address: String,
    /// `M` for in use, `F` for free, `-` for on no list.
    pub mark: &'static str,
    /// What it is called.
    pub name: String,
    /// Its place in the list, or whose it is.
    pub state: String,
    /// Where its free pointer leads.
    pub pointer: String,
    /// Bytes of it that were written from outside.
    pub hits: String,
}

/// A slab's objects as rows.
#[must_use]
pub fn table(names: Names<'_>, slab: &SlabView) -> Vec<TableRow> {
    let rows = slab.objects.iter().map(|object| TableRow {
        index: object.index.raw(),
        address: object.address.to_string(),
        mark: match object.state {
            ObjectState::InUse => "M",
            ObjectState::Free { .. } => "F",
            ObjectState::InSheaf { .. } => "S",
            ObjectState::Waiting => "W",
            ObjectState::Lost => "-",
        },
        name: names.of_object(object).map(ToString::to_string).unwrap_or_default(),
        state: match object.state {
            ObjectState::InUse => "in use".to_owned(),
            ObjectState::Free { position } => format!("free, {} in list", super::ordinal(position)),
            ObjectState::InSheaf { position, .. } => format!("free, {} in its sheaf", super::ordinal(position)),
            ObjectState::Waiting => "waits for a grace period".to_owned(),
            ObjectState::Lost => "free, on no list".to_owned(),
        },
        pointer: match object.state {
            ObjectState::InUse | ObjectState::InSheaf { .. } | ObjectState::Waiting => String::new(),
            ObjectState::Free { .. } | ObjectState::Lost => pointer_words(names, &object.pointer),
        },
        hits: object.hits.iter().map(|hit| format!("{} at +{}", hit.len, hit.offset)).collect::<Vec<_>>().join(", "),
    });
    rows.collect()
}

fn pointer_words(names: Names<'_>, pointer: &PointerView) -> String {
    match pointer.landing {
        Landing::Null => "end of list".to_owned(),
        Landing::Object { .. } => names.words(pointer.decoded),
        Landing::InsideObject { delta, .. } => {
            format!("{}, {delta} bytes into an object", short_address(pointer.decoded))
        }
        Landing::SlabTail { .. } | Landing::Ram => format!("{}, no object", short_address(pointer.decoded)),
        Landing::Unmapped => format!("{}, not mapped", short_address(pointer.decoded)),
        Landing::NonCanonical => format!("{}, not an address", short_address(pointer.decoded)),
    }
}
