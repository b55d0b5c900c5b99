//! A scenario's text, line by line.

use super::check::{check, outcome};
use super::command::{command, name};
use super::error::{Expected, ScriptError};
use super::parts::{number, quoted};
use super::scenario::{Narration, Notes, Scenario, ScriptStep, pointer_place_from_word};
use super::verb::{Form, Verb, Vocabulary};
use super::words::{Word, Words};
use crate::command::Name;
use crate::kernel::{KernelConfig, Version};
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
        let text = text.trim_start_matches('\u{feff}');
        let mut lines = text.lines().zip(1..).map(|(text, number)| Line { text, number });
        let header = Header::read(&mut lines)?;
        let (start, steps) = body(lines)?;
        header.scenario(start, steps)
    }
}

#[derive(Clone, Copy)]
struct Line<'a> {
    text: &'a str,
    number: u32,
}

impl<'a> Line<'a> {
    fn words(self) -> Result<Words<'a>, ScriptError> {
        Words::of(self.text, self.number)
    }

    /// The error of something that this line, or the file before it, lacks.
    fn lacks(self, expected: Expected) -> ScriptError {
        ScriptError { line: self.number, column: 1, word: String::new(), expected }
    }
}

/// The header as far as it was read.
#[derive(Default)]
struct Header<'a> {
    title: Option<Rc<str>>,
    kernel: Option<KernelConfig>,
    luck: Option<Seed>,
    /// The step to open at, and the word that says so.
    open: Option<(u32, Words<'a>, Word<'a>)>,
    target: Option<Name>,
    goal: Option<Outcome>,
    /// The line after the header.
    end: u32,
}

impl<'a> Header<'a> {
    fn read(lines: &mut impl Iterator<Item = Line<'a>>) -> Result<Self, ScriptError> {
        let mut header = Self { end: 1, ..Self::default() };
        let mut begun = false;
        for line in lines {
            let mut words = line.words()?;
            header.end = line.number;
            if !begun {
                begun = first_line(&mut words)?;
                continue;
            }
            if line.text.trim().is_empty() {
                break;
            }
            header.end = line.number + 1;
            if let Some(word) = words.next() {
                header.line(line, word, words)?;
            }
        }
        if begun { Ok(header) } else { Err(first_line_is_missing(header.end)) }
    }

    fn line(&mut self, line: Line<'a>, word: Word<'a>, mut words: Words<'a>) -> Result<(), ScriptError> {
        let verb = match word.text {
            "title" => {
                let title = line.text.trim_start().strip_prefix("title").unwrap_or_default().trim();
                words.word(|| Expected::Form { form: Form::Title, verb: Verb::Title })?;
                return once(&mut self.title, title.into(), Verb::Title, word, &words);
            }
            "kernel" => {
                let kernel = kernel(&mut words)?;
                return once(&mut self.kernel, kernel, Verb::Kernel, word, &words);
            }
            "luck" => {
                let seed = Seed(words.form(Verb::Luck, Form::Number, number)?);
                once(&mut self.luck, seed, Verb::Luck, word, &words)?;
                Verb::Luck
            }
            "open" => {
                let at = words.peek();
                let step = words.number_up_to(Verb::Open, u32::MAX)?;
                let open = (step, words.clone(), at.unwrap_or(word));
                once(&mut self.open, open, Verb::Open, word, &words)?;
                Verb::Open
            }
            "target" => {
                let target = name(&mut words, Verb::Target)?;
                once(&mut self.target, target, Verb::Target, word, &words)?;
                Verb::Target
            }
            "goal" => {
                let goal = words.one_of(Vocabulary::Outcomes, outcome)?;
                once(&mut self.goal, goal, Verb::Goal, word, &words)?;
                Verb::Goal
            }
            _ => return Err(words.not_one_of(word, Vocabulary::HeaderLines)),
        };
        words.end(verb)
    }

    fn scenario(self, start: Notes, steps: Vec<ScriptStep>) -> Result<Scenario, ScriptError> {
        let end = Line { text: "", number: self.end };
        let lacks = |verb| move || end.lacks(Expected::HeaderLine { verb });
        let count = count_from(steps.len());
        let open_at = match self.open {
            Some((step, words, word)) if step > count => return Err(words.error(word, Expected::Step { steps: count })),
            Some((step, ..)) => Step::from_raw(step),
            None => Step::default(),
        };
        Ok(Scenario {
            title: self.title.ok_or_else(lacks(Verb::Title))?,
            kernel: self.kernel.ok_or_else(lacks(Verb::Kernel))?,
            luck: self.luck.ok_or_else(lacks(Verb::Luck))?,
            open_at,
            target: self.target,
            goal: self.goal,
            start,
            steps,
        })
    }
}

