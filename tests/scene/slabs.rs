//! Slabs that are not the one on the map: what is said of their objects, and which of them a view from above shows.

use crate::bench::Bench;
use slabscope::scene::{self, Depth, Frame, NextOutScene};

const FRAMES: [Frame; 5] =
    [Frame::Wide, Frame::Short, Frame::Presenter, Frame::Narrow { width: 375 }, Frame::Narrow { width: 320 }];

/// Three slabs of a cache, with free objects in two.
fn some_slabs(kernel: &str) -> Bench {
    let mut lines: Vec<String> = (0..36).map(|nth| format!("o{nth} = kmalloc 256")).collect();
    lines.extend((0..14).map(|nth| format!("free o{nth}")));
    lines.extend((18..34).map(|nth| format!("free o{nth}")));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    Bench::play(kernel, 1, &lines)
}

/// An offset counts from the slab on the map: whatever lies in another one has its address.
#[test]
fn next_out_gives_an_offset_only_to_what_lies_in_the_slab_on_the_map() {
    let mut elsewhere = 0;
    for kernel in ["4.8", "5.6", "6.1", "6.12", "7.3"] {
        for name in ["o14", "o17", "o35"] {
            let bench = some_slabs(kernel).select(name);
            for frame in FRAMES {
                let view = bench.view(frame, false);
                let home = view.selected.expect("an object in hand").slab;
                for one in &scene::next_out(&view).boxes {
                    let Some(object) = one.object else { continue };
                    let words = one.label.split(": ").nth(1).expect("words after the number");
                    let context = format!("{kernel}, {name}, {frame:?}: {}", one.label);
                    assert!(words.contains("+0x") == (object.slab == home), "{context}");
                    elsewhere += u32::from(object.slab != home);
                }
                assert!(ends_stay(&scene::next_out(&view)), "{kernel}, {name}, {frame:?}");
            }
        }
    }
    assert!(elsewhere > 0, "no object of another slab is ever next");
}

/// An address that has no room loses its front, not what tells it from others.
fn ends_stay(scene: &NextOutScene) -> bool {
    scene.boxes.iter().filter(|one| one.label.contains("0x…")).all(|one| {
        let address = one.label.split(": ").nth(1).and_then(|rest| rest.split(',').next()).unwrap_or_default();
        one.texts.iter().any(|text| address.ends_with(text.words.trim_start_matches('…')) && text.words.len() > 5)
    })
}

#[test]
fn the_row_of_the_slab_in_hand_is_always_shown() {
    let mut lines = vec!["cache creds 192".to_owned()];
    for cpu in [0, 1, 2, 3, 7] {
        lines.push(format!("cpu {cpu}"));
        lines.extend((0..3).map(|nth| format!("c{cpu}{nth} = alloc creds")));
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    for kernel in ["6.1 cpus=64", "5.6 cpus=64", "7.3 cpus=64"] {
        for name in ["c00", "c10", "c20", "c30", "c70"] {
            let bench = Bench::play(kernel, 1, &lines).select(name);
            for frame in FRAMES {
                let above = scene::above(&bench.view(frame, false), Depth::Cache);
                let here = above.parts.iter().filter(|part| part.here).count();
                assert_eq!(here, 1, "{kernel}, {name}, {frame:?}: {:?}", above.texts);
            }
        }
        let bench = Bench::play(kernel, 1, &lines).select("c70");
        let above = scene::above(&bench.view(Frame::Wide, false), Depth::Cache);
        assert!(above.texts.iter().any(|text| text.words == "CPU 7"), "{kernel}: the CPU that acts is not shown");
    }
}

/// Where a name has no room in its cell, what tells it from the others stays.
#[test]
fn counted_names_keep_their_ends_in_the_map() {
    let lines: Vec<String> = (0..12).map(|nth| format!("object{nth} = kmalloc 64")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let map = scene::map(&Bench::play("5.6", 1, &lines).view(Frame::Wide, false));
    for (nth, cell) in map.cells.iter().enumerate().take(12) {
        assert!(cell.text.starts_with('…') && cell.text.ends_with(&nth.to_string()), "{}", cell.text);
    }
}
