//! `slabscope verify`: what real kernels did, compared with what ours does.

use crate::Ending;
use slabscope_core::recording::{self, Report, Verdict};
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Recordings (.jsonl), listings of caches (geometry.json) and results of tests (kunit.json, lkdtm.json), plain or gzipped
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Compares each file and says what came of it; then what came of all.
pub(crate) fn run(args: &Args, out: &mut impl Write) -> io::Result<Ending> {
    let mut total = Total::default();
    for file in &args.files {
        match compare(file) {
            Ok(report) => {
                writeln!(out, "{}: {report}", file.display())?;
                total.add(&report);
            }
            Err(problem) => total.problems.push(format!("{}: {problem}", file.display())),
        }
    }
    if args.files.len() > 1 {
        writeln!(out, "{total}")?;
    }
    total.ending(out)
}

fn compare(file: &Path) -> Result<Report, String> {
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    recording::verify(&bytes).map_err(|error| error.to_string())
}

/// All files together.
#[derive(Default)]
struct Total {
    files: u32,
    equal: u64,
    compared: u64,
    differing: u32,
    not_modelled: u32,
    problems: Vec<String>,
}

impl Total {
    fn add(&mut self, report: &Report) {
        self.files += 1;
        self.equal += u64::from(report.equal());
        self.compared += u64::from(report.compared());
        match report.verdict() {
            Verdict::Equal => {}
            Verdict::NotModelled => self.not_modelled += 1,
            Verdict::Differs => self.differing += 1,
        }
    }

    /// A difference weighs more than a file that cannot be read, and that more than what is not modelled.
    fn ending(self, out: &mut impl Write) -> io::Result<Ending> {
        if self.differing > 0 {
            self.problems.iter().try_for_each(|problem| writeln!(out, "{problem}"))?;
            return Ok(Ending::NotAsExpected);
        }
        Ok(match (self.problems.is_empty(), self.not_modelled) {
            (false, _) => Ending::BadInput(self.problems.join("\n")),
            (true, 0) => Ending::Well,
            (true, _) => Ending::NotModelled,
        })
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} files: {} of {} equal", self.files, self.equal, self.compared)?;
        let problems = u32::try_from(self.problems.len()).unwrap_or(u32::MAX);
        for (count, what) in [
            (self.differing, "differ"),
            (self.not_modelled, "hold what is not modelled yet"),
            (problems, "could not be read"),
        ] {
            if count > 0 {
                write!(f, "; {count} {what}")?;
            }
        }
        Ok(())
    }
}
