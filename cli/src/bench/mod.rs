//! `slabscope bench`: slab_test, here and now, beside the table of 2016.

mod large_pages;
mod published;
mod table;

use crate::Ending;
use crate::numbers::small_number;
use quanta::Clock;
use slabscope_core::kernel::Version;
use slabscope_core::slab_test::{Configuration, FEWER, MANY, ROOMY, Reading, Row, SIZES, slab_test};
use std::io::{self, Write};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The kernel's version; up to 5.6 the free pointer lies at the object's start, as in 2016
    #[arg(long, default_value = "5.6")]
    kernel: String,
    /// How often each is measured; the least counts
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// MiB of memory for the objects; with less than 512 the larger sizes take fewer objects
    #[arg(long, default_value_t = ROOMY / PAGES_IN_MIB, value_parser = mebibytes, value_name = "MIB")]
    memory: u32,
    /// Only this configuration; may be given more than once
    #[arg(long = "config", value_name = "plain|random|hardened|hardened-random", value_parser = configuration)]
    configurations: Vec<Configuration>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

const PAGES_IN_MIB: u32 = 256;

pub(crate) fn run(args: &Args, out: &mut impl Write) -> io::Result<Ending> {
    let version: Version = match args.kernel.parse() {
        Ok(version) => version,
        Err(error) => return Ok(Ending::BadInput(format!("--kernel: {error}"))),
    };
    if let Some(ending) = large_pages::run_again_with_them()? {
        return Ok(ending);
    }
    let chosen = if args.configurations.is_empty() { &Configuration::ALL[..] } else { &args.configurations };
    let clock = Clock::new();
    let mut read = || {
        let ticks = clock.raw();
        Reading { nanoseconds: clock.delta_as_nanos(0, ticks), ticks }
    };
    let rows = match slab_test(version, chosen, args.rounds, args.memory * PAGES_IN_MIB, &mut read) {
        Ok(rows) => rows,
        Err(error) => return Ok(Ending::BadInput(error.to_string())),
    };
    if args.json {
        rows.iter().try_for_each(|row| print_json(row, out))?;
    } else {
        table::print(version, args.rounds, &rows, out)?;
    }
    say_where_fewer(&rows)?;
    Ok(Ending::Well)
}

fn mebibytes(text: &str) -> Result<u32, String> {
    let mebibytes = small_number(text)?;
    if (64..=4096).contains(&mebibytes) { Ok(mebibytes) } else { Err("64 to 4096".to_owned()) }
}

fn configuration(word: &str) -> Result<Configuration, String> {
    let found = Configuration::ALL.into_iter().find(|configuration| configuration.word() == word);
    found.ok_or_else(|| "one of plain, random, hardened, hardened-random".to_owned())
}

fn print_json(row: &Row, out: &mut impl Write) -> io::Result<()> {
    let cost = |reading: Reading| {
        let Reading { nanoseconds, ticks } = reading;
        format!("{{\"ns\":{:.2},\"ticks\":{:.2}}}", per_call(nanoseconds, row.calls), per_call(ticks, row.calls))
    };
    writeln!(
        out,
        "{{\"config\":\"{}\",\"size\":{},\"kmalloc\":{},\"kfree\":{},\"pair\":{}}}",
        row.configuration.word(),
        row.size,
        cost(row.kmalloc),
        cost(row.kfree),
        cost(row.pair)
    )
}

/// Said beside the table or the JSON, which has no field for it.
fn say_where_fewer(rows: &[Row]) -> io::Result<()> {
    let one_configuration = &rows[..rows.len().min(SIZES.len())];
    let fewer: Vec<String> =
        one_configuration.iter().filter(|row| row.calls == FEWER).map(|row| row.size.to_string()).collect();
    if fewer.is_empty() {
        return Ok(());
    }
    let sizes = fewer.join(", ");
    writeln!(io::stderr().lock(), "{FEWER} objects rather than {MANY} for want of memory at sizes {sizes}")
}

/// What one call costs where all of them cost `total`.
fn per_call(total: u64, calls: u32) -> f64 {
    total as f64 / f64::from(calls)
}
