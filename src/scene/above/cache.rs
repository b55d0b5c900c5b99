//! A cache: a row for each CPU, for the node, and for slabs that no list holds.

use super::super::hand::{Hand, slab_of, slabs_of};
use super::super::map::{self, Heading, crumbs};
use super::super::measure::px;
use super::super::shape::{Face, Point, Text, Tone};
use super::super::{Depth, Frame, View};
use super::sizes::RowSizes;
use super::{AboveScene, Part, PartLook, into, is_here, over_bar, sheaves, slab_name};
use crate::text::counted;
use slabscope_core::kernel::CpuPartialLimit;
use slabscope_core::snapshot::{CpuView, ObjectState, SlabList, SlabView};
use slabscope_core::sorted::sorted_by;
use slabscope_core::units::{CpuId, SlabId, count_from};
use std::rc::Rc;

/// A row: who has the slabs, and which.
struct Row<'a> {
    /// Whose it is, where it is one CPU's.
    cpu: Option<CpuId>,
    name: String,
    note: String,
    slabs: Vec<&'a SlabView>,
    /// Whether the first one stands apart: it is in use now, the others wait.
    first_apart: bool,
    /// Whether they are a list, so that an arrow leads from each to the next.
    linked: bool,
    /// What stands in the place of slabs.
    words: String,
}

pub(super) fn scene(view: &View) -> AboveScene {
    let sizes = RowSizes::of(view.frame);
    let hand = Hand::of(view);
    let rows = hand.as_ref().map(|hand| rows(view, hand)).unwrap_or_default();
    let tally = hand.as_ref().map_or_else(|| "no cache yet".to_owned(), |hand| tally(view, hand));
    let mut scene = AboveScene {
        frame: view.frame,
        area: sizes.area,
        heading: sizes.heading.map(|at| Heading {
            at,
            crumbs: crumbs(view, hand.as_ref(), Depth::Cache),
            tally: tally.clone(),
        }),
        summary: hand
            .as_ref()
            .map_or_else(|| "No cache yet.".to_owned(), |hand| format!("{}: {tally}.", hand.cache.name)),
        rules: Vec::new(),
        marks: Vec::new(),
        arrows: Vec::new(),
        texts: Vec::new(),
        parts: Vec::new(),
        map: None,
    };
    let mut top = sizes.top;
    if let Some((hand, sheaves)) = hand.as_ref().and_then(|hand| Some((hand, hand.cache.sheaves.as_ref()?))) {
        let bottom = sheaves::draw(view, hand, sheaves, top, &mut scene);
        scene.area.h = if scene.area.h > 0.0 { scene.area.h } else { bottom + 12.0 };
        return scene;
    }
    for row in &rows {
        top += draw(view, hand.as_ref(), row, top, &sizes, &mut scene);
    }
    rule(&sizes, top, &mut scene);
    if scene.area.h <= 0.0 {
        scene.area.h = top + 12.0;
    } else if let Some(slab) = hand.as_ref().and_then(|hand| hand.slab) {
        scene.map = map::scene_under(view, top + MAP_HEADING, scene.area.bottom());
        let words = format!("{} · {} of {} in use", slab_name(slab), in_use(slab), slab.objects.len());
        let heading = Text::plain(sizes.left, top + MAP_HEADING - 11.0, words, 14.0, Tone::Quiet);
        scene.texts.extend(scene.map.as_ref().map(|_| heading));
        scene.area.h = if scene.map.is_some() { top + MAP_HEADING - 8.0 - scene.area.y } else { scene.area.h };
    }
    scene
}

/// From the rows to the map under them: its heading stands between.
const MAP_HEADING: f64 = 36.0;

/// `2 CPUs, 9 slabs, 103 of 144 objects in use`; a narrow screen has room for the objects alone.
fn tally(view: &View, hand: &Hand) -> String {
    let slabs = slabs_of(view, hand);
    let all: usize = slabs.iter().map(|slab| slab.objects.len()).sum();
    let in_use: u32 = slabs.iter().map(|slab| in_use(slab)).sum();
    if matches!(view.frame, Frame::Narrow { .. }) {
        return format!("{in_use} of {all}");
    }
    let cpus = words_for(view.snapshot.config.cpus, "CPU");
    format!("{cpus}, {}, {in_use} of {all} objects in use", words_for(count_from(slabs.len()), "slab"))
}

pub(super) fn in_use(slab: &SlabView) -> u32 {
    count_from(slab.objects.iter().filter(|object| object.state == ObjectState::InUse).count())
}

