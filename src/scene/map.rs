//! The map: all objects of the slab in hand, 16 a row.

use super::arrow::Arrow;
use super::shape::{Area, HitLook, Look, Point, Px};
use super::{ObjectRef, View};
use slabscope_core::units::{ObjectIndex, SlabId};
use std::rc::Rc;

/// The figure.
#[derive(Clone, Debug, PartialEq)]
pub struct MapScene {
    /// The figure's rectangle in the frame.
    pub area: Area,
    /// Its heading; `None` in the presenter.
    pub heading: Option<Heading>,
    /// What it shows, in a sentence.
    pub summary: String,
    /// The cache's slabs, where there is more than one or an object is too small to draw.
    pub bars: Vec<Rc<SlabBar>>,
    /// The objects.
    pub cells: Vec<Rc<Cell>>,
    /// Cells a row (for the arrow keys).
    pub columns: u32,
    /// The arrows.
    pub arrows: Vec<Rc<Arrow>>,
    /// Size of the text in cells.
    pub text: Px,
    /// What the map does not show, in words.
    pub note: Option<Note>,
}

/// A line of text in the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Its baseline's left end.
    pub at: Point,
    /// Its words.
    pub words: String,
}

/// The way up, and what the map shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Heading {
    /// Its baseline's left end.
    pub at: Point,
    /// Its parts, `memory` first.
    pub crumbs: Vec<Crumb>,
}

/// A part of the heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Crumb {
    /// Its words.
    pub words: String,
    /// Whether it leads up.
    pub leads_up: bool,
}

/// A slab as a bar.
#[derive(Clone, Debug, PartialEq)]
pub struct SlabBar {
    /// Which.
    pub slab: SlabId,
    /// Its first object: what a click selects.
    pub first: ObjectRef,
    /// Where it is drawn.
    pub area: Area,
    /// Its full part, in px.
    pub full: Px,
    /// The list that holds it.
    pub name: String,
    /// `14 of 16`.
    pub share: String,
    /// Whether the map below shows it.
    pub open: bool,
    /// All of that in words.
    pub label: String,
}

/// An object in the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Which; `None` for one of a slab to come.
    pub object: Option<ObjectRef>,
    /// Its place in the slab.
    pub index: ObjectIndex,
    /// Where it is drawn.
    pub area: Area,
    /// Full, hollow, dotted.
    pub look: Look,
    /// The text in it: a name, a place in the list, a dash; may be empty.
    pub text: String,
    /// Where the text's middle stands, on the baseline.
    pub text_at: Point,
    /// Whether the text is bold.
    pub bold: bool,
    /// Its free pointer.
    pub pointer: Option<CellPointer>,
    /// Bytes that a write hit or would hit.
    pub hits: Vec<CellHit>,
    /// Its ring.
    pub ring: Option<Ring>,
    /// Whether it is the attacker's target.
    pub target: bool,
    /// All of that in words: `v, free, 1st in list, +0x040`.
    pub label: String,
}

/// A free pointer in the map, at its true offset and width, 7 px or more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellPointer {
    /// Where it is drawn.
    pub area: Area,
    /// The dot where its arrow starts; `None` where no arrow is drawn.
    pub dot: Option<Point>,
}

/// Bytes that are hit, in the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellHit {
    /// Where it is drawn.
    pub area: Area,
    /// Armed or written.
    pub look: HitLook,
    /// Whether it lies over a free pointer.
    pub over_pointer: bool,
}

/// A ring around an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ring {
    /// In hand.
    Selected,
    /// Changed in this step.
    Changed,
}

pub(super) fn scene(view: &View) -> MapScene {
    let _ = view;
    todo!()
}
