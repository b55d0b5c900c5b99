//! Results of the kernel's own tests, compared: one result changed, or one line left out, is no longer equal.

use serde_json::{Value, json};
use slabscope_core::recording::{Verdict, verify};
use std::io::Read;
use std::path::Path;

fn results(file: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel").join(file);
    let bytes = std::fs::read(path).expect("results");
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).expect("gzipped text");
    serde_json::from_str(&text).expect("JSON")
}

fn verdict(results: &Value) -> Option<Verdict> {
    verify(results.to_string().as_bytes()).ok().map(|report| report.verdict())
}

#[test]
fn a_test_that_was_not_ok_differs() {
    for file in ["6.1-plain/kunit.json.gz", "7.3-hardened/kunit.json.gz"] {
        let whole = results(file);
        for (boot, tests) in whole.as_object().expect("boots") {
            for (test, result) in tests.as_object().expect("tests") {
                if result.as_str().is_some_and(|result| result.contains("SKIP")) {
                    continue;
                }
                let mut changed = whole.clone();
                changed[boot][test] = json!("not ok");
                assert_eq!(verdict(&changed), Some(Verdict::Differs), "{file}, {boot}, {test}");
            }
        }
    }
}

#[test]
fn tests_that_no_version_has_together_are_told() {
    let mut changed = results("6.1-plain/kunit.json.gz");
    changed["none"]["test_of_tomorrow"] = json!("ok");
    assert_eq!(verdict(&changed), Some(Verdict::NotModelled));
}

#[test]
fn how_a_trigger_ended_counts() {
    for file in ["6.1-hardened/lkdtm.json.gz", "7.3-hardened/lkdtm.json.gz"] {
        let whole = results(file);
        for (trigger, boots) in whole.as_object().expect("triggers") {
            for (boot, run) in boots.as_object().expect("boots") {
                for (field, other) in [
                    ("rc", json!(run["rc"].as_i64().expect("a number") + 1)),
                    ("died", json!(!run["died"].as_bool().expect("a truth"))),
                    ("bug_lines", json!(["BUG of another day"])),
                ] {
                    let mut changed = whole.clone();
                    changed[trigger][boot][field] = other;
                    assert_eq!(verdict(&changed), Some(Verdict::Differs), "{file}, {trigger}, {boot}, {field}");
                }
            }
        }
    }
}

/// What starts lines that the rules determine.
const TELLING: [&str; 12] = [
    "BUG ",
    "BUG: ",
    "FIX ",
    "Slab 0x",
    "Object 0x",
    "Redzone ",
    "Object   ",
    "Padding ",
    "WARNING: ",
    "kernel BUG",
    "lkdtm: Memory ",
    "lkdtm: FAIL",
];

#[test]
fn every_telling_line_of_a_trigger_counts() {
    let whole = results("7.3-hardened/lkdtm.json.gz");
    let mut left_out = 0;
    for (trigger, boots) in whole.as_object().expect("triggers") {
        for (boot, run) in boots.as_object().expect("boots") {
            let lines = run["dmesg"].as_array().expect("lines");
            let is_telling = |line: &Value| {
                let line = line.as_str().expect("text");
                TELLING.iter().any(|start| line.starts_with(start))
            };
            let telling: Vec<usize> = (0..lines.len()).filter(|at| is_telling(&lines[*at])).collect();
            // Of a long dump the first lines and the last stand for all.
            for at in telling.iter().take(8).chain(telling.iter().rev().take(4)) {
                let mut fewer = whole.clone();
                fewer[trigger][boot]["dmesg"].as_array_mut().expect("lines").remove(*at);
                assert_eq!(verdict(&fewer), Some(Verdict::Differs), "{trigger}, {boot}, {}", lines[*at]);
                left_out += 1;
            }
        }
    }
    assert!(left_out > 40, "{left_out} lines were left out in turn");
}

#[test]
fn another_build_is_told() {
    let text = results("6.1-plain/lkdtm.json.gz").to_string().replace("-plain", "-slab");
    let report = verify(text.as_bytes()).expect("results");
    assert_eq!(report.verdict(), Verdict::NotModelled);
    let why = report.not_modelled.keys().next().expect("a reason");
    assert_eq!(why, "Linux 6.1.192-slab, a build with other options than plain and hardened");
}
