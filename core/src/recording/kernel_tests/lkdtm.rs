//! `lkdtm.json`: what each LKDTM heap trigger did, by boot: whether the task died and of what, what the checks reported, and
//! what the trigger itself found in memory.
//!
//! A trigger's acts are those of its scenario, on the kernel of the boot. Luck are the addresses (compared as distances from the
//! object that the report is about), the copy of a kmalloc cache, and what the boot had in its caches.

use super::words::Words;
use super::{parsed, scenario};
use crate::event::{Event, Oops, OopsKind};
use crate::kernel::{KernelConfig, SlubDebug};
use crate::machine::Machine;
use crate::memory::Bytes;
use crate::recording::console::{Console, Fact};
use crate::recording::facts;
use crate::recording::read::BadFile;
use crate::recording::report::{Comparison, Place, Report, count};
use crate::recording::subject::{self, Beyond};
use crate::script::play_on;
use crate::units::{VirtAddr, count_from, index_from};
use core::fmt;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A trigger.
struct Trigger {
    name: &'static str,
    scenario: &'static str,
    /// What it looks at when it is done.
    looks: Look,
}

/// What a trigger looks at when it is done. Its scenario calls the first object `p`, and the one after it `q`.
#[derive(Clone, Copy)]
enum Look {
    Nowhere,
    /// Whether the word that was written to `p` is still there.
    Written,
    /// Whether `q` has any of the bytes with which `p` was filled.
    Filled {
        len: u32,
    },
    /// Whether `q` lies where `p` did.
    Range,
}

/// Where a word is written to `p`, and which.
const WORD_AT: u64 = 16;
const WORD: u32 = 0x1234_5678;
/// With what `p` is filled.
const FILL: u8 = 0xab;

const TRIGGERS: [Trigger; 10] = [
    Trigger { name: "SLAB_LINEAR_OVERFLOW", scenario: scenario!("lkdtm-slab-linear-overflow"), looks: Look::Nowhere },
    Trigger { name: "WRITE_AFTER_FREE", scenario: scenario!("lkdtm-write-after-free"), looks: Look::Range },
    Trigger { name: "READ_AFTER_FREE", scenario: scenario!("lkdtm-read-after-free"), looks: Look::Written },
    Trigger {
        name: "WRITE_BUDDY_AFTER_FREE",
        scenario: scenario!("lkdtm-write-buddy-after-free"),
        looks: Look::Nowhere,
    },
    Trigger { name: "READ_BUDDY_AFTER_FREE", scenario: scenario!("lkdtm-read-buddy-after-free"), looks: Look::Written },
    Trigger {
        name: "SLAB_INIT_ON_ALLOC",
        scenario: scenario!("lkdtm-slab-init-on-alloc"),
        looks: Look::Filled { len: 512 },
    },
    Trigger {
        name: "BUDDY_INIT_ON_ALLOC",
        scenario: scenario!("lkdtm-buddy-init-on-alloc"),
        looks: Look::Filled { len: 4096 },
    },
    Trigger { name: "SLAB_FREE_DOUBLE", scenario: scenario!("lkdtm-slab-free-double"), looks: Look::Nowhere },
    Trigger { name: "SLAB_FREE_CROSS", scenario: scenario!("lkdtm-slab-free-cross"), looks: Look::Nowhere },
    Trigger { name: "SLAB_FREE_PAGE", scenario: scenario!("lkdtm-slab-free-page"), looks: Look::Nowhere },
];

/// Triggers that are about something else than the slab allocator and its pages.
const ELSEWHERE: [(&str, &str); 6] = [
    ("VMALLOC_LINEAR_OVERFLOW", "vmalloc's guard page"),
    ("KFENCE_READ_AFTER_FREE", "KFENCE's own pages"),
    ("USERCOPY_STACK_FRAME_TO", "the stack"),
    ("USERCOPY_STACK_FRAME_FROM", "the stack"),
    ("USERCOPY_STACK_BEYOND", "the stack"),
    ("USERCOPY_KERNEL", "the kernel's text"),
];

/// One run of a trigger.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    /// How the shell that wrote the trigger's name ended.
    rc: i64,
    died: bool,
    /// Lines of `dmesg` that the recorder took for telling.
    bug_lines: Vec<String>,
    dmesg: Vec<String>,
}

