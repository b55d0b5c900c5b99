//! The lines after a scenario's header: commands, with what is said and checked after each.

use super::check::check;
use super::command::command;
use super::error::{Expected, ScriptError};
use super::parse::Line;
use super::parts::quoted;
use super::scenario::{Narration, Notes, ScriptStep};
use super::source::Lines;
use super::verb::{Form, Verb, Vocabulary};
use super::words::Words;
use crate::units::count_from;

/// What stands after the header.
#[derive(Default)]
pub(super) struct Body {
    pub(super) start: Notes,
    pub(super) steps: Vec<ScriptStep>,
    /// The start's, then each step's.
    pub(super) lines: Vec<Lines>,
}

/// Reads the lines after the header.
pub(super) fn body<'a>(lines: impl Iterator<Item = Line<'a>>) -> Result<Body, Box<ScriptError>> {
    let mut body = Body { lines: vec![Lines::default()], ..Body::default() };
    for line in lines {
        let mut words = line.words()?;
        let notes = body.steps.last_mut().map_or(&mut body.start, |step| &mut step.notes);
        let Some(first) = words.peek() else { continue };
        match Verb::of(first.text).filter(|_| !words.assigns()) {
            Some(Verb::Say) => {
                words.next();
                let narration = narration(&mut words)?;
                words.once(notes.narration.replace(narration).is_some(), Verb::Say, first)?;
            }
            Some(Verb::Expect) => {
                words.next();
                notes.checks.push(check(&mut words)?);
                body.lines.last_mut().into_iter().for_each(|lines| lines.checks.push(line.number));
            }
            Some(verb @ (Verb::Title | Verb::Kernel | Verb::Luck | Verb::Open | Verb::Target | Verb::Goal)) => {
                return Err(words.error(first, Expected::Command { verb }));
            }
            _ => {
                let command = command(&mut words, Vocabulary::Lines)?;
                body.steps.push(ScriptStep { command, notes: Notes::default() });
                body.lines.push(Lines { command: line.number, checks: Vec::new() });
            }
        }
    }
    Ok(body)
}

fn narration(words: &mut Words<'_>) -> Result<Narration, Box<ScriptError>> {
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
