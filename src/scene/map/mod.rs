//! The map: all objects of the slab in hand, 16 a row.

mod bars;
mod cell;
mod hops;

use super::arrow::{Arrow, Flag};
use super::hand::Hand;
use super::measure::MapSizes;
use super::route::Grid;
use super::shape::{Area, Change, HitLook, Look, Point, Px};
use super::{Depth, Frame, ObjectRef, View};
use slabscope_core::snapshot::{ObjectState, SlabList, SlabView};
use slabscope_core::units::{ObjectIndex, SlabId, count_from};
use std::rc::Rc;

/// The figure.
#[derive(Clone, Debug, PartialEq)]
pub struct MapScene {
    /// The kind of screen that it is laid out for.
    pub frame: Frame,
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
    /// The ways up and down, `memory` first.
    pub crumbs: Vec<Crumb>,
    /// What stands after them: `2 of 64 in use`.
    pub tally: String,
}

/// A part of the heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Crumb {
    /// Its words.
    pub words: String,
    /// Where it leads.
    pub to: Depth,
    /// Whether that is where the stage looks now.
    pub here: bool,
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
    /// Its size.
    pub size: Px,
    /// Whether the text is bold.
    pub bold: bool,
    /// Paper under the text, where bytes that are hit leave it no other room.
    pub plate: Option<Area>,
    /// Its free pointer.
    pub pointer: Option<CellPointer>,
    /// Bytes that a write hit or would hit.
    pub hits: Vec<CellHit>,
    /// Whether it is the object in hand.
    pub selected: bool,
    /// What this step did to it.
    pub change: Option<Change>,
    /// The place in the list that its arrow would lead to, where there is no room for the arrow.
    pub flag: Option<Flag>,
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

/// Objects of one slab over which the map draws no cells.
const MOST_CELLS: u32 = 256;

pub(super) fn scene(view: &View) -> MapScene {
    with_sizes(view, MapSizes::of(view.frame))
}

/// The map in the room between two heights, without a heading; `None` where its cells would be too low.
pub(super) fn scene_under(view: &View, top: Px, bottom: Px) -> Option<MapScene> {
    const LOWEST: Px = 18.0;
    let sizes = MapSizes::of(view.frame);
    let area = Area { y: top - 8.0, h: bottom - top + 8.0, ..sizes.area };
    let origin = Point { y: top, ..sizes.origin };
    let sizes = MapSizes { area, heading: None, origin, bottom: bottom - 12.0, draws_bars: false, ..sizes };
    let map = with_sizes(view, sizes);
    let fits = map.cells.first().is_some_and(|cell| cell.area.h >= LOWEST);
    fits.then_some(map)
}

fn with_sizes(view: &View, sizes: MapSizes) -> MapScene {
    let Some(hand) = Hand::of(view) else { return nothing(view, None, &sizes, sizes.columns * 4) };
    let Some(slab) = hand.slab else { return to_come(view, &sizes, &hand) };
    let count = count_from(slab.objects.len());
    let bars = if sizes.draws_bars { bars::bars(view, &hand, slab, &sizes) } else { Vec::new() };
    let grid = Grid::of(&sizes, count, !bars.is_empty());
    let drawn = count <= MOST_CELLS;
    let mut cells =
        if drawn { cell::cells(&cell::Context { view, hand: &hand, slab, sizes, grid }) } else { Vec::new() };
    let arrows = if drawn { hops::arrows(view, &hand, slab, &grid, &mut cells) } else { Vec::new() };
    let note = (!drawn).then(|| Note {
        at: Point { x: sizes.origin.x, y: grid.origin.y + 20.0 },
        words: format!("{count} objects are too many to draw here: the lens shows those next to each other."),
    });
    MapScene {
        frame: view.frame,
        area: fitted(&sizes, &grid, if drawn { count } else { 1 }),
        heading: sizes.heading.map(|at| heading(view, &hand, slab, at)),
        summary: summary(&hand, slab),
        bars,
        cells: cells.into_iter().map(Rc::new).collect(),
        columns: grid.columns,
        arrows,
        note,
    }
}