/// Compares each trigger in each boot.
pub(in crate::recording) fn compare(top: Map<String, Value>) -> Result<Report, BadFile> {
    let expected = "runs by trigger and boot, each with rc, died, bug_lines and dmesg";
    let runs: BTreeMap<String, BTreeMap<String, Run>> = serde_json::from_value(Value::Object(top))
        .map_err(|error| BadFile::whole(format!("results of LKDTM: {error}"), expected))?;
    let mut lines = runs.values().flat_map(BTreeMap::values).flat_map(|run| &run.dmesg);
    let release = lines.find_map(|line| release_in(line)).ok_or_else(|| {
        BadFile::whole("results of LKDTM that name no kernel", "a line such as \"CPU: 0 … Not tainted 6.1.192-plain\"")
    })?;
    let title = format!("results of LKDTM on Linux {release}");
    let build = match subject::of_build(release) {
        Ok(build) => build,
        Err(Beyond(why)) => return Ok(Report::of_nothing(title, &why, u64::from(count_from(runs.len())))),
    };
    let mut report = Report { title, ..Report::default() };
    for (name, boots) in &runs {
        for (boot, run) in boots {
            compare_run(&mut report, name, boot, run, &build)?;
        }
    }
    Ok(report)
}

/// `6.1.192-plain` in a line that has it.
fn release_in(line: &str) -> Option<&str> {
    if !line.starts_with("CPU: ") && !line.contains("since this kernel (") {
        return None;
    }
    let words = line.split_whitespace().map(|word| word.trim_start_matches('('));
    words.filter(|word| word.contains('-')).find(|word| {
        let mut numbers = word.split(['.', '-']);
        numbers.next().is_some_and(|major| major.parse::<u8>().is_ok())
            && numbers.next().is_some_and(|minor| minor.parse::<u8>().is_ok())
    })
}

fn compare_run(report: &mut Report, name: &str, boot: &str, run: &Run, build: &KernelConfig) -> Result<(), BadFile> {
    let Some(trigger) = TRIGGERS.iter().find(|trigger| trigger.name == name) else {
        match ELSEWHERE.iter().find(|(elsewhere, _)| *elsewhere == name) {
            Some((_, what)) => count(&mut report.given, &format!("triggers about {what}"), 1),
            None => count(&mut report.not_modelled, &format!("trigger {name}"), 1),
        }
        return Ok(());
    };
    let place = Place::Entry(format!("{name}, {boot}"));
    let kernel = booted(build, boot);
    let scenario = parsed(trigger.scenario);
    let played = play_on(&scenario, &kernel)
        .map_err(|error| BadFile::whole(format!("{name}, {boot}: {error}"), "a boot that the version has"))?;
    let events: Vec<Event> = played
        .steps
        .iter()
        .filter_map(|step| step.result.as_ref().ok())
        .flat_map(|applied| applied.events.iter().cloned())
        .collect();
    let oops = events.iter().find_map(|event| if let Event::Oopsed(oops) = event { Some(*oops) } else { None });
    let theirs = Theirs::read(run, report);
    let mut comparison = Comparison::new("trigger", place.clone());
    comparison.same("died", run.died, oops.is_some());
    comparison.same("rc", run.rc, code_after(oops));
    comparison.same(
        "that dmesg has each of bug_lines",
        run.bug_lines.iter().all(|line| run.dmesg.contains(line)),
        true,
    );
    let found = if oops.is_none() { trigger.looks.look(&played.machine) } else { None };
    let shown = |found: Option<Found>| found.map(|found| found.to_string());
    comparison.same("what it found", shown(theirs.found), shown(found));
    report.close(comparison);
    let ours = facts::of(played.machine.kernel(), &events, oops.as_ref());
    compare_printed(report, theirs.facts, &ours, played.machine.kernel().model().kmalloc_copy_word, &place);
    Ok(())
}

/// The kernel as it was booted: `init`, or with checks for all caches.
fn booted(build: &KernelConfig, boot: &str) -> KernelConfig {
    let mut kernel = build.clone();
    match boot {
        "none" => {}
        "init" => (kernel.init_on_alloc, kernel.init_on_free) = (true, true),
        letters => kernel.slub_debug = Some(SlubDebug::parse(letters)),
    }
    kernel
}

/// How a shell ends in whose name the kernel went wrong: a bad access kills it (SIGKILL), a BUG or a fault that no page table
/// explains is a SIGSEGV.
const fn code_after(oops: Option<Oops>) -> i64 {
    match oops {
        None => 0,
        Some(Oops { kind: OopsKind::PageFault { .. }, .. }) => 137,
        Some(_) => 139,
    }
}

fn compare_printed(report: &mut Report, theirs: Vec<Fact>, ours: &[Fact], copy_word: &str, place: &Place) {
    let is_free_track = |fact: &Fact| matches!(fact, Fact::SlabReport(line) if line.starts_with("Freed in"));
    let told = count_from(theirs.len());
    let theirs: Vec<Fact> = if ours.iter().any(is_free_track) {
        theirs
    } else {
        theirs.into_iter().filter(|fact| !is_free_track(fact)).collect()
    };
    let freed = u64::from(told - count_from(theirs.len()));
    count(&mut report.masked, "who had the object before the trigger", freed);
    let read = Words::of(&theirs, copy_word).comparable(&theirs);
    let changed = read.iter().zip(&theirs).filter(|(read, theirs)| read != theirs).count();
    let name = "addresses of a report line (compared as distances), its copy of a cache, other objects of the boot's";
    count(&mut report.luck, name, u64::from(count_from(changed)));
    let ours = Words::of(ours, copy_word).comparable(ours);
    let theirs: Vec<(Fact, Place)> = read.into_iter().map(|fact| (fact, place.clone())).collect();
    facts::compare(report, &theirs, &ours, place);
}

