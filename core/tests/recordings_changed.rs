//! The comparison is not vacuous: a recording with one datum changed, or one line left out, is no longer equal. What
//! may change unnoticed is luck and what is only told, and it is listed here.

use serde_json::Value;
use slabscope_core::recording::{Verdict, verify};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

/// Data that may be anything: (kind of record, field).
const FREE: [(&str, &str); 32] = [
    // Told, and of no consequence here.
    ("header", "release"),
    ("header", "version"),
    ("header", "cmdline"),
    ("header", "ram"),
    ("header", "HZ"),
    ("header", "NR_CPUS"),
    ("begin", "seed_xor"),
    ("seed", "prng"),
    ("seed", "seed"),
    ("mark", "l"),
    ("state", "why"),
    ("init", "gfp_zero"),
    ("kmalloc_site", "kind"),
    ("kmalloc_site", "site"),
    ("kmalloc_site", "caller"),
    // Accounted kmalloc only, and some callers' kmalloc; and slabs of other sizes than those here.
    ("header", "CONFIG_MEMCG"),
    ("header", "CONFIG_SLAB_BUCKETS"),
    ("header", "CONFIG_KMALLOC_PARTITION_CACHES"),
    ("header", "nr_cpu_ids"),
    ("header", "num_online_cpus"),
    // Luck.
    ("cache", "kmem_cache_va"),
    ("kmalloc_cache", "random"),
    ("kmalloc_cache", "random_seq"),
    // Console lines have their own rules.
    ("dmesg", "l"),
    // A name is the driver's choice, and ours is made under it; an alignment below 8 is 8.
    ("cache", "name"),
    ("cache", "req_align"),
    // Another size of the same class.
    ("kmalloc", "n"),
    ("kmalloc_large", "n"),
    ("roundup", "n"),
    // Another caller of the same copy.
    ("random_kmalloc_pick", "caller"),
    // A free into a slab of the node's list is the same on every CPU.
    ("free", "cpu"),
    // Orders are tried where one is known, too.
    ("shrink?", "flushed_before"),
];
/// The secret of hidden pointers where no bytes were recorded.
const UNREAD_SECRET: [(&str, &str); 1] = [("cache", "random")];
/// The same, of records whose size is told with a caller, or with an alignment.
const SIZES: [&str; 2] = ["kmalloc_align", "kmalloc_site"];

#[test]
fn small_recordings() {
    for (kernel, name) in [
        ("6.1-hardened", "s5c"),
        ("6.1-plain", "s5i"),
        ("6.1-hardened", "s5l"),
        ("6.1-plain", "s5o"),
        ("6.12-hardened", "s5l"),
        ("7.3-hardened", "s5c"),
        ("7.3-hardened", "s5o"),
    ] {
        let lines = lines_of(kernel, name);
        every_datum_counts(name, &lines);
        every_line_counts(name, &lines);
    }
}

#[test]
fn one_cache_with_zeroing() {
    let lines = cut(&lines_of("6.1-hardened", "s8-init10"), 1);
    every_datum_counts("s8", &lines);
    every_line_counts("s8", &lines);
}

#[test]
fn one_cache_in_bulk() {
    let lines = cut(&lines_of("6.1-plain", "s2-r1"), 9);
    every_datum_counts("s2", &lines);
    every_line_counts("s2", &lines);
}

#[test]
fn one_cache_in_bulk_with_sheaves() {
    let lines = cut(&lines_of("7.3-plain", "s2-r1"), 9);
    every_datum_counts("s2", &lines);
    every_line_counts("s2", &lines);
}

#[test]
fn one_cache_on_several_cpus() {
    for kernel in ["6.1-plain", "7.3-hardened"] {
        let lines = cut(&lines_of(kernel, "s10a-r1"), 8);
        assert!(lines.iter().any(|line| line.contains("\"flushed_before\":false")), "the cache was chosen for it");
        every_datum_counts_but("s10a", &lines, &UNREAD_SECRET);
    }
}

