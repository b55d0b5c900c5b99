//! Records that are not about what an operation did on its way: the operation's own, and what stands between them.

use super::Replay;
use super::endings::Ending;
use super::operation::{Operation, Returned};
use super::role::{Between, Closing};
use super::sheaves::sheaf_counts;
use super::ways::TOO_WIDE;
use crate::kernel::SheafUse;
use crate::memory::Bytes;
use crate::recording::read::BadFile;
use crate::recording::records::{Alloc, Brief, BulkAlloc, Fill, Free, Validate};
use crate::recording::report::{Comparison, count};
use crate::units::VirtAddr;

impl Replay {
    /// Performs the operation that a record closes, and compares what came of it.
    pub(super) fn close(&mut self, closing: Closing, line: u32) -> Result<(), BadFile> {
        match closing {
            Closing::Alloc(theirs) => self.alloc(&theirs, line),
            Closing::Free(theirs) => {
                let Free { c: cache, id, delta, cpu, brief, .. } = theirs;
                self.perform(Operation::Free { cache, id, delta, cpu }, Some(brief), line, |_, _, _| {})
            }
            Closing::KfreeRcu(theirs) => {
                let operation = Operation::KfreeRcu { cache: theirs.c, id: theirs.id, cpu: theirs.cpu };
                self.perform(operation, Some(theirs.brief), line, |_, _, _| {})
            }
            Closing::FlushCpu(theirs) => {
                let operation = Operation::FlushCpu { cache: theirs.c, cpu: theirs.cpu };
                self.perform(operation, Some(theirs.brief), line, |_, _, _| {})
            }
            Closing::Barrier(operation) => {
                self.perform(operation, None, line, |_, _, _| {})?;
                self.give_up_unexplained();
                Ok(())
            }
            Closing::BulkAlloc(theirs) => self.bulk_alloc(&theirs, line),
            Closing::BulkFree(theirs) => {
                let operation = Operation::BulkFree { cache: theirs.c, count: theirs.n };
                self.perform(operation, Some(theirs.brief), line, |_, _, _| {})
            }
            Closing::Zalloc { cache, distance } => self.zalloc(cache, distance, line),
            Closing::Destroy { cache } => self.destroy(cache, line),
            Closing::Validate(theirs) => self.validate(theirs, line),
            Closing::FreeWrongCache { cache, to, id } => {
                self.perform(Operation::FreeWrongCache { cache, to, id }, None, line, |_, _, _| {})
            }
            Closing::FreePage { cache } => {
                count(&mut self.report.luck, "the page that was freed", 1);
                self.perform(Operation::FreePage { cache }, None, line, |_, _, _| {})
            }
        }
    }

    /// What comes between operations: none may be announced, and nothing may be left over.
    pub(super) fn between(&mut self, between: Between, line: u32) -> Result<(), BadFile> {
        self.refuse_announced(line)?;
        self.settle_nothing()?;
        match between {
            Between::SecondHeader => Err(BadFile::at(line, "a second header", "one header, as the first record")),
            Between::Begin { scenario } => self.names(&scenario, "begin", line),
            Between::End { scenario } => {
                self.ended = true;
                self.names(&scenario, "end", line)
            }
            Between::Told(kind) => self.given(kind),
            Between::Cache(theirs) => self.cache(&theirs, line),
            Between::Write(theirs) => {
                let at = self.book.object(theirs.c, theirs.id, line)?.wrapping_add(theirs.off.cast_unsigned());
                self.write(at, &theirs.hex.0, "write", line)
            }
            Between::Fill(theirs) => self.fill(theirs, line),
            Between::WriteSlab(theirs) => {
                let slab = self.book.slab(theirs.c, theirs.s, line)?;
                let at = self.kernel.slab(slab).base.wrapping_add(theirs.off);
                self.write(at, &theirs.hex.0, "write_slab", line)
            }
            Between::Snap(theirs) => self.snap(&theirs, line),
            Between::State(theirs) => self.state(&theirs, line),
            Between::Init(theirs) => {
                let mut comparison = Self::comparison("init", line);
                comparison.same("on_alloc", theirs.on_alloc, u32::from(self.subject.config.init_on_alloc));
                comparison.same("on_free", theirs.on_free, u32::from(self.subject.config.init_on_free));
                self.report.close(comparison);
                Ok(())
            }
            Between::OfBoot(theirs) => self.of_boot(theirs, line),
            Between::Merging(theirs) => self.merging(theirs, line),
            Between::Resizing(theirs) => self.resizing(theirs, line),
        }
    }

    fn names(&mut self, scenario: &str, kind: &'static str, line: u32) -> Result<(), BadFile> {
        if scenario != self.scenario {
            let problem = format!("scenario {scenario}");
            return Err(BadFile::at(line, problem, format!("scenario {}, as the header says", self.scenario)));
        }
        self.given(kind)
    }

