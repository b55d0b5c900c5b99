//! Wording: what the page says, made from what the machine says. No state, no browser.

mod ahead;
mod caption;
mod decimal;
mod era;
mod log;
mod markup;
mod names;
mod numbers;
mod ordinal;
mod parted;
mod plan;
mod reach;
mod sentence;
mod table;

#[cfg(test)]
mod tests;

pub use caption::caption;
pub use decimal::{decimal, fill_in, filled};
pub use era::{Era, era_of, eras};
pub use log::{Log, LogLine};
pub use markup::escaped;
pub use names::{Names, value_words};
pub use numbers::{Numbers, numbers};
pub use ordinal::{counted, ordinal, ordinal_word};
pub use parted::parted;
pub use plan::standing;
pub use reach::{ReachRow, reaches};
pub use sentence::{Sentence, as_sentence, sentence};
pub use table::{TableRow, table};
