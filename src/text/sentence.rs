//! The sentence: what just happened, and what that means next. The page's only voice.
//!
//! Present tense, names rather than addresses, at most 12 words. What a lesson says goes first, as long as the bench is
//! as the lesson tells it; else the sentence is made from the last command and what came of it.

use super::ahead::{dies_words, follows_words, what_comes};
use super::names::Names;
use super::ordinal::{counted, ordinal_word};
use super::reach::reaches;
use crate::scene::zone_after;
use crate::session::{Aim, Session};
use slabscope_core::blast::{Part, Struck, blast};
use slabscope_core::command::{Command, Name};
use slabscope_core::event::{Event, FreePath, OopsKind};
use slabscope_core::forecast::forecast;
use slabscope_core::outcome::{Outcome, Why};
use slabscope_core::snapshot::{CacheView, ChainEnd, SlabView};
use slabscope_core::timeline::Record;
use slabscope_core::units::{Step, VirtAddr};

/// How many writes back one that missed is looked for.
const MOST_WRITES: usize = 8;

/// What is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// What just happened.
    pub head: String,
    /// What that means next.
    pub tail: String,
}

impl Sentence {
    fn new(head: impl Into<String>, tail: impl Into<String>) -> Self {
        Self { head: head.into(), tail: tail.into() }
    }
}

/// Words that say what is wrong, as a sentence: a capital first and a stop last. What is code stays as it is.
#[must_use]
pub fn as_sentence(words: &str) -> String {
    let first = words.split([' ', ',']).next().unwrap_or_default();
    let is_word = first.bytes().all(|byte| byte.is_ascii_lowercase()) && first != "kmalloc";
    let at = usize::from(is_word && !words.is_empty());
    let stop = if words.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{}{}{stop}", words[..at].to_ascii_uppercase(), &words[at..])
}

/// What is said now.
#[must_use]
pub fn sentence(session: &Session) -> Sentence {
    if let Some(notice) = session.notice() {
        return Sentence::new(notice.head.clone(), notice.tail.clone());
    }
    if session.look().reach {
        return reaching(session);
    }
    if let Some(aim) = session.aim() {
        return aimed(session, aim);
    }
    if let Some(said) = session.story().said_at(session.cursor()).filter(|_| session.is_as_told()) {
        return Sentence::new(&*said.sentence, &*said.consequence);
    }
    match session.record() {
        None => at_rest(session),
        Some(record) => happened(session, record),
    }
}

/// Over the chart of reaches.
fn reaching(session: &Session) -> Sentence {
    let rows = reaches(session.timeline().config());
    let in_hand = session.cache_in_hand().map_or(64, |cache| cache.layout.object_size);
    let row = rows.iter().find(|row| row.size == in_hand).or(rows.first());
    let head = row.map_or_else(String::new, |row| {
        format!("At {} bytes, {} were enough. Since 5.7 it takes {}.", row.size, row.before, row.after)
    });
    let same = rows.iter().filter(|row| row.before == row.after).map(|row| row.size.to_string()).collect::<Vec<_>>();
    let tail = match same.as_slice() {
        [] => String::new(),
        sizes => format!("At {} bytes nothing changed: the pointer fills the whole object.", sizes.join(" and ")),
    };
    Sentence::new(head, tail)
}

/// Before the first command.
fn at_rest(session: &Session) -> Sentence {
    let call = session.call_in_hand();
    let objects = session.cache_in_hand().map_or(0, |cache| cache.layout.objects);
    let pages = session.cache_in_hand().map_or(1, |cache| cache.layout.order.pages());
    let taken = if pages == 1 { "one page".to_owned() } else { format!("{pages} pages") };
    let them = if pages == 1 { "it" } else { "them" };
    Sentence::new(
        "Nothing is allocated yet.",
        format!("The first {call} takes {taken} and cuts {them} into {objects} objects."),
    )
}

/// What an overflow hits, and what would follow from it.
fn aimed(session: &Session, aim: &Aim) -> Sentence {
    let Some((_, object)) = session.overflowable().filter(|_| aim.len > 0) else {
        return Sentence::new("Nothing is aimed at yet.", "Drag the handle over what lies after, or choose a length.");
    };
    let Some(cache) = session.cache_in_hand() else { return Sentence::new("Nothing is aimed at yet.", "") };
    let end = object.address.wrapping_add(cache.layout.object_size);
    let parts = blast(session.timeline().machine(), end, aim.len);
    let head = hit_words(session, aim, &parts);
    let follows = aim.command().map(|command| forecast(session.timeline().machine(), Some(&command), cache.id, 3));
    let tail =
        follows_words(session, &follows.unwrap_or_default(), "Allocations to come return what they would have anyway.");
    Sentence::new(head, tail)
}