#[test]
fn one_cache_with_kfree_rcu() {
    for kernel in ["6.12-hardened", "7.3-hardened"] {
        let lines = cut(&lines_of(kernel, "s11-r1"), 1);
        every_datum_counts_but("s11", &lines, &UNREAD_SECRET);
    }
}

/// Who gets which copy counts; buckets are beyond the model, and left out.
#[test]
fn kmalloc_with_copies() {
    let mut lines = lines_of("7.3-hardened", "s6-r1");
    lines.retain(|line| !line.contains("\"buckets"));
    every_datum_counts("s6", &lines);
}

#[test]
fn one_cache_with_rcu() {
    let lines = cut(&lines_of("6.1-hardened", "s1b-r1"), 30);
    assert!(lines.iter().any(|line| line.contains("TYPESAFE_BY_RCU")), "the cache was chosen for it");
    every_line_counts("s1b", &lines);
}

#[test]
fn kmalloc() {
    let lines = lines_of("6.1-hardened", "s6-r1");
    every_datum_counts("s6", &lines);
}

/// The last byte of each object is padding there, which the rules determine.
#[test]
fn single_objects() {
    for kernel in ["6.12-hardened", "7.3-hardened"] {
        let lines = lines_of(kernel, "s9-FZPU");
        every_datum_counts("s9", &lines);
    }
}

/// An attribute that a version has, left out, and one that it does not have.
#[test]
fn the_attributes_of_a_cache_count() {
    let bytes = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel/6.1-plain/geometry.json.gz"));
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes.expect("a listing").as_slice()).read_to_string(&mut text).expect("gzipped text");
    let whole: Value = serde_json::from_str(&text).expect("JSON");
    let verdict = |listing: &Value| verify(listing.to_string().as_bytes()).expect("a listing").verdict();
    assert_eq!(verdict(&whole), Verdict::Equal);
    let attributes =
        |listing: &mut Value| listing["none-smp1"]["caches"]["kmalloc-64"].as_object_mut().expect("attributes").clone();
    for (name, value) in [("min_partial", None), ("aliases", None), ("sheaf_capacity", Some(0))] {
        let mut changed = whole.clone();
        let mut here = attributes(&mut changed);
        match value {
            None => drop(here.remove(name)),
            Some(value) => drop(here.insert(name.to_owned(), Value::from(value))),
        }
        changed["none-smp1"]["caches"]["kmalloc-64"] = Value::Object(here);
        assert_eq!(verdict(&changed), Verdict::Differs, "{name}");
    }
}

/// The lines of a recording.
fn lines_of(kernel: &str, name: &str) -> Vec<String> {
    let file = format!("tests/kernel/{kernel}/{name}.jsonl.gz");
    let bytes = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("a recording");
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).expect("gzipped text");
    text.lines().map(str::to_owned).collect()
}

/// The recording of one cache, the `nth` from 1: header, begin, what is about it, end.
fn cut(lines: &[String], nth: usize) -> Vec<String> {
    let starts: Vec<usize> =
        (0..lines.len()).filter(|at| lines[*at].starts_with("{\"t\":\"cache\"")).chain([lines.len() - 1]).collect();
    let own = &lines[starts[nth - 1]..starts[nth]];
    let kept = lines[..2].iter().chain(own).chain(lines.last());
    kept.filter(|line| !line.starts_with("{\"t\":\"seed\"")).cloned().collect()
}

fn is_equal(lines: &[String]) -> bool {
    verify(lines.join("\n").as_bytes()).is_ok_and(|report| report.verdict() == Verdict::Equal)
}

/// Leaves out each line in turn, but for the last operation: nothing comes after it that could miss it.
fn every_line_counts(name: &str, lines: &[String]) {
    assert!(is_equal(lines), "{name} as it is");
    for at in (0..lines.len()).filter(|at| at + 2 != lines.len()) {
        let kind = kind_of(&lines[at]);
        // What only looks, and what is only told, is not missed; the last marks of a whole recording are.
        if ["begin", "state", "snap", "init", "mark", "seed", "dmesg"].contains(&kind.as_str()) || kind.ends_with('?') {
            continue;
        }
        let mut fewer = lines.to_vec();
        fewer.remove(at);
        assert!(!is_equal(&fewer), "{name} without line {}: {}", at + 1, shortened(&lines[at]));
    }
}

