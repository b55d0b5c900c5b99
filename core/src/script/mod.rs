//! Text to commands and scenarios, and back: what files, the input line, links and the README share.
//!
//! A command is one line (see [`crate::command`]). A scenario is a header, a blank line, and commands with narration
//! and checks between them (see [`Scenario`]). What is printed reads back as what it was: `parse(print(x)) == x`.
//! Nothing that is typed panics: the first error is told with its place and with what would be right.

mod body;
mod check;
mod command;
mod error;
mod parse;
mod parts;
mod play;
mod scenario;
mod slub_debug;
mod source;
mod spelling;
mod verb;
mod words;

pub use check::{Check, Ordinal};
pub use command::parse_command;
pub use error::{Expected, ScriptError};
pub use parse::{parse_kernel, read_kernel};
pub use parts::number as parse_number;
pub use play::{Found, Played, Report, Unmet, play, play_on};
pub use scenario::{KernelWords, Narration, Notes, Scenario, ScriptStep};
pub use source::{Lines, Source};
pub use verb::{Form, Verb, Vocabulary};
