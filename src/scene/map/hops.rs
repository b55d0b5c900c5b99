//! Which arrows the map draws: three hops from the head of the list, both hops of the object in hand, every broken
//! one, what an aimed write would make of them; or all.

use super::super::arrow::{Arrow, ArrowKind, Flag};
use super::super::hand::{Hand, cache_of, list_of, slab_of};
use super::super::route::{Grid, Request, Router, To};
use super::super::shape::{Area, Point};
use super::super::{Frame, View, elsewhere};
use super::Cell;
use slabscope_core::snapshot::{Chain, ChainEnd, Landing, ObjectState, ObjectView, SlabView, Snapshot};
use slabscope_core::units::{ObjectIndex, VirtAddr};
use std::rc::Rc;

/// Hops that are drawn at rest.
const AT_REST: usize = 3;

/// A hop: which object's pointer, where it leads, what it says.
struct Hop {
    from: ObjectIndex,
    to: To,
    kind: ArrowKind,
}

/// The arrows, and their dots and flags put into the cells.
pub(super) fn arrows(view: &View, hand: &Hand, slab: &SlabView, grid: &Grid, cells: &mut [Cell]) -> Vec<Rc<Arrow>> {
    let hops = hops(view, hand, slab);
    let mut router = Router::new(*grid, count_rows(cells, grid));
    let mut arrows = Vec::new();
    for hop in hops {
        let Some(cell) = cells.get_mut(hop.from.index()) else { continue };
        let Some(pointer) = &mut cell.pointer else { continue };
        let dot =
            Point { x: pointer.area.x + pointer.area.w.min(7.0) / 2.0, y: cell.area.bottom() - dot_height(cell.area) };
        pointer.dot = Some(dot);
        let request = Request { key: hop.from.raw(), from: hop.from.raw(), dot, to: hop.to, kind: hop.kind };
        let arrow = router.route(&request);
        if arrow.is_stub() {
            cell.flag = flag(cell, hop.to, slab);
            if cell.flag.is_some() {
                make_room(cell);
            }
        }
        arrows.push(Rc::new(arrow));
    }
    arrows
}

/// From a cell's bottom to the dot.
fn dot_height(cell: Area) -> f64 {
    if cell.h >= 28.0 { 9.0 } else { (cell.h * 0.35).max(5.0) }
}

fn count_rows(cells: &[Cell], grid: &Grid) -> u32 {
    slabscope_core::units::count_from(cells.len()).div_ceil(grid.columns)
}

/// Where a stub leads, written into the cell's lower right.
fn flag(cell: &Cell, to: To, slab: &SlabView) -> Option<Flag> {
    let To::Cell(index) = to else { return None };
    let ObjectState::Free { position } = slab.objects.get(ObjectIndex::from_raw(index).index())?.state else {
        return None;
    };
    let room = cell.area.h >= 28.0 && cell.area.w >= 50.0 && cell.size <= 14.0;
    let pointer = cell.pointer?;
    // Before a pointer in the middle, after one at the start: under the number.
    let left = if pointer.area.x - cell.area.x > 20.0 { cell.area.x + 2.0 } else { pointer.area.right() + 5.0 };
    room.then(|| Flag { at: Point { x: left, y: cell.area.bottom() - 4.0 }, to: position.to_string() })
}

/// The number moves up, so that the flag stands under it.
fn make_room(cell: &mut Cell) {
    cell.text_at.y = cell.area.y + 14.0;
}

fn hops(view: &View, hand: &Hand, slab: &SlabView) -> Vec<Hop> {
    let ahead = view.after.and_then(|after| slab_of(after, slab.id));
    let mut hops = Vec::new();
    if let Some(ahead) = ahead {
        hops.extend(ahead.objects.iter().filter(|object| differs(slab, object)).map(|object| Hop {
            from: object.index,
            to: leads_to(view, ahead, object),
            kind: ArrowKind::Ghost,
        }));
    }
    let seen = ahead.unwrap_or(slab);
    let chain = list_of(hand.cache, seen);
    let chain_links =
        if ahead.is_some() { view.after.map_or(chain, |after| list_ahead(after, hand, seen)) } else { chain };
    let links = indexes(seen, &chain_links.links);
    let rest = if view.whole_chain { links.len() } else { AT_REST };
    for (nth, index) in links.iter().take(rest).enumerate() {
        let kind = if nth < AT_REST { ArrowKind::List } else { ArrowKind::Chain };
        push(view, seen, *index, kind, chain_links, &mut hops);
    }
    for object in broken(seen) {
        push(view, seen, object.index, ArrowKind::Broken, chain_links, &mut hops);
    }
    if !view.whole_chain {
        for index in around(view, seen) {
            push(view, seen, index, ArrowKind::List, chain_links, &mut hops);
        }
    }
    hops
}

