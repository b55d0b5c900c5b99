//! The words in the lens: names on one baseline, what each object is, what its pointer says.

use super::super::hand::{Hand, cache_of, former_name, list_of, names, slab_of};
use super::super::measure::{LensSizes, px};
use super::super::shape::{Area, Face, HitLook, Px, Text, Tone};
use super::super::{Frame, View, words};
use super::content::content;
use super::object::{is_stub, overlaps};
use super::place::PlacedObject;
use crate::text::{ordinal, parted};
use slabscope_core::snapshot::{ChainEnd, ObjectState, ObjectView, PointerView, SlabView, Snapshot};
use slabscope_core::units::count_from;

pub(super) struct Context<'a> {
    pub(super) view: &'a View<'a>,
    pub(super) hand: &'a Hand<'a>,
    pub(super) slab: &'a SlabView,
    pub(super) placed: &'a PlacedObject<'a>,
    pub(super) sizes: &'a LensSizes,
    /// What texts keep clear of, from left to right.
    pub(super) obstacles: Vec<(Px, Px)>,
    /// What a measure takes.
    pub(super) measure: Option<Area>,
}

/// A line under the name.
struct Line {
    words: String,
    /// What follows in bold.
    strong: Option<String>,
    tone: Tone,
    face: Face,
}

/// From an edge to a text.
const MARGIN: Px = 20.0;
/// From a name to what stands beside it.
const BESIDE: Px = 14.0;

/// All texts of an object.
pub(super) fn texts(context: &Context) -> Vec<Text> {
    if is_stub(context.placed) {
        return stub(context);
    }
    let gaps = gaps(context);
    let Some((left, right)) = name_gap(context, &gaps) else { return Vec::new() };
    let baseline = baseline(context);
    let (name, size) = name(context, right - left);
    let name = Text::plain(left, baseline, name, size, main_tone(context)).in_face(Face::Bold);
    let lines = lines(context);
    let mut texts = Vec::new();
    let beside = left + name.width() + BESIDE;
    if let Some(state) = beside_name(context, &lines, right - beside) {
        texts.push(Text::plain(beside, baseline, state, context.sizes.text_size, quiet_tone(context)));
    }
    texts.insert(0, name);
    texts.extend(below(context, lines, (left, right), baseline));
    texts.extend(missed(context, &gaps, left, baseline));
    texts
}

/// Whether what is not hit has room for an object's name, or for its place in the list.
pub(super) fn has_room(context: &Context) -> bool {
    if is_stub(context.placed) {
        return true;
    }
    name_gap(context, &gaps(context)).is_some_and(|(left, right)| {
        let (name, size) = name(context, right - left);
        !name.is_empty() && !name.ends_with('…') && Face::Bold.width(&name, size) <= right - left
    })
}

/// All of an object in words.
pub(super) fn label(view: &View, hand: &Hand, slab: &SlabView, placed: &PlacedObject) -> String {
    let object = placed.object;
    let shared = shared(view, object).filter(|_| object.state == ObjectState::InUse);
    let was = shared.map_or_else(String::new, |shared| format!(", {shared}"));
    let mut label = words::label(view, slab, object, &was);
    if let Some(content) = content(view.machine, &hand.cache.layout, object, "old pointer") {
        label.push_str(&format!(", holds {content}"));
    }
    for (hit, look) in &placed.hits {
        let verb = match look {
            HitLook::Armed => "would be",
            HitLook::Written => "were",
        };
        label.push_str(&format!(", {} {verb} written over", words::bytes(hit.len)));
        if overlaps(*hit, hand.cache.layout.offset) {
            label.push_str(", its free pointer among them");
        }
    }
    label
}

