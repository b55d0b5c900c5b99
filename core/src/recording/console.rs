//! What the kernel printed while an operation ran: facts to compare, and lines that are dropped.
//!
//! Of a warning, oops or BUG block only its kind, function and fault address count. Which lines are dropped is
//! written in [`BLOCK_STARTS`] and [`NOISE_STARTS`]; a line that is neither known nor on these lists is a fact of
//! its own, which no operation explains.

use crate::units::VirtAddr;
use core::fmt;

/// Lines inside a block that say nothing about the allocator: registers, code, CPU, frames, modules.
const BLOCK_STARTS: [&str; 32] = [
    "------------[ cut here",
    "---[ end trace",
    "invalid opcode:",
    "Oops:",
    "#PF:",
    "PGD ",
    "CPU:",
    "Tainted: ",
    "Hardware name:",
    "Modules linked in:",
    "Code:",
    "RSP:",
    "RAX:",
    "RDX:",
    "RBP:",
    "R10:",
    "R13:",
    "FS:",
    "CS:",
    "DR0:",
    "DR3:",
    "CR2:",
    "PKRU:",
    "Call Trace:",
    " <TASK>",
    " </TASK>",
    " <IRQ>",
    " </IRQ>",
    "note:",
    "Kernel panic - not syncing: Fatal exception",
    "Kernel Offset:",
    "Rebooting in",
];

/// What the rest of the kernel prints soon after boot, or on its way down.
const NOISE_STARTS: [&str; 36] = [
    "input:",
    "clocksource:",
    "tsc:",
    "TSC found unstable",
    "sched_clock:",
    "reboot:",
    "random:",
    "Stack Depot allocating",
    "stackdepot:",
    "ata",
    "scsi",
    "sd ",
    "sr ",
    "usb",
    "hid",
    "psmouse",
    "atkbd",
    "i8042",
    "serio",
    "ACPI:",
    "PM:",
    "Freeing ",
    "workqueue:",
    "process '",
    "kworker",
    "hrtimer:",
    "perf:",
    "sched:",
    "NOHZ",
    "Spurious",
    "audit:",
    "e1000",
    "virtio",
    "floppy",
    "cdrom",
    "rtc_cmos",
];

/// How a recorded operation ended the task, or everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeathKind {
    /// A non-canonical address was dereferenced.
    GeneralProtection(VirtAddr),
    /// An unmapped address was dereferenced.
    PageFault(VirtAddr),
    /// A check failed.
    Bug,
    /// The CPU does not come back.
    Stall,
}

/// Something that the kernel printed and that an operation must explain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// A warning; the task goes on.
    Warning {
        /// The text before it, if any.
        text: Option<String>,
        /// Where.
        function: String,
    },
    /// An oops, a BUG or a stall.
    Death {
        /// Which.
        kind: DeathKind,
        /// Where in the source; for a BUG only.
        at: Option<String>,
        /// The function that ran.
        function: Option<String>,
    },
    /// A line of a report of SLUB's own checks.
    SlabReport(String),
    /// A line that no list has.
    Unknown(String),
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let function =
            |function: &Option<String>| function.as_ref().map_or(String::new(), |name| format!(" in {name}"));
        match self {
            Self::Warning { text: Some(text), function } => write!(f, "warning \"{text}\" in {function}"),
            Self::Warning { text: None, function } => write!(f, "warning in {function}"),
            Self::Death { kind: DeathKind::GeneralProtection(address), function: at, .. } => {
                write!(f, "general protection fault at {address}{}", function(at))
            }
            Self::Death { kind: DeathKind::PageFault(address), function: at, .. } => {
                write!(f, "page fault at {address}{}", function(at))
            }
            Self::Death { kind: DeathKind::Bug, at, function: place } => {
                write!(f, "kernel BUG at {}{}", at.as_deref().unwrap_or("?"), function(place))
            }
            Self::Death { kind: DeathKind::Stall, function: place, .. } => write!(f, "stall{}", function(place)),
            Self::SlabReport(line) | Self::Unknown(line) => write!(f, "\"{line}\""),
        }
    }
}

/// The console lines of one operation, read.
#[derive(Debug, Default)]
pub(super) struct Console {
    /// In order.
    pub(super) facts: Vec<Fact>,
    /// Lines dropped because they are frames, registers and the like.
    pub(super) block_lines: u32,
    /// Lines dropped because they are about something else.
    pub(super) noise_lines: u32,
    /// A text between "cut here" and the line that says what it is.
    pending: Option<String>,
    in_block: bool,
}

