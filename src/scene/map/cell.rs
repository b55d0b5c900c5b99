//! An object of the map: its glyph, its letter, its pointer mark, the bytes that are hit.

use super::super::View;
use super::super::hand::{Hand, aimed, change_of, part_in, reference, target_address};
use super::super::measure::{MapSizes, px_count};
use super::super::route::Grid;
use super::super::shape::{Area, Change, Face, HitLook, Look, Point, Px};
use super::super::words;
use super::{Cell, CellHit, CellPointer};
use slabscope_core::layout::WORD;
use slabscope_core::snapshot::{Hit, ObjectState, ObjectView, SheafPlace, SlabView};
use slabscope_core::sorted::sorted_by;
use slabscope_core::units::{ObjectIndex, VirtAddr};
use std::ops::Range;

/// A pointer mark is never narrower.
const NARROWEST: Px = 7.0;
/// From a cell's edge to its first byte.
const EDGE: Px = 3.0;
/// Objects of a slab over which cells carry no numbers.
const MOST_NUMBERS: usize = 64;

/// What all cells of a map share.
pub(super) struct Context<'a> {
    pub(super) view: &'a View<'a>,
    pub(super) hand: &'a Hand<'a>,
    pub(super) slab: &'a SlabView,
    pub(super) sizes: MapSizes,
    pub(super) grid: Grid,
}

/// All cells, by address.
pub(super) fn cells(context: &Context) -> Vec<Cell> {
    let aim = aimed(context.view);
    let target = target_address(context.view);
    context.slab.objects.iter().map(|object| cell(context, object, aim.as_ref(), target)).collect()
}

/// An object of a slab to come.
pub(super) fn ghost(grid: &Grid, index: u32, sizes: &MapSizes) -> Cell {
    let area = grid.area(index);
    Cell {
        object: None,
        index: ObjectIndex::from_raw(index),
        area,
        look: Look::Ghost,
        text: String::new(),
        text_at: Point { x: area.x, y: area.y },
        size: sizes.number_size,
        bold: false,
        plate: None,
        pointer: None,
        hits: Vec::new(),
        selected: false,
        change: None,
        flag: None,
        target: false,
        label: format!("object {index} of a slab to come"),
    }
}

fn cell(context: &Context, object: &ObjectView, aim: Option<&Range<u64>>, target: Option<VirtAddr>) -> Cell {
    let area = context.grid.area(object.index.raw());
    let look = look(object);
    let pointer = pointer(context, object, area);
    let hits = hits(context, object, aim, area);
    let size = if look == Look::InUse { context.sizes.name_size } else { context.sizes.number_size };
    let face = if look == Look::InUse { Face::Bold } else { Face::Mono };
    let words = text(context, object);
    // Names that are counted differ at their ends.
    let fit = if words.ends_with(|last: char| last.is_ascii_digit()) { words::fit_end } else { words::fit };
    let fitted = |hits: &[CellHit]| {
        let (middle, room) = free_room(area, pointer.as_ref(), hits);
        (fit(&words, room, face, size), middle)
    };
    let (free, middle) = fitted(&hits);
    let is_covered = free.is_empty() && !words.is_empty() && !hits.is_empty();
    let (text, middle) = if is_covered { fitted(&[]) } else { (free, middle) };
    let width = face.width(&text, size) + 6.0;
    let plate = Area::new(middle - width / 2.0, area.y + (area.h - size * 1.1) / 2.0, width, size * 1.1);
    let reference = reference(context.slab, object);
    let change = change_of(context.view, context.slab.id, object);
    Cell {
        object: Some(reference),
        index: object.index,
        area,
        look,
        plate: (is_covered && !text.is_empty()).then_some(plate),
        text,
        text_at: Point { x: middle, y: area.y + area.h / 2.0 + size * 0.36 },
        size,
        bold: is_bold(context, object.state),
        pointer,
        hits,
        selected: context.view.selected == Some(reference),
        change,
        flag: None,
        target: target == Some(object.address),
        label: label(context, object, change),
    }
}

/// Names, and the next three out: of the CPU's sheaf where there is one, else of the list.
fn is_bold(context: &Context, state: ObjectState) -> bool {
    let has_sheaves = context.hand.cache.sheaves.is_some();
    match state {
        ObjectState::InUse => true,
        ObjectState::Free { position } => position <= 3 && !has_sheaves,
        ObjectState::InSheaf { sheaf, position } => {
            position <= 3 && sheaf == SheafPlace::Main(context.view.snapshot.cpu)
        }
        ObjectState::Waiting | ObjectState::Lost => false,
    }
}