fn rows<'a>(view: &View<'a>, hand: &Hand<'a>) -> Vec<Row<'a>> {
    let find = |ids: &[SlabId]| ids.iter().filter_map(|id| slab_of(view.snapshot, *id)).collect::<Vec<_>>();
    let busy = hand.cache.cpus.iter().filter(|cpu| cpu.slab.is_some() || !cpu.partial.is_empty());
    let mut rows: Vec<Row> = busy.map(|cpu| cpu_row(view, cpu, &find)).collect();
    rows.extend(idle_row(view, hand));
    let node = find(&hand.cache.node_partial);
    rows.push(Row {
        cpu: None,
        name: "Node 0".to_owned(),
        note: format!("partial list, {}", node.len()),
        words: if node.is_empty() { "No slab of it is partly free.".to_owned() } else { String::new() },
        slabs: node,
        first_apart: false,
        linked: true,
    });
    let mut unlisted = slabs_of(view, hand);
    unlisted.retain(|slab| slab.list == SlabList::None);
    rows.push(Row {
        cpu: None,
        name: "No list".to_owned(),
        note: format!("counted as full: {}", unlisted.len()),
        words: if unlisted.is_empty() {
            "Full slabs are on no list: only a free finds them again.".to_owned()
        } else {
            String::new()
        },
        slabs: unlisted,
        first_apart: false,
        linked: false,
    });
    let wanted = |row: &Row| {
        let is_open = row.slabs.iter().any(|slab| is_here(Some(hand), slab));
        (!is_open, row.cpu != Some(view.snapshot.cpu))
    };
    folded(rows, RowSizes::of(view.frame).rows, wanted)
}

fn cpu_row<'a>(view: &View, cpu: &CpuView, find: &impl Fn(&[SlabId]) -> Vec<&'a SlabView>) -> Row<'a> {
    let active = find(cpu.slab.as_slice());
    let partial = find(&cpu.partial);
    let limit = view.snapshot.config.model().map_or(CpuPartialLimit::Absent, |model| model.cpu_partial);
    let active_words = if active.is_empty() { "no slab" } else { "its slab" };
    let note = match limit {
        CpuPartialLimit::Absent => active_words.to_owned(),
        CpuPartialLimit::Slabs | CpuPartialLimit::Objects if partial.is_empty() => {
            format!("{active_words}, no partial")
        }
        CpuPartialLimit::Slabs => format!("{active_words}, {} partial", cpu.partial_count),
        // Before 5.16 the list counted free objects, as they were when each slab was put.
        CpuPartialLimit::Objects => format!("{active_words}, then {}", words_for(cpu.partial_count, "object")),
    };
    Row {
        cpu: Some(cpu.cpu),
        name: format!("CPU {}", cpu.cpu.raw()),
        note,
        first_apart: !active.is_empty(),
        slabs: active.into_iter().chain(partial).collect(),
        linked: true,
        words: String::new(),
    }
}

pub(super) fn words_for(count: u32, what: &str) -> String {
    counted(u64::from(count), what)
}

/// One row for all CPUs that have no slab of the cache.
fn idle_row<'a>(view: &View, hand: &Hand) -> Option<Row<'a>> {
    let is_busy = |number: u32| {
        let cpu = hand.cache.cpus.iter().find(|cpu| cpu.cpu.raw() == number);
        cpu.is_some_and(|cpu| cpu.slab.is_some() || !cpu.partial.is_empty())
    };
    let idle: Vec<u32> = (0..view.snapshot.config.cpus).filter(|number| !is_busy(*number)).collect();
    let name = match idle.as_slice() {
        [] => return None,
        [one] => format!("CPU {one}"),
        [first, .., last] if count_from(idle.len()) == last - first + 1 => format!("CPU {first} to {last}"),
        more => format!("{} more CPUs", more.len()),
    };
    let words = match hand.cache.node_partial.first().and_then(|id| slab_of(view.snapshot, *id)) {
        Some(slab) => format!("The first allocation there takes {} from the node’s list.", slab_name(slab)),
        None => "The first allocation there takes a new slab.".to_owned(),
    };
    Some(Row {
        cpu: None,
        name,
        note: "no slab yet".to_owned(),
        slabs: Vec::new(),
        first_apart: false,
        linked: false,
        words,
    })
}

