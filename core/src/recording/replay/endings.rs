//! What the kernel printed, and how an operation ended that never returned.

use super::Replay;
use super::operation::{Ended, Operation};
use super::span::Span;
use crate::event::Event;
use crate::recording::console::{DeathKind, Fact};
use crate::recording::facts;
use crate::recording::read::BadFile;
use crate::recording::report::{Place, count};
use crate::units::count_from;

/// Whether an operation was recorded to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// A record closes it.
    Closed,
    /// The file ends inside it.
    Fatal,
}

impl Replay {
    /// The end of the file, after `lines` lines: all must be closed, or the kernel died in what was announced.
    pub(super) fn end_of_file(&mut self, lines: u32) -> Result<(), BadFile> {
        if self.report.first.is_some() {
            return Ok(());
        }
        if let Some((line, operation)) = self.ahead.take() {
            return self.die(operation, line, lines);
        }
        self.settle_nothing()?;
        let untold = u64::from(count_from(self.copies_told.len()));
        count(&mut self.report.not_modelled, "kmalloc_site records without the boot's seed", untold);
        if self.ended || self.report.first.is_some() {
            return Ok(());
        }
        Err(BadFile::at(
            lines,
            "the recording breaks off here, while no operation was announced",
            "a record with \"t\":\"end\" as the last operation, or an oops after a record such as \"alloc?\"",
        ))
    }

    /// An operation that was announced and has no record that closes it: ours must end as theirs did.
    fn die(&mut self, operation: Operation, line: u32, lines: u32) -> Result<(), BadFile> {
        let died = self.span.console.died();
        let mut comparison = Self::comparison(operation.word(), line);
        let result = self.settle(operation, line, &mut comparison, Ending::Fatal)?;
        match result {
            Err(_) => comparison.same("that it never returned", true, true),
            Ok(_) if died => comparison.differ("how it ended", "it never returned", "it returned"),
            Ok(_) => {
                let word = operation.word();
                let problem = format!("the recording breaks off here, inside the {word} announced in line {line}");
                return Err(BadFile::at(lines, problem, "the record that closes it, or an oops"));
            }
        }
        self.report.close(comparison);
        Ok(())
    }

    /// Compares what was printed with what ours would print.
    pub(super) fn compare_console(
        &mut self,
        mut span: Span,
        events: &[Event],
        result: &Ended,
        line: u32,
        ending: Ending,
    ) {
        span.console.close();
        count(&mut self.report.masked, "console lines inside a block", u64::from(span.console.block_lines));
        count(&mut self.report.masked, "console lines of boot noise", u64::from(span.console.noise_lines));
        let (theirs, lines) = (span.console.facts, span.console_lines);
        let ours = facts::of(&self.kernel, events, result.as_ref().err().map(|oops| &**oops));
        let silent_hang = theirs.is_empty() && matches!(ours.as_slice(), [Fact::Death { kind: DeathKind::Stall, .. }]);
        if ending == Ending::Fatal && silent_hang {
            count(&mut self.report.unknowable, "where it hung (nothing was printed)", 1);
            return;
        }
        let theirs: Vec<_> = theirs.into_iter().zip(lines.into_iter().map(Place::Line)).collect();
        facts::compare(&mut self.report, &theirs, &ours, &Place::Line(line));
    }
}