fn hit_words(session: &Session, aim: &Aim, parts: &[Part]) -> String {
    let len = counted(aim.len, "byte");
    let pointer = parts.iter().find_map(|part| match part.what {
        Struck::FreePointer { slab, index, first } => Some((slab, index, first, part.len)),
        _ => None,
    });
    let name = |slab, index| {
        let object = session.object(crate::scene::ObjectRef { slab, index });
        object.map_or_else(|| "the next object".to_owned(), |object| Names::of(session).object_words(object))
    };
    if let Some((slab, index, first, struck)) = pointer {
        let name = name(slab, index);
        let verb = if aim.len == 1 { "replaces" } else { "replace" };
        return match (first, struck) {
            (0, 8) => format!("{len} too many {verb} {name}’s pointer."),
            _ => format!("{len} too many {verb} {} of {name}’s pointer.", counted(struck, "byte")),
        };
    }
    let last = parts.last().map(|part| part.what);
    match last {
        Some(Struck::Data { slab, index, in_use: true }) => {
            format!("{len} too many change {}’s data.", name(slab, index))
        }
        Some(Struck::Data { slab, index, in_use: false }) => {
            format!("{len} hit {}’s data, not its pointer.", name(slab, index))
        }
        Some(Struck::Padding { .. } | Struck::SlabTail { .. }) => match zone_words(session, aim.len) {
            Some(zone) => format!("{len} too many end in the {zone}."),
            None => format!("{len} too many stay in padding."),
        },
        Some(Struck::Ram) => format!("{len} too many leave the slab for other memory."),
        Some(Struck::Unmapped) => format!("{len} too many reach memory that is not there."),
        Some(Struck::FreePointer { .. }) | None => format!("{len} too many hit nothing."),
    }
}

/// The zone of the object in hand in which so many bytes too many end; `None` for padding that nobody checks.
fn zone_words(session: &Session, len: u64) -> Option<&'static str> {
    let layout = session.cache_in_hand()?.layout;
    zone_after(&layout, len).filter(|zone| layout.is_checked() || *zone != "padding")
}

/// What the last command did.
fn happened(session: &Session, record: &Record) -> Sentence {
    let applied = match &record.result {
        Ok(applied) => applied,
        Err(refusal) => {
            return Sentence::new(
                format!("This kernel did not carry out `{}`.", record.command),
                as_sentence(&refusal.to_string()),
            );
        }
    };
    if let Some(Event::Oopsed(oops)) = applied.events.last() {
        return oopsed(session, &record.command, &oops.kind);
    }
    if let Some(nothing) = returned_nothing(session, &record.command, applied.returned) {
        return nothing;
    }
    match &record.command {
        Command::Kmalloc { object, .. } | Command::Alloc { object, .. } => match applied.returned {
            Some(address) => allocated(session, object, address),
            None => Sentence::new(format!("{object} is in use."), what_comes(session)),
        },
        Command::Krealloc { object, size, .. } => {
            Sentence::new(format!("{object} has {}.", counted(*size, "byte")), what_comes(session))
        }
        Command::Ksize { object } => {
            Sentence::new(format!("The kernel says how many bytes {object} may use."), what_comes(session))
        }
        Command::Free { object } => freed(session, object, &applied.events),
        Command::Overflow { object, .. } => overflowed(session, object),
        Command::Write { at, len, .. } => {
            Sentence::new(format!("{} are written at {at}.", counted(*len, "byte")), what_comes(session))
        }
        Command::Copy { direction, at, len } => Sentence::new(
            format!("{} are copied {} {at}.", counted(*len, "byte"), direction.word()),
            what_comes(session),
        ),
        Command::CreateCache { cache, args } => Sentence::new(
            format!("{cache} is a cache for objects of {}.", counted(args.object_size, "byte")),
            "It takes its first pages with its first allocation.",
        ),
        Command::DestroyCache { cache } if session.timeline().machine().cache_named(cache.as_str()).is_some() => {
            Sentence::new(format!("{cache} has objects, so it stays."), "The kernel complains, and keeps its slabs.")
        }
        Command::DestroyCache { cache } => Sentence::new(format!("{cache} is gone."), "Its pages are free again."),
        Command::Validate { cache } => {
            Sentence::new(format!("Every slab of {cache} on a list is checked."), what_comes(session))
        }
        Command::Shrink { cache } => Sentence::new(format!("{cache} gives its empty slabs back."), what_comes(session)),
        Command::Cpu { cpu } => Sentence::new(format!("What follows runs on CPU {cpu}."), what_comes(session)),
        Command::FlushCpu { cache } => {
            Sentence::new(format!("This CPU gives back what it keeps of {cache}."), what_comes(session))
        }
        Command::KfreeRcu { object } => Sentence::new(
            format!("{object} is to be freed when nobody reads it any more."),
            "Until a grace period has passed it waits.",
        ),
        Command::Grace => Sentence::new("A grace period has passed.", what_comes(session)),
        Command::Kfree { at } | Command::CacheFree { at, .. } => {
            let other = freed_otherwise(session, &at.to_string(), &applied.events);
            other.unwrap_or_else(|| Sentence::new(format!("{at} is freed."), what_comes(session)))
        }
        Command::BulkAlloc { count, cache, .. } => {
            Sentence::new(format!("{cache} hands out {count} objects at once."), what_comes(session))
        }
        Command::BulkFree { objects } => {
            Sentence::new(format!("{} objects are freed at once.", objects.len()), what_comes(session))
        }
    }
}

