//! What is wrong with a script, where, and what would be right.

use super::spelling::close_to;
use super::verb::{Form, Verb, Vocabulary};
use super::words::Word;
use crate::kernel::{ConfigError, SlubDebug, UnknownVersion, Version};
use crate::machine::Refusal;
use core::fmt;

/// The first thing that is wrong with a line or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// The line, counted from 1.
    pub line: u32,
    /// Where in the line, in characters counted from 1.
    pub column: u32,
    /// The word at fault; empty where the line ends too early.
    pub word: String,
    /// What would be right there.
    pub expected: Expected,
}

/// What would have been right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A word of a closed set.
    OneOf {
        /// The set.
        of: Vocabulary,
        /// The word of the set that is spelt nearly like what stands there.
        close: Option<&'static str>,
    },
    /// Something of a form.
    Form {
        /// The form.
        form: Form,
        /// The kind of line that it stands in.
        verb: Verb,
    },
    /// Nothing more on this line.
    End {
        /// The kind of line.
        verb: Verb,
    },
    /// `GFP_KERNEL` or `GFP_ATOMIC`, not both.
    OneBase,
    /// The other quotation mark.
    ClosingQuote,
    /// A number that fits.
    Smaller {
        /// The largest that does.
        most: u64,
    },
    /// A command: this line of the header stands after the header's end.
    Command {
        /// The kind of line.
        verb: Verb,
    },
    /// A version on the line.
    Version(UnknownVersion),
    /// A kernel that can be.
    Kernel(ConfigError),
    /// A sentence of fewer words.
    ShorterSentence {
        /// How many it has.
        words: u32,
    },
    /// One such line only.
    Once {
        /// The kind of line.
        verb: Verb,
    },
    /// A line that the header lacks.
    HeaderLine {
        /// The kind of line.
        verb: Verb,
    },
    /// A letter of `slub_debug=` that means something.
    DebugLetter {
        /// The version of the kernel.
        version: Version,
    },
    /// An object that a command of the script makes.
    Made,
    /// A command that the machine carries out.
    Refused(Refusal),
    /// A step that the script has.
    Step {
        /// How many steps it has.
        steps: u32,
    },
}

impl Expected {
    /// A number of 64 bits.
    pub(super) const FITS: Self = Self::Smaller { most: u64::MAX };

    /// A word of a closed set, where this one stands.
    pub(super) fn one_of(word: &str, of: Vocabulary) -> Self {
        Self::OneOf { of, close: close_to(word, of.words()) }
    }
}

impl ScriptError {
    /// The longest sentence that a step may have, in words.
    pub const MAX_SENTENCE_WORDS: u32 = 13;

    /// An error at a word of a line.
    pub(super) fn at(line: u32, word: Word<'_>, expected: Expected) -> Box<Self> {
        Box::new(Self { line, column: word.column, word: word.text.to_owned(), expected })
    }

    /// The error without its place.
    #[must_use]
    pub fn message(&self) -> String {
        let word = shortened(&self.word);
        match &self.expected {
            Expected::OneOf { of, close: Some(close) } => {
                format!("`{word}` is no {}: did you mean `{close}`?", of.noun())
            }
            Expected::Version(error) => error.to_string(),
            Expected::Kernel(error) => error.to_string(),
            Expected::OneBase => {
                format!("`{word}` contradicts what stands before it: GFP_KERNEL may sleep and GFP_ATOMIC may not")
            }
            Expected::ClosingQuote => format!("{word} has no closing quotation mark"),
            Expected::Smaller { most } => format!("`{word}` is too large: at most {most}"),
            Expected::ShorterSentence { words } => {
                format!("a sentence of {words} words: at most {}", Self::MAX_SENTENCE_WORDS)
            }
            Expected::Command { verb } => {
                format!("a `{}` line after the first empty line: the header has ended there", verb.word())
            }
            Expected::Once { verb } => format!("a second `{}` for the same place: one is enough", verb.word()),
            Expected::HeaderLine { verb } => {
                format!("the header has no `{}` line: add one, as in `{}`", verb.word(), verb.example())
            }
            Expected::DebugLetter { version } => {
                let complaint = SlubDebug::parse(&self.word).complaints(*version).concat();
                format!("Linux {version} prints \"{complaint}\": the letters are F, Z, P, U, T, A, O and -")
            }
            Expected::Made => format!("no command of the script makes `{word}`"),
            Expected::Refused(refusal) => refusal.to_string(),
            Expected::Step { steps } => format!("there is no step {word}: the script has {steps}"),
            Expected::End { verb } => {
                format!("`{word}` is one word too many: `{}` ends before it, as in `{}`", verb.word(), verb.example())
            }
            Expected::OneOf { of, close: None } => {
                format!("{}: {}", self.no(of.noun(), of.with_article()), of.listed())
            }
            Expected::Form { form, verb } => {
                format!("{}: {}, as in `{}`", self.no(form.noun(), form.with_article()), form.rule(), verb.example())
            }
        }
    }

    fn no(&self, noun: &str, with_article: impl fmt::Display) -> String {
        if self.word.is_empty() {
            format!("the line ends where {with_article} should stand")
        } else {
            format!("`{}` is no {noun}", shortened(&self.word))
        }
    }
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message())
    }
}

impl core::error::Error for ScriptError {}

/// A word as it can be shown in a message: control characters escaped, its end cut off where it is very long.
fn shortened(word: &str) -> String {
    const SHOWN: usize = 40;
    let mut letters = word.chars();
    let mut shown = String::new();
    for letter in letters.by_ref().take(SHOWN) {
        if letter.is_control() {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    if letters.next().is_some() {
        shown.push('…');
    }
    shown
}