    fn given(&mut self, kind: &str) -> Result<(), BadFile> {
        count(&mut self.report.given, kind, 1);
        Ok(())
    }

    /// An operation is announced: it is performed when its record comes, with all that was recorded on the way.
    pub(super) fn announce(&mut self, operation: Operation, line: u32) -> Result<(), BadFile> {
        self.refuse_announced(line)?;
        self.settle_nothing()?;
        self.book.cache(operation.cache(), line)?;
        self.ahead = Some((line, operation));
        Ok(())
    }

    pub(super) fn refuse_announced(&self, line: u32) -> Result<(), BadFile> {
        let Some((announced, operation)) = self.ahead else { return Ok(()) };
        let word = operation.word();
        let problem = format!("the {word} announced in line {announced} is not closed");
        Err(BadFile::at(line, problem, format!("a record with \"t\":\"{word}\"")))
    }

    /// Performs what was announced and is closed by what follows it.
    pub(super) fn perform_announced(&mut self, announced: u32) -> Result<(), BadFile> {
        let Some((_, operation)) = self.ahead.take() else { return Ok(()) };
        if self.is_too_wide(operation, announced)? {
            self.lose(operation.cache(), TOO_WIDE);
            count(&mut self.report.not_modelled, TOO_WIDE, 1);
            return Ok(());
        }
        let mut comparison = Self::comparison(operation.word(), announced);
        let result = self.settle(operation, announced, &mut comparison, Ending::Closed)?;
        comparison.same("that it returned", true, result.is_ok());
        self.report.close(comparison);
        Ok(())
    }

    /// Performs the operation that a record closes, and compares what it returned and the counters after it.
    fn perform(
        &mut self,
        operation: Operation,
        brief: Option<Brief>,
        line: u32,
        compare: impl FnOnce(&mut Self, &mut Comparison, Returned),
    ) -> Result<(), BadFile> {
        if let Some((announced, ahead)) = self.ahead.take().filter(|(_, ahead)| *ahead != operation) {
            let problem = format!("this closes another operation than the one announced in line {announced}");
            return Err(BadFile::at(line, problem, format!("the {} that was announced", ahead.word())));
        }
        let mut comparison = Self::comparison(operation.word(), line);
        match self.settle(operation, line, &mut comparison, Ending::Closed)? {
            Ok(returned) => {
                compare(self, &mut comparison, returned);
                if let Some(theirs) = brief {
                    self.compare_brief(&mut comparison, operation, theirs, line)?;
                }
            }
            Err(oops) => comparison.differ("how it ended", "it returned", oops.kind.to_string()),
        }
        self.report.close(comparison);
        Ok(())
    }

    fn compare_brief(
        &self,
        comparison: &mut Comparison,
        operation: Operation,
        theirs: Brief,
        line: u32,
    ) -> Result<(), BadFile> {
        let cache = operation.cache();
        let ours = self.kernel.cache(self.book.cache(cache, line)?.id);
        let at = super::operation::cpu_of(&self.kernel, operation.cpu(), line)?;
        let cpu = ours.cpu_slabs().of(at);
        let of_cpus = ours.sheaves.is_none() && self.kernel.model().sheaves != SheafUse::Every;
        let slab = || self.book.in_cache(cpu.and_then(|cpu| cpu.slab), cache);
        comparison.same("cs", theirs.cs, of_cpus.then(slab));
        comparison.same("cp", theirs.cp, of_cpus.then(|| cpu.map_or(0, crate::slub::CpuSlab::partial_count)));
        let counts = ours.sheaves.as_ref().map(|sheaves| sheaf_counts(sheaves, at));
        comparison.same("ms", theirs.ms, counts.map(|counts| counts.main));
        comparison.same("ss", theirs.ss, counts.map(|counts| counts.spare));
        if let Some(theirs) = theirs.rs {
            comparison.same("rs", theirs, counts.map_or(-1, |counts| counts.rcu_free));
        }
        comparison.same("bf", theirs.bf, counts.map(|counts| counts.full));
        comparison.same("be", theirs.be, counts.map(|counts| counts.empty));
        comparison.same("np", theirs.np, ours.nr_partial);
        comparison.same("ns", theirs.ns, ours.nr_slabs);
        Ok(())
    }

    fn alloc(&mut self, theirs: &Alloc, line: u32) -> Result<(), BadFile> {
        let id = self.book.allocations;
        self.book.allocations += 1;
        let operation = Operation::Alloc { cache: theirs.c, cpu: theirs.cpu };
        self.perform(operation, Some(theirs.brief), line, |replay, comparison, returned| {
            let Returned::Address(address) = returned else { return };
            comparison.same("id", theirs.id, id);
            replay.compare_address(comparison, theirs, address);
            if let Ok(tracked) = replay.book.cache_mut(theirs.c, line) {
                tracked.objects.insert(theirs.id, address);
            }
        })
    }