/// Rows that do not fit are told in one: the node's and the unlisted ones are always drawn, and of the others those
/// that are wanted most.
fn folded<'a>(mut rows: Vec<Row<'a>>, most: usize, wanted: impl Fn(&Row<'a>) -> (bool, bool)) -> Vec<Row<'a>> {
    if rows.len() <= most {
        return rows;
    }
    let tail = rows.split_off(rows.len() - 2);
    let ranked = sorted_by(0..rows.len(), |one, other| (wanted(&rows[*one]), one).cmp(&(wanted(&rows[*other]), other)));
    let kept = &ranked[..most.saturating_sub(3).min(ranked.len())];
    let (mut shown, mut hidden) = (Vec::new(), Vec::new());
    for (nth, row) in rows.into_iter().enumerate() {
        if kept.contains(&nth) { shown.push(row) } else { hidden.push(row) }
    }
    let mut rows = shown;
    let slabs: usize = hidden.iter().map(|row| row.slabs.len()).sum();
    rows.push(Row {
        cpu: None,
        name: format!("{} more rows", hidden.len()),
        note: words_for(count_from(slabs), "slab"),
        slabs: Vec::new(),
        first_apart: false,
        linked: false,
        words: hidden.iter().map(|row| row.name.as_str()).collect::<Vec<_>>().join(", "),
    });
    rows.extend(tail);
    rows
}

/// Draws a row and says how high it is.
fn draw(view: &View, hand: Option<&Hand>, row: &Row, top: f64, sizes: &RowSizes, scene: &mut AboveScene) -> f64 {
    rule(sizes, top, scene);
    let label = |y, words: &str, size, tone| Text::plain(sizes.left, top + y, words, size, tone);
    scene.texts.push(label(sizes.name_at, &row.name, sizes.name_size, Tone::Ink).in_face(Face::Bold));
    scene.texts.push(label(sizes.note_at, &row.note, sizes.note_size, Tone::Quiet));
    let is_stacked = sizes.area.h <= 0.0;
    let lines = row.slabs.len().div_ceil(sizes.a_line).max(1);
    if !row.words.is_empty() {
        let size = sizes.note_size.max(16.0);
        scene.texts.push(Text::plain(sizes.bars.x, top + sizes.bars.y + 14.0, &row.words, size, Tone::Quiet));
    }
    // Where rows follow one another every slab is drawn; else those that fit, and the rest in words.
    let all_fit = is_stacked || row.slabs.len() <= sizes.a_line;
    let shown = if all_fit { row.slabs.len() } else { sizes.a_line - 1 };
    for (nth, slab) in row.slabs.iter().take(shown).enumerate() {
        let (column, line) = (count_from(nth % sizes.a_line), count_from(nth / sizes.a_line));
        let corner = Point {
            x: sizes.bars.x + px(column) * sizes.pitch,
            y: top + sizes.bars.y + px(line) * (sizes.bar.1 + 34.0),
        };
        scene.parts.push(Rc::new(bar(view, hand, row, slab, corner, sizes)));
        link(row, nth, shown, column, corner, sizes, scene);
    }
    if !all_fit {
        let x = sizes.bars.x + px(count_from(shown)) * sizes.pitch;
        let words = format!("and {} more slabs", row.slabs.len() - shown);
        scene.texts.push(Text::plain(x, top + sizes.bars.y + sizes.bar.1 * 0.75, words, sizes.note_size, Tone::Quiet));
    }
    let more = if is_stacked { px(count_from(lines - 1)) * (sizes.bar.1 + 34.0) } else { 0.0 };
    sizes.row + more
}

/// From a slab to the next of its list, or the line between the one in use and those that wait.
fn link(row: &Row, nth: usize, shown: usize, column: u32, corner: Point, sizes: &RowSizes, scene: &mut AboveScene) {
    let is_last = nth + 1 >= shown || usize::try_from(column + 1).is_ok_and(|next| next >= sizes.a_line);
    let gap = sizes.pitch - sizes.bar.0;
    if is_last || gap < 24.0 {
        return;
    }
    let right = corner.x + sizes.bar.0;
    if nth == 0 && row.first_apart {
        let x = right + gap / 2.0;
        scene.marks.push((Point { x, y: corner.y - 22.0 }, Point { x, y: corner.y + sizes.bar.1 + 8.0 }));
    } else if row.linked {
        let y = corner.y + sizes.bar.1 / 2.0;
        scene.arrows.push((Point { x: right + 5.0, y }, Point { x: corner.x + sizes.pitch - 4.0, y }));
    }
}

fn rule(sizes: &RowSizes, y: f64, scene: &mut AboveScene) {
    scene.rules.push((Point { x: sizes.left, y }, Point { x: sizes.right, y }));
}

fn bar(view: &View, hand: Option<&Hand>, row: &Row, slab: &SlabView, at: Point, sizes: &RowSizes) -> Part {
    let total = count_from(slab.objects.len());
    let in_use = in_use(slab);
    let (name, share) = (slab_name(slab), format!("{in_use} of {total}"));
    let area = super::Area::new(at.x, at.y, sizes.bar.0, sizes.bar.1);
    let baseline = at.y - 8.0;
    let name_size = if sizes.note_size > 20.0 { 28.0 } else { 16.0 };
    Part {
        key: slab.id.raw(),
        area,
        look: PartLook::Slab { full: (area.w - 4.0) * px(in_use) / px(total.max(1)) },
        leads_to: into(view, slab),
        here: is_here(hand, slab),
        texts: over_bar(area, baseline, (&name, name_size), (&share, sizes.note_size)),
        label: format!("{name} at {}, {}, {share} in use", slab.base, row.name),
    }
}
