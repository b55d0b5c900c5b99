//! An object of the lens: its glyph, its pointer, what is hit, what is measured.

use super::super::hand::{Hand, change_of, part_in, reference, target_address};
use super::super::measure::{LensSizes, ZIGZAGS};
use super::super::shape::{Area, Change, Face, HitLook, Look, Point, Px, Text, Tone};
use super::super::{View, words};
use super::place::PlacedObject;
use super::{LensBreak, LensObject, LensPointer, Measure, PointerLook, Stretch, texts};
use slabscope_core::layout::WORD;
use slabscope_core::snapshot::{Hit, ObjectState, SlabView};
use slabscope_core::sorted::sorted_by;

pub(super) fn draw(view: &View, hand: &Hand, slab: &SlabView, placed: &PlacedObject, sizes: &LensSizes) -> LensObject {
    let object = placed.object;
    let offset = hand.cache.layout.offset;
    let change = change_of(view, slab.id, object);
    let look = match object.state {
        ObjectState::InUse => Look::InUse,
        ObjectState::Free { .. } | ObjectState::InSheaf { .. } | ObjectState::Waiting => Look::Free,
        ObjectState::Lost => Look::Lost,
    };
    let pointer = pointer(placed, offset, look);
    let mut hits: Vec<Stretch> =
        placed.hits.iter().map(|(hit, how)| stretch(placed, *hit, *how, pointer.as_ref(), sizes)).collect();
    let mut breaks = breaks(placed, sizes);
    let measure = measure(placed, offset, pointer.as_ref(), look, sizes);
    if let Some(measure) = &measure {
        make_way(measure, &mut breaks);
    }
    let mut context = texts::Context {
        view,
        hand,
        slab,
        placed,
        sizes,
        obstacles: obstacles(pointer.as_ref(), &hits, &breaks),
        measure: measure.as_ref().map(Measure::area),
    };
    let (mut texts, mut plate) = (texts::texts(&context), None);
    if !hits.is_empty() && !texts::has_room(&context) {
        context.obstacles = obstacles(pointer.as_ref(), &[], &breaks);
        texts = texts::texts(&context);
        plate = on_plate(&mut texts);
        hits.iter_mut().for_each(|hit| keep_clear(hit, plate));
    }
    part_tags(&mut hits);
    let measure = measure.filter(|measure| texts.iter().all(|text| !text.letters().meets(measure.area())));
    LensObject {
        object: reference(slab, object),
        area: placed.area,
        look,
        open: placed.open,
        texts,
        plate,
        pointer,
        hits,
        padding: placed.padding,
        breaks,
        measure,
        target: target_address(view) == Some(object.address),
        label: texts::label(view, hand, slab, placed) + Change::words(change),
        change,
    }
}

/// The live pointer of a free object; of one in use only what was missed or hit is of interest.
fn pointer(placed: &PlacedObject, offset: u64, look: Look) -> Option<LensPointer> {
    let object = placed.object;
    let look = match look {
        // What lies in a sheaf, or waits for a grace period, has no free pointer written.
        Look::Free if !matches!(object.state, ObjectState::Free { .. }) => return None,
        Look::Free => PointerLook::Live,
        Look::InUse if object.pointer.intact && !placed.hits.is_empty() => PointerLook::Stale,
        Look::InUse | Look::Lost | Look::Ghost => return None,
    };
    let area = bytes_area(placed, Hit { offset, len: WORD })?;
    Some(LensPointer { area, look, arrow: !placed.is_pointer_hit(offset) && area.w >= 30.0 && !is_stub(placed) })
}

/// Whether an object is open so early that there is room for one sign.
pub(super) fn is_stub(placed: &PlacedObject) -> bool {
    placed.open && placed.area.w < 150.0
}

pub(super) fn overlaps(hit: Hit, offset: u64) -> bool {
    hit.offset < offset + WORD && hit.offset + hit.len > offset
}

/// Where a run of bytes lies; `None` where that is beyond the figure's edge.
pub(super) fn bytes_area(placed: &PlacedObject, run: Hit) -> Option<Area> {
    let x = placed.axis.px_from_byte(run.offset);
    let right = placed.axis.px_from_end(run.offset + run.len);
    let edge = placed.right();
    (x < edge).then(|| Area { x, w: right.min(edge) - x, ..placed.area })
}

fn stretch(
    placed: &PlacedObject,
    hit: Hit,
    look: HitLook,
    pointer: Option<&LensPointer>,
    sizes: &LensSizes,
) -> Stretch {
    let area = bytes_area(placed, hit).unwrap_or(Area { w: 0.0, ..placed.area });
    let live = pointer.filter(|pointer| pointer.look == PointerLook::Live);
    let over_pointer = live.and_then(|pointer| common(area, pointer.area));
    let tag = match look {
        HitLook::Armed => sizes.armed_tag,
        HitLook::Written => sizes.tag,
    };
    let tag_at = (area.w >= tag * 1.15).then(|| Point { x: area.x + area.w / 2.0, y: area.y + area.h / 2.0 });
    Stretch { area, over_pointer, look, tag_at, tag }
}

fn common(one: Area, other: Area) -> Option<Area> {
    let x = one.x.max(other.x);
    let right = one.right().min(other.right());
    (x < right).then_some(Area { x, w: right - x, ..one })
}

