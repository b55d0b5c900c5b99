//! Every lesson on its own kernel and under each switch, against the text that it came to when it was last looked at.
//!
//! `SLABSCOPE_BLESS=1 cargo test -p slabscope-core --test scenarios` writes the goldens anew.

use slabscope_core::event::Event;
use slabscope_core::kernel::{KernelConfig, PointerPlace, Version};
use slabscope_core::script::{KernelWords, Played, Report, Scenario, play, play_on};
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[test]
fn lesson_1_is_told_as_it_goes() {
    check("lesson-01-slab");
}

#[test]
fn lesson_2_is_told_as_it_goes() {
    check("lesson-02-pointer");
}

#[test]
fn lesson_3_is_told_as_it_goes() {
    check("lesson-03-eight-bytes");
}

#[test]
fn lesson_6_is_told_as_it_goes() {
    check("lesson-06-reach");
}

#[test]
fn lesson_9_is_told_as_it_goes() {
    check("lesson-09-double-free");
}

#[test]
fn lesson_10_is_told_as_it_goes() {
    check("lesson-10-use-after-free");
}

#[test]
fn lesson_14_is_told_as_it_goes() {
    check("lesson-14-sheaves");
}

#[test]
fn every_scenario_has_a_test_here() {
    let names = std::fs::read_dir(folder("../scenarios")).expect("the lessons");
    let mut names: Vec<String> =
        names.map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let lessons =
        ["01-slab", "02-pointer", "03-eight-bytes", "06-reach", "09-double-free", "10-use-after-free", "14-sheaves"];
    assert_eq!(names, lessons.map(|lesson| format!("lesson-{lesson}.slab")));
}

#[track_caller]
fn check(name: &str) {
    let text = std::fs::read_to_string(folder("../scenarios").join(format!("{name}.slab"))).expect("the lesson");
    let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(Scenario::parse(&scenario.to_string()), Ok(scenario.clone()), "what is printed reads back");
    let report = play(&scenario).expect("its own kernel");
    let unmet: Vec<String> = report.unmet().map(ToString::to_string).collect();
    assert_eq!(unmet, [""; 0], "every check holds on its own kernel");
    let told: String = kernels(&scenario.kernel).iter().map(|kernel| told_on(&scenario, kernel)).collect();
    compare(&folder("tests/scenarios").join(format!("{name}.golden")), &told);
}

/// The scenario's own kernel, that kernel with each switch turned on, and the last one without sheaves.
fn kernels(own: &KernelConfig) -> [KernelConfig; 8] {
    [
        own.clone(),
        KernelConfig { freelist_random: true, ..own.clone() },
        KernelConfig { freelist_hardened: true, ..own.clone() },
        KernelConfig { pointer_place: Some(PointerPlace::Start), ..own.clone() },
        KernelConfig { pointer_place: Some(PointerPlace::MiddleUp { red_zone_counted: false }), ..own.clone() },
        KernelConfig { init_on_alloc: true, ..own.clone() },
        KernelConfig { init_on_free: true, ..own.clone() },
        KernelConfig { version: Version::release(6, 12), pointer_place: None, ..own.clone() },
    ]
}

fn told_on(scenario: &Scenario, kernel: &KernelConfig) -> String {
    let mut told = format!("== {}\n", KernelWords(kernel));
    let report: Report = play_on(scenario, kernel).expect("the version has every switch");
    for played in &report.steps {
        writeln!(told, "{}{}", played.command, result_of(played)).expect("a string grows");
    }
    match report.machine.verdict() {
        Some(verdict) => writeln!(told, "{}: {}\n", verdict.outcome, verdict.why).expect("a string grows"),
        None => told.push_str("no outcome\n\n"),
    }
    told
}

fn result_of(played: &Played) -> String {
    let applied = match &played.result {
        Ok(applied) => applied,
        Err(refusal) => return format!("  refused: {refusal}"),
    };
    match (&played.returned, applied.events.last()) {
        (_, Some(Event::Oopsed(oops))) => format!("  {} (in {})", oops.kind, oops.function),
        (Some(returned), _) => format!("  -> {returned}"),
        (None, _) => String::new(),
    }
}

fn compare(golden: &Path, told: &str) {
    if std::env::var_os("SLABSCOPE_BLESS").is_some() {
        std::fs::write(golden, told).expect("the golden can be written");
    }
    let expected = std::fs::read_to_string(golden).unwrap_or_default();
    assert!(expected == told, "{} differs; SLABSCOPE_BLESS=1 writes it anew. It came to:\n{told}", golden.display());
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}