/// `slabscope 1`. `false` for a comment or an empty line before it.
fn first_line(words: &mut Words<'_>) -> Result<bool, ScriptError> {
    if words.is_empty() {
        return Ok(false);
    }
    words.form(Verb::Slabscope, Form::FirstLine, |word| (word == "slabscope").then_some(()))?;
    words.form(Verb::Slabscope, Form::FormatNumber, |word| (word == "1").then_some(()))?;
    words.end(Verb::Slabscope)?;
    Ok(true)
}

fn first_line_is_missing(line: u32) -> ScriptError {
    Line { text: "", number: line }.lacks(Expected::Form { form: Form::FirstLine, verb: Verb::Slabscope })
}

/// Fills a slot that may be filled only once.
fn once<T>(slot: &mut Option<T>, value: T, verb: Verb, word: Word<'_>, words: &Words<'_>) -> Result<(), ScriptError> {
    match slot.replace(value) {
        Some(_) => Err(words.error(word, Expected::Once { verb })),
        None => Ok(()),
    }
}

/// `5.6 random=on cpus=4`: a version, then what differs from the upstream default.
fn kernel(words: &mut Words<'_>) -> Result<KernelConfig, ScriptError> {
    let version = words.word(|| Expected::Form { form: Form::Version, verb: Verb::Kernel })?;
    let parsed: Version = version.text.parse().map_err(|error| words.error(version, Expected::Version(error)))?;
    let mut kernel = KernelConfig::plain(parsed);
    while let Some(word) = words.next() {
        switch(&mut kernel, words, word)?;
        kernel.model().map_err(|error| words.error(word, Expected::Kernel(error)))?;
    }
    Ok(kernel)
}

fn switch(kernel: &mut KernelConfig, words: &Words<'_>, word: Word<'_>) -> Result<(), ScriptError> {
    let Some((key, value)) = word.text.split_once('=') else {
        return Err(words.not_one_of(word, Vocabulary::Switches));
    };
    let setting = match key {
        "random" => &mut kernel.freelist_random,
        "hidden" => &mut kernel.freelist_hardened,
        "cpu_partial" => &mut kernel.cpu_partial,
        "memcg" => &mut kernel.memcg,
        "init_on_alloc" => &mut kernel.init_on_alloc,
        "init_on_free" => &mut kernel.init_on_free,
        "middle" => {
            let place = pointer_place_from_word(value);
            kernel.pointer_place = Some(place.ok_or_else(|| words.inside(word, value, Vocabulary::PointerPlaces))?);
            return Ok(());
        }
        "cpus" => {
            let wrong = || words.error(word.part(value), Expected::Form { form: Form::Number, verb: Verb::Kernel });
            let cpus = number(value).ok_or_else(wrong)?;
            kernel.cpus = u32::try_from(cpus).unwrap_or(u32::MAX);
            return Ok(());
        }
        _ => return Err(words.not_one_of(word, Vocabulary::Switches)),
    };
    *setting = match value {
        "on" => true,
        "off" => false,
        _ => return Err(words.inside(word, value, Vocabulary::OnOff)),
    };
    Ok(())
}

/// The lines after the header.
fn body<'a>(lines: impl Iterator<Item = Line<'a>>) -> Result<(Notes, Vec<ScriptStep>), ScriptError> {
    let mut start = Notes::default();
    let mut steps: Vec<ScriptStep> = Vec::new();
    for line in lines {
        let mut words = line.words()?;
        let notes = steps.last_mut().map_or(&mut start, |step| &mut step.notes);
        let Some(first) = words.peek() else { continue };
        let assigns = words.peek_second().is_some_and(|word| word.text == "=");
        match first.text {
            "say" if !assigns => {
                words.next();
                let narration = narration(&mut words)?;
                once(&mut notes.narration, narration, Verb::Say, first, &words)?;
            }
            "expect" if !assigns => {
                words.next();
                notes.checks.push(check(words)?);
            }
            _ => steps.push(ScriptStep { command: command(words, Vocabulary::Lines)?, notes: Notes::default() }),
        }
    }
    Ok((start, steps))
}

fn narration(words: &mut Words<'_>) -> Result<Narration, ScriptError> {
    let place = words.peek();
    let sentence = words.form(Verb::Say, Form::Sentence, quoted)?;
    let length = count_from(sentence.split_whitespace().count());
    if let (true, Some(place)) = (length > ScriptError::MAX_SENTENCE_WORDS, place) {
        return Err(words.error(place, Expected::ShorterSentence { words: length }));
    }
    let has_more = !words.is_empty();
    let consequence = has_more.then(|| words.form(Verb::Say, Form::Sentence, quoted)).transpose()?;
    words.end(Verb::Say)?;
    Ok(Narration { sentence: sentence.trim().into(), consequence: consequence.unwrap_or_default().trim().into() })
}
