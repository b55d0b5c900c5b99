//! The command line of Slabscope.

mod verify;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "slabscope", about = "The Linux kernel's slab allocator, on the command line")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Verify(verify::Verify),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match cli.command {
        Command::Verify(args) => verify::run(&args, &mut std::io::stdout().lock(), &mut std::io::stderr().lock()),
    };
    // A reader that has seen enough closes the pipe; that is no failure of ours.
    result.unwrap_or(ExitCode::SUCCESS)
}
