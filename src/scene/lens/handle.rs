//! The overflow handle: where it stands, where it sticks, what it would hit.

use super::super::hand::{Hand, aimed};
use super::super::measure::{LENS_GAP, LensSizes};
use super::super::shape::{Face, Point, Px, Text, Tone};
use super::super::{Frame, View, words};
use super::axis::{Axis, AxisRun};
use super::object::hits_pointer;
use super::place::Placed;
use super::{Handle, Stop, Track};
use slabscope_core::blast::{Part, Struck, blast};
use slabscope_core::layout::{Layout, WORD};
use slabscope_core::machine::Status;
use slabscope_core::snapshot::{ObjectState, ObjectView, SlabView};
use slabscope_core::sorted::sorted_by;
use slabscope_core::units::VirtAddr;

/// What a handle moves along, and where it is drawn.
pub(super) struct Ground {
    /// From lengths past the object's end to px.
    pub(super) axis: Axis,
    /// What ends or begins along it.
    pub(super) stops: Vec<(u64, String)>,
    /// The upper and the lower end of the handle's line.
    pub(super) line: (Px, Px),
    /// Where the grip's middle is.
    pub(super) grip: Px,
    /// What the aimed length hits.
    pub(super) value_text: String,
}

/// How long the aimed write is, where the object in hand can be overflowed: it is in use and has a name.
pub(super) fn aimed_length(view: &View, slab: &SlabView, first: &ObjectView) -> Option<u64> {
    view.selected.filter(|object| object.slab == slab.id && object.index == first.index)?;
    if view.machine.status() == Status::Hung || first.state != ObjectState::InUse {
        return None;
    }
    let name = first.name.as_ref()?;
    Some(view.aim.filter(|aim| aim.object == *name).map_or(0, |aim| aim.len))
}

/// The handle of the object in hand, along what lies after it.
pub(super) fn handle(
    view: &View,
    hand: &Hand,
    slab: &SlabView,
    first: &ObjectView,
    placed: &Placed,
    sizes: &LensSizes,
) -> Option<Handle> {
    let len = aimed_length(view, slab, first).filter(|_| placed.objects.len() > 1)?;
    let layout = &hand.cache.layout;
    let axis = match view.frame {
        Frame::Narrow { width } => slider_axis(2 * layout.size - layout.object_size, sizes.left, f64::from(width)),
        Frame::Wide | Frame::Short | Frame::Presenter => lens_axis(layout, placed),
    };
    let x = place_of(&axis, len);
    let (top, bottom) = (sizes.top, placed.bottom());
    let ground = Ground {
        stops: stops(view, layout, slab, first, &axis),
        line: (top - above(view.frame, sizes, x), bottom + sizes.handle_out),
        grip: bottom + sizes.grip,
        value_text: value_text(view, hand, slab, first, placed, len),
        axis,
    };
    Some(handle_on(ground, view.frame, len))
}

/// The handle at a length.
pub(super) fn handle_on(ground: Ground, frame: Frame, len: u64) -> Handle {
    let Ground { axis, stops, line, grip, value_text } = ground;
    let (x, max) = (place_of(&axis, len), axis.last_byte());
    let stops = stops.into_iter().filter(|(len, _)| (1..=max).contains(len));
    let mut stops = sorted_by(stops, |(one, _), (other, _)| one.cmp(other));
    stops.dedup_by_key(|(len, _)| *len);
    let narrow = matches!(frame, Frame::Narrow { .. });
    Handle {
        from: Point { x, y: line.0 },
        to: Point { x, y: line.1 },
        grip: Point { x, y: grip },
        radius: if matches!(frame, Frame::Presenter) { 24.0 } else { 21.0 },
        track: narrow.then(|| track(&axis, grip, x, &value_text, max)),
        aimed: len > 0,
        len,
        max,
        value_text,
        stops: stops.into_iter().map(|(len, words)| Stop { len, x: axis.px_from_end(len), words }).collect(),
        axis,
    }
}

/// Where the handle stands at a length.
pub(super) fn place_of(axis: &Axis, len: u64) -> Px {
    if len == 0 { home(axis) } else { axis.px_from_end(len) }
}

/// How far the handle's line stands out above: less where the heading's words are.
fn above(frame: Frame, sizes: &LensSizes, x: Px) -> Px {
    let words = if frame == Frame::Presenter { 0.0 } else { 290.0 };
    if x < sizes.left + words { sizes.handle_out.min(5.0) } else { sizes.handle_out }
}

/// Where the handle stands while nothing is aimed at: between the object and what lies after it.
fn home(axis: &Axis) -> Px {
    axis.runs.first().map_or(0.0, |run| run.x - LENS_GAP / 2.0)
}

/// Lengths past the object's end, along what the lens shows.
fn lens_axis(layout: &Layout, placed: &Placed) -> Axis {
    let mut runs: Vec<AxisRun> = Vec::new();
    for (one, nth) in placed.objects.iter().zip(0_u64..) {
        let start = nth * layout.size;
        let edge = one.right();
        for run in one.axis.moved(0.0, start) {
            let run = clipped(run, edge);
            runs.extend(run.and_then(|run| from_end(run, layout.object_size)));
        }
    }
    Axis { runs }
}

/// A run as far as the figure's edge.
fn clipped(run: AxisRun, edge: Px) -> Option<AxisRun> {
    if run.right <= edge + 0.5 {
        return Some(run);
    }
    let to = Axis { runs: vec![run] }.byte_from_px(edge);
    (run.x < edge && to > run.from).then(|| {
        let right = Axis { runs: vec![run] }.px_from_end(to);
        AxisRun { to, right, ..run }
    })
}

