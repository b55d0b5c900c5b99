//! The lens: the object in hand and what lies after it, by bytes.

use super::shape::{Area, HitLook, Look, Point, Px, Tone};
use super::{ObjectRef, View};
use std::rc::Rc;

/// The figure.
#[derive(Clone, Debug, PartialEq)]
pub struct LensScene {
    /// The figure's rectangle in the frame.
    pub area: Area,
    /// `a and what lies after it · 6 px = 1 byte`.
    pub heading: String,
    /// Its baseline's left end; `None` in the presenter.
    pub heading_at: Option<Point>,
    /// What it shows, in a sentence.
    pub summary: String,
    /// What it shows.
    pub body: Lens,
    /// The overflow handle; `None` where the object in hand is not in use.
    pub handle: Option<Handle>,
}

/// What the lens shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Lens {
    /// Nothing is allocated: an empty frame.
    Empty(Area),
    /// Objects, the one in hand first.
    Objects(Vec<Rc<LensObject>>),
}

/// An object in the lens.
#[derive(Clone, Debug, PartialEq)]
pub struct LensObject {
    /// Which.
    pub object: ObjectRef,
    /// Where it is drawn.
    pub area: Area,
    /// Full, hollow, dotted.
    pub look: Look,
    /// Whether its right edge is beyond the figure's: it goes on.
    pub open: bool,
    /// Its free pointer, or what lies in its place.
    pub pointer: Option<LensPointer>,
    /// Bytes that a write hit or would hit: their places, and whether they lie over a live free pointer.
    pub hits: Vec<Stretch>,
    /// Bytes that belong to no object, up to the next one.
    pub padding: Option<Area>,
    /// Breaks in the axis.
    pub breaks: Vec<LensBreak>,
    /// A length that the lens measures.
    pub measure: Option<Measure>,
    /// Its texts.
    pub texts: Vec<LensText>,
    /// Whether it is the attacker's target.
    pub target: bool,
    /// All of that in words.
    pub label: String,
}

/// A run of bytes that are hit.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// Where it is drawn.
    pub area: Area,
    /// Its part that lies over a live free pointer.
    pub over_pointer: Option<Area>,
    /// Armed or written.
    pub look: HitLook,
    /// The tag on it (`!?`, `!`): its middle; `None` where there is no room.
    pub tag_at: Option<Point>,
    /// Size of the tag's text.
    pub tag: Px,
}

/// A free pointer in the lens.
#[derive(Clone, Debug, PartialEq)]
pub struct LensPointer {
    /// Where it is drawn.
    pub area: Area,
    /// How.
    pub look: PointerLook,
    /// What stands in it; empty for the arrow mark.
    pub text: String,
    /// Whether the arrow mark stands in it.
    pub arrow: bool,
}

/// How the place of a free pointer looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointerLook {
    /// It is one.
    Live,
    /// The object is in use; the bytes are still there.
    Stale,
}

/// A cut in the axis.
#[derive(Clone, Debug, PartialEq)]
pub struct LensBreak {
    /// Where it is drawn.
    pub area: Area,
    /// `176 bytes`, drawn between two runs of dots.
    pub words: String,
}

/// A length between two places, with an arrow at both ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Its left end.
    pub from: Point,
    /// Its right end.
    pub to: Point,
    /// `24 bytes`.
    pub words: String,
}

/// A text in the lens.
#[derive(Clone, Debug, PartialEq)]
pub struct LensText {
    /// Its baseline's left end.
    pub at: Point,
    /// Its words.
    pub words: String,
    /// Its size.
    pub size: Px,
    /// Whether it is bold.
    pub bold: bool,
    /// Whether its letters are of one width.
    pub mono: bool,
    /// What it says beside its words.
    pub tone: Tone,
}

/// The overflow handle: a line at the place that is aimed at, and a grip below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    /// The line's upper end.
    pub from: Point,
    /// The line's lower end.
    pub to: Point,
    /// The grip's middle.
    pub grip: Point,
    /// Whether something is aimed at.
    pub aimed: bool,
    /// Bytes past the object's end.
    pub len: u64,
    /// The largest length that the handle reaches.
    pub max: u64,
    /// What is hit: `8 bytes: all of v’s free pointer`.
    pub value_text: String,
    /// Where the handle sticks.
    pub stops: Vec<Stop>,
    /// From lengths to px and back.
    pub axis: Axis,
}

/// A place where the handle sticks.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// Bytes past the object's end.
    pub len: u64,
    /// What ends or begins there: `v’s pointer ends`.
    pub words: String,
}

/// Turns lengths past the object's end into px and back.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Where the lengths of the runs start and end, and where they are drawn, in order.
    pub runs: Vec<AxisRun>,
}

/// A run of bytes that are drawn at one scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisRun {
    /// The first byte's distance from the object's end.
    pub from: u64,
    /// Where the run ends.
    pub to: u64,
    /// Where the first byte is drawn.
    pub x: Px,
    /// Where the run's end is drawn.
    pub right: Px,
}

pub(super) fn scene(view: &View) -> LensScene {
    let _ = view;
    todo!()
}
