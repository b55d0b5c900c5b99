//! `slabscope`: the allocator on the command line.
//!
//! Exit codes: 0 all is well, 1 something is not as expected, 2 the input is wrong, 3 a recording holds something that
//! is not modelled yet.

mod bench;
mod kernel_args;
mod layout;
mod numbers;
mod pointed;
mod run;
mod verify;

use clap::{Parser, Subcommand};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

/// The Linux kernel's slab allocator over a byte array.
#[derive(Parser)]
#[command(name = "slabscope", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play a scenario: print its commands and what came of them, and check what it expects
    Run(run::Args),
    /// Show where things lie in an object and in its slab, or in all kmalloc caches
    Layout(layout::Args),
    /// Measure kmalloc and kfree as slab_test does, with and without hardening
    Bench(bench::Args),
    /// Replay recordings of real kernels and compare every datum
    Verify(verify::Args),
}

/// How a command ended.
enum Ending {
    /// All is well.
    Well,
    /// Something is not as expected: it was printed.
    NotAsExpected,
    /// All that was compared is as expected; a part could not be compared.
    NotModelled,
    /// The input is wrong.
    BadInput(String),
    /// The input is wrong, and that was said.
    Told,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = BufWriter::new(io::stdout().lock());
    let ending = match &cli.command {
        Command::Run(args) => run::run(args, &mut out),
        Command::Layout(args) => layout::run(args, &mut out),
        Command::Bench(args) => bench::run(args, &mut out),
        Command::Verify(args) => verify::run(args, &mut out),
    };
    exit_code(ending.and_then(|ending| out.flush().map(|()| ending)))
}

fn exit_code(ending: io::Result<Ending>) -> ExitCode {
    match ending {
        Ok(Ending::Well) => ExitCode::SUCCESS,
        Ok(Ending::NotAsExpected) => ExitCode::from(1),
        Ok(Ending::NotModelled) => ExitCode::from(3),
        Ok(Ending::BadInput(message)) => complain(&message),
        Ok(Ending::Told) => ExitCode::from(2),
        // Who reads the output has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => complain(&format!("the output cannot be written: {error}")),
    }
}

fn complain(message: &str) -> ExitCode {
    // Where standard error is closed there is nobody to tell.
    let _ = writeln!(io::stderr().lock(), "{message}");
    ExitCode::from(2)
}
