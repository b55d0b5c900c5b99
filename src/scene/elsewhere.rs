//! Elsewhere: the target, and where pointers lead that leave the slab.

use super::hand::{Hand, cache_of, escape_of, list_of, name_at, slab_of, target_address};
use super::measure::{ELSEWHERE_X, NARROW_MARGIN, px};
use super::shape::{Area, Change, Face, Point, Px, Text, Tone};
use super::{Frame, View, words};
use slabscope_core::machine::NamedObject;
use slabscope_core::snapshot::{Landing, SlabView, Snapshot};
use slabscope_core::units::VirtAddr;
use std::rc::Rc;

/// The figure at the right of the map.
#[derive(Clone, Debug, PartialEq)]
pub struct ElsewhereScene {
    /// The kind of screen that it is laid out for.
    pub frame: Frame,
    /// The figure's rectangle in the frame.
    pub area: Area,
    /// Its heading; `None` in the presenter.
    pub heading: Option<Text>,
    /// Its boxes, the one that a pointer leads to first.
    pub boxes: Vec<Rc<ElsewhereBox>>,
}

impl ElsewhereScene {
    /// What it shows, in a sentence.
    #[must_use]
    pub fn summary(&self) -> String {
        if self.boxes.is_empty() {
            return "No pointer leaves this slab.".to_owned();
        }
        words::list(self.boxes.iter().map(|one| one.label.as_str()))
    }
}

/// A place outside the slab.
#[derive(Clone, Debug, PartialEq)]
pub struct ElsewhereBox {
    /// Its address.
    pub address: VirtAddr,
    /// Where it is drawn.
    pub area: Area,
    /// What it is.
    pub sort: Sort,
    /// The middle of the target's cross-hair, where there is room for it.
    pub cross: Option<Point>,
    /// Its name, its address and, under it, why it is no object of this slab.
    pub texts: Vec<Text>,
    /// Another name that it was handed out under.
    pub also: Option<OtherName>,
    /// Whether that came in with this step.
    pub changed: bool,
    /// All of that in words.
    pub label: String,
}

/// A name that an allocation gave to something that had one.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherName {
    /// Where it is drawn.
    pub area: Area,
    /// The name, in it.
    pub name: Text,
    /// That it names it too, beside it.
    pub note: Text,
}

/// What a place outside the slab is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// The attacker's target.
    Target,
    /// Memory that can be read.
    Memory,
    /// No memory: a fault.
    Nowhere,
}

pub(super) fn scene(view: &View) -> ElsewhereScene {
    let sizes = Sizes::of(view.frame);
    let places = places(view);
    let boxes: Vec<_> = places.iter().enumerate().map(|(nth, place)| Rc::new(draw(view, place, nth, &sizes))).collect();
    let bottom = boxes
        .last()
        .map_or(sizes.first.y, |last| last.also.as_ref().map_or(last.area, |also| also.area).bottom() + 4.0);
    let area = if sizes.area.h > 0.0 { sizes.area } else { Area { h: bottom, ..sizes.area } };
    let heading =
        sizes.heading.filter(|_| !boxes.is_empty()).map(|at| Text::plain(at.x, at.y, "elsewhere", 14.0, Tone::Quiet));
    ElsewhereScene { frame: view.frame, area, heading, boxes }
}

/// The box of an address, if one is drawn.
pub(super) fn box_of(view: &View, address: VirtAddr) -> Option<Area> {
    let nth = places(view).iter().position(|place| place.address == address)?;
    Some(Sizes::of(view.frame).area_of(nth))
}

struct Place {
    address: VirtAddr,
    sort: Sort,
    name: String,
    why: Vec<&'static str>,
}

/// Where the list in hand escapes to, or would; and the target, if it lies outside the slab.
fn places(view: &View) -> Vec<Place> {
    let Some(hand) = Hand::of(view) else { return target(view, None).into_iter().collect() };
    let target = target(view, hand.slab);
    let escape = hand.slab.and_then(|slab| escape(view, slab)).filter(|address| Some(*address) != target_address(view));
    let strange = escape.map(|address| stranger(view, &hand, address));
    strange.into_iter().chain(target).collect()
}

fn escape(view: &View, slab: &SlabView) -> Option<VirtAddr> {
    let seen: &Snapshot = view.after.unwrap_or(view.snapshot);
    let slab = slab_of(seen, slab.id)?;
    escape_of(list_of(cache_of(seen, slab.cache)?, slab))
}

fn target(view: &View, home: Option<&SlabView>) -> Option<Place> {
    let address = target_address(view)?;
    let at_home = home.is_some_and(|slab| address.bytes_after(slab.base).is_some_and(|far| far < slab.order.bytes()));
    if at_home {
        return None;
    }
    let mut why = vec![whose(view, home, address)];
    if is_untouched(view, home, address) {
        why.push("untouched");
    }
    Some(Place { address, sort: Sort::Target, name: view.target?.to_string(), why })
}

