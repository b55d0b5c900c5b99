//! What the kernel said and did, a line each.

use super::names::Names;
use super::ordinal::counted;
use super::parted::parted;
use crate::scene::ByteRange;
use slabscope_core::command::{Command, Name};
use slabscope_core::event::{AllocPath, Event, FreePath, Warning};
use slabscope_core::snapshot::Snapshot;
use slabscope_core::timeline::Record;
use slabscope_core::units::{CacheId, VirtAddr};

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Its words.
    pub words: String,
    /// The bytes that it speaks of.
    pub bytes: Option<ByteRange>,
}

/// The log of some steps. A line names things as they were called at its step.
pub struct Log<'a> {
    /// What there is now.
    names: Names<'a>,
    /// What was handed out so far, and as what.
    given: Vec<(VirtAddr, Name)>,
}

impl<'a> Log<'a> {
    /// The log before the first step.
    #[must_use]
    pub const fn new(names: Names<'a>) -> Self {
        Self { names, given: Vec::new() }
    }

    /// The lines of the next step: what happened.
    pub fn lines(&mut self, record: &Record) -> Vec<LogLine> {
        let applied = match &record.result {
            Ok(applied) => applied,
            Err(refusal) => return vec![LogLine { words: format!("  not carried out: {refusal}"), bytes: None }],
        };
        let gone = gone(&record.command);
        let gone = gone.and_then(|name| self.given.iter().rfind(|(_, given)| given == name).cloned());
        let named = named(&record.command, &applied.events, applied.returned);
        let place = |event: &Event, address: VirtAddr| {
            let fresh = named.iter().filter(|_| event.allocated().is_some());
            let of = |given: &&(VirtAddr, Name)| given.0 == address;
            let name = fresh.chain(&gone).find(of).or_else(|| self.given.iter().rfind(of));
            name.map_or_else(|| self.names.place_words(address), |(_, name)| name.to_string())
        };
        let lines = applied.events.iter().flat_map(|event| {
            let place = |address| place(event, address);
            lines(event, self.names.snapshot, place)
        });
        let lines = folded(lines.collect());
        self.given.extend(named);
        lines
    }
}

/// The object that a command takes by its name.
const fn gone(command: &Command) -> Option<&Name> {
    match command {
        Command::Free { object }
        | Command::KfreeRcu { object }
        | Command::Ksize { object }
        | Command::Krealloc { from: object, .. } => Some(object),
        _ => None,
    }
}

/// What a command handed out, and the names that it gave.
fn named(command: &Command, events: &[Event], returned: Option<VirtAddr>) -> Vec<(VirtAddr, Name)> {
    match command {
        Command::Kmalloc { object, .. } | Command::Alloc { object, .. } | Command::Krealloc { object, .. } => {
            returned.map(|address| (address, object.clone())).into_iter().collect()
        }
        Command::BulkAlloc { prefix, .. } if returned.is_some() => {
            let objects = events.iter().filter_map(Event::allocated).zip(0..);
            objects.filter_map(|((at, _), nth)| Some((at, Name::new(&format!("{prefix}{nth}"))?))).collect()
        }
        _ => Vec::new(),
    }
}

/// The bytes that an event is about: what was written, or a whole object.
fn bytes_of(event: &Event, snapshot: &Snapshot) -> Option<ByteRange> {
    let object = |address: VirtAddr| {
        let slab = snapshot.slabs.iter().find(|slab| slab.objects.iter().any(|object| object.address == address))?;
        let cache = snapshot.caches.iter().find(|cache| cache.id == slab.cache)?;
        Some(ByteRange { at: address, len: cache.layout.object_size })
    };
    match event {
        Event::Written { at, len } => Some(ByteRange { at: *at, len: *len }),
        Event::Allocated { address, .. } | Event::Freed { address, .. } => object(*address),
        _ => None,
    }
}

/// A report is told as the kernel prints it, anything else in a line of ours, set in.
fn lines(event: &Event, snapshot: &Snapshot, place: impl Fn(VirtAddr) -> String) -> Vec<LogLine> {
    let cache = |id: &CacheId| {
        let view = snapshot.caches.iter().find(|cache| cache.id == *id);
        view.map_or_else(|| format!("cache {}", id.raw()), |cache| cache.name.to_string())
    };
    let line = match event {
        Event::SlabMade { cache: id, base, order, .. } => {
            format!("{}: new slab at {base}, {}", cache(id), counted(order.pages(), "page"))
        }
        Event::SlabDiscarded { cache: id, base, .. } => format!("{}: slab at {base} goes home", cache(id)),
        Event::Allocated { address, path, .. } => {
            format!("returned {} = {address}, {}", place(*address), came_from(*path))
        }
        Event::Freed { address, path, .. } => format!("freed {} = {address}, {}", place(*address), went_to(*path)),
        Event::KeptInPlace { address, room } => format!("{} stays: it has room for {room} bytes", place(*address)),
        Event::Sized { address, room } => format!("ksize({}) = {room}", place(*address)),
        Event::FreeIgnored { address } => format!("kfree({address}) does nothing"),
        Event::FreeDeferred { address } => format!("{} = {address} waits for a grace period", place(*address)),
        Event::Flushed { cache: id, address } => format!("{}: {address} leaves its sheaf for its slab", cache(id)),
        Event::GracePeriodPassed => "a grace period passed".to_owned(),
        Event::Deactivated { slab, cpu } => format!("CPU {} lets slab {} go", cpu.raw(), slab.raw()),
        Event::CpuPartialDrained { cpu, cache: id, slabs } => {
            format!("{}: CPU {} gives {slabs} partial slabs to the node", cache(id), cpu.raw())
        }
        Event::Exposed { at, len } => format!("{len} bytes read at {at}, and given to user space"),
        Event::CopyRefused(refused) => refused.to_string(),
        Event::Written { at, len } => format!("{len} bytes written at {at}"),
        Event::Reported(report) => return report.lines.iter().map(reported).collect(),
        Event::Warned(warning) => warned(warning, cache),
        Event::Oopsed(oops) => format!("{} in {}", oops.kind, oops.function),
    };
    vec![LogLine { words: format!("  {line}"), bytes: bytes_of(event, snapshot) }]
}

