//! Slabs as bars: where a cache has more than one, or objects too many to draw.

use super::super::View;
use super::super::hand::{Hand, reference, slabs_in_order};
use super::super::measure::{MapSizes, px};
use super::super::shape::Area;
use super::{MOST_CELLS, SlabBar, census};
use slabscope_core::snapshot::{SlabList, SlabView};
use slabscope_core::units::count_from;
use std::rc::Rc;

/// From a bar's start to the next one's.
const PITCH: f64 = 204.0;
/// The part of that which the name takes.
const NAME: f64 = 100.0;
/// A bar's length.
const LENGTH: f64 = 92.0;

/// The bars, the active slab first; those that do not fit are told in the last one's name.
pub(super) fn bars(view: &View, hand: &Hand, open: &SlabView, sizes: &MapSizes) -> Vec<Rc<SlabBar>> {
    let slabs = slabs_in_order(view, hand, Some(open.id));
    if slabs.len() < 2 && count_from(open.objects.len()) <= MOST_CELLS {
        return Vec::new();
    }
    let room = (sizes.span / PITCH).floor().max(1.0);
    let mut shown: Vec<&SlabView> = Vec::new();
    for slab in &slabs {
        if px(count_from(shown.len())) < room {
            shown.push(slab);
        }
    }
    if !shown.iter().any(|slab| slab.id == open.id) {
        shown.pop();
        shown.push(open);
    }
    let hidden = slabs.len() - shown.len();
    let last = shown.len() - 1;
    let bars = shown.iter().enumerate().filter_map(|(nth, slab)| {
        let more = if nth == last { hidden } else { 0 };
        bar(slab, count_from(nth), slab.id == open.id, more, sizes)
    });
    bars.map(Rc::new).collect()
}

fn bar(slab: &SlabView, nth: u32, open: bool, more: usize, sizes: &MapSizes) -> Option<SlabBar> {
    let first = reference(slab, slab.objects.first()?);
    let total = count_from(slab.objects.len());
    let (in_use, _) = census(slab);
    let left = sizes.origin.x + px(nth) * PITCH + NAME;
    let share = format!("{in_use} of {total}");
    let place = place(slab.list);
    let name = if more == 0 { place } else { format!("{place} +{more}") };
    let on_map = if open { ", on the map" } else { "" };
    let rest = if more == 0 { String::new() } else { format!("; {more} more slabs are not drawn") };
    Some(SlabBar {
        slab: slab.id,
        first,
        area: Area::new(left, sizes.origin.y, LENGTH, sizes.bar_height),
        full: (LENGTH - 4.0) * px(in_use) / px(total),
        label: format!("slab at {}, {name}, {share} in use{on_map}{rest}", slab.base),
        name,
        share,
        open,
    })
}

fn place(list: SlabList) -> String {
    match list {
        SlabList::CpuSlab(cpu) => format!("CPU {}", cpu.raw()),
        SlabList::CpuPartial(cpu) => format!("CPU {} partial", cpu.raw()),
        SlabList::NodePartial => "node".to_owned(),
        SlabList::None => "no list".to_owned(),
    }
}