/// Whether something was written over in this slab, and the target was neither reached nor is led to.
fn is_untouched(view: &View, home: Option<&SlabView>, target: VirtAddr) -> bool {
    let Some(slab) = home else { return false };
    let written = slab.objects.iter().any(|object| !object.hits.is_empty());
    let led_to = slab.objects.iter().any(|object| !object.pointer.intact && object.pointer.decoded == target);
    written && !led_to && other_name(view, target).is_none()
}

fn whose(view: &View, home: Option<&SlabView>, address: VirtAddr) -> &'static str {
    let cache = match view.machine.landing(address) {
        Landing::Object { slab, .. } | Landing::InsideObject { slab, .. } | Landing::SlabTail { slab } => {
            slab_of(view.snapshot, slab).map(|slab| slab.cache)
        }
        Landing::Null | Landing::Ram | Landing::Unmapped | Landing::NonCanonical => None,
    };
    match (cache, home) {
        (Some(cache), Some(home)) if cache == home.cache => "in another slab",
        (Some(_), _) => "in another cache",
        (None, _) => "no slab’s memory",
    }
}

fn stranger(view: &View, hand: &Hand, address: VirtAddr) -> Place {
    let landing = view.machine.landing(address);
    let (sort, why) = match landing {
        Landing::NonCanonical => (Sort::Nowhere, vec!["not canonical:", "no memory can be here"]),
        Landing::Unmapped => (Sort::Nowhere, vec!["not mapped:", "no memory is here"]),
        Landing::InsideObject { slab, .. } | Landing::SlabTail { slab }
            if Some(slab) == hand.slab.map(|one| one.id) =>
        {
            (Sort::Memory, vec!["in this slab,", "but no object’s start"])
        }
        Landing::Null
        | Landing::Object { .. }
        | Landing::InsideObject { .. }
        | Landing::SlabTail { .. }
        | Landing::Ram => (Sort::Memory, vec![whose(view, hand.slab, address)]),
    };
    let name = match sort {
        Sort::Nowhere => "nowhere".to_owned(),
        Sort::Target | Sort::Memory => match landing {
            Landing::Object { .. } => name_at(view, address).unwrap_or("an object").to_owned(),
            Landing::Null
            | Landing::InsideObject { .. }
            | Landing::SlabTail { .. }
            | Landing::Ram
            | Landing::Unmapped
            | Landing::NonCanonical => words::leads_to(view, view.snapshot, address, landing),
        },
    };
    Place { address, sort, name, why }
}

/// Another live name of what starts at an address.
fn other_name<'a>(view: &View<'a>, address: VirtAddr) -> Option<&'a NamedObject> {
    let mut here = view.snapshot.named.iter();
    here.rfind(|named| named.address == address && named.live && Some(&named.name) != view.target)
}

fn draw(view: &View, place: &Place, nth: usize, sizes: &Sizes) -> ElsewhereBox {
    let area = sizes.area_of(nth);
    let home = Hand::of(view).and_then(|hand| hand.slab);
    let note = words::short(place.address, home);
    let also = other_name(view, place.address).filter(|_| place.sort == Sort::Target);
    let fresh = also.is_some_and(|also| {
        view.before.is_some_and(|before| !before.named.iter().any(|was| was.name == also.name && was.live))
    });
    let label_tail = also.map_or_else(String::new, |also| format!(", {} names it too", also.name));
    ElsewhereBox {
        address: place.address,
        area,
        sort: place.sort,
        cross: (place.sort == Sort::Target && sizes.cross)
            .then(|| Point { x: area.right() - 26.0, y: area.y + if area.h < 60.0 { area.h / 2.0 } else { 26.0 } }),
        texts: texts(place, &note, nth, area, sizes),
        also: also.filter(|_| nth == 0).map(|also| sizes.other_name(area, also)),
        changed: fresh,
        label: format!(
            "{}, {note}, {}{label_tail}{}",
            place.name,
            place.why.join(" "),
            Change::words(fresh.then_some(Change::Turned))
        ),
    }
}

