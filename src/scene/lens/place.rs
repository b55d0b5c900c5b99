//! Which objects the lens shows, and where each lies.

use super::super::hand::{Hand, aimed, part_in};
use super::super::measure::{BREAK, LENS_GAP, LensSizes};
use super::super::shape::{Area, HitLook, Px};
use super::super::{Frame, View};
use super::axis::Axis;
use super::object::overlaps;
use slabscope_core::layout::{Layout, WORD};
use slabscope_core::snapshot::{Hit, ObjectState, ObjectView, SlabView};
use std::ops::Range;

/// Objects over this many bytes are cut: uncut, one would fill the lens.
const LONGEST_UNCUT: u64 = 128;
/// An open object that is narrower shows nothing.
const NARROWEST: Px = 24.0;

/// The objects of the lens.
pub(super) struct Placed<'a> {
    pub(super) objects: Vec<PlacedObject<'a>>,
}

/// An object and where it lies.
pub(super) struct PlacedObject<'a> {
    pub(super) object: &'a ObjectView,
    /// Its own bytes.
    pub(super) area: Area,
    /// What lies between its end and the next one's start.
    pub(super) padding: Option<Area>,
    pub(super) open: bool,
    /// From its bytes to px.
    pub(super) axis: Axis,
    /// Its bytes that were written over, and those that the aim would hit.
    pub(super) hits: Vec<(Hit, HitLook)>,
}

impl Placed<'_> {
    pub(super) fn bottom(&self) -> Px {
        self.objects.last().map_or(0.0, |last| last.area.bottom())
    }
}

impl PlacedObject<'_> {
    pub(super) fn right(&self) -> Px {
        self.padding.map_or(self.area.right(), |padding| padding.right())
    }

    /// Whether anything hits the pointer that is kept at `offset`.
    pub(super) fn is_pointer_hit(&self, offset: u64) -> bool {
        self.hits.iter().any(|(hit, _)| overlaps(*hit, offset))
    }

    /// Whether the aim would hit it.
    pub(super) fn is_armed(&self) -> bool {
        self.hits.iter().any(|(_, look)| *look == HitLook::Armed)
    }
}

/// Places the object in hand and what lies after it.
pub(super) fn place<'a>(
    view: &View,
    hand: &Hand,
    slab: &'a SlabView,
    first: &ObjectView,
    sizes: &LensSizes,
) -> Placed<'a> {
    let layout = &hand.cache.layout;
    let after = slab.objects.get(first.index.index()..).unwrap_or_default();
    let aim = aimed(view);
    let axis = shared_axis(view, layout, first, after, aim.as_ref(), sizes);
    let armed = |object: &ObjectView| aim.as_ref().and_then(|aim| part_in(aim, object.address, layout.size));
    let objects = match view.frame {
        Frame::Narrow { .. } => {
            let rows = after.iter().enumerate().take_while(|(nth, object)| *nth < 2 || armed(object).is_some()).take(4);
            let mut top = sizes.top;
            let placed = rows.map(|(nth, object)| {
                // One in use shows its name; a free one says what its pointer says too.
                let is_low = nth == 0 && object.state == ObjectState::InUse;
                let height = if is_low { 52.0 } else { sizes.height };
                let at = Area::new(sizes.left, top, 0.0, height);
                top += height + 12.0;
                put(object, at, &axis, layout, sizes, armed(object))
            });
            placed.collect()
        }
        Frame::Wide | Frame::Short | Frame::Presenter => {
            let mut x = sizes.left;
            let mut placed = Vec::new();
            for object in after {
                if sizes.right - x < NARROWEST {
                    break;
                }
                let one = put(object, Area::new(x, sizes.top, 0.0, sizes.height), &axis, layout, sizes, armed(object));
                x = x + axis.right() + LENS_GAP;
                placed.push(one);
            }
            placed
        }
    };
    Placed { objects }
}

fn put<'a>(
    object: &'a ObjectView,
    at: Area,
    axis: &Axis,
    layout: &Layout,
    sizes: &LensSizes,
    armed: Option<Hit>,
) -> PlacedObject<'a> {
    let own = axis.px_from_end(layout.object_size);
    let right = at.x + axis.right();
    let open = right > sizes.right + 0.5;
    let area = Area { w: own.min(sizes.right - at.x), ..at };
    let rest = Area { x: at.x + own, w: (right.min(sizes.right) - at.x - own).max(0.0), ..at };
    let axis = Axis { runs: axis.moved(at.x, 0).collect() };
    let mut hits: Vec<(Hit, HitLook)> = object.hits.iter().map(|hit| (*hit, HitLook::Written)).collect();
    hits.extend(armed.map(|hit| (hit, HitLook::Armed)));
    PlacedObject { object, area, padding: (rest.w > 0.0).then_some(rest), open, axis, hits }
}

/// One axis for all objects, so that equal bytes have equal places in each.
fn shared_axis(
    view: &View,
    layout: &Layout,
    first: &ObjectView,
    after: &[ObjectView],
    aim: Option<&Range<u64>>,
    sizes: &LensSizes,
) -> Axis {
    let narrow = matches!(view.frame, Frame::Narrow { .. });
    let room = sizes.right - sizes.left;
    let length = super::super::measure::px_count(layout.size) * sizes.scale;
    if (!narrow && layout.size <= LONGEST_UNCUT) || (narrow && length <= room) {
        return Axis::of_object(layout.size, sizes.scale, std::slice::from_ref(&(0..layout.size)), 0.0);
    }
    let (start, around, end, width) = match (narrow, layout.offset) {
        (true, _) => (12, 4, 8, 48.0),
        // What the pointer says stands in the part that holds the name.
        (false, 0) => (54, 4, 24, BREAK),
        (false, _) => (26, 4, 16, BREAK),
    };
    let mut keep = vec![
        0..start,
        layout.offset.saturating_sub(around)..layout.offset + WORD + around,
        layout.object_size.saturating_sub(end)..layout.size,
    ];
    let mut edge = |byte: u64| keep.push(byte.saturating_sub(around)..byte.saturating_add(around));
    let shown = after.iter().take(3);
    for hit in shown.flat_map(|object| &object.hits) {
        edge(hit.offset + hit.len);
    }
    // While the handle is dragged the axis stands still; once it is let go, no break lies under it.
    if let Some(aim) = aim.filter(|_| view.aim.is_some_and(|aim| aim.armed)) {
        edge(aim.end.wrapping_sub(first.address.raw()) % layout.size);
    }
    Axis::of_object(layout.size, sizes.scale, &keep, width)
}