/// Where there is room for a sign or two.
fn stub(context: &Context) -> Vec<Text> {
    let area = context.placed.area;
    let object = context.placed.object;
    // What is hit has a tag there.
    if !context.placed.hits.is_empty() {
        return Vec::new();
    }
    let middle = area.y + area.h / 2.0 + 7.0;
    let free_at_start = context.obstacles.first().is_none_or(|(from, _)| *from > area.x + 30.0);
    let text = match object.state {
        ObjectState::InUse => {
            let full = words::name_of(context.view, context.slab, object);
            let fits = |size: &Px| Face::Bold.width(&full, *size) <= area.w - 18.0;
            let size = [context.sizes.name_size, 28.0, 20.0].into_iter().find(fits).unwrap_or(16.0);
            let name = words::fit(&full, area.w - 18.0, Face::Bold, size);
            Text::plain(area.x + BESIDE, baseline(context), name, size, Tone::OnAlloc).in_face(Face::Bold)
        }
        ObjectState::Lost | ObjectState::Waiting => {
            Text::plain(area.x + 24.0, middle, "–", 20.0, Tone::Ink).in_face(Face::MonoBold).centred()
        }
        ObjectState::Free { position } | ObjectState::InSheaf { position, .. } if free_at_start => {
            Text::plain(area.x + BESIDE, middle, position.to_string(), 20.0, Tone::Quiet).in_face(Face::MonoBold)
        }
        ObjectState::Free { position } | ObjectState::InSheaf { position, .. } => {
            let centre = context.obstacles.first().map_or(area.x + 24.0, |(from, to)| (from + to) / 2.0);
            Text::plain(centre, middle, position.to_string(), 20.0, Tone::OnPointer).in_face(Face::MonoBold).centred()
        }
    };
    // The presenter has no text under 24 px; a sliver has room for none.
    let beyond = text.width() > area.w - 4.0;
    if text.size < context.sizes.text_size || text.words.is_empty() || beyond { Vec::new() } else { vec![text] }
}

fn baseline(context: &Context) -> Px {
    let area = context.placed.area;
    match context.view.frame {
        Frame::Narrow { .. } if area.h < 60.0 => area.y + 38.0,
        Frame::Narrow { .. } | Frame::Wide | Frame::Short | Frame::Presenter => area.y + context.sizes.name_at,
    }
}

/// The free parts of an object, from where a text may start to where it must end.
fn gaps(context: &Context) -> Vec<(Px, Px)> {
    let area = context.placed.area;
    let mut from = area.x;
    let mut gaps = Vec::new();
    for (start, end) in context.obstacles.iter().copied().chain([(area.right(), area.right())]) {
        let narrow = start - from < 160.0;
        let (before, after) = if narrow { (14.0, 3.0) } else { (MARGIN, 6.0) };
        gaps.push((from + before, start - after));
        from = from.max(end);
    }
    gaps.retain(|(left, right)| right - left > 12.0);
    gaps
}

fn name_gap(context: &Context, gaps: &[(Px, Px)]) -> Option<(Px, Px)> {
    let wanted: String = words::name_of(context.view, context.slab, context.placed.object).chars().take(6).collect();
    let width = Face::Bold.width(&wanted, context.sizes.name_size);
    let fits = |gap: &&(Px, Px)| gap.1 - gap.0 >= width;
    gaps.iter()
        .find(fits)
        .or_else(|| gaps.iter().max_by(|one, other| (one.1 - one.0).total_cmp(&(other.1 - other.0))))
        .copied()
}

/// The name, as large as it may be; a free object that has none shows its place in the list where not even that fits.
fn name(context: &Context, room: Px) -> (String, Px) {
    let object = context.placed.object;
    let full = match object.state {
        ObjectState::Lost => "–".to_owned(),
        ObjectState::InUse | ObjectState::Free { .. } | ObjectState::InSheaf { .. } | ObjectState::Waiting => {
            words::name_of(context.view, context.slab, object)
        }
    };
    let smallest = context.sizes.text_size.max(20.0);
    let sizes = [context.sizes.name_size, 28.0, smallest].into_iter().filter(|size| *size >= smallest);
    match (sizes.into_iter().find(|size| Face::Bold.width(&full, *size) <= room), object.state) {
        (Some(size), _) => (full, size),
        (None, ObjectState::Free { position }) if object.name.is_none() => (position.to_string(), smallest),
        (None, _) => (words::fit(&full, room, Face::Bold, smallest), smallest),
    }
}

