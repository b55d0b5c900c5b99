//! `slabscope verify FILE…`: what real kernels did, compared with what ours does.

use clap::Args;
use slabscope_core::recording::{self, Verdict};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Every datum is equal.
const EQUAL: u8 = 0;
/// Something differs.
const DIFFERS: u8 = 1;
/// A file cannot be read.
const BAD_FILE: u8 = 2;
/// What is modelled is equal, but not everything is modelled.
const NOT_MODELLED: u8 = 3;

/// Replay recordings of real kernels and compare every datum.
///
/// Exits 0 where every datum is equal, 1 where one differs, 2 where a file cannot be read, 3 where what was compared
/// is equal but something in the files is not modelled yet.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// Recordings (.jsonl) and listings of caches (geometry.json), plain or gzipped.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Compares each file and says what came of it.
pub(crate) fn run(args: &Verify, out: &mut impl Write, errors: &mut impl Write) -> io::Result<ExitCode> {
    let mut total = Total::default();
    for file in &args.files {
        match compare(file) {
            Ok(report) => {
                writeln!(out, "{}: {report}", file.display())?;
                total.add(&report);
            }
            Err(problem) => {
                writeln!(errors, "{}: {problem}", file.display())?;
                total.bad_files += 1;
            }
        }
    }
    if args.files.len() > 1 {
        writeln!(out, "{total}")?;
    }
    Ok(ExitCode::from(total.code()))
}

fn compare(file: &Path) -> Result<recording::Report, String> {
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    recording::verify(&bytes).map_err(|error| error.to_string())
}

/// All files together.
#[derive(Debug, Default)]
struct Total {
    files: u32,
    equal: u64,
    compared: u64,
    differing: u32,
    not_modelled: u32,
    bad_files: u32,
}

impl Total {
    fn add(&mut self, report: &recording::Report) {
        self.files += 1;
        self.equal += u64::from(report.equal());
        self.compared += u64::from(report.compared());
        match report.verdict() {
            Verdict::Equal => {}
            Verdict::NotModelled => self.not_modelled += 1,
            Verdict::Differs => self.differing += 1,
        }
    }

    const fn code(&self) -> u8 {
        if self.differing > 0 {
            DIFFERS
        } else if self.bad_files > 0 {
            BAD_FILE
        } else if self.not_modelled > 0 {
            NOT_MODELLED
        } else {
            EQUAL
        }
    }
}

impl std::fmt::Display for Total {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} files: {} of {} equal", self.files, self.equal, self.compared)?;
        for (count, what) in [
            (self.differing, "differ"),
            (self.not_modelled, "hold what is not modelled yet"),
            (self.bad_files, "could not be read"),
        ] {
            if count > 0 {
                write!(f, "; {count} {what}")?;
            }
        }
        Ok(())
    }
}