/// What a trigger found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// The word that was written is gone, and this is there.
    Poisoned(u32),
    /// It is still there.
    NotPoisoned,
    /// No byte of what was written is left; this is the first.
    Initialized(u8),
    /// Some is.
    NotInitialized,
    /// The second object lies elsewhere.
    AnotherRange,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Poisoned(word) => write!(f, "{word:x} in the place of what was written"),
            Self::NotPoisoned => f.write_str("what was written"),
            Self::Initialized(byte) => write!(f, "nothing of what was written, first {byte:x}"),
            Self::NotInitialized => f.write_str("some of what was written"),
            Self::AnotherRange => f.write_str("the second object elsewhere"),
        }
    }
}

impl Look {
    fn look(self, machine: &Machine) -> Option<Found> {
        let address =
            |name: &str| machine.named().find(|object| object.name.as_str() == name).map(|object| object.address);
        let read = |at: VirtAddr, len: u32| {
            let mut bytes = vec![0; index_from(len)];
            machine.kernel().bytes().copy_out(at, &mut bytes).ok().map(|()| bytes)
        };
        match self {
            Self::Nowhere => None,
            Self::Written => {
                let bytes = read(address("p")?.wrapping_add(WORD_AT), 4)?;
                let word = u32::from_le_bytes(*bytes.first_chunk()?);
                Some(if word == WORD { Found::NotPoisoned } else { Found::Poisoned(word) })
            }
            Self::Filled { len } => {
                let bytes = read(address("q")?, len)?;
                let first = *bytes.first()?;
                Some(if bytes.contains(&FILL) { Found::NotInitialized } else { Found::Initialized(first) })
            }
            Self::Range => (address("p")? != address("q")?).then_some(Found::AnotherRange),
        }
    }
}

/// What a run's lines say.
struct Theirs {
    facts: Vec<Fact>,
    found: Option<Found>,
}

/// What the recorder's shell wrote between the kernel's lines.
const SHELL: [&str; 3] = ["LKDTM-", "Segmentation fault", "Killed"];
/// What the module says of what it is about to do, and of the build.
const SAID: [&str; 6] = [
    "Performing direct entry ",
    "Attempting ",
    "Value in memory before free: ",
    "Allocated memory ",
    "Writing ",
    "This is probably expected",
];

impl Theirs {
    fn read(run: &Run, report: &mut Report) -> Self {
        let mut console = Console::default();
        let (mut found, mut unread, mut said, mut shell) = (None, Vec::new(), 0, 0);
        let mut is_shells = false;
        // After that the machine goes down.
        for line in run.dmesg.iter().take_while(|line| !line.starts_with("reboot: ")) {
            // What the shell wrote may have the start of another line behind it, and then stands alone.
            is_shells = SHELL.iter().any(|start| line.starts_with(start)) || (is_shells && line.is_empty());
            if let Some(told) = line.strip_prefix("lkdtm: ") {
                match found_in(told) {
                    Some(read) => found = Some(read),
                    None if SAID.iter().any(|start| told.starts_with(start)) => said += 1,
                    None => unread.push(Fact::Unknown(line.clone())),
                }
            } else if is_shells {
                shell += 1;
            } else {
                console.line(line);
            }
        }
        console.close();
        count(&mut report.given, "what LKDTM says it does", said);
        count(&mut report.masked, "lines of the shell", shell);
        count(&mut report.masked, "console lines inside a block", u64::from(console.block_lines));
        count(&mut report.masked, "console lines of boot noise", u64::from(console.noise_lines));
        Self { facts: console.facts.into_iter().chain(unread).collect(), found }
    }
}

/// What a line of the module's says that it found.
fn found_in(told: &str) -> Option<Found> {
    let within = |before: &str, after: &str| told.strip_prefix(before)?.strip_suffix(after);
    if let Some(word) = within("Memory correctly poisoned (", ")") {
        return u32::from_str_radix(word, 16).ok().map(Found::Poisoned);
    }
    if let Some(byte) = within("Memory appears initialized (", ", no earlier values)") {
        return u8::from_str_radix(byte, 16).ok().map(Found::Initialized);
    }
    match told {
        "FAIL: Memory was not poisoned!" | "FAIL: Buddy page was not poisoned!" => Some(Found::NotPoisoned),
        "FAIL: Slab was not initialized" => Some(Found::NotInitialized),
        other if other.starts_with("Hmm, didn't get the same") => Some(Found::AnotherRange),
        _ => None,
    }
}