fn main_tone(context: &Context) -> Tone {
    if context.placed.object.state == ObjectState::InUse { Tone::OnAlloc } else { Tone::Ink }
}

fn quiet_tone(context: &Context) -> Tone {
    if context.placed.object.state == ObjectState::InUse { Tone::OnAlloc } else { Tone::Quiet }
}

/// The longest form of what an object is that fits beside its name; on a low lens what its pointer says comes first.
fn beside_name(context: &Context, lines: &[Line], room: Px) -> Option<String> {
    let urgent = lines.iter().rev().find(|line| context.sizes.lines == 0 && line.tone == Tone::Damage);
    let urgent = urgent.map(|line| line.words.clone());
    let forms = urgent.into_iter().chain(states(context));
    forms.into_iter().find(|form| Face::Plain.width(form, context.sizes.text_size) <= room)
}

/// Who else has an object, or who had it: `also q`, `was v`.
fn shared(view: &View, object: &ObjectView) -> Option<String> {
    let also = names(view).also(object).map(|name| format!("also {name}"));
    also.or_else(|| former_name(view, object).map(|name| format!("was {name}")))
}

fn states(context: &Context) -> Vec<String> {
    let object = context.placed.object;
    let full = words::state(object);
    match object.state {
        ObjectState::InUse => match shared(context.view, object) {
            Some(shared) => vec![format!("in use · {shared}"), shared, full],
            None if matches!(context.view.frame, Frame::Presenter) => Vec::new(),
            None => vec![full],
        },
        ObjectState::Free { position } => {
            let brief = format!("free · {}", ordinal(position));
            match context.view.frame {
                Frame::Presenter => vec![brief, "free".to_owned()],
                Frame::Wide | Frame::Short | Frame::Narrow { .. } => vec![full, brief, "free".to_owned()],
            }
        }
        ObjectState::InSheaf { .. } => vec![full, "in a sheaf".to_owned()],
        ObjectState::Waiting => vec![full, "waits".to_owned()],
        ObjectState::Lost => vec![full, "lost".to_owned()],
    }
}

/// What is said under the name.
fn lines(context: &Context) -> Vec<Line> {
    let object = context.placed.object;
    match object.state {
        ObjectState::Free { .. } => {
            let mut lines = pointer_lines(context);
            // What is urgent stands alone.
            if lines.iter().all(|line| line.tone != Tone::Damage) {
                lines.extend(held(context));
            }
            lines
        }
        ObjectState::InUse => {
            let read = read_on_the_way_out(context, object);
            if read.is_empty() { held(context).into_iter().collect() } else { read }
        }
        ObjectState::InSheaf { .. } | ObjectState::Waiting => held(context).into_iter().collect(),
        ObjectState::Lost => Vec::new(),
    }
}

/// What the object holds, in the presenter left to what the speaker says.
fn held(context: &Context) -> Option<Line> {
    let shown = !matches!(context.view.frame, Frame::Presenter);
    let layout = &context.hand.cache.layout;
    let words = || content(context.view.machine, layout, context.placed.object, pointer_word(context));
    Some(Line { words: shown.then(words).flatten()?, strong: None, tone: quiet_tone(context), face: Face::Mono })
}

/// A free object's pointer is no old one.
fn pointer_word(context: &Context) -> &'static str {
    if context.placed.object.state == ObjectState::InUse { "old pointer" } else { "pointer" }
}

