//! Arrows run only in gutters: none crosses a text or the inside of another glyph.

use crate::bench::Bench;
use slabscope::scene::{self, Area, Cell, Frame, MapScene, Point, Tip};
use std::collections::BTreeMap;

const FRAMES: [Frame; 4] = [Frame::Wide, Frame::Short, Frame::Presenter, Frame::Narrow { width: 375 }];

/// A shuffled list in a full slab, with holes where objects were taken and given back.
fn shuffled(seed: u64) -> Bench {
    let lines = ["a = kmalloc 64", "b = kmalloc 64", "c = kmalloc 64", "d = kmalloc 64", "free b", "free d"];
    Bench::play("5.6 random=on", seed, &lines).select("c")
}

#[test]
fn no_arrow_crosses_a_text_or_a_glyph() {
    for seed in 0..100 {
        let bench = shuffled(seed);
        for frame in FRAMES {
            for whole_chain in [false, true] {
                let map = scene::map(&bench.view(frame, whole_chain));
                assert!(!map.arrows.is_empty(), "seed {seed}: nothing is drawn");
                check_arrows(&map, &format!("seed {seed}, {frame:?}, whole chain: {whole_chain}"));
            }
        }
    }
}

#[test]
fn a_gutter_holds_three_tracks_at_most() {
    for seed in 0..100 {
        let map = scene::map(&shuffled(seed).view(Frame::Wide, true));
        let mut heights: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for arrow in map.arrows.iter().filter(|arrow| arrow.tip != Tip::Ground && arrow.legs.len() > 2) {
            let row = u64::from(arrow.key / map.columns);
            let heights = heights.entry(row).or_default();
            if !heights.contains(&arrow.legs[1].y) {
                heights.push(arrow.legs[1].y);
            }
        }
        assert!(heights.values().all(|heights| heights.len() <= 3), "seed {seed}: {heights:?}");
    }
}

#[test]
fn arrows_on_one_track_do_not_touch() {
    for seed in 0..100 {
        let map = scene::map(&shuffled(seed).view(Frame::Wide, true));
        let runs: Vec<(f64, f64, f64)> = map
            .arrows
            .iter()
            .filter(|arrow| arrow.legs.len() > 2)
            .map(|arrow| (arrow.legs[1].y, arrow.legs[1].x.min(arrow.legs[2].x), arrow.legs[1].x.max(arrow.legs[2].x)))
            .collect();
        for (nth, one) in runs.iter().enumerate() {
            let touching =
                runs.iter().skip(nth + 1).find(|other| one.0 == other.0 && one.1 <= other.2 && other.1 <= one.2);
            assert!(touching.is_none(), "seed {seed}: {one:?} and {touching:?}");
        }
    }
}

#[test]
fn a_stub_carries_a_flag_that_says_where_it_leads() {
    let stubs = (0..100).flat_map(|seed| {
        let map = scene::map(&shuffled(seed).view(Frame::Wide, true));
        let stubs = map.arrows.iter().filter(|arrow| arrow.is_stub());
        let cells: Vec<_> = stubs.map(|arrow| cell(&map, arrow.key).clone()).collect();
        cells
    });
    let mut count = 0;
    for cell in stubs {
        count += 1;
        let next: u32 = cell.text.parse::<u32>().expect("a place in the list") + 1;
        assert_eq!(cell.flag.map(|flag| flag.to), Some(next.to_string()));
    }
    assert!(count > 100, "{count} stubs: the gutters of a shuffled slab are full");
}

#[test]
fn moving_the_selection_reroutes_no_other_arrow() {
    let lines = ["a = kmalloc 64", "b = kmalloc 64", "c = kmalloc 64", "d = kmalloc 64", "free b", "free d", "free a"];
    for seed in 0..20 {
        let at_rest = scene::map(&Bench::play("5.6 random=on", seed, &lines).select("c").view(Frame::Wide, false));
        for name in ["a", "b", "d"] {
            let moved = scene::map(&Bench::play("5.6 random=on", seed, &lines).select(name).view(Frame::Wide, false));
            let kept = at_rest.arrows.iter().all(|arrow| moved.arrows.contains(arrow));
            assert!(kept, "seed {seed}: {name} in hand");
        }
    }
}

fn cell(map: &MapScene, index: u32) -> &Cell {
    map.cells.iter().find(|cell| cell.index.raw() == index).expect("an arrow leaves an object")
}

#[track_caller]
fn check_arrows(map: &MapScene, context: &str) {
    for arrow in &map.arrows {
        for (from, to) in arrow.legs.iter().zip(arrow.legs.iter().skip(1)) {
            assert!(from.x == to.x || from.y == to.y, "{context}: a slanting leg {from:?} {to:?}");
            for cell in &map.cells {
                let own = cell.index.raw() == arrow.key;
                assert!(
                    own || !crosses(*from, *to, cell.area.inset(0.5)),
                    "{context}: {} enters {}",
                    arrow.key,
                    cell.label
                );
                assert!(
                    !crosses(*from, *to, text_box(cell)),
                    "{context}: {} crosses the text of {}",
                    arrow.key,
                    cell.label
                );
            }
        }
    }
}

/// Where a cell's text lies, a little less than its letters' full height.
fn text_box(cell: &Cell) -> Area {
    let letters = f64::from(u32::try_from(cell.text.chars().count()).expect("a short text"));
    let width = letters * cell.size * 0.6;
    Area::new(cell.text_at.x - width / 2.0, cell.text_at.y - cell.size * 0.7, width, cell.size * 0.7)
}

fn crosses(from: Point, to: Point, area: Area) -> bool {
    let (left, right) = (from.x.min(to.x), from.x.max(to.x));
    let (top, bottom) = (from.y.min(to.y), from.y.max(to.y));
    left < area.right() && right > area.x && top < area.bottom() && bottom > area.y
}
