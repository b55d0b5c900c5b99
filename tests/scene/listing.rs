//! The figures of lesson 3 as text, and what they must say.

use crate::bench::{Bench, LESSON_3, WRITE_AND_ALLOCATE};
use slabscope::scene::{self, Frame, HitLook, Lens, LensScene, Look, MapScene, NextOutScene, NextTone, PointerLook};
use std::fmt::Write as _;
use std::path::Path;

/// Compares with the golden of this name; `SLABSCOPE_BLESS=1` writes it anew.
#[track_caller]
fn check(name: &str, bench: &Bench, frame: Frame) {
    let view = bench.view(frame, false);
    let listing = [
        map_listing(&scene::map(&view)),
        lens_listing(&scene::lens(&view)),
        next_out_listing(&scene::next_out(&view)),
        scene::elsewhere(&view).summary() + "\n",
    ]
    .join("\n");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scene/golden").join(format!("{name}.txt"));
    if std::env::var_os("SLABSCOPE_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        std::fs::write(&path, &listing).expect("the golden can be written");
    }
    let golden = std::fs::read_to_string(&path).expect("the golden is there: SLABSCOPE_BLESS=1 writes it");
    assert_eq!(listing, golden, "{name}: SLABSCOPE_BLESS=1 accepts the new listing");
}

fn lesson_3(kernel: &str, steps: usize) -> Bench {
    let lines: Vec<&str> = LESSON_3.into_iter().chain(WRITE_AND_ALLOCATE).take(steps).collect();
    Bench::play(kernel, 1, &lines)
}

#[test]
fn first_view() {
    check("first-view", &lesson_3("5.6", 5).select("a"), Frame::Wide);
}

#[test]
fn armed() {
    check("armed", &lesson_3("5.6", 5).select("a").aim("a", 8), Frame::Wide);
}

#[test]
fn armed_on_a_phone() {
    check("armed-375", &lesson_3("5.6", 5).select("a").aim("a", 8), Frame::Narrow { width: 375 });
}

#[test]
fn armed_in_the_presenter() {
    check("armed-presenter", &lesson_3("5.6", 5).select("a").aim("a", 8), Frame::Presenter);
}

#[test]
fn hijacked() {
    check("hijacked", &lesson_3("5.6", 8).select("a"), Frame::Wide);
}

#[test]
fn missed() {
    check("missed", &lesson_3("5.6 middle=on", 8).select("a"), Frame::Wide);
}

#[test]
fn a_large_object_is_cut_where_it_is_dull() {
    let bench = Bench::play("6.1", 1, &["a = kmalloc 512", "b = kmalloc 512", "free b"]).select("a");
    check("cut", &bench, Frame::Wide);
}

fn map_listing(map: &MapScene) -> String {
    let mut out = String::new();
    let heading: Vec<&str> =
        map.heading.iter().flat_map(|heading| &heading.crumbs).map(|crumb| crumb.words.as_str()).collect();
    let tally = map.heading.as_ref().map_or("", |heading| heading.tally.as_str());
    writeln!(out, "map {:?} {} · {tally}", map.area, heading.join(" › ")).expect("a string takes all");
    // A run of cells that look alike is one line.
    let mut rows: Vec<(String, u32)> = Vec::new();
    for cell in &map.cells {
        let look = match cell.look {
            Look::InUse => "full",
            Look::Free => "hollow",
            Look::Lost => "dotted",
            Look::Ghost => "ghost",
        };
        let hits: Vec<_> = cell.hits.iter().map(|hit| (hit.look, hit.over_pointer)).collect();
        let ring = if cell.selected { Some("in hand") } else { cell.change.map(|_| "changed") };
        let numbered = cell.bold || ring.is_some() || !hits.is_empty();
        let row = if numbered {
            format!("{look} {:?} at {},{} {:?} {:?} | {}", cell.text, cell.area.x, cell.area.y, ring, hits, cell.label)
        } else {
            look.to_owned()
        };
        match rows.last_mut() {
            Some((last, count)) if *last == row => *count += 1,
            _ => rows.push((row, 1)),
        }
    }
    for (row, count) in rows {
        writeln!(out, "  {count} × {row}").expect("a string takes all");
    }
    for arrow in &map.arrows {
        let legs: Vec<String> = arrow.legs.iter().map(|leg| format!("{},{}", leg.x, leg.y)).collect();
        writeln!(out, "  {:?} from #{}: {} {:?}", arrow.kind, arrow.key, legs.join(" "), arrow.tip)
            .expect("a string takes all");
    }
    out
}

fn lens_listing(lens: &LensScene) -> String {
    let mut out = format!("lens {}\n", lens.heading.as_ref().map_or("", |heading| heading.words.as_str()));
    let Lens::Objects(objects) = &lens.body else { return out };
    for one in objects {
        writeln!(
            out,
            "  {},{} {}×{} open: {} | {}",
            one.area.x, one.area.y, one.area.w, one.area.h, one.open, one.label
        )
        .expect("a string takes all");
        if let Some(pointer) = &one.pointer {
            let look = match pointer.look {
                PointerLook::Live => "pointer",
                PointerLook::Stale => "stale pointer",
            };
            writeln!(out, "    {look} {}..{}", pointer.area.x, pointer.area.right()).expect("a string takes all");
        }
        for hit in &one.hits {
            let look = match hit.look {
                HitLook::Armed => "would hit",
                HitLook::Written => "hit",
            };
            writeln!(out, "    {look} {}..{}", hit.area.x, hit.area.right()).expect("a string takes all");
        }
        for cut in &one.breaks {
            writeln!(out, "    cut {}..{} {}", cut.area.x, cut.area.right(), cut.words.words)
                .expect("a string takes all");
        }
        if let Some(measure) = &one.measure {
            writeln!(out, "    measured {}", measure.words.words).expect("a string takes all");
        }
        for text in &one.texts {
            writeln!(out, "    {:?} {} {:?}", text.words, text.size, text.tone).expect("a string takes all");
        }
    }
    if let Some(handle) = &lens.handle {
        writeln!(out, "  handle at {} of {}: {}", handle.len, handle.max, handle.value_text)
            .expect("a string takes all");
        for stop in &handle.stops {
            writeln!(out, "    stop {} at {}: {}", stop.len, stop.x, stop.words).expect("a string takes all");
        }
    }
    out
}

fn next_out_listing(next: &NextOutScene) -> String {
    let mut out = String::new();
    for heading in &next.heading {
        writeln!(out, "{}", heading.words).expect("a string takes all");
    }
    for one in &next.boxes {
        let tone = match one.tone {
            NextTone::First => "first",
            NextTone::Listed => "listed",
            NextTone::Ghost => "ghost",
            NextTone::Target => "target",
            NextTone::Fault => "fault",
        };
        let broken = one.link.is_some_and(|link| link.broken);
        writeln!(
            out,
            "  {tone} at {}: {}{}",
            one.area.x,
            one.label,
            if broken { ", then a broken pointer" } else { "" }
        )
        .expect("a string takes all");
    }
    out
}