fn pointer_lines(context: &Context) -> Vec<Line> {
    let object = context.placed.object;
    let ahead = context.view.after.and_then(|after| Some((after, slab_of(after, context.slab.id)?)));
    let then = ahead.and_then(|(after, slab)| Some((after, slab.objects.get(object.index.index())?.pointer)));
    let then = then.filter(|(_, pointer)| pointer.stored != object.pointer.stored);
    let now = says(context, context.view.snapshot, &object.pointer);
    let plain = |words| Line { words, strong: None, tone: quiet_tone(context), face: Face::Mono };
    let urgent = |words| Line { words, strong: None, tone: Tone::Damage, face: Face::MonoBold };
    let presenter = matches!(context.view.frame, Frame::Presenter);
    let narrow = matches!(context.view.frame, Frame::Narrow { .. });
    match then {
        Some((after, pointer)) if presenter => vec![in_big(context, after, &pointer, "pointer now")],
        None if presenter && !object.pointer.intact => {
            vec![in_big(context, context.view.snapshot, &object.pointer, "pointer now")]
        }
        None if presenter => Vec::new(),
        Some((after, pointer)) if narrow => vec![urgent(format!("now {}", says(context, after, &pointer)))],
        Some((after, pointer)) => {
            vec![plain(format!("pointer is {now}")), urgent(format!("then {}", says(context, after, &pointer)))]
        }
        None if object.pointer.intact => vec![plain(format!("pointer {now}"))],
        None => vec![urgent(format!("pointer now {now}"))],
    }
}

/// `pointer now` and, in bold, where it leads.
fn in_big(context: &Context, snapshot: &Snapshot, pointer: &PointerView, words: &str) -> Line {
    let leads = words::leads_to(context.view, snapshot, pointer.decoded, pointer.landing);
    let leads = place_alone(&leads).to_owned();
    let is_target = context.view.target.is_some_and(|target| target.as_str() == leads);
    let tone = if is_target { Tone::Target } else { Tone::Damage };
    Line { words: words.to_owned(), strong: Some(leads), tone, face: Face::Plain }
}

/// `2nd` of `2nd in list`.
fn place_alone(leads: &str) -> &str {
    leads.strip_suffix(" in list").unwrap_or(leads)
}

/// `0x…c0c0 = 2nd in list`.
fn says(context: &Context, snapshot: &Snapshot, pointer: &PointerView) -> String {
    let leads = words::leads_to(context.view, snapshot, pointer.decoded, pointer.landing);
    format!("{} = {leads}", words::short(pointer.decoded, Some(context.slab)))
}

/// An object in use whose pointer was written over before it was handed out: the list went on to what it said.
fn read_on_the_way_out(context: &Context, object: &ObjectView) -> Vec<Line> {
    let offset = context.hand.cache.layout.offset;
    let pointer_hit = context.placed.hits.iter().any(|(hit, look)| *look == HitLook::Written && overlaps(*hit, offset));
    if !pointer_hit {
        return Vec::new();
    }
    let plain = |words: String| Line { words, strong: None, tone: Tone::OnAlloc, face: Face::Mono };
    if !was_followed(context, object) {
        return vec![plain("pointer hit".to_owned())];
    }
    match context.view.frame {
        Frame::Presenter => vec![Line { face: Face::Plain, ..plain("pointer was read".to_owned()) }],
        Frame::Wide | Frame::Short | Frame::Narrow { .. } => vec![
            plain("its pointer was read on the way out:".to_owned()),
            plain(says(context, context.view.snapshot, &object.pointer)),
        ],
    }
}

/// Whether the list, or somebody who was handed it, has what the damaged pointer says.
fn was_followed(context: &Context, object: &ObjectView) -> bool {
    let to = object.pointer.decoded;
    let Some(cache) = cache_of(context.view.snapshot, context.hand.cache.id) else { return false };
    let list = list_of(cache, context.slab);
    let heads = list.links.first() == Some(&to);
    let escapes = matches!(list.end, ChainEnd::Escape { to: end, .. } if end == to);
    let handed_out = context
        .view
        .snapshot
        .named
        .iter()
        .any(|named| named.address == to && named.live && named.cache() == Some(cache.id));
    heads || escapes || handed_out
}