impl Console {
    /// Takes one line.
    pub(super) fn line(&mut self, line: &str) {
        if let Some(fact) = death(line) {
            // A stall is reported again and again.
            if !self.is_stalled() || !is_stall(&fact) {
                self.facts.push(fact);
            }
            self.in_block = true;
            self.block_lines += 1;
        } else if let Some(rest) = line.strip_prefix("WARNING: ") {
            let place = rest.split(' ').find(|word| word.contains("+0x"));
            let function = function_of(place.or(rest.rsplit(' ').next()).unwrap_or(rest));
            self.facts.push(Fact::Warning { text: self.pending.take(), function });
            self.block_lines += 1;
        } else if let Some(place) = line.strip_prefix("RIP: ") {
            self.name_function(place);
            self.block_lines += 1;
        } else if starts_one_of(line, &BLOCK_STARTS) || is_frame(line) {
            self.in_block = !line.starts_with("---[ end trace");
            self.block_lines += 1;
        } else if is_noise(line) {
            self.noise_lines += 1;
        } else if self.in_block && self.is_stall_detail(line) {
            self.block_lines += 1;
        } else if is_slab_report(line) {
            self.facts.push(Fact::SlabReport(line.to_owned()));
        } else if self.in_block && self.pending.is_none() {
            self.pending = Some(line.to_owned());
        } else {
            self.facts.push(Fact::Unknown(line.to_owned()));
        }
    }

    /// Takes the end of the operation: a text that was waiting for its warning is a fact of its own.
    pub(super) fn close(&mut self) {
        if let Some(text) = self.pending.take() {
            self.facts.push(Fact::Unknown(text));
        }
        self.in_block = false;
    }

    /// The instruction pointer of a death tells its function; that of user space and of later dumps does not.
    fn name_function(&mut self, place: &str) {
        let Some(name) = place.strip_prefix("0010:") else { return };
        if let Some(Fact::Death { function: function @ None, .. }) = self.facts.last_mut() {
            *function = Some(function_of(name));
        }
    }

    /// Whether the task, or everything, came to its end.
    pub(super) fn died(&self) -> bool {
        self.facts.iter().any(|fact| matches!(fact, Fact::Death { .. }))
    }

    fn is_stalled(&self) -> bool {
        self.facts.last().is_some_and(is_stall)
    }

    fn is_stall_detail(&self, line: &str) -> bool {
        self.is_stalled() && (line.starts_with("rcu:") || line.starts_with('\t') || line.starts_with("NMI backtrace"))
    }
}

/// Whether a line is about something else than the allocator.
pub(super) fn is_noise(line: &str) -> bool {
    starts_one_of(line, &NOISE_STARTS)
}

const fn is_stall(fact: &Fact) -> bool {
    matches!(fact, Fact::Death { kind: DeathKind::Stall, .. })
}

fn death(line: &str) -> Option<Fact> {
    let line = line.strip_prefix("Oops: ").unwrap_or(line);
    let fact = |kind, at| Some(Fact::Death { kind, at, function: None });
    if let Some(rest) = line.strip_prefix("general protection fault") {
        let address = rest.split("address ").nth(1).and_then(hex_in)?;
        return fact(DeathKind::GeneralProtection(address), None);
    }
    for start in ["BUG: unable to handle page fault for address: ", "BUG: kernel NULL pointer dereference, address: "] {
        if let Some(rest) = line.strip_prefix(start) {
            return fact(DeathKind::PageFault(hex_in(rest)?), None);
        }
    }
    if let Some(rest) = line.strip_prefix("kernel BUG at ") {
        return fact(DeathKind::Bug, Some(rest.trim_end_matches('!').to_owned()));
    }
    let stall = line.starts_with("rcu: INFO:") && line.contains("stall");
    let lockup = line.starts_with("watchdog: BUG: soft lockup");
    if stall || lockup { fact(DeathKind::Stall, None) } else { None }
}

/// The hexadecimal number that a text starts with.
fn hex_in(text: &str) -> Option<VirtAddr> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let end = digits.find(|letter: char| !letter.is_ascii_hexdigit()).unwrap_or(digits.len());
    u64::from_str_radix(&digits[..end], 16).ok().map(VirtAddr::from_raw)
}

/// `kmem_cache_free` of `kmem_cache_free+0x1de/0x260`. From 6.10 on what allocates is called `kmem_cache_alloc_noprof`,
/// and its old name is a macro around that.
fn function_of(place: &str) -> String {
    let symbol = place.split('+').next().unwrap_or(place);
    symbol.strip_suffix("_noprof").unwrap_or(symbol).to_owned()
}

fn starts_one_of(line: &str, starts: &[&str]) -> bool {
    starts.iter().any(|start| line.starts_with(start))
}

/// A line of a call trace: ` name+0x10/0x20`, perhaps with a `? `.
fn is_frame(line: &str) -> bool {
    line.starts_with(' ') && line.contains("+0x") && line.contains("/0x")
}

/// Lines of `slab_bug`, `print_trailer`, `slab_fix`, `slab_err` and of `kmem_cache_destroy`.
fn is_slab_report(line: &str) -> bool {
    const STARTS: [&str; 21] = [
        "INFO: Slab 0x",
        "INFO: Object 0x",
        "INFO: Allocated in",
        "INFO: Freed in",
        "Invalid pointer 0x",
        "TRACE ",
        "BUG ",
        "=====",
        "-----",
        "Slab 0x",
        "Object 0x",
        "Redzone ",
        "Bytes b4",
        "Object  ",
        "Padding ",
        "FIX ",
        "Allocated in",
        "Freed in",
        "Disabling lock debugging",
        "Objects remaining",
        "SLUB",
    ];
    let is_told = line.is_empty() || is_fault_line(line) || starts_one_of(line, &STARTS);
    is_told && !line.starts_with("------------[")
}

