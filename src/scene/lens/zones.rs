//! An object of a cache with checks: its whole stride to scale, with red zones, tracks and padding, each named under
//! its bytes.
//!
//! ```text
//! | left red zone | object | right red | pointer | alloc track | free track | size | padding | next …
//! ```

use super::super::hand::{Hand, aimed};
use super::super::measure::{BREAK, LensSizes, px_count};
use super::super::shape::{Area, Face, HitLook, Look, Point, Px, Text, Tone};
use super::super::{ByteRange, Frame, View, words};
use super::axis::Axis;
use super::handle::{Ground, aimed_length, from_end, handle_on, hit_text, place_of, slider_axis};
use super::object::break_words;
use super::{Handle, LensBreak};
use slabscope_core::layout::{Layout, Track};
use slabscope_core::memory::Bytes;
use slabscope_core::snapshot::{ObjectState, ObjectView, SlabView};
use std::ops::Range;

/// A run of an object's stride that has one use.
#[derive(Clone, Debug, PartialEq)]
pub struct ZoneBox {
    /// Where it is drawn.
    pub area: Area,
    /// What it is.
    pub kind: ZoneKind,
    /// Its bytes.
    pub bytes: ByteRange,
    /// Bytes that a write hit or would hit.
    pub hits: Vec<(Area, HitLook)>,
    /// The break in its axis.
    pub breaks: Vec<LensBreak>,
    /// Its name in it or under it, and what it holds.
    pub texts: Vec<Text>,
    /// From its edge to its name.
    pub tick: Option<(Point, Point)>,
    /// All of that in words.
    pub label: String,
}

/// What a run of an object's stride is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ZoneKind {
    /// A red zone.
    Red,
    /// The object.
    Object(Look),
    /// The free pointer: live while the object is free.
    Pointer {
        /// Whether the object is free.
        live: bool,
    },
    /// What the checks keep.
    Kept,
    /// Padding.
    Padding,
}

/// A zone before it is placed: where it starts, from the object, and how long it is.
struct Zone {
    name: &'static str,
    from: i64,
    len: u64,
    kind: ZoneKind,
}

/// Whether a cache keeps so much beside its objects that the lens shows one stride in full.
pub(super) const fn has_zones(layout: &Layout) -> bool {
    layout.is_checked() && layout.size > layout.object_size
}

/// The zone of a stride that a write of `len` bytes past an object ends in; that of the next object where it goes further.
#[must_use]
pub fn zone_after(layout: &Layout, len: u64) -> Option<&'static str> {
    let last = at(layout.object_size.saturating_add(len).saturating_sub(1));
    let last = if last < at(layout.end()) { last } else { last - at(layout.size) };
    let zones = of_layout(layout, ObjectState::InUse);
    let zone = zones.iter().find(|zone| zone.from <= last && last < zone.from + at(zone.len))?;
    Some(match zone.name {
        "pointer" => "pointer’s place",
        "size" => "size asked for",
        name => full(name),
    })
}

/// From what stands under the stride to the middle of the handle's grip.
const GRIP: Px = 30.0;

/// Sizes of the stride on one kind of screen.
struct Sizes {
    scale: Px,
    bar: Px,
    gap: Px,
    broken: Px,
    text: Px,
    line: Px,
    is_list: bool,
}

impl Sizes {
    const fn of(frame: Frame) -> Self {
        let wide = Self { scale: 10.0, bar: 72.0, gap: 5.0, broken: BREAK, text: 14.0, line: 18.0, is_list: false };
        match frame {
            Frame::Wide => wide,
            Frame::Short => Self { bar: 42.0, line: 16.0, ..wide },
            Frame::Presenter => Self { bar: 104.0, text: 24.0, line: 30.0, ..wide },
            Frame::Narrow { .. } => Self { bar: 26.0, is_list: true, ..wide },
        }
    }
}

