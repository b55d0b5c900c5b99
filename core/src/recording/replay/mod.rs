//! A recording, line by line.
//!
//! Pages and start positions are printed before the operation that needs them, what an operation gives back and
//! prints comes before the record that closes it: so everything between two operations is collected, and settled
//! when the operation is performed. What then is left over is a difference.

mod book;
mod caches;
mod closing;
mod endings;
mod kmalloc;
mod kobj;
mod krealloc;
mod merging;
mod operation;
mod role;
mod settle;
mod sheaves;
mod span;
mod state;
mod ways;

use super::console::is_noise;
use super::read::BadFile;
use super::records::{FreeSlab, Header, KmallocSite, Record, Tag};
use super::report::{Comparison, Place, Report, count};
use super::subject::{self, Beyond, Subject};
use crate::allocator::{FrameTable, Kernel, Recorder};
use crate::kmalloc::Caller;
use crate::luck::{Luck, RecordedLuck};
use crate::memory::Paged;
use crate::pages::{PageSource, RecordedPages};
use crate::slub::Callback;
use crate::units::{Pfn, count_from};
use book::Book;
use kmalloc::Boot;
use kobj::Twins;
use krealloc::Sequence;
use merging::MergedCaches;
use operation::{Operation, OurKernel};
use role::{Course, Role};
use span::Span;
use ways::Unsettled;

/// Every machine that was recorded had 512 MiB of RAM: its last frame.
const RAM_PAGES: u32 = 131_040;

/// The kernel after an operation.
pub struct Step<'a> {
    /// The line of the operation.
    pub line: u32,
    /// How many operations came before.
    pub number: u32,
    /// The kernel.
    pub kernel: &'a Kernel<Recorder, Paged>,
}

