//! What is drawn: snapshots turned into placed shapes, with no Yew and no browser.

mod above;
mod arrow;
mod elsewhere;
mod hand;
mod measure;
mod route;
mod words;

mod lens;
mod map;
mod next_out;
mod shape;

pub use above::{AboveScene, Depth, Part, PartLook};
pub use arrow::{Arrow, ArrowKind, Flag, Tip};
pub use elsewhere::{ElsewhereBox, ElsewhereScene, OtherName, Sort};
pub use lens::{
    Axis, AxisRun, Handle, Lens, LensBreak, LensObject, LensPointer, LensScene, Measure, PointerLook, Stop, Stretch,
    Track, ZoneBox, ZoneKind, zone_after,
};
pub use map::{Cell, CellHit, CellPointer, Crumb, Heading, MapScene, Note, SlabBar};
pub use next_out::{Link, NextBox, NextOutScene, NextTone};
pub use shape::{Area, Change, Face, HitLook, Look, Point, Px, Text, Tone};

use crate::session::Aim;
use slabscope_core::command::Name;
use slabscope_core::machine::Machine;
use slabscope_core::snapshot::Snapshot;
use slabscope_core::units::{CacheId, ObjectIndex, SlabId, VirtAddr};

/// An object, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ObjectRef {
    /// Its slab.
    pub slab: SlabId,
    /// Which.
    pub index: ObjectIndex,
}

/// Bytes of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ByteRange {
    /// The first one's address.
    pub at: VirtAddr,
    /// How many.
    pub len: u64,
}

impl ByteRange {
    /// Whether both have a byte.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        let (start, other_start) = (self.at.raw(), other.at.raw());
        start < other_start.saturating_add(other.len) && other_start < start.saturating_add(self.len)
    }
}

/// The kind of screen that a scene is laid out for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Frame {
    /// 1280 px wide, 700 px high or more.
    Wide,
    /// 1280 px wide, under 700 px high: the 600-line browser window of a 720-line projector.
    Short,
    /// Under 600 px wide: one object a row.
    Narrow {
        /// Width of the viewport in px, 320 or more.
        width: u32,
    },
    /// The presenter.
    Presenter,
}

/// What scenes are made from.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The machine at the cursor (for forecasts and blasts).
    pub machine: &'a Machine,
    /// Its snapshot.
    pub snapshot: &'a Snapshot,
    /// The snapshot as it would be if the aim were written (see [`after`]).
    pub after: Option<&'a Snapshot>,
    /// The snapshot one step before, for `chg` rings.
    pub before: Option<&'a Snapshot>,
    /// The cache in hand: its next allocations are forecast, and its slab is mapped where no object is in hand.
    pub cache: Option<CacheId>,
    /// The object in hand.
    pub selected: Option<ObjectRef>,
    /// The overflow that is aimed at or armed.
    pub aim: Option<&'a Aim>,
    /// Bytes that a line of the log speaks of: they are ringed.
    pub lit: Option<ByteRange>,
    /// The name of the attacker's target, if the script has one.
    pub target: Option<&'a Name>,
    /// Whether every arrow is drawn (W).
    pub whole_chain: bool,
    /// The kind of screen.
    pub frame: Frame,
}

/// The machine's snapshot as it would be if what is aimed at were written; `None` where nothing is, or where the
/// machine refuses it.
#[must_use]
pub fn after(machine: &Machine, aim: &Aim) -> Option<Snapshot> {
    let command = aim.command()?;
    let mut ahead = machine.clone();
    ahead.apply(&command).ok()?;
    Some(ahead.snapshot())
}

/// The map: all objects of the slab in hand.
#[must_use]
pub fn map(view: &View) -> MapScene {
    map::scene(view)
}

/// A view from above: of the cache in hand, or of memory.
#[must_use]
pub fn above(view: &View, depth: Depth) -> AboveScene {
    above::scene(view, depth)
}

/// The lens: the object in hand and what lies after it, by bytes; and the overflow handle.
#[must_use]
pub fn lens(view: &View) -> LensScene {
    lens::scene(view)
}

/// Next out: what the next allocations return, in order.
#[must_use]
pub fn next_out(view: &View) -> NextOutScene {
    next_out::scene(view)
}

/// Elsewhere: the target, and where pointers lead that leave the slab.
#[must_use]
pub fn elsewhere(view: &View) -> ElsewhereScene {
    elsewhere::scene(view)
}

/// What the stage shows, in sentences.
#[must_use]
pub fn told(view: &View, depth: Depth) -> String {
    let coming = next_out(view).summary();
    if depth == Depth::Slab {
        [map(view).summary, lens(view).summary(), coming, elsewhere(view).summary()].join(" ")
    } else {
        [above(view, depth).summary, coming].join(" ")
    }
}
