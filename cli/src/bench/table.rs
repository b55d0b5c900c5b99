//! The measured table beside the published one, and what randomization costs in per cent.

use super::per_call;
use super::published::{PUBLISHED, RAW_POINTERS};
use slabscope_core::kernel::Version;
use slabscope_core::slab_test::{Configuration, Reading, Row};
use std::io::{self, Write};

pub(super) fn print(version: Version, rounds: u32, rows: &[Row], out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "slab_test on Linux {version} as modelled here: a call in ticks of the time-stamp counter (nanoseconds),"
    )?;
    writeln!(out, "the least of {rounds} rounds; beside it the cycles published with the 2016 patch.")?;
    for configuration in Configuration::ALL {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.configuration == configuration).collect();
        if !rows.is_empty() {
            print_configuration(configuration, &rows, out)?;
        }
    }
    print_summary(rows, out)?;
    print_beside_raw_pointers(&measured(rows, Configuration::Plain), out)
}

fn print_configuration(configuration: Configuration, rows: &[&Row], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\n{}", configuration.word())?;
    let when = published_column(configuration);
    let title = if when == 0 { "2016, before" } else { "2016, after" };
    writeln!(
        out,
        "{:>5} {:>15} {:>15} {:>15}   {title}: kmalloc kfree pair",
        "size", "kmalloc", "kfree", "kmalloc/kfree"
    )?;
    for row in rows {
        let cell = |reading: Reading| {
            let Reading { nanoseconds, ticks } = reading;
            format!("{:.1} ({:.1})", per_call(ticks, row.calls), per_call(nanoseconds, row.calls))
        };
        write!(out, "{:>5} {:>15} {:>15} {:>15}", row.size, cell(row.kmalloc), cell(row.kfree), cell(row.pair))?;
        match PUBLISHED.iter().find(|published| published.size == row.size) {
            Some(published) => writeln!(
                out,
                "   {:>width$} {:>5} {:>4}",
                published.kmalloc[when],
                published.kfree[when],
                published.pair[when],
                width = title.len() + 9
            )?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}

/// The published kernel that a configuration is like: before the patch, or with it.
const fn published_column(configuration: Configuration) -> usize {
    match configuration {
        Configuration::Plain | Configuration::Hardened => 0,
        Configuration::Random | Configuration::HardenedRandom => 1,
    }
}

/// What a size costs: kmalloc, kfree, pair.
type Cells = [f64; 3];

/// By how many per cent each test is dearer, on average over the sizes.
struct Increase {
    kmalloc: f64,
    kfree: f64,
    /// Test 1: kmalloc and kfree together.
    both: f64,
    /// Test 2.
    pair: f64,
}

impl Increase {
    /// The mean over the sizes of what each costs more, in per cent.
    fn of(before: &[Cells], after: &[Cells]) -> Self {
        let mean = |cost: fn(&Cells) -> f64| {
            let per_cent = before.iter().zip(after).map(|(before, after)| (cost(after) / cost(before) - 1.0) * 100.0);
            per_cent.sum::<f64>() / before.len() as f64
        };
        Self {
            kmalloc: mean(|[kmalloc, ..]| *kmalloc),
            kfree: mean(|[_, kfree, _]| *kfree),
            both: mean(|[kmalloc, kfree, _]| kmalloc + kfree),
            pair: mean(|[.., pair]| *pair),
        }
    }

    /// The one figure that the patch quotes as 3 to 4 %: the mean of the two tests.
    fn summary(&self) -> f64 {
        f64::midpoint(self.both, self.pair)
    }
}

fn measured(rows: &[Row], configuration: Configuration) -> Vec<Cells> {
    let rows = rows.iter().filter(|row| row.configuration == configuration);
    rows.map(|row| [row.kmalloc, row.kfree, row.pair].map(|cell| per_call(cell.ticks, row.calls))).collect()
}

fn published(when: usize) -> Vec<Cells> {
    PUBLISHED.iter().map(|row| [row.kmalloc, row.kfree, row.pair].map(|cell| f64::from(cell[when]))).collect()
}

fn print_summary(rows: &[Row], out: &mut impl Write) -> io::Result<()> {
    let measured = |configuration| measured(rows, configuration);
    let comparisons = [
        ("random against plain", measured(Configuration::Plain), measured(Configuration::Random)),
        (
            "hardened-random against hardened",
            measured(Configuration::Hardened),
            measured(Configuration::HardenedRandom),
        ),
        ("2016, after against before", published(0), published(1)),
    ];
    writeln!(out, "\nWhat randomization costs, in per cent, means over the sizes:")?;
    writeln!(out, "{:<34}{:>8} {:>8} {:>8} {:>8}   {:>8}", "", "kmalloc", "kfree", "test 1", "test 2", "summary")?;
    for (name, before, after) in comparisons {
        if !before.is_empty() && !after.is_empty() {
            let more = Increase::of(&before, &after);
            let summary = more.summary();
            let Increase { kmalloc, kfree, both, pair } = more;
            writeln!(out, "{name:<34}{kmalloc:>+8.1} {kfree:>+8.1} {both:>+8.1} {pair:>+8.1}   {summary:>+8.1}")?;
        }
    }
    writeln!(out, "The summary is the mean of tests 1 and 2, which is how the patch came to \"3 to 4 %\".")
}

/// How many times as long each kind of call takes as in a C++ engine over raw pointers, geometric means over the sizes.
fn print_beside_raw_pointers(plain: &[Cells], out: &mut impl Write) -> io::Result<()> {
    if plain.is_empty() {
        return Ok(());
    }
    let [kmalloc, kfree, pair] = [0, 1, 2].map(|cell| {
        let times = plain.iter().zip(&RAW_POINTERS).map(|(ours, theirs)| ours[cell] / theirs[cell]);
        geometric_mean(times)
    });
    let all = geometric_mean([kmalloc, kfree, pair].into_iter());
    writeln!(out, "\nBeside a C++ engine over raw pointers on a machine like the README's, plain, geometric means:")?;
    writeln!(out, "kmalloc {kmalloc:.2}, kfree {kfree:.2}, pair {pair:.2}, all {all:.2} times as many ticks.")
}

fn geometric_mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    (values.map(f64::ln).sum::<f64>() / count).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_geometric_mean_is_that_of_factors() {
        let mean = geometric_mean([0.5, 2.0, 8.0].into_iter());
        assert!((mean - 2.0).abs() < 1e-12, "{mean}");
    }

    /// The figures of the published table, worked out anew: +27.6, +0.4, +12.1 and -6.2; the summary is +3.0.
    #[test]
    fn the_published_summary_comes_out() {
        let more = Increase::of(&published(0), &published(1));
        let rounded =
            [more.kmalloc, more.kfree, more.both, more.pair, more.summary()].map(|value| format!("{value:+.1}"));
        assert_eq!(rounded, ["+27.6", "+0.4", "+12.1", "-6.2", "+3.0"]);
    }
}