fn texts(place: &Place, note: &str, nth: usize, area: Area, sizes: &Sizes) -> Vec<Text> {
    let tone = match place.sort {
        Sort::Target => Tone::Target,
        Sort::Nowhere => Tone::Damage,
        Sort::Memory => Tone::Ink,
    };
    let room = area.w - if sizes.cross { 60.0 } else { 24.0 };
    let name = words::fit(&place.name, room, Face::Bold, sizes.name_size);
    if sizes.centred {
        let (x, y) = (area.x + area.w / 2.0, area.y + area.h / 2.0 + sizes.name_size * 0.4);
        let mut texts = vec![Text::plain(x, y, name, sizes.name_size, tone).in_face(Face::Bold).centred()];
        if nth == 0 {
            let why = place.why.join(" ");
            // `in another slab` says no more than `another slab`.
            let why = why.strip_prefix("in ").filter(|rest| rest.starts_with("another")).unwrap_or(&why);
            texts.push(
                Text::plain(x, area.bottom() + 34.0, words::fit(why, 216.0, Face::Plain, 24.0), 24.0, Tone::Quiet)
                    .centred(),
            );
        }
        return texts;
    }
    if area.h < 60.0 {
        let y = area.y + area.h / 2.0 + 6.0;
        let name = Text::plain(area.x + 18.0, y, name, 20.0, tone).in_face(Face::Bold);
        let note_x = name.at.x + name.width() + 16.0;
        let narrow = note_x + 110.0 > area.right();
        let note = Text::plain(note_x, y, note, 14.0, Tone::Ink).in_face(Face::Mono);
        return if narrow { vec![name] } else { vec![name, note] };
    }
    let mut texts = vec![
        Text::plain(area.x + 18.0, area.y + 34.0, name, sizes.name_size, tone).in_face(Face::Bold),
        Text::plain(area.x + 18.0, area.y + 58.0, note, 14.0, Tone::Ink).in_face(Face::Mono),
    ];
    texts.extend(
        place
            .why
            .iter()
            .zip(0..)
            .map(|(line, k)| Text::plain(area.x + 2.0, area.bottom() + 22.0 + px(k) * 20.0, *line, 14.0, Tone::Quiet)),
    );
    texts
}

/// The figure's sizes on one kind of screen.
struct Sizes {
    area: Area,
    heading: Option<Point>,
    first: Area,
    name_size: Px,
    centred: bool,
    cross: bool,
}

impl Sizes {
    fn of(frame: Frame) -> Self {
        let wide = Self {
            area: Area::new(1064.0, 118.0, 216.0, 206.0),
            heading: Some(Point { x: ELSEWHERE_X, y: 137.0 }),
            first: Area::new(ELSEWHERE_X, 148.0, 172.0, 76.0),
            name_size: 20.0,
            centred: false,
            cross: true,
        };
        match frame {
            Frame::Wide => wide,
            Frame::Short => Self {
                area: Area::new(1064.0, 108.0, 216.0, 152.0),
                heading: Some(Point { x: ELSEWHERE_X, y: 125.0 }),
                first: Area::new(ELSEWHERE_X, 136.0, 172.0, 70.0),
                ..wide
            },
            Frame::Presenter => Self {
                area: Area::new(1064.0, 118.0, 216.0, 196.0),
                heading: None,
                first: Area::new(ELSEWHERE_X, 130.0, 172.0, 86.0),
                name_size: 28.0,
                centred: true,
                cross: false,
            },
            Frame::Narrow { width } => Self {
                area: Area::new(0.0, 0.0, px(width), 0.0),
                heading: Some(Point { x: NARROW_MARGIN, y: 16.0 }),
                first: Area::new(NARROW_MARGIN, 26.0, px(width) - 2.0 * NARROW_MARGIN, 48.0),
                ..wide
            },
        }
    }

    /// The first box, or one of the lower ones under it.
    fn area_of(&self, nth: usize) -> Area {
        let below = px(u32::try_from(nth).unwrap_or(u32::MAX));
        if nth == 0 {
            return self.first;
        }
        let under = if self.first.h < 60.0 { 12.0 } else { 54.0 };
        let height = self.first.h.min(40.0);
        Area { y: self.first.bottom() + under + (below - 1.0) * (height + 12.0), h: height, ..self.first }
    }

    fn other_name(&self, area: Area, also: &NamedObject) -> OtherName {
        let (w, h) = if self.centred { (56.0, 36.0) } else { (54.0, 32.0) };
        let size = if self.centred { 28.0 } else { 16.0 };
        // Under the line that says why, where there is one.
        let y = area.bottom()
            + if self.centred {
                44.0
            } else if area.h < 60.0 {
                12.0
            } else {
                34.0
            };
        // At the presenter's size there is no room for three words.
        let (words, words_size) = if self.centred { ("names it", 24.0) } else { ("names it too", 14.0) };
        let chip = Area::new(area.x + 1.0, y, w, h);
        let name = words::fit(also.name.as_str(), w - 8.0, Face::Bold, size);
        let (middle, line) = (chip.x + w / 2.0, y + h / 2.0 + size * 0.36);
        OtherName {
            area: chip,
            name: Text::plain(middle, line, name, size, Tone::OnAlloc).in_face(Face::Bold).centred(),
            note: Text::plain(chip.right() + 11.0, line, words, words_size, Tone::Quiet),
        }
    }
}