/// The list as it would be after the aimed write.
fn list_ahead<'a>(after: &'a Snapshot, hand: &Hand, slab: &'a SlabView) -> &'a Chain {
    cache_of(after, hand.cache.id).map_or(&slab.freelist, |cache| list_of(cache, slab))
}

fn push(view: &View, slab: &SlabView, from: ObjectIndex, kind: ArrowKind, chain: &Chain, hops: &mut Vec<Hop>) {
    if hops.iter().any(|hop| hop.from == from) {
        return;
    }
    let Some(object) = slab.objects.get(from.index()) else { return };
    let kind = if object.pointer.intact { kind } else { ArrowKind::Broken };
    hops.push(Hop { from, to: looped(slab, object, chain).unwrap_or_else(|| leads_to(view, slab, object)), kind });
}

/// Whether the aimed write changes an object's pointer, and a list leads to it.
fn differs(slab: &SlabView, ahead: &ObjectView) -> bool {
    let Some(now) = slab.objects.get(ahead.index.index()) else { return false };
    now.state != ObjectState::InUse && now.pointer.stored != ahead.pointer.stored
}

fn broken(slab: &SlabView) -> impl Iterator<Item = &ObjectView> {
    slab.objects.iter().filter(|object| matches!(object.state, ObjectState::Free { .. }) && !object.pointer.intact)
}

/// The object in hand, and the one whose pointer leads to it.
fn around(view: &View, slab: &SlabView) -> Vec<ObjectIndex> {
    let Some(selected) = view.selected.filter(|object| object.slab == slab.id) else { return Vec::new() };
    let is_free = |object: &&ObjectView| matches!(object.state, ObjectState::Free { .. });
    let here = slab.objects.iter().filter(|object| object.index == selected.index);
    let before = slab
        .objects
        .iter()
        .filter(|object| object.pointer.landing == Landing::Object { slab: slab.id, index: selected.index });
    here.chain(before).filter(is_free).map(|object| object.index).collect()
}

/// Where a list comes back to an object that it had.
fn looped(slab: &SlabView, object: &ObjectView, chain: &Chain) -> Option<To> {
    let ChainEnd::Loop { .. } = chain.end else { return None };
    let last = chain.links.last()?;
    (object.address == *last).then_some(())?;
    match object.pointer.landing {
        Landing::Object { slab: to, index } if to == slab.id => Some(To::Loop(index.raw())),
        _ => None,
    }
}

fn leads_to(view: &View, slab: &SlabView, object: &ObjectView) -> To {
    match object.pointer.landing {
        Landing::Null => To::End,
        Landing::Object { slab: to, index } if to == slab.id => To::Cell(index.raw()),
        Landing::Object { .. }
        | Landing::InsideObject { .. }
        | Landing::SlabTail { .. }
        | Landing::Ram
        | Landing::Unmapped
        | Landing::NonCanonical => outside(view, object.pointer.decoded),
    }
}

/// A place outside the slab: its box, where one is drawn beside the map.
fn outside(view: &View, address: VirtAddr) -> To {
    match view.frame {
        Frame::Narrow { .. } => To::Away,
        Frame::Wide | Frame::Short | Frame::Presenter => elsewhere::box_of(view, address).map_or(To::Away, To::Box),
    }
}

fn indexes(slab: &SlabView, links: &[VirtAddr]) -> Vec<ObjectIndex> {
    let index_of = |link: &VirtAddr| slab.objects.iter().find(|object| object.address == *link);
    links.iter().filter_map(index_of).map(|object| object.index).collect()
}