/// Replays a whole recording.
pub(super) fn replay(text: &str, mut watch: impl FnMut(Step<'_>)) -> Result<Report, BadFile> {
    let lines = || text.lines().zip(1_u32..);
    let (first, _) = lines().next().ok_or_else(|| BadFile::whole("an empty file", "a recording"))?;
    let Record::Header(header) = parse(first, 1)? else {
        return Err(BadFile::at(1, "the first record is no header", "a record with \"t\":\"header\""));
    };
    let title = title_of(&header);
    let subject = match subject::of_recording(&header) {
        Ok(subject) => subject,
        Err(Beyond(why)) => return Ok(Report::of_nothing(title, &why, u64::from(count_from(lines().count())))),
    };
    let mut replay = Replay::new(title, header.scenario, subject);
    for (line, number) in lines().skip(1) {
        replay.line(line, number)?;
        while let Some(line) = replay.performed.pop() {
            watch(Step { line, number: replay.operations, kernel: &replay.kernel });
            replay.operations += 1;
        }
    }
    replay.end_of_file(count_from(lines().count()))?;
    Ok(replay.report)
}

fn title_of(header: &Header) -> String {
    let cpus = match header.nr_cpu_ids {
        1 => "1 CPU".to_owned(),
        cpus => format!("{cpus} CPUs"),
    };
    format!("Linux {}, scenario {}, {cpus}", header.release, header.scenario)
}

fn parse(line: &str, number: u32) -> Result<Record, BadFile> {
    serde_json::from_str(line).map_err(|error| bad_json(&error, number))
}

fn bad_json(error: &serde_json::Error, number: u32) -> BadFile {
    let text = error.to_string().replace("unknown variant", "unknown kind of record");
    let text = text.split(" at line ").next().unwrap_or(&text);
    let (problem, expected) = text.split_once("; expected ").or_else(|| text.split_once(", expected ")).unwrap_or((
        text,
        if error.is_data() { "a record with all its fields" } else { "one JSON object a line, as \"t\" names it" },
    ));
    let column = if error.column() > 0 { format!("column {}: ", error.column()) } else { String::new() };
    BadFile::at(number, format!("{column}{problem}"), expected)
}

/// A replay under way.
struct Replay {
    scenario: String,
    subject: Subject,
    kernel: OurKernel,
    /// The same kernel as it would be if the last operation had gone another way that explains its records.
    others: Vec<OurKernel>,
    /// A barrier of which it is open how it went.
    unsettled: Option<Unsettled>,
    /// Slabs that went home before their barrier was recorded.
    early: Vec<(u32, FreeSlab)>,
    /// A second kernel for what the boot's own caches do, whose slabs no record shows; made when first needed.
    boot: Option<Boot>,
    /// Two kernels more for single objects of those caches, of which some bytes are luck.
    twins: Option<Twins>,
    /// Who got which copy of an ordinary kmalloc cache, by line: compared when the boot's seed is known.
    copies_told: Vec<(u32, KmallocSite)>,
    /// That seed.
    seed: u64,
    /// The driver, where it has buckets of its own.
    bucket: Caller,
    /// The sizes that krealloc is asked for.
    resized: Sequence,
    /// The caches of a boot that merges.
    merged: MergedCaches,
    book: Book,
    span: Span,
    /// An operation that was announced: performed when its record, or the end, comes.
    ahead: Option<(u32, Operation)>,
    report: Report,
    ended: bool,
    /// What is printed now comes of an operation that is not modelled.
    console_is_lost: bool,
    /// The lines of operations performed since last asked.
    performed: Vec<u32>,
    operations: u32,
}

impl Replay {
    fn new(title: String, scenario: String, subject: Subject) -> Self {
        let mut kernel = Kernel::new(
            subject.model.clone(),
            Luck::Recorded(RecordedLuck::default()),
            Paged::new(RAM_PAGES, Pfn::from_raw(0), RAM_PAGES),
            FrameTable::new(Pfn::from_raw(0), RAM_PAGES),
            PageSource::Recorded(RecordedPages::default()),
            Recorder::default(),
        );
        kernel.wipe_fresh_pages();
        Self {
            scenario,
            resized: Sequence::default(),
            merged: MergedCaches::new(&subject),
            subject,
            kernel,
            others: Vec::new(),
            unsettled: None,
            early: Vec::new(),
            boot: None,
            twins: None,
            copies_told: Vec::new(),
            seed: 0,
            bucket: Caller::Anyone,
            book: Book::default(),
            span: Span::default(),
            ahead: None,
            report: Report { title, ..Report::default() },
            ended: false,
            console_is_lost: false,
            performed: Vec::new(),
            operations: 0,
        }
    }

    fn line(&mut self, line: &str, number: u32) -> Result<(), BadFile> {
        let tag: Tag = serde_json::from_str(line).map_err(|error| bad_json(&error, number))?;
        let record = parse(line, number)?;
        if let Some(why) = tag.c.and_then(|cache| self.book.lost(cache)) {
            let counts =
                if why == ways::SIDE_BY_SIDE { &mut self.report.unknowable } else { &mut self.report.not_modelled };
            count(counts, why, 1);
            self.console_is_lost = true;
            self.book.allocations += u32::from(matches!(record, Record::Alloc(_) | Record::Zalloc(_)));
            return Ok(());
        }
        if self.report.first.is_some() {
            self.pass_over(&tag.t, &record);
            return Ok(());
        }
        self.record(record, number)
    }

    /// Counts a record that comes after the first difference.
    fn pass_over(&mut self, kind: &str, record: &Record) {
        match compared_as(record) {
            Some(kind) => self.report.not_reached(kind),
            None => count(&mut self.report.given, kind, 1),
        }
        self.ended |= matches!(record, Record::End { .. });
    }

    fn record(&mut self, record: Record, line: u32) -> Result<(), BadFile> {
        match Role::of(record) {
            Role::Course(Course::Newslab(slab)) => self.span.newslab(line, slab),
            Role::Course(Course::Pos(pos)) => self.span.pos(line, pos),
            Role::Course(Course::Freeslab(slab)) => self.span.freeslab(line, slab),
            Role::Course(Course::Dmesg(text)) if self.console_is_lost && !is_noise(&text) => {
                count(&mut self.report.not_modelled, "console lines of what is not modelled", 1);
            }
            Role::Course(Course::Dmesg(text)) => self.span.console(line, &text),
            Role::ShrinkOver(cache) => return self.close_shrink_of(cache, line),
            Role::Announcing(operation) => {
                self.at_rest()?;
                self.announce(operation, line)?;
            }
            Role::Closing(closing) => {
                self.at_rest()?;
                self.close(closing, line)?;
            }
            Role::Object(theirs) => {
                self.at_rest()?;
                self.kmalloced_object(&theirs, line)?;
            }
            Role::Between(between) => {
                self.at_rest()?;
                self.between(between, line)?;
            }
        }
        Ok(())
    }

    /// What was under way is over, and so is what it printed.
    fn at_rest(&mut self) -> Result<(), BadFile> {
        self.console_is_lost = false;
        self.close_shrink()
    }

    fn close_shrink_of(&mut self, cache: u32, line: u32) -> Result<(), BadFile> {
        match self.ahead {
            Some((announced, Operation::Shrink { cache: of, .. })) if of == cache => self.perform_announced(announced),
            Some(_) | None => Err(BadFile::at(line, "no shrink was announced", "a `shrink?` record before it")),
        }
    }

    /// Gives a cache up. Its slabs are no longer ours, so that their pages may come again for another cache.
    fn lose(&mut self, cache: u32, why: &str) {
        if self.ahead.is_some_and(|(_, operation)| operation.cache() == cache) {
            self.ahead = None;
        }
        self.span.newslabs.retain(|(_, slab)| slab.c != cache);
        self.span.starts.retain(|(_, pos)| pos.c != cache);
        self.span.freeslabs.retain(|(_, slab)| slab.c != cache);
        let Some(tracked) = self.book.lose(cache, why) else { return };
        for slab in tracked.slabs {
            let descriptor = &mut self.kernel.slabs[slab];
            if core::mem::take(&mut descriptor.alive) {
                let (base, order) = (descriptor.base, descriptor.order);
                self.kernel.frames.clear_slab(base.pfn().expect("a slab lies in the direct map"), order);
            }
        }
        let slabs = &self.kernel.slabs;
        self.kernel.rcu.callbacks.retain(|(_, callback)| match callback {
            Callback::FreeSlab(slab) => slabs[*slab].alive,
            Callback::FreeObject(_) | Callback::FreeSheaf { .. } => true,
        });
        self.kernel.caches[tracked.id].alive = false;
    }

    /// `kmem_cache_shrink` has no record that closes it: the next one that is not about its course does.
    fn close_shrink(&mut self) -> Result<(), BadFile> {
        if let Some((announced, Operation::Shrink { .. })) = self.ahead {
            self.perform_announced(announced)?;
        }
        Ok(())
    }

    fn comparison(kind: &'static str, line: u32) -> Comparison {
        Comparison::new(kind, Place::Line(line))
    }
}

/// Under which kind a record is compared; `None` for those that only say what was done.
fn compared_as(record: &Record) -> Option<&'static str> {
    match record {
        Record::Cache(_) => Some("cache"),
        Record::Newslab(_) => Some("newslab"),
        Record::Pos(_) => Some("pos"),
        Record::Freeslab(_) => Some("freeslab"),
        Record::Alloc(_) => Some("alloc"),
        Record::Free(_) => Some("free"),
        Record::BulkAlloc(_) => Some("bulk_alloc"),
        Record::BulkFree(_) => Some("bulk_free"),
        Record::Snap(_) => Some("snap"),
        Record::State(_) => Some("state"),
        Record::ShrinkAhead(_) => Some("shrink"),
        Record::KfreeRcu(_) => Some("kfree_rcu"),
        Record::FlushCpu(_) => Some("flush_cpu"),
        Record::RcuBarrier(_) => Some("rcu_barrier"),
        Record::KvfreeRcuBarrier(_) => Some("kvfree_rcu_barrier"),
        Record::Destroy(_) => Some("destroy"),
        Record::Validate(_) => Some("validate"),
        Record::FreeWrongCache(_) => Some("free_wrong_cache"),
        Record::FreePageAsObject(_) => Some("free_page_as_object"),
        Record::Init(_) => Some("init"),
        Record::Zalloc(_) => Some("zalloc"),
        Record::Kmalloc(_) => Some("kmalloc"),
        Record::KmallocLarge(_) => Some("kmalloc_large"),
        Record::Roundup { .. } => Some("roundup"),
        Record::KmallocAlign { .. } => Some("kmalloc_align"),
        Record::KmallocSite(_) => Some("kmalloc_site"),
        Record::Buckets(_) => Some("buckets"),
        Record::BucketsAlloc(_) => Some("buckets_alloc"),
        Record::RandomKmalloc(_) => Some("random_kmalloc"),
        Record::RandomKmallocPick(_) => Some("random_kmalloc_pick"),
        Record::KmallocCache(_) => Some("kmalloc_cache"),
        Record::KmallocedObject(_) => Some("kobj"),
        Record::Krealloc(_) => Some("krealloc"),
        Record::Ksize(_) => Some("ksize"),
        Record::Listed(_) => Some("listed"),
        Record::Create(_) => Some("create"),
        Record::DestroyMergedAhead(_) => Some("destroy_merged?"),
        Record::DestroyMerged(_) => Some("destroy_merged"),
        Record::Header(_)
        | Record::Begin { .. }
        | Record::End { .. }
        | Record::Seed { .. }
        | Record::Mark { .. }
        | Record::Case { .. }
        | Record::Dmesg { .. }
        | Record::KreallocSeq(_)
        | Record::AllocAhead(_)
        | Record::FreeAhead(_)
        | Record::Write(_)
        | Record::Fill(_)
        | Record::WriteSlab(_)
        | Record::Shrink(_)
        | Record::FlushCpuAhead(_)
        | Record::RcuBarrierAhead(_)
        | Record::KvfreeRcuBarrierAhead(_)
        | Record::ValidateAhead(_)
        | Record::DestroyAhead(_)
        | Record::FreeWrongCacheAhead(_)
        | Record::FreePageAhead(_) => None,
    }
}