const fn came_from(path: AllocPath) -> &'static str {
    match path {
        AllocPath::Fastpath => "from the CPU’s freelist",
        AllocPath::Refill => "from the list of the CPU’s slab",
        AllocPath::CpuPartial => "from the CPU’s partial list",
        AllocPath::NodePartial => "from the node’s partial list",
        AllocPath::NewSlab => "from a new slab",
        AllocPath::Sheaf => "from the CPU’s sheaf",
        AllocPath::Barn => "from a sheaf of the barn",
        AllocPath::SheafRefill => "from a sheaf just filled from slabs",
        AllocPath::Large => "whole pages",
        AllocPath::ZeroSize => "the address of nothing",
    }
}

const fn went_to(path: FreePath) -> &'static str {
    match path {
        FreePath::Fastpath => "to the CPU’s freelist",
        FreePath::Sheaf => "to the CPU’s sheaf",
        FreePath::Slab => "to its slab’s list",
        FreePath::CpuPartial => "to its slab’s list; the slab to the CPU’s partial list",
        FreePath::NodePartial => "to its slab’s list; the slab to the node’s partial list",
        FreePath::Discarded => "the last in use of its slab",
        FreePath::Large => "whole pages",
    }
}

/// A line of the kernel's own report.
fn reported(line: &slabscope_core::report::Line) -> LogLine {
    LogLine { words: line.text.clone(), bytes: line.bytes.map(|bytes| ByteRange { at: bytes.at, len: bytes.len }) }
}

/// Lines of a dump that follow one another and say the same of other addresses are one line.
fn folded(lines: Vec<LogLine>) -> Vec<LogLine> {
    let mut folded: Vec<LogLine> = Vec::new();
    let mut rest = &lines[..];
    while let Some(first) = rest.first() {
        let run = dump_of(first).map_or(1, |dump| rest.iter().take_while(|line| dump_of(line) == Some(dump)).count());
        if run < 3 {
            folded.push(first.clone());
            rest = &rest[1..];
            continue;
        }
        folded.push(one_for(&rest[..run]));
        rest = &rest[run..];
    }
    folded
}

/// A line of a dump whose 16 bytes are all one: its label, and that byte.
fn dump_of(line: &LogLine) -> Option<(&str, &str)> {
    let (label, after) = parted(&line.words, ": ").filter(|_| line.bytes.is_some_and(|bytes| bytes.len == 16))?;
    let name = label.split_whitespace().next()?;
    let mut bytes = after.split_whitespace().take(16);
    let byte = bytes.next().filter(|byte| byte.len() == 2)?;
    bytes.by_ref().take(15).all(|other| other == byte).then_some((name, byte))
}

fn one_for(lines: &[LogLine]) -> LogLine {
    let ranges = || lines.iter().filter_map(|line| line.bytes);
    let (Some(first), Some(last)) = (ranges().next(), ranges().next_back()) else { return lines[0].clone() };
    let len = last.at.bytes_after(first.at).unwrap_or(0) + last.len;
    let (name, byte) = dump_of(&lines[0]).unwrap_or_default();
    let end = |address: VirtAddr| format!("…{:03x}", address.raw() & 0xfff);
    let (from, to) = (end(first.at), end(first.at.wrapping_add(len - 1)));
    LogLine {
        words: format!("⋯ {} lines: {name} {from} to {to}, all {byte}", lines.len()),
        bytes: Some(ByteRange { at: first.at, len }),
    }
}

fn warned(warning: &Warning, cache: impl Fn(&CacheId) -> String) -> String {
    match warning {
        Warning::WrongCache { named, owner, .. } => {
            format!("cache_from_obj: Wrong slab cache. {} but object is from {}", cache(named), cache(owner))
        }
        Warning::NotALargeKmalloc { address, .. } => format!("free_large_kmalloc: object pointer: {address}"),
        Warning::NotASlabPage { address, .. } => format!("virt_to_cache: Object is not a Slab page! {address}"),
        Warning::ObjectsRemain { cache: id } => {
            format!("kmem_cache_destroy {}: Slab cache still has objects", cache(id))
        }
        Warning::OutOfMemory { order, .. } => format!("page allocation failure: order:{}", order.raw()),
    }
}
