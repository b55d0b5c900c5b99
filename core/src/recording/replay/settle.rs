//! Performing an operation, and comparing what was recorded around it: slabs that came, start positions, slabs that
//! went home, what the console printed.

use super::Replay;
use super::endings::Ending;
use super::operation::{Ended, Operation, Returned, lay_out};
use super::span::Span;
use crate::event::Event;
use crate::luck::Luck;
use crate::pages::PageSource;
use crate::recording::read::BadFile;
use crate::recording::records::FreeSlab;
use crate::recording::report::{Comparison, count};
use crate::units::{CacheId, CpuId, SlabId, VirtAddr, count_from};
use std::collections::VecDeque;

impl Replay {
    /// Performs an operation with what was recorded since the last one. `comparison` is that of the operation's own
    /// record: what ours did and nothing recorded explains is its difference.
    pub(super) fn settle(
        &mut self,
        operation: Operation,
        line: u32,
        comparison: &mut Comparison,
        ending: Ending,
    ) -> Result<Ended, BadFile> {
        let mut span = core::mem::take(&mut self.span);
        if matches!(operation, Operation::KvfreeRcuBarrier { .. }) {
            span.freeslabs.splice(..0, core::mem::take(&mut self.early));
        } else if matches!(operation, Operation::RcuBarrier { .. }) {
            self.put_off(&mut span);
        }
        self.end_grace_periods(&span, false)?;
        lay_out(&mut self.kernel, &span.newslabs, &span.starts)?;
        let (events, result) = self.perform_some_way(operation, line, &span)?;
        self.compare_made(&span, &events, comparison);
        self.compare_starts(&span, comparison);
        if self.is_unexplained() {
            let slabs = u64::from(count_from(span.freeslabs.len()));
            count(&mut self.report.unknowable, "slabs that went home while batches of kfree_rcu were freed", slabs);
        } else {
            self.compare_home(&span, &events, comparison)?;
        }
        self.end_grace_periods(&span, true)?;
        self.compare_console(span, &events, &result, line, ending);
        self.performed.push(line);
        Ok(result)
    }

    /// What was recorded since the last operation, where none follows: only what comes by itself may be in it.
    pub(super) fn settle_nothing(&mut self) -> Result<(), BadFile> {
        let mut span = core::mem::take(&mut self.span);
        self.put_off(&mut span);
        self.end_grace_periods(&span, false)?;
        for (line, _) in &span.newslabs {
            self.unexplained("newslab", *line, "a slab came", "no operation needed it");
        }
        for (line, _) in &span.starts {
            self.unexplained("pos", *line, "a start position was drawn", "no operation needed it");
        }
        self.end_grace_periods(&span, true)?;
        for (line, slab) in &span.freeslabs {
            if !self.comes_late(slab, *line)? {
                self.unexplained("freeslab", *line, "a slab went home", "no operation sent it");
            }
        }
        self.compare_console(span, &[], &Ok(Returned::Nothing), 0, Ending::Closed);
        Ok(())
    }

    fn unexplained(&mut self, kind: &'static str, line: u32, theirs: &str, ours: &str) {
        let mut comparison = Self::comparison(kind, line);
        comparison.differ("that it is here", theirs, ours);
        self.report.close(comparison);
    }

    /// The slabs that came, each as theirs.
    fn compare_made(&mut self, span: &Span, events: &[Event], operation: &mut Comparison) {
        let made = events.iter().filter_map(|event| {
            if let Event::SlabMade { slab, cache, cpu, .. } = event { Some((*slab, *cache, *cpu)) } else { None }
        });
        let mut made: VecDeque<(SlabId, CacheId, CpuId)> = made.collect();
        for (line, theirs) in &span.newslabs {
            let mut comparison = Self::comparison("newslab", *line);
            match made.pop_front() {
                None => comparison.differ("that it came", "a new slab", "no new slab was needed"),
                Some((slab, cache, cpu)) => {
                    comparison.same("cpu", theirs.cpu, cpu.raw());
                    let numbered = self.book.number(slab, cache);
                    comparison.same("c and s", Some((theirs.c, theirs.s)), numbered);
                    let ours = self.kernel.slab(slab);
                    comparison.same("va", theirs.va.address(), ours.base);
                    comparison.same("order", theirs.order, ours.order.raw());
                    comparison.same("objects", theirs.objects, ours.objects);
                }
            }
            count(&mut self.report.luck, "va", 1);
            self.report.close(comparison);
        }
        if let PageSource::Recorded(pages) = self.kernel.pages_mut() {
            pages.coming.clear();
            if core::mem::take(&mut pages.missing) {
                operation.differ("newslab", "none before it", "it needed a new slab");
            }
        }
    }