/// The zones of an object, placed, and the handle along those after it.
pub(super) fn zones(
    view: &View,
    hand: &Hand,
    slab: &SlabView,
    object: &ObjectView,
    lens: &LensSizes,
) -> (Vec<ZoneBox>, Option<Handle>) {
    let sizes = Sizes::of(view.frame);
    let layout = &hand.cache.layout;
    let zones = of_layout(layout, object.state);
    let room = lens.right - lens.left - 60.0;
    let edge = [80.0, 60.0, 40.0, 24.0].into_iter().find(|edge| {
        let width: Px = zones.iter().map(|zone| axis(zone.len, *edge, &sizes).right() + sizes.gap).sum();
        width <= room
    });
    let mut corner = Point { x: lens.left, y: lens.top };
    let mut boxes = Vec::new();
    let mut runs = Vec::new();
    for zone in &zones {
        let axis = axis(zone.len, edge.unwrap_or(16.0), &sizes);
        let width = if sizes.is_list { (px_count(zone.len) * 2.0).clamp(24.0, 128.0) } else { axis.right() };
        let area = Area::new(corner.x, corner.y, width, sizes.bar);
        let moved = u64::try_from(zone.from).ok().map(|from| axis.moved(area.x, from));
        runs.extend(moved.into_iter().flatten().filter_map(|run| from_end(run, layout.object_size)));
        boxes.push(draw(view, slab, object, layout, zone, area, &axis, &sizes));
        if sizes.is_list {
            corner.y += sizes.bar + 10.0;
        } else {
            corner.x += width + sizes.gap;
        }
    }
    let handle = aimed_length(view, slab, object).map(|len| {
        let axis = match view.frame {
            Frame::Narrow { width } => slider_axis(runs.last().map_or(0, |run| run.to), lens.left, f64::from(width)),
            Frame::Wide | Frame::Short | Frame::Presenter => Axis { runs },
        };
        let bottom = boxes.last().map_or(lens.top, |last: &ZoneBox| last.area.bottom());
        let texts = if sizes.is_list { 0.0 } else { 8.0 + sizes.text + sizes.line };
        let grip = bottom + texts + GRIP;
        // Its line goes down to the grip, but not through what stands under the bars.
        let x = place_of(&axis, len);
        let stem = Area::new(x - 3.0, bottom, 6.0, grip - bottom);
        let is_clear = boxes.iter().flat_map(|one| &one.texts).all(|text| !text.letters().meets(stem));
        let ground = Ground {
            axis,
            stops: stops(layout, &zones),
            line: (lens.top - 5.0, if is_clear { grip - GRIP / 2.0 } else { bottom + 5.0 }),
            grip,
            value_text: value_text(view, slab, object, layout, &zones, len),
        };
        handle_on(ground, view.frame, len)
    });
    (boxes, handle)
}

/// Where the handle sticks: at the zones' ends, the whole stride's among them.
fn stops(layout: &Layout, zones: &[Zone]) -> Vec<(u64, String)> {
    let end_of = |zone: &Zone| u64::try_from(zone.from).ok()?.checked_add(zone.len)?.checked_sub(layout.object_size);
    zones.iter().filter_map(|zone| Some((end_of(zone)?, format!("{} ends", zone.name)))).collect()
}

/// `1 byte: right red of b`.
fn value_text(view: &View, slab: &SlabView, object: &ObjectView, layout: &Layout, zones: &[Zone], len: u64) -> String {
    let last = i64::try_from(layout.object_size + len).unwrap_or(i64::MAX) - 1;
    let hit = zones.iter().rev().find(|zone| zone.from <= last).filter(|zone| last - zone.from < at(zone.len));
    match hit.filter(|_| len > 0) {
        Some(zone) => format!("{}: {} of {}", words::bytes(len), zone.name, words::name_of(view, slab, object)),
        None => hit_text(view, slab, object.address.wrapping_add(layout.object_size), len),
    }
}

fn of_layout(layout: &Layout, state: ObjectState) -> Vec<Zone> {
    let look = match state {
        ObjectState::InUse => Look::InUse,
        ObjectState::Lost => Look::Lost,
        ObjectState::Free { .. } | ObjectState::InSheaf { .. } | ObjectState::Waiting => Look::Free,
    };
    let zone = |name, from: u64, len, kind| Zone { name, from: at(from), len, kind };
    let checks = &layout.checks;
    let live = matches!(state, ObjectState::Free { .. });
    let behind = if checks.flags.red_zone { ("right red", ZoneKind::Red) } else { ("padding", ZoneKind::Padding) };
    let mut zones = vec![
        Zone { name: "left red zone", from: -at(layout.red_left_pad), len: layout.red_left_pad, kind: ZoneKind::Red },
        zone("object", 0, layout.object_size, ZoneKind::Object(look)),
        zone(behind.0, layout.object_size, layout.inuse - layout.object_size, behind.1),
        zone("pointer", layout.inuse, layout.pointer_end() - layout.inuse, ZoneKind::Pointer { live }),
        zone("alloc track", layout.track_at(Track::Alloc), checks.track_size, ZoneKind::Kept),
        zone("free track", layout.track_at(Track::Free), checks.track_size, ZoneKind::Kept),
    ];
    zones.extend(layout.orig_size_at().map(|from| zone("size", from, checks.orig_size, ZoneKind::Kept)));
    let end = layout.metadata_end();
    zones.push(zone("padding", end, layout.end().saturating_sub(end), ZoneKind::Padding));
    zones.retain(|zone| zone.len > 0);
    zones
}