fn look(object: &ObjectView) -> Look {
    match object.state {
        ObjectState::InUse => Look::InUse,
        ObjectState::Free { .. } | ObjectState::InSheaf { .. } | ObjectState::Waiting => Look::Free,
        ObjectState::Lost => Look::Lost,
    }
}

fn text(context: &Context, object: &ObjectView) -> String {
    let many = context.slab.objects.len() > MOST_NUMBERS;
    match object.state {
        ObjectState::InUse => words::name_of(context.view, context.slab, object),
        ObjectState::Free { position } | ObjectState::InSheaf { position, .. }
            if many || position > context.sizes.last_number =>
        {
            String::new()
        }
        ObjectState::Free { position } | ObjectState::InSheaf { position, .. } => position.to_string(),
        ObjectState::Lost | ObjectState::Waiting => "–".to_owned(),
    }
}

/// `v, free, 1st in list, +0x040`.
fn label(context: &Context, object: &ObjectView, change: Option<Change>) -> String {
    let hit = if object.hits.is_empty() { "" } else { ", written over" };
    words::label(context.view, context.slab, object, "") + hit + Change::words(change)
}

/// The pointer of a free object; it is drawn from its bytes, so a damaged one is too.
fn pointer(context: &Context, object: &ObjectView, area: Area) -> Option<CellPointer> {
    let listed = matches!(object.state, ObjectState::Free { .. });
    let layout = &context.hand.cache.layout;
    let run = Hit { offset: layout.red_left_pad + layout.offset, len: WORD };
    listed.then(|| CellPointer { area: run_area(area, run, layout.size), dot: None })
}

fn hits(context: &Context, object: &ObjectView, aim: Option<&Range<u64>>, area: Area) -> Vec<CellHit> {
    let layout = &context.hand.cache.layout;
    let free = !matches!(object.state, ObjectState::InUse);
    let over = |hit: Hit| free && hit.offset < layout.offset + WORD && hit.offset + hit.len > layout.offset;
    let armed = aim.and_then(|aim| part_in(aim, object.address, layout.object_size));
    let mark = |hit: Hit, look| {
        // A cell begins where the object's red zone does; what is hit before the next object is that one's.
        let offset = (layout.red_left_pad + hit.offset).min(layout.size - 1);
        CellHit { area: run_area(area, Hit { offset, ..hit }, layout.size), look, over_pointer: over(hit) }
    };
    let written = object.hits.iter().map(|hit| mark(*hit, HitLook::Written));
    written.chain(armed.map(|hit| mark(hit, HitLook::Armed))).collect()
}

/// Where a run of an object's bytes lies in its cell.
fn run_area(cell: Area, run: Hit, stride: u64) -> Area {
    let scale = (cell.w - 2.0 * EDGE) / px_count(stride);
    let width = (px_count(run.len) * scale).max(NARROWEST).min(cell.w - 2.0 * EDGE);
    let from = (EDGE + px_count(run.offset) * scale).min(cell.w - EDGE - width);
    let inset = if cell.h >= 20.0 { 4.0 } else { 3.0 };
    Area::new(cell.x + from, cell.y + inset, width, cell.h - 2.0 * inset)
}

/// The middle and the width of the widest part of a cell that no mark covers.
fn free_room(cell: Area, pointer: Option<&CellPointer>, hits: &[CellHit]) -> (Px, Px) {
    let marks = pointer.iter().map(|mark| mark.area).chain(hits.iter().map(|hit| hit.area));
    let marks = sorted_by(marks, |one, other| one.x.total_cmp(&other.x));
    let mut best = (cell.x + cell.w / 2.0, 0.0);
    let mut from = cell.x;
    for (start, end) in marks.iter().map(|mark| (mark.x, mark.right())).chain([(cell.right(), cell.right())]) {
        // A mark in the exact middle leaves two halves: the number stands in the one before it.
        if start - from > best.1 + 4.0 {
            best = ((from + start) / 2.0, start - from);
        }
        from = from.max(end);
    }
    (best.0, (best.1 - 6.0).max(0.0))
}