    /// The start positions that were drawn: ours draws when theirs did.
    fn compare_starts(&mut self, span: &Span, operation: &mut Comparison) {
        let Luck::Recorded(luck) = self.kernel.luck_mut() else { return };
        let left = core::mem::take(&mut luck.starts).len();
        let missing = core::mem::take(&mut luck.missing);
        for (at, (line, theirs)) in span.starts.iter().enumerate() {
            let mut comparison = Self::comparison("pos", *line);
            if at + left >= span.starts.len() {
                comparison.differ("that it was drawn", "a start position", "none was drawn");
            }
            let slab = span.newslabs.get(at).map(|(_, slab)| (slab.c, slab.s));
            comparison.same("the slab that came", Some((theirs.c, theirs.s)), slab);
            let cache = self.book.cache(theirs.c, *line).map(|tracked| self.kernel.cache(tracked.id));
            let objects = cache.map_or(0, |cache| cache.layout.objects);
            comparison.same("that it is in the sequence", true, theirs.pos < objects);
            count(&mut self.report.luck, "pos", 1);
            self.report.close(comparison);
        }
        if missing {
            operation.differ("pos", "none before it", "its new slab is shuffled");
        }
    }

    /// The slabs that went home, in order; those that wait for a grace period are compared when their cache goes.
    fn compare_home(&mut self, span: &Span, events: &[Event], operation: &mut Comparison) -> Result<(), BadFile> {
        let mut home = VecDeque::new();
        for event in events {
            if let Event::SlabDiscarded { slab, cache, base, cpu } = event {
                if self.kernel.cache(*cache).args.flags.typesafe_by_rcu {
                    self.sent_late(*slab);
                } else {
                    home.push_back((*slab, *base, *cpu));
                }
            }
        }
        for (line, theirs) in &span.freeslabs {
            if self.comes_late(theirs, *line)? {
                continue;
            }
            let mut comparison = Self::comparison("freeslab", *line);
            match home.pop_front() {
                None => comparison.differ("that it went home", "a slab", "no slab went home"),
                Some((slab, base, cpu)) => {
                    comparison.same("cpu", theirs.cpu, cpu.raw());
                    self.compare_one_home(&mut comparison, theirs, slab, base);
                }
            }
            self.report.close(comparison);
        }
        if let Some((slab, ..)) = home.pop_front() {
            let ours = self.book.number_of(slab).map_or(-1, |(_, number)| i64::from(number));
            operation.differ("freeslab", "none before it", format!("slab {ours} went home"));
        }
        Ok(())
    }

    fn compare_one_home(&self, comparison: &mut Comparison, theirs: &FreeSlab, slab: SlabId, base: VirtAddr) {
        comparison.same("c and s", Some((theirs.c, theirs.s)), self.book.number_of(slab));
        comparison.same("va", theirs.va.address(), base);
    }

    /// Whether slabs of this cache go home after a grace period rather than at once.
    fn comes_late(&self, slab: &FreeSlab, line: u32) -> Result<bool, BadFile> {
        let cache = self.book.cache(slab.c, line)?.id;
        Ok(self.kernel.cache(cache).args.flags.typesafe_by_rcu)
    }

    /// A slab of ours went home after a grace period.
    fn sent_late(&mut self, slab: SlabId) {
        let Some((cache, number)) = self.book.number_of(slab) else { return };
        if let Ok(tracked) = self.book.cache_mut(cache, 0) {
            tracked.home.0.push(number);
        }
    }

    /// Slabs that went home after a grace period: ours goes home when theirs did. Before the operation only those
    /// that already wait; after it, all must.
    fn end_grace_periods(&mut self, span: &Span, all: bool) -> Result<(), BadFile> {
        for (line, theirs) in &span.freeslabs {
            if !self.comes_late(theirs, *line)? {
                continue;
            }
            let slab = self.book.slab(theirs.c, theirs.s, *line)?;
            let known = self.book.cache(theirs.c, *line)?.home.1.contains(&theirs.s);
            let waits = self.kernel.rcu().slabs().any(|waiting| waiting == slab);
            if known || (!all && !waits && self.kernel.slab(slab).alive) {
                continue;
            }
            let mut comparison = Self::comparison("freeslab", *line);
            if waits {
                self.kernel.end_grace_period_of(slab);
                self.kernel.probe_mut().drain();
                self.sent_late(slab);
            } else if self.kernel.slab(slab).alive {
                comparison.differ("that it went home", "a slab", "the slab is still its cache's");
            }
            comparison.same("va", theirs.va.address(), self.kernel.slab(slab).base);
            self.book.cache_mut(theirs.c, *line)?.home.1.push(theirs.s);
            self.report.close(comparison);
        }
        Ok(())
    }
}