/// Changes each value of each kind and shape of line in turn. Of lines with the same fields the first and the last
/// stand for all.
fn every_datum_counts(name: &str, lines: &[String]) {
    every_datum_counts_but(name, lines, &[]);
}

fn every_datum_counts_but(name: &str, lines: &[String], free: &[(&str, &str)]) {
    assert!(is_equal(lines), "{name} as it is");
    let mut unnoticed = BTreeSet::new();
    for at in representatives(lines) {
        let record: Value = serde_json::from_str(&lines[at]).expect("a record");
        for path in paths(&record) {
            let kind = kind_of(&lines[at]);
            let is_free = |field: &String| {
                let datum = (kind.as_str(), field.as_str());
                FREE.contains(&datum) || free.contains(&datum) || (field == "n" && SIZES.contains(&kind.as_str()))
            };
            if path == ["t"] || path.iter().any(is_free) {
                continue;
            }
            let mut changed = record.clone();
            change(&mut changed, &path);
            let mut others = lines.to_vec();
            others[at] = changed.to_string();
            if is_equal(&others) {
                unnoticed.insert(format!("line {} {kind} {}", at + 1, path.join(".")));
            }
        }
    }
    assert!(unnoticed.is_empty(), "{name}: changed unnoticed: {unnoticed:#?}");
}

fn kind_of(line: &str) -> String {
    let record: Value = serde_json::from_str(line).expect("a record");
    record["t"].as_str().expect("a kind").to_owned()
}

/// The first and the last line of each kind and shape.
fn representatives(lines: &[String]) -> BTreeSet<usize> {
    let shape = |line: &String| {
        let record: Value = serde_json::from_str(line).expect("a record");
        let fields: Vec<String> = record.as_object().expect("an object").keys().cloned().collect();
        (kind_of(line), fields)
    };
    let shapes: Vec<_> = lines.iter().map(shape).collect();
    let first = (0..lines.len()).filter(|at| !shapes[..*at].contains(&shapes[*at]));
    let last = (0..lines.len()).filter(|at| !shapes[at + 1..].contains(&shapes[*at]));
    first.chain(last).collect()
}

/// The paths to the values of a record: of long lists, to the first and last.
fn paths(value: &Value) -> Vec<Vec<String>> {
    let inside = |key: String, value: &Value| {
        paths(value).into_iter().map(move |rest| std::iter::once(key.clone()).chain(rest).collect::<Vec<_>>())
    };
    match value {
        Value::Object(fields) => fields.iter().flat_map(|(key, value)| inside(key.clone(), value)).collect(),
        Value::Array(items) => {
            let ends = [0, items.len().saturating_sub(1)].into_iter().collect::<BTreeSet<_>>();
            let items = items.iter().enumerate().filter(|(at, _)| ends.contains(at));
            items.flat_map(|(at, value)| inside(at.to_string(), value)).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => vec![Vec::new()],
    }
}

/// Changes the value at a path to another one of the same type; a null to a number.
fn change(record: &mut Value, path: &[String]) {
    let pointer: String = path.iter().map(|key| format!("/{key}")).collect();
    let value = record.pointer_mut(&pointer).expect("a value");
    *value = match value.take() {
        Value::Bool(is) => Value::Bool(!is),
        Value::Number(number) => number.as_i64().map_or(Value::Null, |number| (number + 1).into()),
        Value::String(text) => match text.chars().last() {
            Some('1') => format!("{}2", &text[..text.len() - 1]).into(),
            Some(_) => format!("{}1", &text[..text.len() - 1]).into(),
            None => "1".into(),
        },
        Value::Null => 1.into(),
        other @ (Value::Array(_) | Value::Object(_)) => other,
    };
}

fn shortened(line: &str) -> &str {
    &line[..line.len().min(160)]
}