fn at(offset: u64) -> i64 {
    i64::try_from(offset).unwrap_or(i64::MAX)
}

/// Short zones in full; long ones with their edges alone.
fn axis(len: u64, edge: Px, sizes: &Sizes) -> Axis {
    const IN_FULL: u64 = 12;
    let bytes = [1_u64, 2, 3, 4, 5, 6, 7, 8].into_iter().rfind(|bytes| px_count(*bytes) * sizes.scale <= edge);
    let kept = bytes.unwrap_or(1);
    // A zone in full is one that both edges cover.
    let edge = if len <= IN_FULL { len } else { kept };
    let keep = [0..edge, len - edge..len];
    Axis::of_object(len, sizes.scale, &keep, sizes.broken)
}

#[expect(clippy::too_many_arguments, reason = "one zone of one object, and where it goes")]
fn draw(
    view: &View,
    slab: &SlabView,
    object: &ObjectView,
    layout: &Layout,
    zone: &Zone,
    area: Area,
    axis: &Axis,
    sizes: &Sizes,
) -> ZoneBox {
    let at = object.address.wrapping_add(zone.from.cast_unsigned());
    let bytes = ByteRange { at, len: zone.len };
    let content = content(view, bytes);
    let placed = Axis { runs: axis.moved(area.x, 0).collect() };
    let part = |range: &Range<u64>| {
        let from = range.start.max(at.raw());
        let to = range.end.min(at.raw().saturating_add(zone.len));
        (from < to).then(|| {
            if sizes.is_list {
                return area;
            }
            let (x, right) = (placed.px_from_byte(from - at.raw()), placed.px_from_end(to - at.raw()));
            Area { x, w: right - x, ..area }
        })
    };
    let written = written(slab, object, layout);
    let hits = written.iter().filter_map(part).map(|area| (area, HitLook::Written));
    let armed = aimed(view).as_ref().and_then(part).map(|area| (area, HitLook::Armed));
    let hits: Vec<_> = hits.chain(armed).collect();
    let hit = if hits.is_empty() { "" } else { ", written over" };
    let name = if zone.kind == ZoneKind::Object(Look::InUse) || zone.name == "object" {
        words::name_of(view, slab, object)
    } else {
        zone.name.to_owned()
    };
    let breaks = breaks(&placed, area, sizes);
    let edge = breaks.first().map_or(area.right(), |cut| cut.area.x - 4.0);
    ZoneBox {
        area,
        kind: zone.kind,
        bytes,
        texts: texts(zone, &name, &content, area, edge, sizes),
        breaks,
        tick: (!sizes.is_list).then(|| {
            let x = area.x + 1.0;
            (Point { x, y: area.bottom() + 2.0 }, Point { x, y: area.bottom() + 9.0 })
        }),
        label: format!("{} of {}, {content}{hit}", zone.name, words::name_of(view, slab, object)),
        hits,
    }
}

/// Every run of bytes of the object's stride that strangers wrote to; what lies before it was told of the one before.
fn written(slab: &SlabView, object: &ObjectView, layout: &Layout) -> Vec<Range<u64>> {
    let before = object
        .index
        .raw()
        .checked_sub(1)
        .and_then(|before| slab.objects.iter().find(|other| other.index.raw() == before));
    let of = |one: &ObjectView| {
        let start = one.address.raw();
        one.hits.iter().map(move |hit| start + hit.offset..start + hit.offset + hit.len).collect::<Vec<_>>()
    };
    let start = object.address.raw() - layout.red_left_pad;
    let mut all = before.map(of).unwrap_or_default();
    all.extend(of(object));
    all.retain(|range| range.end > start);
    all
}

