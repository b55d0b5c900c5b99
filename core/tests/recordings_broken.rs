//! Files that are cut off, damaged or of another kind get an error with its line, or are told as not modelled; none is
//! equal, and none panics.

use slabscope_core::recording::{BadFile, Verdict, verify};
use std::io::{Read, Write};
use std::path::Path;

/// A small recording of each way to end, and a listing.
const FILES: [&str; 6] = [
    "6.1-hardened/s5i.jsonl.gz",
    "6.1-hardened/s5p.jsonl.gz",
    "6.1-plain/s5d.jsonl.gz",
    "6.1-hardened/s6-r1.jsonl.gz",
    "7.3-hardened/s9-FZPU.jsonl.gz",
    "6.1-plain/geometry.json.gz",
];

fn bytes_of(file: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel").join(file)).expect("a recording")
}

fn text_of(file: &str) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes_of(file).as_slice()).read_to_string(&mut text).expect("gzipped text");
    text
}

#[track_caller]
fn error_of(text: &str) -> BadFile {
    verify(text.as_bytes()).expect_err("a broken file")
}

#[test]
fn a_gzip_stream_that_breaks_off_is_told_with_its_line() {
    let whole = bytes_of(FILES[0]);
    for len in [20, whole.len() / 2, whole.len() - 1] {
        let error = verify(&whole[..len]).expect_err("a broken stream");
        assert!(error.line.is_some(), "{error}");
        assert!(error.problem.starts_with("the gzip data ends or breaks here"), "{error}");
    }
}

#[test]
fn a_recording_that_breaks_off_after_any_line_is_never_equal() {
    for file in &FILES[..5] {
        let text = text_of(file);
        let lines: Vec<&str> = text.lines().collect();
        // After an oops, what the dying machine printed may be cut anywhere.
        let last = lines.iter().rposition(|line| !line.starts_with("{\"t\":\"dmesg\"")).expect("an operation");
        for len in 0..=last {
            let cut = lines[..len].join("\n");
            let is_equal = verify(cut.as_bytes()).is_ok_and(|report| report.verdict() == Verdict::Equal);
            assert!(!is_equal, "{file}, {len} lines");
        }
    }
}

#[test]
fn messages_name_the_line_and_what_would_be_right() {
    let text = text_of("6.1-hardened/s5i.jsonl.gz");
    let with = |line: usize, new: &str| {
        let mut lines: Vec<&str> = text.lines().collect();
        lines[line - 1] = new;
        error_of(&lines.join("\n")).to_string()
    };
    let slab = "{\"t\":\"newslab\",\"c\":0,\"s\":0,\"va\":\"0x10\",\"order\":0,\"objects\":64}";
    let rows = [
        (2, "{\"t\":\"begin\"", "EOF while parsing an object; expected one JSON object a line"),
        (2, "{\"t\":\"beginn\"}", "unknown kind of record `beginn`; expected one of `header`, `begin`"),
        (2, "{\"t\":\"end\",\"scenario\":\"s6\"}", "scenario s6; expected scenario s5i, as the header says"),
        (5, "{\"t\":\"pos\",\"c\":0,\"s\":0}", "missing field `pos`; expected a record with all its fields"),
        (5, slab, "a slab of order 0 at 0x0000000000000010; expected a block of pages in RAM that no slab has"),
        (
            6,
            "{\"t\":\"free\",\"c\":0,\"id\":9,\"cs\":0,\"cp\":0,\"np\":0,\"ns\":0}",
            "cache 0 never returned an allocation number 9",
        ),
        (
            6,
            "{\"t\":\"alloc\",\"c\":0,\"id\":9,\"s\":0,\"cs\":0,\"cp\":0,\"np\":0,\"ns\":0,\"xs\":1}",
            "unknown field `xs`",
        ),
        (5, "{\"t\":\"snap\",\"c\":0,\"s\":3,\"va\":\"0x0\",\"len\":0,\"hex\":\"\"}", "cache 0 never had a slab 3"),
        (
            5,
            "{\"t\":\"snap\",\"c\":0,\"s\":3,\"va\":\"0x0\",\"len\":0,\"hex\":\"abc\"}",
            "3 characters that are not pairs",
        ),
        (5, "{\"t\":\"destroy?\",\"c\":7}", "there is no cache 7; expected a cache that an earlier cache record made"),
    ];
    for (line, new, expected) in rows {
        let error = with(line, new);
        assert!(error.starts_with(&format!("line {line}: ")) && error.contains(expected), "{error}\n{expected}");
    }
    assert_eq!(error_of("").to_string(), "an empty file; expected a recording (.jsonl) or a geometry.json");
    assert!(error_of("[1]").to_string().starts_with("line 1: JSON that is no object"));
}

#[test]
fn what_is_beyond_the_model_is_told_by_name() {
    let text = text_of("6.1-hardened/s5i.jsonl.gz");
    let of = |from: &str, to: &str| {
        let report = verify(text.replace(from, to).as_bytes()).expect("a recording");
        assert_eq!(report.verdict(), Verdict::NotModelled);
        report.not_modelled.keys().cloned().collect::<Vec<_>>().join(", ")
    };
    assert_eq!(of("6.1.192", "8.0.4"), "Linux 8.0.4-hardened");
    assert_eq!(of("6.1.192", "6.6.1"), "recordings of Linux 6.6.1-hardened");
    assert_eq!(of("\"CONFIG_SLAB\":0", "\"CONFIG_SLAB\":1"), "CONFIG_SLAB=1");
    assert_eq!(of("slab_nomerge", "slab_nomerge slub_max_order=0"), "slub_max_order=0");
    assert_eq!(of("\"wipe_fresh_pages\":1", "\"wipe_fresh_pages\":0"), "fresh pages that were not wiped");
}

#[test]
fn copies_without_the_seed_that_chooses_them_are_not_equal() {
    let text = text_of("6.12-hardened/s6-r1.jsonl.gz");
    let kept = text.lines().filter(|line| !line.contains("\"random_kmalloc") && !line.contains("\"buckets"));
    let report = verify(kept.collect::<Vec<_>>().join("\n").as_bytes()).expect("a recording");
    assert_eq!(report.verdict(), Verdict::NotModelled);
    assert_eq!(report.not_modelled["kmalloc_site records without the boot's seed"], 20);
}

/// Bytes changed at random, in the text and in the gzip stream: whatever comes of it, it comes back.
#[test]
fn damaged_bytes_never_panic() {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |bound: usize| {
        random ^= random >> 12;
        random ^= random << 25;
        random ^= random >> 27;
        usize::try_from(random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33).expect("31 bits") % bound
    };
    for file in FILES {
        let text = text_of(file).into_bytes();
        for _ in 0..300 {
            let mut damaged = text.clone();
            for _ in 0..=below(3) {
                let at = below(damaged.len());
                damaged[at] = b"0123456789-\"{}[],:abcxnul"[below(25)];
            }
            drop(verify(&damaged));
        }
        let stream = bytes_of(file);
        for _ in 0..50 {
            let mut damaged = stream.clone();
            let at = below(damaged.len());
            damaged[at] ^= 1 << below(8);
            drop(verify(&damaged));
        }
    }
}

#[test]
fn a_bomb_is_refused() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let spaces = vec![b' '; 1 << 20];
    for _ in 0..257 {
        encoder.write_all(&spaces).expect("into memory");
    }
    let error = verify(&encoder.finish().expect("into memory")).expect_err("over the limit");
    assert!(error.problem.contains("longer than 256 MiB"), "{error}");
}
