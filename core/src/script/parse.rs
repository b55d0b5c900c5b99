//! A scenario's text, line by line.

use super::body::{Body, body};
use super::check::outcome;
use super::command::name;
use super::error::{Expected, ScriptError};
use super::parts::number;
use super::scenario::{Scenario, pointer_place_from_word};
use super::slub_debug;
use super::source::{Source, makes};
use super::verb::{Form, Verb, Vocabulary};
use super::words::{Word, Words};
use crate::command::Name;
use crate::kernel::{KernelConfig, Switch, Version};
use crate::luck::Seed;
use crate::outcome::Outcome;
use crate::units::{Step, count_from};
use std::rc::Rc;

impl Scenario {
    /// Reads a scenario's text.
    ///
    /// # Errors
    /// The first thing that is wrong, at its place.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        Source::read(text).map(|source| source.scenario)
    }
}

impl Source {
    /// Reads a scenario's text, with the places of its lines.
    ///
    /// # Errors
    /// The first thing that is wrong, at its place.
    pub fn read(text: &str) -> Result<Self, ScriptError> {
        Self::of(text).map_err(|error| *error)
    }

    /// Errors are boxed on their way: what is handed up at each word is short.
    fn of(text: &str) -> Result<Self, Box<ScriptError>> {
        let text = text.trim_start_matches('\u{feff}');
        let mut lines = text.lines().zip(1..).map(|(text, number)| Line { text, number });
        let header = Header::read(&mut lines)?;
        header.source(body(lines)?)
    }
}

/// Reads a kernel as the header's `kernel` line has it, such as `5.6 random=on cpus=4`.
///
/// # Errors
/// The first thing that is wrong, at its place; the text counts as line 1.
pub fn parse_kernel(text: &str) -> Result<KernelConfig, ScriptError> {
    read_kernel(text).map(|(kernel, _)| kernel)
}

/// The same with what in it is in doubt: what the kernel complains about and skips.
///
/// # Errors
/// The first thing that is wrong, at its place; the text counts as line 1.
pub fn read_kernel(text: &str) -> Result<(KernelConfig, Vec<ScriptError>), ScriptError> {
    Words::after(1, text, 1).and_then(|mut words| kernel(&mut words)).map_err(|error| *error)
}

/// A line of the text.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    text: &'a str,
    /// Its number, from 1.
    pub(super) number: u32,
}

impl<'a> Line<'a> {
    pub(super) fn words(self) -> Result<Words<'a>, Box<ScriptError>> {
        Words::of(self.text, self.number)
    }

    /// The error of something that this line, or the file before it, lacks.
    fn lacks(self, expected: Expected) -> Box<ScriptError> {
        self.error(Word { text: "", column: 1 }, expected)
    }

    /// An error at a word of this line.
    fn error(self, word: Word<'_>, expected: Expected) -> Box<ScriptError> {
        ScriptError::at(self.number, word, expected)
    }
}

/// The header as far as it was read.
#[derive(Default)]
struct Header<'a> {
    title: Option<Rc<str>>,
    /// The kernel, and what in its line is in doubt.
    kernel: Option<(KernelConfig, Vec<ScriptError>)>,
    luck: Option<Seed>,
    /// The step to open at, and where that is said.
    open: Option<(u32, Line<'a>, Word<'a>)>,
    /// The target, and where that is said.
    target: Option<(Name, Line<'a>, Word<'a>)>,
    goal: Option<Outcome>,
    /// The line after the header.
    end: u32,
}

impl<'a> Header<'a> {
    fn read(lines: &mut impl Iterator<Item = Line<'a>>) -> Result<Self, Box<ScriptError>> {
        let mut header = Self { end: 1, ..Self::default() };
        let mut begun = false;
        for line in lines {
            header.end = line.number;
            if !begun {
                begun = first_line(&mut line.words()?)?;
                continue;
            }
            if line.text.trim().is_empty() {
                break;
            }
            header.end = line.number + 1;
            if line.text.trim_start().starts_with("title") {
                header.title(line)?;
                continue;
            }
            header.line(line)?;
        }
        if begun { Ok(header) } else { Err(first_line_is_missing(header.end)) }
    }

    /// The title is the rest of its line as it stands, with marks that begin a comment or a quotation elsewhere.
    fn title(&mut self, line: Line<'a>) -> Result<(), Box<ScriptError>> {
        let rest = line.text.trim_start().strip_prefix("title").unwrap_or_default();
        let title = rest.trim();
        if title.is_empty() {
            let end = Word { text: "", column: 7 };
            return Err(line.error(end, Expected::Form { form: Form::Title, verb: Verb::Title }));
        }
        if !rest.starts_with(char::is_whitespace) {
            let text = line.text.split_whitespace().next().unwrap_or_default();
            return Err(line.error(Word { text, column: 1 }, Expected::one_of(text, Vocabulary::HeaderLines)));
        }
        match self.title.replace(title.into()) {
            Some(_) => Err(line.error(Word { text: "title", column: 1 }, Expected::Once { verb: Verb::Title })),
            None => Ok(()),
        }
    }