/// An allocation that gave no object.
fn returned_nothing(session: &Session, command: &Command, returned: Option<VirtAddr>) -> Option<Sentence> {
    let (call, left) = match command {
        Command::Kmalloc { .. } | Command::Alloc { .. } => (session.last_call(), "There was no page left to take."),
        Command::BulkAlloc { cache, .. } => {
            (format!("kmem_cache_alloc_bulk({cache})"), "There was no page left to take: it gives all or none.")
        }
        Command::Krealloc { from, .. } => (format!("krealloc({from})"), "There was no page left: the object stays."),
        _ => return None,
    };
    match returned {
        None | Some(VirtAddr::NULL) => Some(Sentence::new(format!("{call} returned NULL."), left)),
        Some(VirtAddr::ZERO_SIZE_PTR) => Some(Sentence::new(
            format!("{call} returned ZERO_SIZE_PTR, 0x10."),
            "It is no object: nobody may write to it.",
        )),
        Some(_) => None,
    }
}

fn oopsed(session: &Session, command: &Command, kind: &OopsKind) -> Sentence {
    let hidden = session.timeline().config().freelist_hardened;
    let tail = match (kind, command) {
        (OopsKind::Hang { .. }, _) => "The machine hangs: step back to go on.",
        (OopsKind::Usercopy, _) => "Nothing was copied. The task is dead, and the machine runs on.",
        (OopsKind::DoubleFree { .. } | OopsKind::BadFree { .. }, _) => {
            "Nothing was freed. The task is dead, and the machine runs on."
        }
        (OopsKind::GeneralProtection { .. }, Command::Kmalloc { .. } | Command::Alloc { .. }) if hidden => {
            "The value was written plain, and the kernel decoded it to nonsense."
        }
        (_, Command::Kmalloc { .. } | Command::Alloc { .. }) => "Its list stays as it is: step back to go on.",
        _ => "The task is dead, and the machine runs on.",
    };
    let head = match command {
        Command::Kmalloc { .. } | Command::Alloc { .. } => {
            let nth = ordinal_word(allocations_since_write(session));
            match dies_words(kind).strip_prefix("reads ") {
                Some(what) => format!("The {nth} allocation read {what}."),
                None => format!("The {nth} allocation {}.", dies_words(kind)),
            }
        }
        Command::Write { .. } | Command::Overflow { .. } => format!("`{command}` leaves the memory that is there."),
        other => format!("`{other}` {}.", dies_words(kind)),
    };
    Sentence::new(head, tail)
}

