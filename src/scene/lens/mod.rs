//! The lens: the object in hand and what lies after it, by bytes.

mod axis;
mod content;
mod handle;
mod object;
mod place;
mod texts;
mod zones;

pub use axis::{Axis, AxisRun};
pub use zones::{ZoneBox, ZoneKind, zone_after};

use super::hand::{Hand, part_in};
use super::measure::LensSizes;
use super::shape::{Area, Change, HitLook, Look, Point, Px, Text, Tone};
use super::{Frame, ObjectRef, View, words};
use crate::text::decimal;
use place::Placed;
use slabscope_core::snapshot::{ObjectView, SlabView};
use std::rc::Rc;

/// The figure.
#[derive(Clone, Debug, PartialEq)]
pub struct LensScene {
    /// The kind of screen that it is laid out for.
    pub frame: Frame,
    /// The figure's rectangle in the frame.
    pub area: Area,
    /// `a and what lies after it · 6 px = 1 byte`; `None` in the presenter.
    pub heading: Option<Text>,
    /// What it shows.
    pub body: Lens,
    /// Where memory goes on in the next row: marks that say so.
    pub wraps: Vec<Point>,
    /// What stands after the slab's last object.
    pub end: Option<Text>,
    /// Bytes that a line of the log speaks of, ringed.
    pub lit: Option<Area>,
    /// The overflow handle; `None` where the object in hand is not in use.
    pub handle: Option<Handle>,
}

/// What the lens shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Lens {
    /// Nothing is allocated: an empty frame.
    Empty {
        /// The frame.
        area: Area,
        /// What stands in it.
        words: Text,
    },
    /// Objects, the one in hand first.
    Objects(Vec<Rc<LensObject>>),
    /// The object in hand alone, with all that checks keep beside it.
    Zones(Vec<Rc<ZoneBox>>),
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
    pub texts: Vec<Text>,
    /// Paper under the texts, where bytes that are hit leave them no other room.
    pub plate: Option<Area>,
    /// Whether it is the attacker's target.
    pub target: bool,
    /// What this step did to it.
    pub change: Option<Change>,
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

impl Stretch {
    /// What the tag takes.
    #[must_use]
    pub fn tag_area(&self) -> Option<Area> {
        let (w, h) = (self.tag * 1.15, self.tag * 1.44);
        self.tag_at.map(|at| Area::new(at.x - w / 2.0, at.y - h / 2.0, w, h))
    }
}

/// A free pointer in the lens.
#[derive(Clone, Debug, PartialEq)]
pub struct LensPointer {
    /// Where it is drawn.
    pub area: Area,
    /// How.
    pub look: PointerLook,
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
    /// `⋯ 176 bytes ⋯`.
    pub words: Text,
}

/// A length between two places, with an arrow at both ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Its left end.
    pub from: Point,
    /// Its right end.
    pub to: Point,
    /// `24 bytes`.
    pub words: Text,
    /// Whether the words stand in the line, which parts for them, and not over it.
    pub inline: bool,
}

impl Measure {
    /// The line, in the parts that are drawn.
    #[must_use]
    pub fn lines(&self) -> Vec<(Point, Point)> {
        if !self.inline {
            return vec![(self.from, self.to)];
        }
        let half = self.words.width() / 2.0 + 2.0;
        let at = |x| Point { x, ..self.from };
        vec![(self.from, at(self.words.at.x - half)), (at(self.words.at.x + half), self.to)]
    }

    /// What it takes, words and all.
    pub(super) fn area(&self) -> Area {
        let letters = self.words.letters();
        let top = letters.y.min(self.from.y - BARS);
        Area::new(self.from.x, top, self.to.x - self.from.x, self.from.y + BARS - top)
    }
}

/// How far the bars at a measure's ends stand out, above and below.
const BARS: Px = 7.0;

