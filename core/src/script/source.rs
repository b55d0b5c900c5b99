//! A scenario's text as it was read: what it says, where its lines stand, and what in it is in doubt.

use super::error::{Expected, ScriptError};
use super::parts::{number, place, value};
use super::scenario::Scenario;
use super::words::{Word, Words};
use crate::command::{Base, Command, Name, Place, Value};
use crate::layout::{LayoutError, Window};
use crate::machine::Refusal;

/// A text that is a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What it says.
    pub scenario: Scenario,
    /// Where its lines stand: the start's, then each step's.
    pub lines: Vec<Lines>,
    /// What a kernel would complain about and go on, and what nothing comes of.
    pub doubts: Vec<ScriptError>,
}

/// Where the lines of a step stand, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Lines {
    /// The command's line; 0 for the start, which has none.
    pub command: u32,
    /// The lines of its checks, in order.
    pub checks: Vec<u32>,
}

/// Whether a command gives the name to something.
pub(super) fn makes(command: &Command, name: &Name) -> bool {
    match command {
        Command::Kmalloc { object, .. } | Command::Krealloc { object, .. } | Command::Alloc { object, .. } => {
            object == name
        }
        Command::BulkAlloc { prefix, count, .. } => {
            let digits = name.as_str().strip_prefix(prefix.as_str());
            let index: Option<u32> = digits.and_then(|digits| digits.parse().ok());
            index.is_some_and(|index| index < *count && Some(&*index.to_string()) == digits)
        }
        Command::CreateCache { .. }
        | Command::DestroyCache { .. }
        | Command::Shrink { .. }
        | Command::Validate { .. }
        | Command::Cpu { .. }
        | Command::FlushCpu { .. }
        | Command::Free { .. }
        | Command::CacheFree { .. }
        | Command::Kfree { .. }
        | Command::KfreeRcu { .. }
        | Command::Grace
        | Command::Ksize { .. }
        | Command::BulkFree { .. }
        | Command::Write { .. }
        | Command::Copy { .. }
        | Command::Overflow { .. } => false,
    }
}

impl ScriptError {
    /// The refusal of the command on this line, at the word that it speaks of; at the first word where it speaks of none.
    #[must_use]
    pub fn refused(text: &str, line: u32, refusal: &Refusal) -> Self {
        let expected = Expected::Refused(refusal.clone());
        let words = match Words::of(text, line) {
            Ok(words) => words,
            Err(error) => return Self { expected, ..*error },
        };
        let mut rest = words.clone();
        let first = rest.next();
        let spoken_of = core::iter::from_fn(|| rest.next()).find(|word| speaks_of(refusal, *word));
        *match (spoken_of, first) {
            (Some(word), _) | (None, Some(word)) => words.error(word, expected),
            (None, None) => words.error_at_end(expected),
        }
    }
}

fn speaks_of(refusal: &Refusal, word: Word<'_>) -> bool {
    let digits = word.text.split_once('=').map_or(word.text, |(_, value)| value);
    let is_number = |wanted| number(digits) == Some(wanted);
    match refusal {
        Refusal::UnknownObject(name)
        | Refusal::UnknownCache(name)
        | Refusal::CacheExists(name)
        | Refusal::NotChecked(name) => {
            let is_of = |place: &Place| matches!(&place.base, Base::Object(base) if base == name);
            let in_value = || value(word.text).is_some_and(|value| matches!(&value, Value::AddressOf(at) if is_of(at)));
            word.text == name.as_str() || place(word.text).as_ref().is_some_and(is_of) || in_value()
        }
        Refusal::WriteLength { len: wanted } | Refusal::TooLarge { size: wanted } => is_number(*wanted),
        Refusal::BulkCount { count: wanted } | Refusal::NoSuchCpu { cpu: wanted, .. } => is_number(u64::from(*wanted)),
        Refusal::Layout(
            LayoutError::ObjectSize { object_size: wanted }
            | LayoutError::Align { align: wanted }
            | LayoutError::PointerAt { offset: wanted }
            | LayoutError::Window { window: Window { size: wanted, .. }, .. },
        ) => is_number(*wanted),
        Refusal::Layout(LayoutError::SheafCapacity { capacity }) => is_number(u64::from(*capacity)),
        Refusal::Hung | Refusal::Missing(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Name;

    const HEADER: &str = "slabscope 1\ntitle T\nkernel 5.6\nluck 1\n";

    fn name(text: &str) -> Name {
        Name::new(text).expect("a name")
    }

    #[track_caller]
    fn check_doubts(text: &str, expected: &[&str]) {
        let source = Source::read(text).expect("a scenario");
        let doubts: Vec<String> = source.doubts.iter().map(ToString::to_string).collect();
        assert_eq!(doubts, expected, "{text}");
    }

    #[test]
    fn a_target_that_no_command_makes_is_in_doubt() {
        check_doubts(
            &format!("{HEADER}target q\n\na = kmalloc 8\n"),
            &["line 5, column 8: no command of the script makes `q`"],
        );
        for made in ["q = kmalloc 8", "cache c 8\nq = alloc c", "a = kmalloc 8\nq = krealloc a 9"] {
            check_doubts(&format!("{HEADER}target q\n\n{made}\n"), &[]);
        }
        for (target, is_made) in [("x0", true), ("x9", true), ("x10", false), ("x00", false), ("x", false)] {
            let text = format!("{HEADER}target {target}\n\nbulk x 10 kmalloc-64\n");
            assert_eq!(Source::read(&text).expect("a scenario").doubts.is_empty(), is_made, "{target}");
        }
    }

    #[test]
    fn a_letter_of_slub_debug_that_means_nothing_is_skipped_and_in_doubt() {
        let text = HEADER.replace("5.6", "6.1 slub_debug=FqZ;P?,dentry");
        check_doubts(
            &text,
            &[
                "line 3, column 24: Linux 6.1 prints \"slub_debug option 'q' unknown. skipped\": the letters are F, Z, P, U, \
                 T, A, O and -",
                "line 3, column 28: Linux 6.1 prints \"slub_debug option '?' unknown. skipped\": the letters are F, Z, P, U, \
                 T, A, O and -",
            ],
        );
    }

    #[test]
    fn lines_are_those_of_the_text() {
        let text = format!("{HEADER}\nexpect outcome none\n# x\na = kmalloc 8\nsay \"a\"\nexpect used a\nfree a\n");
        let source = Source::read(&text).expect("a scenario");
        let lines: Vec<(u32, &[u32])> = source.lines.iter().map(|step| (step.command, &*step.checks)).collect();
        assert_eq!(lines, [(0, &[6][..]), (8, &[10]), (11, &[])]);
    }

    #[test]
    fn a_refusal_stands_at_the_word_that_it_speaks_of() {
        for (line, refusal, column, word) in [
            ("free free", Refusal::UnknownObject(name("free")), 6, "free"),
            ("write v+8 8 &b+16", Refusal::UnknownObject(name("b")), 13, "&b+16"),
            ("  shrink kmalloc-63", Refusal::UnknownCache(name("kmalloc-63")), 10, "kmalloc-63"),
            ("a = kmalloc 0x500000", Refusal::TooLarge { size: 0x50_0000 }, 13, "0x500000"),
            ("  grace # a", Refusal::Hung, 3, "grace"),
            ("cache c 64 align=24", Refusal::Layout(LayoutError::Align { align: 24 }), 12, "align=24"),
        ] {
            let error = ScriptError::refused(line, 7, &refusal);
            assert_eq!((error.line, error.column, &*error.word), (7, column, word), "{line}");
            assert_eq!(error.message(), refusal.to_string());
        }
    }
}