/// Before anything is allocated: no cache is in hand.
fn nothing(view: &View, hand: Option<&Hand>, sizes: &MapSizes, count: u32) -> MapScene {
    let grid = Grid::of(sizes, count, false);
    let crumbs = crumbs(view, hand, Depth::Slab);
    MapScene {
        frame: view.frame,
        area: fitted(sizes, &grid, count),
        heading: sizes.heading.map(|at| Heading { at, crumbs, tally: String::new() }),
        summary: "No slab yet.".to_owned(),
        bars: Vec::new(),
        cells: (0..count).map(|index| Rc::new(cell::ghost(&grid, index, sizes))).collect(),
        columns: grid.columns,
        arrows: Vec::new(),
        note: None,
    }
}

/// A cache without a slab: the objects that its first slab will have.
fn to_come(view: &View, sizes: &MapSizes, hand: &Hand) -> MapScene {
    let mut scene = nothing(view, Some(hand), sizes, hand.cache.layout.objects.min(MOST_CELLS));
    scene.summary = format!("{} has no slab yet.", hand.cache.name);
    scene
}

/// The figure's rectangle; on a narrow screen it is as high as its rows.
fn fitted(sizes: &MapSizes, grid: &Grid, count: u32) -> Area {
    if sizes.area.h > 0.0 {
        return sizes.area;
    }
    let last = grid.area(count.saturating_sub(1));
    Area { h: last.bottom() + grid.gutter(), ..sizes.area }
}

fn heading(view: &View, hand: &Hand, slab: &SlabView, at: Point) -> Heading {
    let (in_use, lost) = census(slab);
    let of_all = format!("{in_use} of {}", slab.objects.len());
    let tally = match (view.frame, lost) {
        (Frame::Narrow { width: 0..360 }, 1..) => format!("{lost} lost"),
        (Frame::Narrow { .. }, 0) => of_all,
        (Frame::Narrow { .. }, _) => format!("{of_all}, {lost} lost"),
        (Frame::Wide | Frame::Short | Frame::Presenter, 0) => format!("{of_all} in use"),
        (Frame::Wide | Frame::Short | Frame::Presenter, _) => format!("{of_all} in use, {lost} lost"),
    };
    Heading { at, crumbs: crumbs(view, Some(hand), Depth::Slab), tally }
}

/// The ways up and down from where the stage looks.
pub(super) fn crumbs(view: &View, hand: Option<&Hand>, here: Depth) -> Vec<Crumb> {
    let crumb = |words: String, to| Crumb { words, to, here: to == here };
    let slab = hand.and_then(|hand| hand.slab).map_or_else(
        || "no slab".to_owned(),
        |slab| match (view.frame, here) {
            (Frame::Wide | Frame::Short | Frame::Presenter, Depth::Slab) => {
                format!("{} at {}", holder(slab.list), slab.base)
            }
            (Frame::Narrow { .. }, _) | (_, Depth::Cache | Depth::Memory) => "slab".to_owned(),
        },
    );
    let cache = hand.map(|hand| crumb(hand.cache.name.to_string(), Depth::Cache));
    [Some(crumb("memory".to_owned(), Depth::Memory)), cache, Some(crumb(slab, Depth::Slab))]
        .into_iter()
        .flatten()
        .collect()
}

fn summary(hand: &Hand, slab: &SlabView) -> String {
    let (in_use, lost) = census(slab);
    let free = count_from(slab.objects.len()) - in_use - lost;
    let name = &hand.cache.name;
    format!("{name}, {}: {in_use} in use, {free} free, {lost} lost.", holder(slab.list))
}

/// Objects in use, and lost ones.
fn census(slab: &SlabView) -> (u32, u32) {
    let count = |state| count_from(slab.objects.iter().filter(|object| object.state == state).count());
    (count(ObjectState::InUse), count(ObjectState::Lost))
}

/// The list that holds a slab, in words.
fn holder(list: SlabList) -> String {
    match list {
        SlabList::CpuSlab(cpu) => format!("CPU {}’s slab", cpu.raw()),
        SlabList::CpuPartial(cpu) => format!("a slab of CPU {}’s partial list", cpu.raw()),
        SlabList::NodePartial => "a slab of the node’s partial list".to_owned(),
        SlabList::None => "a slab on no list".to_owned(),
    }
}
