//! The views above a slab: its cache, with every list that holds its slabs; and memory, with every owner of its pages.
//! They stand where map and lens stand.

mod cache;
mod memory;
mod sheaves;
mod sizes;

use super::hand::Hand;
use super::map::{Heading, MapScene};
use super::shape::{Area, Face, Point, Px, Text, Tone};
use super::{Frame, ObjectRef, View};
use slabscope_core::snapshot::SlabView;
use std::rc::Rc;

/// How far up the stage looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Depth {
    /// At a slab: the map, and the lens under it.
    #[default]
    Slab,
    /// At a cache.
    Cache,
    /// At memory.
    Memory,
}

/// A view from above.
#[derive(Clone, Debug, PartialEq)]
pub struct AboveScene {
    /// The kind of screen that it is laid out for.
    pub frame: Frame,
    /// The figure's rectangle in the frame.
    pub area: Area,
    /// The way up and down; `None` in the presenter.
    pub heading: Option<Heading>,
    /// What it shows, in a sentence.
    pub summary: String,
    /// Lines between rows.
    pub rules: Vec<(Point, Point)>,
    /// Marks: where a page ends, what stands apart.
    pub marks: Vec<(Point, Point)>,
    /// From a slab to the next one of its list.
    pub arrows: Vec<(Point, Point)>,
    /// Words beside what is drawn.
    pub texts: Vec<Text>,
    /// What is drawn.
    pub parts: Vec<Rc<Part>>,
    /// The map of the slab in hand, where there is room for it under the rows.
    pub map: Option<MapScene>,
}

/// A thing that a view from above draws.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Names it among the parts of its scene.
    pub key: u32,
    /// Where it is drawn.
    pub area: Area,
    /// How.
    pub look: PartLook,
    /// What a click takes in hand, going down to its slab.
    pub leads_to: Option<ObjectRef>,
    /// Whether it holds the object in hand.
    pub here: bool,
    /// Words on it and over it.
    pub texts: Vec<Text>,
    /// All of that in words.
    pub label: String,
}

/// How a part looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PartLook {
    /// A slab: full as far as its objects are in use, in px.
    Slab {
        /// The full part.
        full: Px,
    },
    /// A slab's pages, or others of the cache in hand.
    Own,
    /// Pages of another owner; a place of a sheaf that holds nothing.
    Other,
    /// Free pages; a place of a sheaf that holds an object.
    Hollow,
    /// A sheaf: places next to each other, the first ones filled.
    Sheaf {
        /// Places.
        capacity: u32,
        /// Those that hold an object.
        filled: u32,
        /// From one to the next.
        pitch: Px,
        /// Whether the last filled one is marked: it is the next out.
        marks_top: bool,
    },
    /// Free pages that a CPU keeps for itself.
    Waiting,
    /// A count of what is free.
    Count,
}

pub(super) fn scene(view: &View, depth: Depth) -> AboveScene {
    match depth {
        Depth::Memory => memory::scene(view),
        Depth::Cache | Depth::Slab => cache::scene(view),
    }
}

/// What a click on a slab takes in hand: the object in hand if it is of that slab, else its first.
fn into(view: &View, slab: &SlabView) -> Option<ObjectRef> {
    let in_hand = view.selected.filter(|object| object.slab == slab.id);
    in_hand.or_else(|| slab.objects.first().map(|object| ObjectRef { slab: slab.id, index: object.index }))
}

/// Whether a slab is the one that the map shows.
fn is_here(hand: Option<&Hand>, slab: &SlabView) -> bool {
    hand.and_then(|hand| hand.slab).is_some_and(|open| open.id == slab.id)
}

/// Over a slab's bar: its name, and at its right end how many of its objects are in use, each with its size.
fn over_bar(area: Area, baseline: Px, name: (&str, Px), share: (&str, Px)) -> Vec<Text> {
    let name = Text::plain(area.x, baseline, name.0, name.1, Tone::Ink).in_face(Face::Bold);
    let share = Text::plain(0.0, baseline, share.0, share.1, Tone::Quiet).in_face(Face::Mono);
    let at = Point { x: area.right() - share.width(), ..share.at };
    vec![name, Text { at, ..share }]
}

/// What a slab is called: it keeps the name as long as it has its pages.
fn slab_name(slab: &SlabView) -> String {
    format!("S{}", slab.id.raw())
}
