//! What the allocator costs, in instructions a call, as valgrind counts them: the same on every day and under any load.
//!
//! `cargo bench -p slabscope-core --bench cost` compares with `counts.txt`, which `SLABSCOPE_BLESS=1` writes anew, and
//! with what each part may cost beside another: randomization, a probe that records, memory in shared pages.

mod workload;

use slabscope_core::slab_test::Configuration;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use workload::{Act, Memory, Row};

/// By how much a count may be over the one in the file: compilers differ in a detail here and there.
const TOLERANCE: f64 = 1.02;
/// Instructions that randomization may add to an allocation from a new slab, beside the draw of the slab's start. Two is
/// the aim.
const RANDOM_ADDS: f64 = 1.0;
/// How many times as many instructions a recording probe may take. Twice as many is the aim.
const RECORDED: f64 = 1.7;
/// How many times as many memory in shared pages may take. 1.6 times as many is the aim.
const SHARED_PAGES: f64 = 1.35;

/// The size at which randomization is held to its price: 64 objects a slab.
const RANDOM_SIZE: u64 = 64;
const OBJECTS_A_SLAB: f64 = 64.0;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("--workload") => {
            let name = arguments.next().expect("the name of a row");
            rows().into_iter().find(|row| row.name() == name).expect("a row").run();
            ExitCode::SUCCESS
        }
        _ => check(),
    }
}

/// Everything that is counted.
fn rows() -> Vec<Row> {
    let acts = [
        Act::AllocFast,
        Act::FreeFast,
        Act::Pair,
        Act::AllocFresh(8),
        Act::AllocFresh(64),
        Act::AllocFresh(512),
        Act::AllocFresh(4096),
        Act::FreeAway(8),
        Act::FreeAway(64),
        Act::FreeAway(512),
        Act::FreeAway(4096),
    ];
    let plain = |act| Row { act, configuration: Configuration::Plain, memory: Memory::Flat, recorded: false };
    let variants = acts.into_iter().map(plain).flat_map(|row| {
        let others = [Configuration::Random, Configuration::HardenedRandom];
        let configured = others.map(|configuration| Row { configuration, ..row });
        let memory = Row { memory: Memory::Paged, ..row };
        [row, configured[0], configured[1], memory, Row { recorded: true, ..row }, Row { recorded: true, ..memory }]
    });
    variants.chain([plain(Act::Draw)]).collect()
}

fn check() -> ExitCode {
    let counts: Counts = rows().into_iter().map(|row| (row.name(), count(row))).collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/cost/counts.txt");
    if std::env::var_os("SLABSCOPE_BLESS").is_some() {
        let text: String = rows().iter().map(|row| format!("{:7.1}  {}\n", counts[&row.name()], row.name())).collect();
        std::fs::write(&file, text).expect("the file of counts can be written");
    }
    let mut verdicts = against_file(&counts, &file);
    verdicts.extend(relations(&counts));
    for verdict in &verdicts {
        println!("test {} ... {}", verdict.what, if verdict.holds { "ok" } else { "FAILED" });
    }
    let failed = verdicts.iter().filter(|verdict| !verdict.holds).count();
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!("\ntest result: {word}. {} passed; {failed} failed; 0 ignored", verdicts.len() - failed);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Instructions a call, by the row's name.
type Counts = BTreeMap<String, f64>;

struct Verdict {
    what: String,
    holds: bool,
}

fn at_most(what: &str, value: f64, limit: f64) -> Verdict {
    Verdict { what: format!("{what}: {value:.2} of {limit:.2}"), holds: value <= limit }
}

/// Runs a row under valgrind, in a process of its own.
fn count(row: Row) -> f64 {
    let out: PathBuf = std::env::temp_dir().join(format!("slabscope-cost-{}.out", std::process::id()));
    let status = Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet", "--toggle-collect=*workload::counted*"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(std::env::current_exe().expect("this program has a path"))
        .args(["--workload", &row.name()])
        .status()
        .expect("valgrind runs: scripts/test sets it up");
    assert!(status.success(), "{} under valgrind", row.name());
    let text = std::fs::read_to_string(&out).expect("callgrind wrote its counts");
    std::fs::remove_file(&out).expect("the file is there");
    let total = text.lines().find_map(|line| line.strip_prefix("totals: ")).expect("callgrind's total");
    let total: u32 = total.trim().parse().expect("one number, under 2^32");
    assert!(total > row.calls(), "{}: the calls were counted", row.name());
    f64::from(total) / f64::from(row.calls())
}

fn against_file(counts: &Counts, file: &Path) -> Vec<Verdict> {
    let text = std::fs::read_to_string(file).expect("counts.txt is there: SLABSCOPE_BLESS=1 writes it");
    let expected: Counts = text
        .lines()
        .map(|line| {
            let (count, name) = line.trim().split_once("  ").expect("a count and a name");
            (name.to_owned(), count.parse().expect("a count"))
        })
        .collect();
    let same_rows = Verdict { what: "rows of counts.txt".to_owned(), holds: counts.keys().eq(expected.keys()) };
    let rows = counts.iter().filter_map(|(name, count)| Some(at_most(name, *count, expected.get(name)? * TOLERANCE)));
    core::iter::once(same_rows).chain(rows).collect()
}

/// What each part may cost beside another.
fn relations(counts: &Counts) -> Vec<Verdict> {
    let of = |row: Row| counts[&row.name()];
    let plain: Vec<Row> = rows()
        .into_iter()
        .filter(|row| row.configuration == Configuration::Plain && row.act != Act::Draw)
        .filter(|row| row.memory == Memory::Flat && !row.recorded)
        .collect();
    let mut verdicts = Vec::new();
    for row in &plain {
        let (base, name) = (of(*row), row.name());
        let paged = Row { memory: Memory::Paged, ..*row };
        verdicts.push(at_most(&format!("shared pages, {name}, times"), of(paged) / base, SHARED_PAGES));
        let recorded = Row { recorded: true, ..*row };
        verdicts.push(at_most(&format!("recording, {name}, times"), of(recorded) / base, RECORDED));
    }
    let random_adds = |act| {
        let row = Row { act, configuration: Configuration::Plain, memory: Memory::Flat, recorded: false };
        of(Row { configuration: Configuration::Random, ..row }) - of(row)
    };
    let draw = of(Row { act: Act::Draw, configuration: Configuration::Plain, memory: Memory::Flat, recorded: false });
    let limit = RANDOM_ADDS + draw / OBJECTS_A_SLAB;
    verdicts.push(at_most("randomization, a new slab's object", random_adds(Act::AllocFresh(RANDOM_SIZE)), limit));
    verdicts.push(at_most("randomization, a pair", random_adds(Act::Pair), 0.0));
    verdicts
}