    /// Compares where an allocation lies: slab, index and offset, or the address where it lies in no slab of its
    /// cache.
    fn compare_address(&self, comparison: &mut Comparison, theirs: &Alloc, address: VirtAddr) {
        let (slab, index, offset) = self.place(theirs.c, address);
        comparison.same("s", theirs.s, slab);
        if slab < 0 {
            comparison.same("va", theirs.va.map(|va| va.address()), Some(address));
            comparison.same("i", theirs.i.unwrap_or(-1), -1);
        } else {
            comparison.same("i", theirs.i, Some(index));
            comparison.same("off", theirs.off, Some(offset));
            comparison.same("va", theirs.va.map_or(address, |va| va.address()), address);
        }
    }

    /// An address as recordings tell it: slab (-1 where it lies in none of this cache), index (-1 where no object
    /// starts there), offset from the slab's start.
    fn place(&self, cache: u32, address: VirtAddr) -> (i64, i64, u64) {
        let Some(slab) = self.kernel.slab_at(address) else { return (-1, -1, 0) };
        let number = self.book.in_cache(Some(slab), cache);
        let descriptor = self.kernel.slab(slab);
        let offset = address.bytes_after(descriptor.base).unwrap_or_default();
        (number, self.index_in(slab, address).map_or(-1, i64::from), offset)
    }

    fn bulk_alloc(&mut self, theirs: &BulkAlloc, line: u32) -> Result<(), BadFile> {
        let operation = Operation::BulkAlloc { cache: theirs.c, count: theirs.n };
        self.perform(operation, Some(theirs.brief), line, |replay, comparison, returned| {
            let Returned::Addresses(addresses) = returned else { return };
            let ours: Vec<(i64, i64)> = addresses
                .iter()
                .map(|address| {
                    let (slab, index, _) = replay.place(theirs.c, *address);
                    (slab, index)
                })
                .collect();
            comparison.same("objs", theirs.objs.clone(), ours);
            if let Ok(tracked) = replay.book.cache_mut(theirs.c, line) {
                tracked.bulk = addresses;
            }
        })
    }

    /// An allocation that is told by its distance from the cache's slab 0, wherever it lies.
    fn zalloc(&mut self, cache: u32, distance: u64, line: u32) -> Result<(), BadFile> {
        let id = self.book.allocations;
        self.book.allocations += 1;
        self.perform(Operation::Zalloc { cache }, None, line, |replay, comparison, returned| {
            let Returned::Address(address) = returned else { return };
            let slab = replay.book.slab(cache, 0, line);
            let ours = slab.map(|slab| address.raw().wrapping_sub(replay.kernel.slab(slab).base.raw()));
            comparison.same("off", Some(distance), ours.ok());
            if let Ok(tracked) = replay.book.cache_mut(cache, line) {
                tracked.objects.insert(id, address);
            }
        })
    }

    fn destroy(&mut self, cache: u32, line: u32) -> Result<(), BadFile> {
        self.perform(Operation::Destroy { cache }, None, line, |replay, comparison, returned| {
            let Ok(tracked) = replay.book.cache_mut(cache, line) else { return };
            let (mut ours, mut theirs) = core::mem::take(&mut tracked.home);
            ours.sort_unstable();
            theirs.sort_unstable();
            let gone = returned == Returned::Gone(true);
            if gone {
                comparison.same("slabs gone after a grace period", theirs, ours);
            }
        })
    }

    fn validate(&mut self, theirs: Validate, line: u32) -> Result<(), BadFile> {
        let operation = Operation::Validate { cache: theirs.c };
        self.perform(operation, None, line, |_, comparison, returned| {
            let Returned::Found(slabs) = returned else { return };
            comparison.same("ret", theirs.ret, i64::from(slabs));
        })
    }

    fn fill(&mut self, theirs: Fill, line: u32) -> Result<(), BadFile> {
        let at = self.book.object(theirs.c, theirs.id, line)?.wrapping_add(theirs.off.cast_unsigned());
        let written = self.kernel.bytes_mut().fill(at, u64::from(theirs.n), theirs.byte);
        self.written(written.is_ok(), at, "fill", line)
    }

    fn write(&mut self, at: VirtAddr, bytes: &[u8], kind: &str, line: u32) -> Result<(), BadFile> {
        let written = self.kernel.bytes_mut().copy_in(at, bytes);
        self.written(written.is_ok(), at, kind, line)
    }

    fn written(&mut self, is_ok: bool, at: VirtAddr, kind: &str, line: u32) -> Result<(), BadFile> {
        if !is_ok {
            return Err(BadFile::at(line, format!("a write at {at}, which is not mapped"), "an address in RAM"));
        }
        self.given(kind)
    }
}