/// `64 × cc`, or how many bytes there are.
fn content(view: &View, bytes: ByteRange) -> String {
    let mut held = vec![0; usize::try_from(bytes.len).unwrap_or(0)];
    let read = view.machine.kernel().bytes().copy_out(bytes.at, &mut held);
    match (read, held.first()) {
        (Ok(()), Some(first)) if bytes.len > 1 && held.iter().all(|byte| byte == first) => {
            format!("{} × {first:02x}", bytes.len)
        }
        _ => words::bytes(bytes.len),
    }
}

fn breaks(axis: &Axis, area: Area, sizes: &Sizes) -> Vec<LensBreak> {
    if sizes.is_list {
        return Vec::new();
    }
    let cut = axis.runs.iter().filter(|run| run.cut);
    cut.map(|run| {
        let area = Area { x: run.x, w: run.right - run.x, ..area };
        let (x, y) = (area.x + area.w / 2.0, area.y + area.h / 2.0 + sizes.text);
        let words = break_words(run.to - run.from, area.w, sizes.text);
        LensBreak { area, words: Text::plain(x, y, words, sizes.text, Tone::Quiet).centred() }
    })
    .collect()
}

/// A zone's texts; `edge` is where its first bytes end, or a break begins.
fn texts(zone: &Zone, name: &str, content: &str, area: Area, edge: Px, sizes: &Sizes) -> Vec<Text> {
    let is_object = matches!(zone.kind, ZoneKind::Object(_));
    let tone = if zone.kind == ZoneKind::Object(Look::InUse) { Tone::OnAlloc } else { Tone::Ink };
    let mut texts = Vec::new();
    let at = |size: Px| Text::plain(area.x + 12.0, area.y + size + 2.0, name, size, tone).in_face(Face::Bold);
    let sized = [28.0, 20.0, 16.0].into_iter().filter(|size| *size >= sizes.text && *size < sizes.bar * 0.5);
    let mut inside = sized.map(at).filter(|text| text.at.x + text.width() <= edge);
    let inside = inside.next().filter(|_| is_object && !sizes.is_list);
    let is_outside = is_object && inside.is_none();
    texts.extend(inside);
    let (x, y, room) = if sizes.is_list {
        (area.x + 140.0, area.y + 18.0, 400.0)
    } else {
        (area.x + 2.0, area.bottom() + 8.0 + sizes.text, area.w + sizes.gap - 13.0)
    };
    if sizes.is_list {
        let words = format!("{}: {content}", if is_object { name } else { zone.name });
        texts.push(Text::plain(x, y, words, sizes.text, Tone::Ink));
        return texts;
    }
    // Half a word says nothing: what has no room is left to the zone's label.
    let line = |dy: Px, words: &str, tone, face: Face| {
        let fits = face.width(words, sizes.text) <= room;
        fits.then(|| Text::plain(x, y + dy, words, sizes.text, tone).in_face(face))
    };
    let bare = content.strip_suffix(" bytes").or(content.strip_suffix(" byte")).unwrap_or(content);
    let content = if Face::Plain.width(content, sizes.text) <= room { content } else { bare };
    if is_outside {
        // What has no room in the bar stands in the place of the word “object”.
        let name = words::fit(name, room, Face::Bold, sizes.text);
        texts.extend(line(0.0, &name, Tone::Ink, Face::Bold));
    } else {
        let forms = [full(zone.name), zone.name, short(zone.name)];
        let fitting = forms.into_iter().find(|words| Face::Plain.width(words, sizes.text) <= room);
        texts.extend(fitting.and_then(|words| line(0.0, words, Tone::Ink, Face::Plain)));
    }
    texts.extend(line(sizes.line, content, Tone::Quiet, Face::Plain));
    texts
}

/// A zone's name where there is much room.
fn full(name: &'static str) -> &'static str {
    if name == "right red" { "right red zone" } else { name }
}

/// A zone's name where there is little room.
fn short(name: &'static str) -> &'static str {
    match name {
        "left red zone" => "left red",
        "right red" => "right",
        "pointer" => "ptr",
        "alloc track" => "alloc",
        "free track" => "free",
        "padding" => "pad",
        other => other,
    }
}