    fn line(&mut self, line: Line<'a>) -> Result<(), Box<ScriptError>> {
        let mut words = line.words()?;
        let Some(word) = words.next() else { return Ok(()) };
        let at = words.peek().unwrap_or(word);
        let (verb, is_again) = match word.text {
            "kernel" => (Verb::Kernel, self.kernel.replace(kernel(&mut words)?).is_some()),
            "luck" => {
                let luck = words.form(Verb::Luck, Form::Number, number)?;
                (Verb::Luck, self.luck.replace(Seed(luck)).is_some())
            }
            "open" => {
                let step = words.number_up_to(Verb::Open, u32::MAX)?;
                (Verb::Open, self.open.replace((step, line, at)).is_some())
            }
            "target" => {
                let target = name(&mut words, Verb::Target)?;
                (Verb::Target, self.target.replace((target, line, at)).is_some())
            }
            "goal" => {
                let goal = words.one_of(Vocabulary::Outcomes, outcome)?;
                (Verb::Goal, self.goal.replace(goal).is_some())
            }
            _ => return Err(words.not_one_of(word, Vocabulary::HeaderLines)),
        };
        words.once(is_again, verb, word)?;
        words.end(verb)
    }

    fn source(self, body: Body) -> Result<Source, Box<ScriptError>> {
        let end = Line { text: "", number: self.end };
        let lacks = |verb| move || end.lacks(Expected::HeaderLine { verb });
        let Body { start, steps, lines } = body;
        let count = count_from(steps.len());
        let open_at = match self.open {
            Some((step, line, word)) if step > count => return Err(line.error(word, Expected::Step { steps: count })),
            Some((step, ..)) => Step::from_raw(step),
            None => Step::default(),
        };
        let title = self.title.ok_or_else(lacks(Verb::Title))?;
        let (kernel, mut doubts) = self.kernel.ok_or_else(lacks(Verb::Kernel))?;
        let luck = self.luck.ok_or_else(lacks(Verb::Luck))?;
        let target = self.target.map(|(target, line, word)| {
            if !steps.iter().any(|step| makes(&step.command, &target)) {
                doubts.push(*line.error(word, Expected::Made));
            }
            target
        });
        let scenario = Scenario { title, kernel, luck, open_at, target, goal: self.goal, start, steps };
        Ok(Source { scenario, lines, doubts })
    }
}

/// `slabscope 1`. `false` for a comment or an empty line before it.
fn first_line(words: &mut Words<'_>) -> Result<bool, Box<ScriptError>> {
    if words.is_empty() {
        return Ok(false);
    }
    words.literal("slabscope", Verb::Slabscope, Form::FirstLine)?;
    words.literal("1", Verb::Slabscope, Form::FormatNumber)?;
    words.end(Verb::Slabscope)?;
    Ok(true)
}

fn first_line_is_missing(line: u32) -> Box<ScriptError> {
    Line { text: "", number: line }.lacks(Expected::Form { form: Form::FirstLine, verb: Verb::Slabscope })
}

/// `5.6 random=on cpus=4`: a version, then what differs from the upstream default.
fn kernel(words: &mut Words<'_>) -> Result<(KernelConfig, Vec<ScriptError>), Box<ScriptError>> {
    let version = words.word(Verb::Kernel, Form::Version)?;
    let parsed: Version = version.text.parse().map_err(|error| words.error(version, Expected::Version(error)))?;
    let mut kernel = KernelConfig::plain(parsed);
    // One that is on of itself is missed by nobody, unless the line asks for it.
    let (mut asked, mut doubts) = (Vec::new(), Vec::new());
    while let Some(word) = words.next() {
        asked.extend(switch(&mut kernel, words, word)?);
        doubts.extend(slub_debug::doubts(parsed, words, word));
        let missing = asked.iter().rev().find_map(|switch| kernel.lacks(*switch));
        let model = missing.map_or_else(|| kernel.model().map(drop), Err);
        model.map_err(|error| words.error(word, Expected::Kernel(error)))?;
    }
    Ok((kernel, doubts))
}

