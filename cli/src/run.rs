//! `slabscope run`: a scenario from beginning to end.

use crate::Ending;
use slabscope_core::event::{Event, Warning};
use slabscope_core::machine::Applied;
use slabscope_core::outcome::Verdict;
use slabscope_core::script::{KernelWords, Narration, Notes, Played, Report, Scenario, ScriptError, Unmet, play};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The scenario
    file: PathBuf,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> io::Result<Ending> {
    let scenario = match read(&args.file) {
        Ok(scenario) => scenario,
        Err(message) => return Ok(Ending::BadInput(message)),
    };
    let report = match play(&scenario) {
        Ok(report) => report,
        Err(error) => return Ok(Ending::BadInput(format!("{}: {error}", args.file.display()))),
    };
    print(&scenario, &report, out)?;
    Ok(if report.is_as_expected() { Ending::Well } else { Ending::NotAsExpected })
}

fn read(file: &Path) -> Result<Scenario, String> {
    let shown = file.display();
    let bytes = std::fs::read(file).map_err(|error| format!("{shown}: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|error| not_text(file, &error))?;
    Scenario::parse(&text).map_err(|error| pointed(file, &text, &error))
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

/// The complaint about a line, with the line and a mark under the place.
fn pointed(file: &Path, text: &str, error: &ScriptError) -> String {
    const SHOWN: usize = 100;
    let message = format!("{}:{}:{}: {}", file.display(), error.line, error.column, error.message());
    let Some(line) = text.lines().nth(error.line as usize - 1) else { return message };
    let line: String =
        line.trim_start_matches('\u{feff}').chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let before = error.column as usize - 1;
    if line.trim().is_empty() || before > SHOWN || line.chars().count() > SHOWN {
        return message;
    }
    let marks = error.word.chars().count().max(1);
    format!("{message}\n  {line}\n  {}{}", " ".repeat(before), "^".repeat(marks))
}

fn print(scenario: &Scenario, report: &Report, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}: Linux {}, luck {}", scenario.title, KernelWords(&scenario.kernel), scenario.luck)?;
    print_notes(&scenario.start, &report.unmet_at_start, out)?;
    let mut verdict = None;
    for (number, (played, step)) in (1..).zip(report.steps.iter().zip(&scenario.steps)) {
        writeln!(out, "{number:>3}  {}", played.command)?;
        print_result(played, out)?;
        if played.verdict != verdict {
            verdict.clone_from(&played.verdict);
            print_verdict(verdict.as_ref(), out)?;
        }
        print_notes(&step.notes, &played.unmet, out)?;
    }
    match (scenario.goal, &report.missed_goal) {
        (Some(goal), Some(unmet)) => writeln!(out, "the goal was missed: expected {goal}, but {}", unmet.found),
        (Some(goal), None) => writeln!(out, "the goal was reached: {goal}"),
        (None, _) => Ok(()),
    }
}

fn print_result(played: &Played, out: &mut impl Write) -> io::Result<()> {
    match &played.result {
        Ok(applied) => {
            if let Some(returned) = &played.returned {
                writeln!(out, "       returned {returned}")?;
            }
            print_complaints(applied, out)
        }
        Err(refusal) => writeln!(out, "       not carried out: {refusal}"),
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
        Warning::NotALargeKmalloc { address } => format!("kfree of {address}, which is no object: its page was freed"),
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

fn print_notes(notes: &Notes, unmet: &[Unmet], out: &mut impl Write) -> io::Result<()> {
    if let Some(Narration { sentence, consequence }) = &notes.narration {
        writeln!(out, "       “{}”", format!("{sentence} {consequence}").trim())?;
    }
    unmet.iter().try_for_each(|unmet| writeln!(out, "  !!   {unmet}"))
}