fn breaks(placed: &PlacedObject, sizes: &LensSizes) -> Vec<LensBreak> {
    let cut = placed.axis.runs.iter().filter(|run| run.cut && run.x < placed.area.right());
    cut.map(|run| {
        let size = if sizes.text_size > 20.0 { 24.0 } else { 14.0 };
        let area = Area { x: run.x, w: (run.right - run.x).min(placed.area.right() - run.x), ..placed.area };
        let tone = match placed.object.state {
            ObjectState::InUse => Tone::OnAlloc,
            ObjectState::Free { .. } | ObjectState::InSheaf { .. } | ObjectState::Waiting | ObjectState::Lost => {
                Tone::Quiet
            }
        };
        let words = break_words(run.to - run.from, area.w, size);
        let (x, y) = (area.x + area.w / 2.0, area.bottom() - 12.0);
        LensBreak { area, words: Text::plain(x, y, words, size, tone).centred() }
    })
    .collect()
}

/// How many bytes a break leaves out, in as many words as fit between its zigzags.
pub(super) fn break_words(bytes: u64, width: Px, size: Px) -> String {
    let forms = [words::bytes(bytes), bytes.to_string()];
    let fits = |words: &String| Face::Plain.width(words, size) <= width - ZIGZAGS;
    forms.into_iter().find(fits).unwrap_or_default()
}

/// The bytes between the end of what was written and the pointer that it missed.
fn measure(
    placed: &PlacedObject,
    offset: u64,
    pointer: Option<&LensPointer>,
    look: Look,
    sizes: &LensSizes,
) -> Option<Measure> {
    let pointer = pointer?;
    if placed.is_pointer_hit(offset) {
        return None;
    }
    let end = placed.hits.iter().map(|(hit, _)| hit.offset + hit.len).filter(|end| *end < offset).max()?;
    let from = placed.axis.px_from_end(end) + 2.0;
    let to = pointer.area.x - 2.0;
    // Where the lens is low, a line that parts for its words is all that has room under a name.
    let inline = placed.area.h < 90.0;
    let y = placed.area.bottom() - 10.0;
    let tone = if look == Look::InUse { Tone::OnAlloc } else { Tone::Ink };
    let (heads, fitting) = if inline { (20.0, [sizes.text_size, 14.0]) } else { (0.0, [sizes.text_size; 2]) };
    let at = |size: Px| {
        let below = if inline { size * 0.36 } else { -8.0 };
        let words = Text::plain((from + to) / 2.0, y + below, words::bytes(offset - end), size, tone);
        words.in_face(Face::Bold).centred()
    };
    let words = fitting.into_iter().map(at).find(|words| to - from > words.width() + heads)?;
    Some(Measure { from: Point { x: from, y }, to: Point { x: to, y }, words, inline })
}

/// A break that a measure crosses says at its top how much it leaves out.
fn make_way(measure: &Measure, breaks: &mut [LensBreak]) {
    for cut in breaks.iter_mut().filter(|cut| cut.words.letters().meets(measure.area())) {
        cut.words.at.y = cut.area.y + 10.0 + cut.words.size;
    }
}

/// The paper that texts stand on; they are written as on paper then.
fn on_plate(texts: &mut [Text]) -> Option<Area> {
    texts.iter_mut().filter(|text| text.tone == Tone::OnAlloc).for_each(|text| text.tone = Tone::Ink);
    let letters = texts.iter().map(Text::letters);
    letters.reduce(|one, other| one.joined(other)).map(|area| area.inset(-6.0))
}

/// The tag of what is hit stands at its right end, where a plate leaves it room.
fn keep_clear(hit: &mut Stretch, plate: Option<Area>) {
    let right =
        hit.over_pointer.filter(|pointer| pointer.right() >= hit.area.right()).map_or(hit.area.right(), |one| one.x);
    hit.tag_at = hit.tag_at.map(|at| Point { x: right - hit.tag * 0.575 - 10.0, ..at });
    let fits = |tag: Area| tag.x > hit.area.x && plate.is_none_or(|plate| !plate.meets(tag));
    hit.tag_at = hit.tag_at.filter(|_| hit.tag_area().is_some_and(fits));
}

/// Where tags meet, the last one stays: what is aimed at comes after what was written.
fn part_tags(hits: &mut [Stretch]) {
    for nth in 1..hits.len() {
        let (before, rest) = hits.split_at_mut(nth);
        let Some(tag) = rest[0].tag_area() else { continue };
        for hit in before {
            hit.tag_at = hit.tag_at.filter(|_| hit.tag_area().is_some_and(|one| !one.meets(tag)));
        }
    }
}

/// What texts keep clear of.
fn obstacles(pointer: Option<&LensPointer>, hits: &[Stretch], breaks: &[LensBreak]) -> Vec<(Px, Px)> {
    let pointer = pointer.iter().map(|pointer| pointer.area);
    let hits = hits.iter().map(|hit| hit.area);
    let breaks = breaks.iter().map(|cut| cut.area);
    let taken = pointer.chain(hits).chain(breaks).map(|area| (area.x, area.right())).filter(|(from, to)| to > from);
    sorted_by(taken, |one, other| one.0.total_cmp(&other.0))
}

/// Whether a run of addresses touches an object's free pointer.
pub(super) fn hits_pointer(run: &std::ops::Range<u64>, placed: &PlacedObject, offset: u64, size: u64) -> bool {
    part_in(run, placed.object.address, size).is_some_and(|hit| overlaps(hit, offset))
}