/// The overflow handle: a line at the place that is aimed at, and a grip below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    /// The line's upper end.
    pub from: Point,
    /// The line's lower end.
    pub to: Point,
    /// The grip's middle.
    pub grip: Point,
    /// Its radius.
    pub radius: Px,
    /// On a narrow screen: the slider's line, and what it says.
    pub track: Option<Track>,
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
    /// From lengths past the object's end to px and back.
    pub axis: Axis,
}

/// The slider of a narrow screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Its left end.
    pub from: Point,
    /// Its right end.
    pub to: Point,
    /// What is hit, and the length at its end.
    pub texts: Vec<Text>,
}

/// A place where the handle sticks.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// Bytes past the object's end.
    pub len: u64,
    /// Where it is drawn.
    pub x: Px,
    /// What ends or begins there: `v’s pointer ends`.
    pub words: String,
}

/// Height of a narrow screen's slider, with what it says.
const SLIDER: Px = 60.0;

impl LensScene {
    /// What it shows, in a sentence.
    #[must_use]
    pub fn summary(&self) -> String {
        match &self.body {
            Lens::Empty { .. } => "Nothing is allocated yet.".to_owned(),
            Lens::Objects(objects) => words::list(objects.iter().map(|one| one.label.as_str())),
            Lens::Zones(zones) => words::list(zones.iter().map(|zone| zone.label.as_str())),
        }
    }

    /// The same without its handle, for where another control is the next thing to do: a slider's room goes with it.
    #[must_use]
    pub fn without_handle(self) -> Self {
        let slider = if self.handle.as_ref().is_some_and(|handle| handle.track.is_some()) { SLIDER } else { 0.0 };
        Self { handle: None, area: Area { h: self.area.h - slider, ..self.area }, ..self }
    }
}

pub(super) fn scene(view: &View) -> LensScene {
    let sizes = LensSizes::of(view.frame);
    let Some((hand, slab, first)) = in_hand(view) else { return empty(view, &sizes) };
    if zones::has_zones(&hand.cache.layout) {
        return checked(view, &hand, slab, first, &sizes);
    }
    let placed = place::place(view, &hand, slab, first, &sizes);
    let objects: Vec<Rc<LensObject>> =
        placed.objects.iter().map(|one| Rc::new(object::draw(view, &hand, slab, one, &sizes))).collect();
    let handle = handle::handle(view, &hand, slab, first, &placed, &sizes);
    LensScene {
        frame: view.frame,
        area: area(view.frame, &sizes, &placed, handle.is_some()),
        heading: heading(view, slab, first, &sizes),
        wraps: wraps(view, &placed, &sizes),
        end: end(slab, &placed, &sizes),
        lit: lit(view, &placed, &hand),
        body: Lens::Objects(objects),
        handle,
    }
}

/// An object whose cache has checks.
fn checked(view: &View, hand: &Hand, slab: &SlabView, object: &ObjectView, sizes: &LensSizes) -> LensScene {
    let (zones, handle) = zones::zones(view, hand, slab, object, sizes);
    let bottom =
        zones.last().map_or(sizes.top, |last| last.area.bottom()) + if handle.is_some() { SLIDER } else { 0.0 };
    let name = words::name_of(view, slab, object);
    let words = match view.frame {
        Frame::Narrow { .. } => format!("{name}’s own {}", words::bytes(hand.cache.layout.size)),
        Frame::Wide | Frame::Short | Frame::Presenter => {
            format!("{name}’s own {} · 10 px = 1 byte", words::bytes(hand.cache.layout.size))
        }
    };
    let lit = view.lit.and_then(|lit| zones.iter().find(|zone| zone.bytes.meets(lit))).map(|zone| {
        // The bytes that were hit, where that is what is spoken of.
        zone.hits.first().map_or(zone.area, |(area, _)| *area)
    });
    LensScene {
        frame: view.frame,
        area: if sizes.area.h > 0.0 { sizes.area } else { Area { h: bottom + 12.0, ..sizes.area } },
        heading: sizes.heading.map(|at| Text::plain(at.x, at.y, words, 14.0, Tone::Quiet)),
        body: Lens::Zones(zones.into_iter().map(Rc::new).collect()),
        wraps: Vec::new(),
        end: None,
        lit,
        handle,
    }
}