/// A run in bytes past the object's end; `None` where it lies before that.
pub(super) fn from_end(run: AxisRun, end: u64) -> Option<AxisRun> {
    let axis = Axis { runs: vec![run] };
    let from = run.from.max(end);
    (run.to > end).then(|| AxisRun { from: from - end, to: run.to - end, x: axis.px_from_byte(from), ..run })
}

/// Lengths along a slider of its own.
pub(super) fn slider_axis(to: u64, left: Px, width: Px) -> Axis {
    // The grip's half is on the screen at both ends.
    Axis { runs: vec![AxisRun { from: 0, to, x: left + 12.0, right: width - 27.0, cut: false }] }
}

fn track(axis: &Axis, y: Px, x: Px, value_text: &str, max: u64) -> Track {
    let (left, right) = (home(axis) + LENS_GAP / 2.0, axis.right());
    let room = right - left;
    let said = Text::plain(0.0, 0.0, value_text, 14.0, Tone::Ink).in_face(Face::Bold);
    let beside = (x + 35.0).min((left + room - said.width()).max(left));
    let clear = beside > x + 24.0;
    // Where the grip would cover the words they stand under the line.
    let said_at = if clear { Point { x: beside, y: y - 12.0 } } else { Point { x: left, y: y + 34.0 } };
    let last = max.to_string();
    let last = Text::plain(right, y + if clear { 26.0 } else { -14.0 }, last, 14.0, Tone::Quiet);
    let last = last.in_face(Face::Mono).centred();
    Track { from: Point { x: left, y }, to: Point { x: right, y }, texts: vec![Text { at: said_at, ..said }, last] }
}

/// Where the handle sticks: ends and starts of what lies after the object.
fn stops(view: &View, layout: &Layout, slab: &SlabView, first: &ObjectView, axis: &Axis) -> Vec<(u64, String)> {
    let gap = layout.size - layout.object_size;
    let after = slab.objects.iter().skip(first.index.index() + 1);
    let mut stops: Vec<(u64, String)> = Vec::new();
    for (object, nth) in after.zip(0_u64..) {
        let start = gap + nth * layout.size;
        if start > axis.last_byte() {
            break;
        }
        let name = words::name_of(view, slab, object);
        stops.push((start, format!("{name} starts")));
        if object.state != ObjectState::InUse {
            stops.push((start + layout.offset, format!("{name}’s pointer starts")));
            stops.push((start + layout.offset + WORD, format!("{name}’s pointer ends")));
        }
        stops.push((start + layout.object_size, format!("{name} ends")));
    }
    stops
}

/// `8 bytes: all of v’s free pointer`.
fn value_text(view: &View, hand: &Hand, slab: &SlabView, first: &ObjectView, placed: &Placed, len: u64) -> String {
    let hit = hit_text(view, slab, first.address.wrapping_add(hand.cache.layout.object_size), len);
    let missed = aimed(view).filter(|_| len > 0).and_then(|run| short_by(view, hand, slab, placed, &run));
    match missed {
        Some((name, bytes)) => format!("{hit}, {bytes} short of {name}’s pointer"),
        None => hit,
    }
}

/// The gravest of what a write from `start` on hits.
pub(super) fn hit_text(view: &View, slab: &SlabView, start: VirtAddr, len: u64) -> String {
    if len == 0 {
        return "0 bytes: nothing is hit".to_owned();
    }
    let parts = blast(view.machine, start, len);
    let gravest = parts.iter().rev().find(|part| matches!(part.what, Struck::FreePointer { .. })).or(parts.last());
    let hit = gravest.map_or_else(|| "nothing".to_owned(), |part| struck(view, slab, part));
    format!("{}: {hit}", words::bytes(len))
}

/// How far a write ends before the next pointer of a free object that it enters.
fn short_by(
    view: &View,
    hand: &Hand,
    slab: &SlabView,
    placed: &Placed,
    run: &std::ops::Range<u64>,
) -> Option<(String, u64)> {
    let layout = &hand.cache.layout;
    let last = placed.objects.iter().rev().find(|one| one.is_armed())?;
    let free = last.object.state != ObjectState::InUse;
    let pointer = last.object.address.wrapping_add(layout.offset);
    let end = VirtAddr::from_raw(run.end);
    let hit = hits_pointer(run, last, layout.offset, layout.size);
    let bytes = pointer.bytes_after(end).filter(|bytes| *bytes > 0 && free && !hit)?;
    Some((words::name_of(view, slab, last.object), bytes))
}

fn struck(view: &View, own: &SlabView, part: &Part) -> String {
    let name = |id, index: slabscope_core::units::ObjectIndex| {
        let object = own.objects.get(index.index()).filter(|_| id == own.id);
        object.map_or_else(|| "another slab".to_owned(), |object| words::name_of(view, own, object))
    };
    match part.what {
        Struck::FreePointer { slab, index, first: 0 } if part.len >= WORD => {
            format!("all of {}’s free pointer", name(slab, index))
        }
        Struck::FreePointer { slab, index, .. } => {
            format!("{} of {}’s free pointer", words::bytes(part.len), name(slab, index))
        }
        Struck::Data { slab, index, .. } => format!("{}’s data", name(slab, index)),
        Struck::Padding { slab, index } => format!("padding after {}", name(slab, index)),
        Struck::SlabTail { .. } => "the slab’s tail".to_owned(),
        Struck::Ram => "memory after the slab".to_owned(),
        Struck::Unmapped => "unmapped memory".to_owned(),
    }
}
