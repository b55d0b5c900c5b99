//! `slabscope run`: a scenario from beginning to end.

use crate::Ending;
use crate::pointed::pointed;
use slabscope_core::event::{Event, Warning};
use slabscope_core::machine::Applied;
use slabscope_core::outcome::Verdict;
use slabscope_core::script::{
    Check, Found, KernelWords, Lines, Narration, Notes, Played, Report, ScriptError, Source, Unmet, play,
};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The scenario
    file: PathBuf,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> io::Result<Ending> {
    let script = match Script::read(&args.file) {
        Ok(script) => script,
        Err(message) => return Ok(Ending::BadInput(message)),
    };
    let report = match play(&script.source.scenario) {
        Ok(report) => report,
        Err(error) => return Ok(Ending::BadInput(format!("{}: {error}", script.name))),
    };
    script.print(&report, out)?;
    Ok(if report.is_as_expected() { Ending::Well } else { Ending::NotAsExpected })
}

/// A scenario's file.
struct Script {
    /// Its name, as messages have it.
    name: String,
    text: String,
    source: Source,
}

impl Script {
    fn read(file: &Path) -> Result<Self, String> {
        let name = file.display().to_string();
        let bytes = std::fs::read(file).map_err(|error| format!("{name}: {error}"))?;
        let text = String::from_utf8(bytes).map_err(|error| not_text(file, &error))?;
        let source = Source::read(&text).map_err(|error| pointed(&name, &text, &error, &error.message()))?;
        Ok(Self { name, text, source })
    }

    fn print(&self, report: &Report, out: &mut impl Write) -> io::Result<()> {
        let (scenario, lines) = (&self.source.scenario, &self.source.lines);
        for doubt in &self.source.doubts {
            let message = format!("warning: {}", doubt.message());
            writeln!(io::stderr(), "{}", pointed(&self.name, &self.text, doubt, &message))?;
        }
        writeln!(out, "{}: Linux {}, luck {}", scenario.title, KernelWords(&scenario.kernel), scenario.luck)?;
        self.print_notes(&lines[0], &scenario.start, &report.unmet_at_start, out)?;
        let mut verdict = None;
        for (number, (played, step)) in (1..).zip(report.steps.iter().zip(&scenario.steps)) {
            writeln!(out, "{number:>3}  {}", played.command)?;
            print_result(played, out)?;
            if played.verdict != verdict {
                verdict.clone_from(&played.verdict);
                print_verdict(verdict.as_ref(), out)?;
            }
            self.print_notes(&lines[number], &step.notes, &played.unmet, out)?;
        }
        match (scenario.goal, &report.missed_goal) {
            (Some(goal), Some(unmet)) => writeln!(out, "the goal was missed: expected {goal}, but {}", unmet.found),
            (Some(goal), None) => writeln!(out, "the goal was reached: {goal}"),
            (None, _) => Ok(()),
        }
    }

    fn print_notes(&self, lines: &Lines, notes: &Notes, unmet: &[Unmet], out: &mut impl Write) -> io::Result<()> {
        if let Some(Narration { sentence, consequence }) = &notes.narration {
            writeln!(out, "       “{}”", format!("{sentence} {consequence}").trim())?;
        }
        unmet.iter().try_for_each(|unmet| match (&unmet.check, &unmet.found) {
            (Check::Done, Found::Refused(refusal)) => {
                let text = self.text.lines().nth(lines.command as usize - 1).unwrap_or_default();
                let error = ScriptError::refused(text, lines.command, refusal);
                let message = format!("not carried out: {refusal}");
                let told = pointed(&self.name, &self.text, &error, &message);
                writeln!(out, "  !!   {}", told.replace('\n', "\n       "))
            }
            (check, _) => {
                let line = notes.checks.iter().zip(&lines.checks).find(|(other, _)| *other == check);
                let line = line.map_or(lines.command, |(_, line)| *line);
                writeln!(out, "  !!   {}:{line}:1: {unmet}", self.name)
            }
        })
    }
}

/// The complaint about a file that is not UTF-8, with the place of the first byte that is not.
fn not_text(file: &Path, error: &std::string::FromUtf8Error) -> String {
    let (before, rest) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
    let text = String::from_utf8_lossy(before);
    let line = text.matches('\n').count() + 1;
    let column = text.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
    let byte = rest.first().copied().unwrap_or(0);
    format!("{}:{line}:{column}: the byte 0x{byte:02x} is not UTF-8 text: save the file as UTF-8", file.display())
}

fn print_result(played: &Played, out: &mut impl Write) -> io::Result<()> {
    match &played.result {
        Ok(applied) => {
            if let Some(returned) = &played.returned {
                writeln!(out, "       returned {returned}")?;
            }
            print_complaints(applied, out)
        }
        // One that no check expects is told with its place.
        Err(refusal) if played.unmet.iter().all(|unmet| unmet.check != Check::Done) => {
            writeln!(out, "       not carried out, as expected: {refusal}")
        }
        Err(_) => Ok(()),
    }
}

/// What the kernel would have written to its log.
fn print_complaints(applied: &Applied, out: &mut impl Write) -> io::Result<()> {
    for event in &applied.events {
        match event {
            Event::Oopsed(oops) => writeln!(out, "       {} (in {})", oops.kind, oops.function)?,
            Event::Reported(report) => {
                report.lines.iter().try_for_each(|line| writeln!(out, "       {}", line.text))?;
            }
            Event::Warned(warning) => writeln!(out, "       warning: {}", warning_text(*warning))?,
            Event::CopyRefused(refused) => writeln!(out, "       {refused}")?,
            Event::Sized { room, .. } => writeln!(out, "       {room} bytes may be used")?,
            _ => {}
        }
    }
    Ok(())
}

fn warning_text(warning: Warning) -> String {
    match warning {
        Warning::WrongCache { .. } => "the object is of another cache than the one named".to_owned(),
        Warning::NotALargeKmalloc { address, freed } => {
            let page = if freed { "its page was freed" } else { "nothing was freed" };
            format!("kfree of {address}, which is no object: {page}")
        }
        Warning::NotASlabPage { address, .. } => format!("{address} lies in no slab"),
        Warning::ObjectsRemain { .. } => "the cache still has objects".to_owned(),
        Warning::OutOfMemory { order, .. } => format!("no block of order {} is to be had", order.raw()),
    }
}

fn print_verdict(verdict: Option<&Verdict>, out: &mut impl Write) -> io::Result<()> {
    match verdict {
        Some(Verdict { outcome, why }) => writeln!(out, "       {outcome}: {why}"),
        None => Ok(()),
    }
}
