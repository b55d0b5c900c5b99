//! What a scenario expects of the machine at a step.

use super::error::ScriptError;
use super::parts::{address, number, place, quoted, value};
use super::scenario::Quoted;
use super::verb::{Form, Verb, Vocabulary};
use super::words::Words;
use crate::command::{Place, Value};
use crate::outcome::Outcome;
use crate::units::VirtAddr;
use core::fmt;
use std::rc::Rc;

/// A check, as `expect` lines have it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// `p = v`: two places are one address.
    Same {
        /// The one.
        left: Place,
        /// The other.
        right: Place,
    },
    /// `free v` or `free v 1st`: an object is on a list.
    Free {
        /// Its address.
        at: Place,
        /// Its place in the list, 1 for the next one out; `None` where any will do.
        position: Option<u32>,
    },
    /// `lost v`: an object is free, but no list leads to it.
    Lost {
        /// Its address.
        at: Place,
    },
    /// `used v`: somebody has the object.
    Used {
        /// Its address.
        at: Place,
    },
    /// `bytes r+8 56 "S"`: memory holds this.
    Bytes {
        /// The first byte's address.
        at: Place,
        /// How many.
        len: u64,
        /// What they are, repeated.
        value: Value,
    },
    /// `waiting v`: an object was given to `kfree_rcu`, and its grace period has not passed.
    Waiting {
        /// Its address.
        at: Place,
    },
    /// `outcome HIJACKED`, or `outcome none`: what the commands so far came to.
    Outcome(Option<Outcome>),
    /// `fault 0x4141414141414141`: the last command died on this address.
    Fault(VirtAddr),
    /// `bug`: the last command ended in a kernel BUG.
    Bug,
    /// `hang`: the last command never ends.
    Hang,
    /// `report "Right Redzone overwritten"`: what the last command had the kernel print has these words in one line.
    Report(Rc<str>),
    /// `reports 2`: the last command had so many findings and repairs, as the kernel's own tests count them.
    Reports(u32),
    /// `refused`: the last command was not carried out.
    Refused,
    /// `done`: the last command was carried out, whatever came of it. Expected of every command that is not `refused`.
    Done,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same { left, right } => write!(f, "{left} = {right}"),
            Self::Free { at, position: None } => write!(f, "free {at}"),
            Self::Free { at, position: Some(position) } => write!(f, "free {at} {}", Ordinal(*position)),
            Self::Lost { at } => write!(f, "lost {at}"),
            Self::Used { at } => write!(f, "used {at}"),
            Self::Bytes { at, len, value } => write!(f, "bytes {at} {len} {value}"),
            Self::Waiting { at } => write!(f, "waiting {at}"),
            Self::Outcome(Some(outcome)) => write!(f, "outcome {outcome}"),
            Self::Outcome(None) => f.write_str("outcome none"),
            Self::Fault(address) => write!(f, "fault 0x{:x}", address.raw()),
            Self::Bug => f.write_str("bug"),
            Self::Hang => f.write_str("hang"),
            Self::Report(text) => write!(f, "report {}", Quoted(text)),
            Self::Reports(count) => write!(f, "reports {count}"),
            Self::Refused => f.write_str("refused"),
            Self::Done => f.write_str("done"),
        }
    }
}

/// Reads what stands after `expect`.
pub(super) fn check(words: &mut Words<'_>) -> Result<Check, Box<ScriptError>> {
    let check = if words.assigns() {
        let left = words.form(Verb::Expect, Form::Place, place)?;
        words.literal("=", Verb::Expect, Form::Equals)?;
        Check::Same { left, right: words.form(Verb::Expect, Form::Place, place)? }
    } else {
        word_check(words)?
    };
    words.end(Verb::Expect)?;
    Ok(check)
}

fn word_check(words: &mut Words<'_>) -> Result<Check, Box<ScriptError>> {
    let word = words.word_of(Vocabulary::Checks)?;
    let at = |words: &mut Words<'_>| words.form(Verb::Expect, Form::Place, place);
    Ok(match word.text {
        "free" => {
            let at = at(words)?;
            let has_position = !words.is_empty();
            let position = has_position.then(|| words.form(Verb::Expect, Form::Ordinal, ordinal)).transpose()?;
            Check::Free { at, position }
        }
        "lost" => Check::Lost { at: at(words)? },
        "used" => Check::Used { at: at(words)? },
        "bytes" => Check::Bytes {
            at: at(words)?,
            len: words.form(Verb::Expect, Form::Number, number)?,
            value: words.form(Verb::Expect, Form::Value, value)?,
        },
        "waiting" => Check::Waiting { at: at(words)? },
        "outcome" => Check::Outcome(words.one_of(Vocabulary::OutcomesOrNone, outcome_or_none)?),
        "fault" => Check::Fault(VirtAddr::from_raw(words.form(Verb::Expect, Form::Address, address)?)),
        "bug" => Check::Bug,
        "hang" => Check::Hang,
        "report" => Check::Report(words.form(Verb::Expect, Form::Words, quoted)?.into()),
        "reports" => Check::Reports(words.number_up_to(Verb::Expect, u32::MAX)?),
        "refused" => Check::Refused,
        "done" => Check::Done,
        _ => return Err(words.not_one_of(word, Vocabulary::Checks)),
    })
}

/// The outcome of this word.
pub(super) fn outcome(word: &str) -> Option<Outcome> {
    Outcome::ALL.into_iter().find(|outcome| outcome.word() == word)
}

fn outcome_or_none(word: &str) -> Option<Option<Outcome>> {
    if word == "none" { Some(None) } else { outcome(word).map(Some) }
}

/// `1st`, `2nd`; any of the four endings is taken, `1` alone is not.
fn ordinal(word: &str) -> Option<u32> {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending))?;
    digits.parse().ok().filter(|position| *position > 0)
}

/// A place in a list, in words: `1st`, `12th`, `23rd`.
pub struct Ordinal(pub u32);

impl fmt::Display for Ordinal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ending = match (self.0 % 10, self.0 % 100) {
            (_, 11..=13) => "th",
            (1, _) => "st",
            (2, _) => "nd",
            (3, _) => "rd",
            _ => "th",
        };
        write!(f, "{}{ending}", self.0)
    }
}
