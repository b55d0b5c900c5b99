//! No text of the lens stands on another one, on a tag or on a measure's line.

use crate::bench::{Bench, LESSON_3};
use slabscope::lessons::LessonId;
use slabscope::scene::{self, Area, Frame, Lens, LensScene, Measure, ObjectRef, Stretch, Text, Tone};
use slabscope::session::{Action, Session, Toggle};
use slabscope_core::kernel::{RELEASES, Switch, Version};
use slabscope_core::units::Step;

const FRAMES: [Frame; 5] =
    [Frame::Wide, Frame::Short, Frame::Presenter, Frame::Narrow { width: 375 }, Frame::Narrow { width: 320 }];

/// The kernels that lessons are seen on: a version, its switches, its boot line.
fn kernels() -> Vec<Vec<Action>> {
    const HIDDEN: Action = Action::Flip(Toggle::Kernel(Switch::FreelistHardened));
    const RANDOM: Action = Action::Flip(Toggle::Kernel(Switch::FreelistRandom));
    let own = [vec![], vec![RANDOM, HIDDEN], vec![Action::Flip(Toggle::MiddlePointer)]];
    let versions = RELEASES.iter().filter(|release| !release.brought.is_empty());
    let released = versions.map(|release| vec![Action::ChooseVersion(release.version)]);
    let on_6_1 = Action::ChooseVersion(Version::release(6, 1));
    let lines = ["slub_debug=FZPU", "slub_debug=Z", "slub_debug=U"];
    let booted = lines.map(|line| vec![on_6_1.clone(), Action::BootLine(line.to_owned())]);
    let hidden = vec![on_6_1.clone(), RANDOM, HIDDEN];
    own.into_iter().chain(released).chain(booted).chain([hidden]).collect()
}

fn for_every_step(mut look: impl FnMut(&mut Session, &str)) {
    for lesson in LessonId::ALL {
        for kernel in kernels() {
            let mut session = Session::new();
            session.update(Action::OpenLesson(lesson));
            for act in &kernel {
                session.update(act.clone());
            }
            for step in 0..=session.timeline().len() {
                session.update(Action::Seek(Step::from_raw(step)));
                look(&mut session, &format!("lesson {lesson}, {kernel:?}, step {step}"));
            }
        }
    }
}

#[test]
fn no_text_of_a_lesson_stands_on_another() {
    let mut findings = Vec::new();
    for_every_step(|session, context| findings.extend(found(session, context)));
    report(&findings);
}

#[test]
fn no_text_stands_on_another_under_an_aimed_write() {
    let mut findings = Vec::new();
    for_every_step(|session, context| {
        for len in [4, 8, 24, 40, 64, 72, 104, 138, 200] {
            session.update(Action::AimTo { len });
            findings.extend(found(session, &format!("{context}, aimed {len}")));
            session.update(Action::AimCancel);
        }
    });
    report(&findings);
}

#[test]
fn no_text_stands_on_another_whichever_object_is_in_hand() {
    let mut findings = Vec::new();
    for_every_step(|session, context| {
        let Some(slab) = session.selected().map(|object| object.slab) else { return };
        let snapshot = session.snapshot().clone();
        let objects = snapshot.slabs.iter().find(|view| view.id == slab).map_or(&[][..], |view| &view.objects);
        for object in objects.iter().take(8) {
            session.update(Action::Select(ObjectRef { slab, index: object.index }));
            findings.extend(found(session, &format!("{context}, object {}", object.index.raw())));
        }
    });
    report(&findings);
}

/// Under a long write a name stands beside the hatch, or on paper over it: in the lens and in the map.
#[test]
fn names_stay_readable_under_an_aimed_write() {
    for (kernel, len) in [("5.6", 8), ("5.6", 64), ("5.6", 138), ("5.6 middle=on", 40), ("5.6 middle=on", 138)] {
        let bench = Bench::play(kernel, 1, &LESSON_3).select("a").aim("a", len);
        for frame in FRAMES {
            let context = format!("{kernel}, {len} bytes, {frame:?}");
            let view = bench.view(frame, false);
            let Lens::Objects(objects) = scene::lens(&view).body else { panic!("{context}: no objects") };
            for (name, one) in ["a", "v", "w"].iter().zip(&objects) {
                let text = one.texts.iter().find(|text| text.words == *name);
                let text = text.unwrap_or_else(|| panic!("{context}: the lens lacks {name}: {:?}", one.texts));
                let covers = one.hits.iter().any(|hit| hit.area.meets(text.letters()));
                assert_eq!(covers, one.plate.is_some(), "{context}: {name} in the lens");
                assert!(!covers || text.tone == Tone::Ink, "{context}: {name} is not written as on paper");
            }
            let map = scene::map(&view);
            for (text, cell) in ["a", "1", "w"].iter().zip(&map.cells) {
                let shown = cell.text == *text || (*text == "1" && cell.text == "–");
                assert!(shown, "{context}: the map has “{}” for {text}", cell.text);
            }
        }
    }
}

fn report(findings: &[String]) {
    let first = findings.iter().take(40).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(findings.is_empty(), "{} overlaps:\n{first}", findings.len());
}

fn found(session: &Session, context: &str) -> Vec<String> {
    let frames = FRAMES.into_iter();
    frames.flat_map(|frame| overlaps(&scene::lens(&session.view(frame)), &format!("{frame:?}, {context}"))).collect()
}

fn overlaps(lens: &LensScene, context: &str) -> Vec<String> {
    let boxes = boxes(lens);
    let pairs = boxes.iter().enumerate().flat_map(|(nth, one)| boxes[nth + 1..].iter().map(move |other| (one, other)));
    pairs
        .filter(|(one, other)| one.1.meets(other.1))
        .map(|(one, other)| format!("{context}: “{}” on “{}”", one.0, other.0))
        .collect()
}

type Named = (String, Area);

/// What must not meet: each text, each tag, each measure's line.
fn boxes(lens: &LensScene) -> Vec<Named> {
    let mut boxes: Vec<Named> = lens.heading.iter().chain(&lens.end).map(text).collect();
    match &lens.body {
        Lens::Empty { words, .. } => boxes.push(text(words)),
        Lens::Objects(objects) => {
            for one in objects {
                boxes.extend(one.texts.iter().map(text));
                boxes.extend(one.breaks.iter().map(|cut| text(&cut.words)));
                boxes.extend(one.hits.iter().filter_map(tag));
                boxes.extend(one.measure.iter().flat_map(measure));
            }
        }
        Lens::Zones(zones) => {
            for zone in zones {
                boxes.extend(zone.texts.iter().map(text));
                boxes.extend(zone.breaks.iter().map(|cut| text(&cut.words)));
            }
        }
    }
    boxes.retain(|(words, _)| !words.is_empty());
    boxes
}

fn text(text: &Text) -> Named {
    (text.words.clone(), text.letters())
}

fn tag(hit: &Stretch) -> Option<Named> {
    Some(("a tag".to_owned(), hit.tag_area()?))
}

fn measure(measure: &Measure) -> Vec<Named> {
    let lines = measure
        .lines()
        .into_iter()
        .map(|(from, to)| ("a measure’s line".to_owned(), Area::new(from.x, from.y - 3.0, to.x - from.x, 6.0)));
    lines.chain([text(&measure.words)]).collect()
}