fn in_hand<'a>(view: &View<'a>) -> Option<(Hand<'a>, &'a SlabView, &'a ObjectView)> {
    let hand = Hand::of(view)?;
    let object = hand.object(view)?;
    Some((hand, hand.slab?, object))
}

fn empty(view: &View, sizes: &LensSizes) -> LensScene {
    let frame = Area::new(sizes.left, sizes.top, sizes.right - sizes.left, sizes.height);
    let bottom = frame.bottom() + 8.0;
    LensScene {
        frame: view.frame,
        area: if sizes.area.h > 0.0 { sizes.area } else { Area { h: bottom, ..sizes.area } },
        heading: sizes.heading.map(|at| Text::plain(at.x, at.y, "lens", 14.0, Tone::Quiet)),
        body: Lens::Empty { area: frame, words: drop_words(view.frame, frame) },
        wraps: Vec::new(),
        end: None,
        lit: None,
        handle: None,
    }
}

fn drop_words(frame: Frame, area: Area) -> Text {
    let words = match frame {
        Frame::Narrow { .. } => "no object yet",
        Frame::Wide | Frame::Short | Frame::Presenter => "or drop a script here",
    };
    Text::plain(area.x + area.w / 2.0, area.y + area.h / 2.0 + 6.0, words, 16.0, Tone::Quiet).centred()
}

fn heading(view: &View, slab: &SlabView, first: &ObjectView, sizes: &LensSizes) -> Option<Text> {
    let at = sizes.heading?;
    let scale = format!("{} px = 1 byte", decimal(sizes.scale));
    let words = match view.frame {
        Frame::Narrow { .. } => scale,
        Frame::Wide | Frame::Short | Frame::Presenter => {
            format!("{} and what lies after it · {scale}", words::name_of(view, slab, first))
        }
    };
    Some(Text::plain(at.x, at.y, words, 14.0, Tone::Quiet))
}

/// The figure's rectangle; on a narrow screen it is as high as its rows and its slider.
fn area(frame: Frame, sizes: &LensSizes, placed: &Placed, handled: bool) -> Area {
    match frame {
        Frame::Wide | Frame::Short | Frame::Presenter => sizes.area,
        Frame::Narrow { .. } => Area { h: placed.bottom() + 8.0 + if handled { SLIDER } else { 0.0 }, ..sizes.area },
    }
}

/// The first run of bytes of the log's line that the lens shows.
fn lit(view: &View, placed: &Placed, hand: &Hand) -> Option<Area> {
    let range = view.lit?;
    let run = range.at.raw()..range.at.raw().saturating_add(range.len);
    placed.objects.iter().find_map(|one| {
        let hit = part_in(&run, one.object.address, hand.cache.layout.size)?;
        object::bytes_area(one, hit)
    })
}

/// At the end of each row that an aimed write leaves for the next.
fn wraps(view: &View, placed: &Placed, sizes: &LensSizes) -> Vec<Point> {
    let rows = placed.objects.windows(2).filter(|pair| pair[0].area.y < pair[1].area.y);
    let aimed = view.aim.is_some_and(|aim| aim.len > 0);
    rows.filter(|_| aimed)
        .map(|pair| Point { x: sizes.right + 15.0, y: pair[0].area.y + pair[0].area.h / 2.0 })
        .collect()
}

/// Past the last object of a slab there is no next one.
fn end(slab: &SlabView, placed: &Placed, sizes: &LensSizes) -> Option<Text> {
    let last = placed.objects.last()?;
    let is_last = slab.objects.last().is_some_and(|object| object.index == last.object.index);
    let left = last.right() + 16.0;
    let text = Text::plain(left, last.area.y + sizes.name_at, "the slab ends here", 16.0, Tone::Quiet);
    (is_last && left + text.width() < sizes.right).then_some(text)
}