/// Sets what the word says, and names the switch that it turns on.
fn switch(kernel: &mut KernelConfig, words: &Words<'_>, word: Word<'_>) -> Result<Option<Switch>, Box<ScriptError>> {
    let (key, value) = match word.text.split_once('=') {
        Some(pair) => pair,
        None if slub_debug::is_name(word.text) => (word.text, ""),
        None => return Err(words.not_one_of(word, Vocabulary::Switches)),
    };
    if slub_debug::is_name(key) {
        slub_debug::set(kernel, key, value).map_err(|error| words.error(word, Expected::Kernel(error)))?;
        return Ok(None);
    }
    match key {
        "middle" => {
            let place = pointer_place_from_word(value);
            kernel.pointer_place = Some(place.ok_or_else(|| words.inside(word, value, Vocabulary::PointerPlaces))?);
        }
        "cpus" => {
            let wrong = || words.error(word.part(value), Expected::Form { form: Form::Number, verb: Verb::Kernel });
            let cpus = number(value).ok_or_else(wrong)?;
            kernel.cpus = u32::try_from(cpus).unwrap_or(u32::MAX);
        }
        _ => {
            let switch = Switch::from_word(key).ok_or_else(|| words.not_one_of(word.key(), Vocabulary::Switches))?;
            let on = match value {
                "on" => true,
                "off" => false,
                _ => return Err(words.inside(word, value, Vocabulary::OnOff)),
            };
            kernel.turn(switch, on);
            return Ok(on.then_some(switch));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::Check;

    const HEADER: &str = "slabscope 1\ntitle T\nkernel 5.6\nluck 0x1\n\n";

    #[track_caller]
    fn check_error(text: &str, message: &str) {
        let error = Scenario::parse(text).expect_err(text);
        assert_eq!(error.to_string(), message, "for `{text}`");
    }

    #[track_caller]
    fn check_body_error(body: &str, message: &str) {
        check_error(&format!("{HEADER}{body}"), message);
    }

    #[test]
    fn a_whole_scenario_reads() {
        let text = "\u{feff}# A comment first.\r\n\r\nslabscope 1\r\ntitle  Eight \"bytes\" # too many \r\n\
                    kernel 5.6 random=on cpus=4 middle=on\r\nluck 26\r\n# why\r\nopen 1\r\ntarget t\r\ngoal MISSED\r\n\r\n\
                    say \"At first.\"\r\nt=kmalloc 64\r\n\tsay \"It \\\"is\\\" there.\"  \"So?\" # yes\r\nexpect t=NULL\r\n\
                    expect free t 12th";
        let scenario = Scenario::parse(text).expect("a scenario");
        assert_eq!(&*scenario.title, "Eight \"bytes\" # too many");
        assert_eq!((scenario.luck, scenario.open_at.raw()), (Seed(26), 1));
        assert_eq!((scenario.kernel.cpus, scenario.kernel.freelist_random), (4, true));
        assert_eq!(scenario.goal, Some(Outcome::Missed));
        assert_eq!(scenario.start.narration.as_ref().map(|said| &*said.sentence), Some("At first."));
        let notes = scenario.notes(scenario.last_step()).expect("the last step");
        let said = notes.narration.as_ref().expect("narrated");
        assert_eq!((&*said.sentence, &*said.consequence), ("It \"is\" there.", "So?"));
        assert!(matches!(notes.checks[..], [Check::Same { .. }, Check::Free { position: Some(12), .. }]));
        assert_eq!(
            scenario.to_string(),
            "slabscope 1\ntitle Eight \"bytes\" # too many\nkernel 5.6 cpus=4 random=on middle=on\nluck 0x1a\nopen 1\n\
             target t\ngoal MISSED\n\nsay \"At first.\"\nt = kmalloc 64\nsay \"It \\\"is\\\" there.\" \"So?\"\n\
             expect t = NULL\nexpect free t 12th\n"
        );
        assert_eq!(Scenario::parse(&scenario.to_string()), Ok(scenario));
    }

    #[test]
    fn a_wrong_header_says_what_would_be_right() {
        for (text, message) in [
            (
                "",
                "line 1, column 1: the line ends where the first line of a scenario should stand: it says which format \
              the file has, as in `slabscope 1`",
            ),
            (
                "title T",
                "line 1, column 1: `title` is no first line of a scenario: it says which format the file has, \
              as in `slabscope 1`",
            ),
            (
                "slabscope 2",
                "line 1, column 11: `2` is no format that this program reads: there is only format 1, as \
              in `slabscope 1`",
            ),
            (
                "slabscope 1\nkernel 5.6\nluck 1\n",
                "line 4, column 1: the header has no `title` line: add one, as in \
              `title Eight bytes too many`",
            ),
            ("slabscope 1\ntitel T\n", "line 2, column 1: `titel` is no line of the header: did you mean `title`?"),
            (
                "slabscope 1\ntitle\n",
                "line 2, column 7: the line ends where a title should stand: some words, as in \
              `title Eight bytes too many`",
            ),
            (
                "slabscope 1\ntitle A\ntitle B\n",
                "line 3, column 1: a second `title` for the same place: one is \
              enough",
            ),
            (
                "slabscope 1\nluck many\n",
                "line 2, column 6: `many` is no number: digits, or `0x` and hexadecimal \
              digits, as in `luck 0x1`",
            ),
            ("slabscope 1\ngoal hijacked\n", "line 2, column 6: `hijacked` is no outcome: did you mean `HIJACKED`?"),
            (
                "slabscope 1\ntitle T\nkernel 5.6\nluck 1\nopen 2\n\na = kmalloc 8\n",
                "line 5, column 6: there is no \
              step 2: the script has 1",
            ),
        ] {
            check_error(text, message);
        }
    }

    #[test]
    fn a_wrong_kernel_says_what_would_be_right() {
        for (text, message) in [
            (
                "slabscope 1\nkernel 5.66\n",
                "line 2, column 8: no kernel `5.66` here: the line runs from 2.6.22 to 7.3, \
              for example 5.6 or 5.7-rc1",
            ),
            (
                "slabscope 1\nkernel 5.2 hidden=on init_on_alloc=on\n",
                "line 2, column 22: Linux 5.2 has no \
              init_on_alloc: it came with 5.3",
            ),
            (
                "slabscope 1\nkernel 5.6 hiden=on\n",
                "line 2, column 12: `hiden=` is no switch of the kernel: did you mean `hidden=`?",
            ),
            ("slabscope 1\nkernel 5.6 hidden=yes\n", "line 2, column 19: `yes` is no setting: one of on, off"),
            (
                "slabscope 1\nkernel 6.12 tiny=on random=on\n",
                "line 2, column 21: CONFIG_SLAB_FREELIST_RANDOM and CONFIG_SLUB_TINY exclude each other: no kernel is \
              built with both",
            ),
            (
                "slabscope 1\nkernel 6.12 cpu_partial=on tiny=on\n",
                "line 2, column 28: CONFIG_SLUB_CPU_PARTIAL and CONFIG_SLUB_TINY exclude each other: no kernel is \
              built with both",
            ),
            (
                "slabscope 1\nkernel 7.3 cpu_partial=on\n",
                "line 2, column 12: Linux 7.3 has no CONFIG_SLUB_CPU_PARTIAL: it went with 7.0",
            ),
            ("slabscope 1\nkernel 5.6 cpus=65\n", "line 2, column 12: 65 CPUs: choose 1 to 64"),
            (
                "slabscope 1\nkernel 5.6 middle=of\n",
                "line 2, column 19: `of` is no place of the free pointer: did you \
              mean `off`?",
            ),
        ] {
            check_error(text, message);
        }
    }

    #[test]
    fn a_wrong_line_says_what_would_be_right() {
        for (body, message) in [
            ("\nfre a", "line 7, column 1: `fre` is no command: did you mean `free`?"),
            (
                "say v is free",
                "line 6, column 5: `v` is no sentence: text between quotation marks, as in `say \"v is \
              free.\" \"It comes back next.\"`",
            ),
            ("say \"v is", "line 6, column 5: \"v is has no closing quotation mark"),
            ("say \"a b c d e f g h i j k l m n\"", "line 6, column 5: a sentence of 14 words: at most 13"),
            ("say \"a\"\nsay \"b\"", "line 7, column 1: a second `say` for the same place: one is enough"),
            (
                "say \"a\" \"b\" \"c\"",
                "line 6, column 13: `\"c\"` is one word too many: `say` ends before it, as in \
              `say \"v is free.\" \"It comes back next.\"`",
            ),
            (
                "expect",
                "line 6, column 8: the line ends where a check should stand: write `expect p = v`, or expect \
              one of free, lost, used, waiting, bytes, outcome, fault, bug, hang, report, reports, refused, done",
            ),
            (
                "expect v free",
                "line 6, column 8: `v` is no check: write `expect p = v`, or expect one of free, lost, \
              used, waiting, bytes, outcome, fault, bug, hang, report, reports, refused, done",
            ),
            ("expect outcome missed", "line 6, column 16: `missed` is no outcome: did you mean `MISSED`?"),
            (
                "expect free v first",
                "line 6, column 15: `first` is no place in a list: 1st, 2nd, 3rd, 4th and so on, \
              as in `expect p = v`",
            ),
            ("title T", "line 6, column 1: a `title` line after the first empty line: the header has ended there"),
            (
                "slabscope 1",
                "line 6, column 1: `slabscope` is no command: write `a = kmalloc 64`, `a = alloc CACHE`, or one \
              of cache, destroy, shrink, validate, cpu, flush_cpu, free, kfree, kfree_rcu, grace, ksize, bulk, bulkfree, write, copy, overflow, say, expect",
            ),
            (
                "a = kmalloc 18446744073709551616",
                "line 6, column 13: `18446744073709551616` is too large: at most 18446744073709551615",
            ),
            ("cpu 0x10000000000000000", "line 6, column 5: `0x10000000000000000` is too large: at most 4294967295"),
        ] {
            check_body_error(body, message);
        }
    }
}