/// Allocations since the last write out of bounds, the last command included.
fn allocations_since_write(session: &Session) -> u32 {
    let done: Vec<&Command> = session.timeline().commands().take(session.cursor().index()).collect();
    let since =
        done.iter().rev().take_while(|command| !matches!(command, Command::Overflow { .. } | Command::Write { .. }));
    let count = since.filter(|command| matches!(command, Command::Kmalloc { .. } | Command::Alloc { .. })).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn allocated(session: &Session, object: &Name, address: VirtAddr) -> Sentence {
    let call = session.last_call();
    let verdict = session.timeline().machine().verdict();
    let had = Names::of(session).besides(address, object);
    match (verdict.map(|verdict| (verdict.outcome, &verdict.why)), had) {
        (_, Some(had)) if session.is_shared(address) => {
            let tail = if is_of_one_cache(session, object, had) {
                format!("{had} and {object} are one object.")
            } else {
                format!("{object} is no object of this slab. Who writes to {object} writes into another cache.")
            };
            Sentence::new(format!("{call} returned {had}."), tail)
        }
        (Some((Outcome::Missed, Why::Short { .. } | Why::NoPointer)), _) => missed(session),
        (_, Some(had)) => Sentence::new(format!("{call} returned {had} again, now {object}."), what_comes(session)),
        (_, None) => Sentence::new(format!("{object} is in use."), what_comes(session)),
    }
}

/// Whether two names were handed out by one cache.
fn is_of_one_cache(session: &Session, one: &Name, other: &Name) -> bool {
    let cache_of = |name: &Name| session.snapshot().named.iter().find(|named| named.name == *name)?.cache();
    cache_of(one) == cache_of(other)
}

/// Some allocations after a write that hit no pointer.
fn missed(session: &Session) -> Sentence {
    // What was written into an object in use since went to its owner.
    let is_stray = |stray: &Stray| !matches!(stray.struck, Struck::Data { in_use: true, .. });
    let stray = session.writes().take(MOST_WRITES).filter_map(|write| Stray::of(session, write)).find(is_stray);
    let Some(stray) = stray else { return Sentence::new("The write hit no pointer.", what_comes(session)) };
    let same = if session.is_as_told() { "" } else { "The same " };
    let head = format!("{same}{}.", stray.hit());
    let tail = match allocations_since_write(session) {
        0 | 1 => "The allocation returned an object of this slab. Nobody noticed the write.",
        2 => "Both allocations returned objects of this slab. Nobody noticed the write.",
        _ => "All allocations returned objects of this slab. Nobody noticed the write.",
    };
    Sentence::new(head, tail)
}

fn overflowed(session: &Session, object: &Name) -> Sentence {
    let Some(stray) = session.writes().next().and_then(|write| Stray::of(session, write)) else {
        return Sentence::new("Nothing is overwritten.", what_comes(session));
    };
    let len = counted(stray.len, "byte");
    let verb = |one: &'static str, more| if stray.len == 1 { one } else { more };
    let head = match (stray.struck, stray.name.as_deref()) {
        (Struck::FreePointer { .. }, Some(name)) => format!("{name}’s pointer is overwritten by {len}."),
        (Struck::Data { in_use: true, .. }, Some(name)) => {
            format!("{len} past {object} {} {name}’s data.", verb("changes", "change"))
        }
        (Struck::Data { in_use: false, .. }, Some(_)) => format!("{}.", stray.hit()),
        (Struck::Padding { .. } | Struck::SlabTail { .. }, _) => match zone_words(session, stray.len) {
            Some(zone) => format!("{len} past {object} {} in the {zone}.", verb("ends", "end")),
            None => format!("{len} past {object} {} in padding.", verb("stays", "stay")),
        },
        _ => format!("What lies after {object} is overwritten by {len}."),
    };
    Sentence::new(head, what_comes(session))
}

/// What a write hit, as things were when it did.
struct Stray {
    len: u64,
    /// The gravest of what was hit.
    struck: Struck,
    /// The object that has it.
    name: Option<String>,
}

impl Stray {
    fn of(session: &Session, (step, at, len): (Step, VirtAddr, u64)) -> Option<Self> {
        let mut then = session.timeline().clone();
        then.seek(step);
        let parts = blast(then.machine(), at, len);
        let is_data = |part: &&Part, used| matches!(part.what, Struck::Data { in_use, .. } if in_use == used);
        let pointer = parts.iter().find(|part| matches!(part.what, Struck::FreePointer { .. }));
        let data = || {
            parts.iter().find(|part| is_data(part, true)).or_else(|| parts.iter().rfind(|part| is_data(part, false)))
        };
        let struck = pointer.or_else(data).or(parts.last())?.what;
        let name = match struck {
            Struck::FreePointer { slab, index, .. } | Struck::Data { slab, index, .. } => {
                let snapshot = then.machine().snapshot();
                let slab = snapshot.slabs.iter().find(|view| view.id == slab)?;
                let names = Names { snapshot: &snapshot, ..Names::of(session) };
                slab.objects.get(index.index()).map(|object| names.object_words(object))
            }
            _ => None,
        };
        Some(Self { len, struck, name })
    }

    /// `8 bytes hit v’s data, not its pointer`.
    fn hit(&self) -> String {
        let len = counted(self.len, "byte");
        let hit = if self.len == 1 { "hits" } else { "hit" };
        match &self.name {
            Some(name) => format!("{len} {hit} {name}’s data, not its pointer"),
            None => format!("{len} {hit} no pointer"),
        }
    }
}

fn freed(session: &Session, object: &Name, events: &[Event]) -> Sentence {
    if let Some(other) = freed_otherwise(session, object.as_str(), events) {
        return other;
    }
    let config = session.timeline().config();
    let layout = freed_address(events).and_then(|address| Some(place_of(session, address)?.0.layout));
    let at = layout.map_or(0, |layout| layout.offset);
    let bytes = match layout {
        Some(layout) if layout.object_size <= 8 => "its 8 bytes",
        _ if at == 0 => "its first 8 bytes",
        _ => "8 bytes in its middle",
    };
    let head = match (config.freelist_hardened, at) {
        (true, 1..) => format!("{object} is free: the {bytes} are hidden."),
        (true, 0) => format!("{object} is free: {bytes} are hidden."),
        (false, 1..) => format!("{object} is free: {bytes} name the next object."),
        (false, 0) => format!("{object} is free, so {bytes} say which object is next."),
    };
    if config.freelist_hardened {
        return Sentence::new(head, "They say which object is next, to who knows the random value.");
    }
    let tail = match session.next_command() {
        Some(Command::Overflow { object, len, .. }) => {
            format!("Write {} past the end of {object}, and you decide which.", counted(*len, "byte"))
        }
        _ => what_comes(session),
    };
    Sentence::new(head, tail)
}

/// Where no pointer in the object says what comes next: nothing was freed, or it was whole pages, or the last of its slab; it
/// lies in a sheaf, its pointer lies behind it, or its list loops.
fn freed_otherwise(session: &Session, name: &str, events: &[Event]) -> Option<Sentence> {
    let told = |head: String| Some(Sentence::new(head, what_comes(session)));
    let is_ignored = |event: &Event| matches!(event, Event::FreeIgnored { .. });
    if events.iter().any(is_ignored) {
        return told(format!("kfree({name}) does nothing: {name} is no object."));
    }
    let path = events.iter().find_map(|event| match event {
        Event::Freed { address, path, .. } => Some((*address, *path)),
        _ => None,
    });
    let Some((address, path)) = path else {
        let warned = events.iter().any(|event| event.warning().is_some());
        let refused = format!("A check refuses to free {name}.");
        return told(if warned { format!("The kernel complains, and does not free {name}.") } else { refused });
    };
    match path {
        FreePath::Large => {
            let tail = "Nothing is written to them: they are on no list of objects.";
            return Some(Sentence::new(format!("{name} was whole pages: they are free again."), tail));
        }
        FreePath::Discarded => return told(format!("{name} was the last of its slab, which goes home.")),
        FreePath::Sheaf if is_twice_in_sheaves(session, address) => {
            return Some(Sentence::new(format!("{name} lies in a sheaf twice."), "Two allocations to come return it."));
        }
        FreePath::Sheaf => return told(format!("{name} lies in a sheaf: nothing is written to it.")),
        FreePath::Fastpath | FreePath::Slab | FreePath::CpuPartial | FreePath::NodePartial => {}
    }
    let (cache, slab) = place_of(session, address)?;
    let chains = cache.cpus.iter().map(|cpu| &cpu.freelist).chain([&slab.freelist]);
    let mut loops = chains.filter(|chain| matches!(chain.end, ChainEnd::Loop { .. }) && chain.links.contains(&address));
    if loops.next().is_some() {
        let tail = "Allocations to come return the same objects again and again.";
        return Some(Sentence::new(format!("{name} is on its list twice: the list loops."), tail));
    }
    let is_behind = cache.layout.offset >= cache.layout.object_size;
    is_behind.then(|| told(format!("{name} is free: the pointer behind it names the next.")))?
}

/// Whether an object lies twice in what CPUs keep of their caches.
fn is_twice_in_sheaves(session: &Session, object: VirtAddr) -> bool {
    let sheaves = session.snapshot().caches.iter().filter_map(|cache| cache.sheaves.as_ref());
    let kept = sheaves.flat_map(|sheaves| &sheaves.cpus).flat_map(|cpu| [Some(&cpu.main), cpu.spare.as_ref()]);
    kept.flatten().flat_map(|sheaf| sheaf.objects.iter()).filter(|kept| **kept == object).count() > 1
}

/// What a command freed.
fn freed_address(events: &[Event]) -> Option<VirtAddr> {
    events.iter().find_map(|event| match event {
        Event::Freed { address, .. } => Some(*address),
        _ => None,
    })
}

/// The slab that an object lies in, and its cache.
fn place_of(session: &Session, object: VirtAddr) -> Option<(&CacheView, &SlabView)> {
    let snapshot = session.snapshot();
    let slab = snapshot.slabs.iter().find(|slab| slab.objects.iter().any(|one| one.address == object))?;
    let cache = snapshot.caches.iter().find(|cache| cache.id == slab.cache)?;
    Some((cache, slab))
}

#[cfg(test)]
mod tests;