/// The lines under the name, in its gap, split in two where they are too long for it.
fn below(context: &Context, lines: Vec<Line>, gap: (Px, Px), baseline: Px) -> Vec<Text> {
    let sizes = context.sizes;
    let room = gap.1 - gap.0;
    let size = if matches!(context.view.frame, Frame::Presenter) { sizes.text_size } else { 14.0 };
    let strong_width = |line: &Line| line.strong.as_ref().map_or(0.0, |words| 8.0 + Face::Bold.width(words, size));
    let too_long = |line: &Line| line.face.width(&line.words, size) + strong_width(line) > room;
    let mut split = Vec::new();
    for line in lines {
        match parted(&line.words, " = ") {
            Some((value, leads)) if too_long(&line) => {
                let again = |words| Line { words, strong: None, tone: line.tone, face: line.face };
                split.extend([again(value.to_owned()), again(format!("= {leads}"))]);
            }
            _ => match (too_long(&line), line.strong) {
                (true, Some(strong)) => {
                    let words = Line { words: line.words, strong: None, tone: Tone::Ink, face: line.face };
                    split.extend([words, Line { words: strong, strong: None, tone: line.tone, face: Face::Bold }]);
                }
                (_, strong) => split.push(Line { strong, ..line }),
            },
        }
    }
    // Where not even two lines hold what a pointer says, one says where it leads.
    let mut split = if split.iter().any(&too_long) { brief(split) } else { split };
    let bottom = bottom(context, gap, size);
    let most = lines_over(bottom, baseline, sizes);
    if context.measure.is_some() && split.len() > most {
        split = brief(split);
    }
    // What is newest is said last: where not all lines have room, the first ones go.
    let spare = split.len().saturating_sub(most);
    let mut texts = Vec::new();
    let mut y = baseline + sizes.first_line;
    split.drain(..spare);
    split.retain(|line| !too_long(line));
    for line in split {
        // A row that is low has room for the name alone.
        if y > bottom {
            break;
        }
        let strong = line.strong;
        let tone = if strong.is_some() { Tone::Ink } else { line.tone };
        let text = Text::plain(gap.0, y, line.words, size, tone).in_face(line.face);
        let after = gap.0 + text.width() + 8.0;
        texts.push(text);
        texts.extend(strong.map(|words| Text::plain(after, y, words, size, line.tone).in_face(Face::Bold)));
        y += sizes.line;
    }
    texts
}

/// The lowest baseline of a line: a measure keeps the place of the lines that it would cross.
fn bottom(context: &Context, gap: (Px, Px), size: Px) -> Px {
    let crossed = context.measure.filter(|measure| measure.x < gap.1 && gap.0 < measure.right());
    crossed.map_or(context.placed.area.bottom(), |measure| measure.y - 0.16 * size)
}

/// How many lines fit over a height.
fn lines_over(bottom: Px, baseline: Px, sizes: &LensSizes) -> usize {
    (0..sizes.lines).filter(|nth| baseline + sizes.first_line + px(count_from(*nth)) * sizes.line <= bottom).count()
}

/// `next: 3rd`: the last line that says where a pointer leads, without its address.
fn brief(lines: Vec<Line>) -> Vec<Line> {
    let last = lines.into_iter().rev().find_map(|line| {
        let leads = line.words.strip_prefix("= ").map(|leads| format!("next: {}", place_alone(leads)))?;
        Some(Line { words: leads, ..line })
    });
    last.into_iter().collect()
}

/// Right of a pointer that was missed: `v’s pointer was here`.
fn missed(context: &Context, gaps: &[(Px, Px)], name_left: Px, baseline: Px) -> Vec<Text> {
    let object = context.placed.object;
    let after = gaps.iter().rfind(|gap| gap.0 > name_left);
    let (Some(_), Some(gap), ObjectState::InUse) = (context.measure, after, object.state) else { return Vec::new() };
    let owner =
        former_name(context.view, object).map_or_else(|| "its pointer".to_owned(), |name| format!("{name}’s pointer"));
    let size = context.sizes.text_size;
    let line = |dy: Px, words: &str| Text::plain(gap.0, baseline + dy, words, size, Tone::OnAlloc);
    let lines = [line(0.0, &owner), line(size + 6.0, "was here")];
    let fits = lines.iter().all(|line| line.width() <= gap.1 - gap.0);
    if fits { lines.into() } else { Vec::new() }
}