/// `0x…-0x… @offset=…. First byte 0x… instead of 0x…`, whatever stands before it.
fn is_fault_line(line: &str) -> bool {
    line.contains(". First byte 0x") && line.contains(" instead of 0x")
}

/// A line of a report as it is compared: without the page's flags, and of a track only what was done.
pub(super) fn comparable(line: &str) -> String {
    let told = line.strip_prefix("INFO: ").unwrap_or(line);
    if told.starts_with("Slab 0x") {
        return line.split(" flags=").next().unwrap_or(line).to_owned();
    }
    let is_track = told.starts_with("Allocated in") || told.starts_with("Freed in");
    match line.split_once(" in ") {
        Some((done, _)) if is_track => format!("{done} in"),
        Some(_) | None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Console {
        let mut console = Console::default();
        lines.iter().for_each(|line| console.line(line));
        console.close();
        console
    }

    #[test]
    fn a_fault_is_its_kind_address_and_function() {
        let console = read(&[
            "general protection fault, probably for non-canonical address 0x69d18c78a87357c8: 0000 [#1] SMP",
            "CPU: 0 PID: 28 Comm: busybox Not tainted 6.1.192-hardened #3 ",
            "RIP: 0010:kmem_cache_alloc+0x64/0x140",
            " o_alloc+0x16/0x180",
            "RIP: 0033:0x47b7a0",
            "---[ end trace 0000000000000000 ]---",
            "RIP: 0010:kmem_cache_alloc+0x64/0x140",
            "reboot: Restarting system",
        ]);
        let kind = DeathKind::GeneralProtection(VirtAddr::from_raw(0x69d1_8c78_a873_57c8));
        let function = Some("kmem_cache_alloc".to_owned());
        assert_eq!(console.facts, [Fact::Death { kind, at: None, function }]);
        assert_eq!((console.block_lines, console.noise_lines), (7, 1));
    }

    #[test]
    fn a_warning_has_the_text_before_it() {
        let console = read(&[
            "------------[ cut here ]------------",
            "virt_to_cache: Object is not a Slab page!",
            "WARNING: CPU: 0 PID: 28 at mm/slab.h:630 kmem_cache_free+0x21e/0x260",
            "RIP: 0010:kmem_cache_free+0x21e/0x260",
            "---[ end trace 0000000000000000 ]---",
        ]);
        let text = Some("virt_to_cache: Object is not a Slab page!".to_owned());
        assert_eq!(console.facts, [Fact::Warning { text, function: "kmem_cache_free".to_owned() }]);
    }

    #[test]
    fn a_bug_keeps_its_place_and_a_null_pointer_its_address() {
        let console = read(&["------------[ cut here ]------------", "kernel BUG at mm/slub.c:419!"]);
        assert_eq!(console.facts[0].to_string(), "kernel BUG at mm/slub.c:419");
        let console = read(&["BUG: kernel NULL pointer dereference, address: 0000000000000010"]);
        assert_eq!(console.facts[0].to_string(), "page fault at 0x0000000000000010");
    }

    #[test]
    fn a_stall_is_told_with_the_function_it_hangs_in() {
        let console = read(&[
            "rcu: INFO: rcu_sched self-detected stall on CPU",
            "rcu: \t0-....: (5249 ticks this GP) idle=01ac/1/0x4000000000000000 softirq=40/40 fqs=2",
            "\t(t=5250 jiffies g=-1151 q=6 ncpus=1)",
            "CPU: 0 PID: 28 Comm: busybox Not tainted 6.1.192-plain #2 ",
            "RIP: 0010:deactivate_slab+0x8c/0x2b0",
        ]);
        assert_eq!(console.facts.len(), 1);
        assert_eq!(console.facts[0].to_string(), "stall in deactivate_slab");
    }

    #[test]
    fn a_line_on_no_list_is_not_dropped() {
        assert_eq!(read(&["slab: all is lost"]).facts, [Fact::Unknown("slab: all is lost".to_owned())]);
        let slab =
            "Slab 0xffffea00000b5300 objects=25 used=3 fp=0xffff888002d4caa8 flags=0x4000000000000200(slab|zone=1)";
        assert_eq!(comparable(slab), "Slab 0xffffea00000b5300 objects=25 used=3 fp=0xffff888002d4caa8");
        assert_eq!(comparable("INFO: Freed in o_alloc+0x16/0x180 age=1 cpu=0 pid=28"), "INFO: Freed in");
        assert!(matches!(read(&["FIX orc_64: Object at 0x1 not freed"]).facts[0], Fact::SlabReport(_)));
    }
}
