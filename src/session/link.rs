//! The bench as text that fits into a link: `lesson=3&step=5`, or a script of one's own.
//!
//! ```text
//! lesson=3&step=5                       a lesson as it stands
//! lesson=3&step=5&script=…              the same on another kernel, or with other commands
//! step=2&script=…                       a bench of one's own
//! ```
//! The script is a scenario's text, percent-encoded.

use super::action::Effect;
use super::story::{Story, Subject};
use super::{Notice, Session};
use crate::lessons::LessonId;
use core::fmt;
use slabscope_core::script::{Notes, Scenario, ScriptError};
use slabscope_core::units::Step;

/// What a link says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The lesson.
    pub lesson: Option<LessonId>,
    /// The step.
    pub step: Option<Step>,
    /// The script, where it is not the lesson's own.
    pub script: Option<String>,
}

/// Why a link cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadLink {
    /// A part that is none of those above.
    Part(String),
    /// No such lesson.
    Lesson(String),
    /// The step is no number.
    Step(String),
    /// The script's letters are not encoded as they should be.
    Encoding,
    /// The script is wrong.
    Script(ScriptError),
    /// It names neither a lesson nor a script.
    Empty,
}

impl fmt::Display for BadLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Part(part) => write!(f, "“{part}” is no part of a link: lesson, step and script are"),
            Self::Lesson(lesson) => write!(f, "there is no lesson “{lesson}”: choose {}", LessonId::listed()),
            Self::Step(step) => write!(f, "step “{step}” is no number"),
            Self::Encoding => f.write_str("its script is cut off or not percent-encoded"),
            Self::Script(error) => write!(f, "its script is wrong in {error}"),
            Self::Empty => f.write_str("it names neither a lesson nor a script"),
        }
    }
}

impl core::error::Error for BadLink {}

impl Link {
    /// Reads what stands after `#` in an address.
    ///
    /// # Errors
    /// The first part that cannot be followed.
    pub fn parse(text: &str) -> Result<Self, BadLink> {
        let mut link = Self { lesson: None, step: None, script: None };
        for part in text.trim_start_matches('#').split('&').filter(|part| !part.is_empty()) {
            match part.split_once('=') {
                Some(("lesson", lesson)) => {
                    link.lesson = Some(LessonId::parse(lesson).ok_or_else(|| BadLink::Lesson(lesson.to_owned()))?);
                }
                Some(("step", step)) => {
                    let number = step.parse().map_err(|_| BadLink::Step(step.to_owned()))?;
                    link.step = Some(Step::from_raw(number));
                }
                Some(("script", script)) => link.script = Some(decoded(script).ok_or(BadLink::Encoding)?),
                _ => return Err(BadLink::Part(part.chars().take(40).collect())),
            }
        }
        if link.lesson.is_none() && link.script.is_none() { Err(BadLink::Empty) } else { Ok(link) }
    }

    /// The story that it names, and the scenario that stands on the bench in its place.
    fn follow(&self) -> Result<(Story, Scenario), BadLink> {
        let script = self.script.as_deref().map(Scenario::parse).transpose().map_err(BadLink::Script)?;
        match (self.lesson, script) {
            (Some(lesson), script) => {
                let story = lesson.story();
                let scenario = script.unwrap_or_else(|| story.scenario.clone());
                Ok((story, scenario))
            }
            (None, Some(scenario)) => Ok((Story { subject: Subject::Bench, scenario: scenario.clone() }, scenario)),
            (None, None) => Err(BadLink::Empty),
        }
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lesson = self.lesson.map(|lesson| format!("lesson={lesson}"));
        let step = self.step.map(|step| format!("step={}", step.raw()));
        let script = self.script.as_ref().map(|script| format!("script={}", encoded(script)));
        let parts: Vec<String> = [lesson, step, script].into_iter().flatten().collect();
        f.write_str(&parts.join("&"))
    }
}

impl Session {
    /// The link to what is on the bench now.
    #[must_use]
    pub fn link(&self) -> Link {
        let lesson = match self.story.subject {
            Subject::Lesson(lesson) => Some(lesson),
            Subject::Bench => None,
        };
        let mut scenario = self.scenario();
        let is_the_lesson = lesson.is_some() && scenario == self.story.scenario;
        if lesson.is_some() {
            // What the lesson says is in the lesson: a link stays short.
            scenario.start = Notes::default();
            scenario.steps.iter_mut().for_each(|step| step.notes = Notes::default());
        }
        Link { lesson, step: Some(self.cursor()), script: (!is_the_lesson).then(|| scenario.to_string()) }
    }

    /// Follows a link; a bad one leaves the bench and says what is wrong with it.
    pub(super) fn load(&mut self, text: &str) -> Vec<Effect> {
        let followed = Link::parse(text).and_then(|link| Ok((link.follow()?, link.step)));
        match followed {
            Ok(((story, scenario), step)) => {
                let step = step.unwrap_or(scenario.open_at);
                let look = self.look;
                *self = Self::open(story, &scenario, step);
                self.look = look;
                vec![Effect::Keep]
            }
            Err(error) => {
                self.notice = Some(Notice {
                    head: "This link cannot be followed.".to_owned(),
                    tail: format!("{error}. The bench is as it was."),
                });
                Vec::new()
            }
        }
    }
}

/// Letters that stand for themselves in a link.
const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

fn encoded(text: &str) -> String {
    let letter = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(letter).collect()
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        if *first == b'%' {
            let digits = after.get(..2).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
            let digits = core::str::from_utf8(digits).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}
