//! The bench as text that fits into a link: `lesson=3&step=5`, or a script of one's own.
//!
//! ```text
//! lesson=3                              a lesson as it opens
//! lesson=3&step=5                       a lesson as it stands
//! lesson=3&step=5&script=…              the same on another kernel, or with other commands
//! step=2&script=…                       a bench of one's own
//! …&hand=a, …&size=128                  an object in hand, or nothing but a size
//! …&view=cache                          how far up the stage looks: cache, memory or reach
//! ```
//! The script is a scenario's text, percent-encoded. An object is a place of the script language. What would be so
//! without saying is left out.

use super::action::Effect;
use super::story::{Story, Subject};
use super::{Notice, Session};
use crate::lessons::LessonId;
use crate::scene::{Depth, ObjectRef};
use crate::text::as_sentence;
use core::fmt;
use slabscope_core::command::{Base, Command, Place};
use slabscope_core::script::{Notes, Scenario, ScriptError, parse_command};
use slabscope_core::units::{Step, VirtAddr};

/// What a link says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The lesson.
    pub lesson: Option<LessonId>,
    /// The step.
    pub step: Option<Step>,
    /// The object in hand, where it is not the one that the step is about.
    pub hand: Option<Place>,
    /// The size in hand, where no object is.
    pub size: Option<u64>,
    /// What the stage shows, where it is not a slab.
    pub sight: Option<Sight>,
    /// The script, where it is not the lesson's own.
    pub script: Option<String>,
}

/// What the stage shows in a slab's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// A cache.
    Cache,
    /// Memory.
    Memory,
    /// The chart of reaches.
    Reach,
}

impl Sight {
    const ALL: [Self; 3] = [Self::Cache, Self::Memory, Self::Reach];

    const fn word(self) -> &'static str {
        match self {
            Self::Cache => "cache",
            Self::Memory => "memory",
            Self::Reach => "reach",
        }
    }
}

/// Why a link cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadLink {
    /// A part that is none of those above.
    Part(String),
    /// A part that stands there twice.
    Twice(String),
    /// No such lesson.
    Lesson(String),
    /// The step is no number.
    Step(String),
    /// What is to be in hand is no place, or no size.
    Hand(String),
    /// The stage has no such view.
    View(String),
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
            Self::Part(part) => {
                write!(f, "“{part}” is no part of a link: lesson, step, hand, size, view and script are")
            }
            Self::Twice(part) => write!(f, "“{part}” stands in it twice"),
            Self::Lesson(lesson) => write!(f, "there is no lesson “{lesson}”: choose {}", LessonId::listed()),
            Self::Step(step) => write!(f, "“{step}” is no step"),
            Self::Hand(hand) => write!(f, "“{hand}” is nothing to have in hand: an object as a, or a size as 64, is"),
            Self::View(view) => write!(f, "there is no view “{view}”: choose cache, memory or reach"),
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
        let mut link = Self { lesson: None, step: None, hand: None, size: None, sight: None, script: None };
        let mut seen = Vec::new();
        for part in text.trim_start_matches('#').split('&').filter(|part| !part.is_empty()) {
            let name = part.split('=').next().unwrap_or(part);
            if seen.contains(&name) {
                return Err(BadLink::Twice(name.chars().take(40).collect()));
            }
            seen.push(name);
            match part.split_once('=') {
                Some(("lesson", lesson)) => {
                    link.lesson = Some(LessonId::parse(lesson).ok_or_else(|| BadLink::Lesson(lesson.to_owned()))?);
                }
                Some(("step", step)) => {
                    let number = step.parse().map_err(|_| BadLink::Step(step.to_owned()))?;
                    link.step = Some(Step::from_raw(number));
                }
                Some(("hand", hand)) => {
                    link.hand = Some(place_from(hand).ok_or_else(|| BadLink::Hand(hand.to_owned()))?);
                }
                Some(("size", size)) => {
                    link.size = Some(size.parse().map_err(|_| BadLink::Hand(size.to_owned()))?);
                }
                Some(("view", view)) => {
                    let sight = Sight::ALL.into_iter().find(|sight| sight.word() == view);
                    link.sight = Some(sight.ok_or_else(|| BadLink::View(view.to_owned()))?);
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
        let hand = self.hand.as_ref().map(|hand| format!("hand={hand}"));
        let size = self.size.map(|size| format!("size={size}"));
        let view = self.sight.map(|sight| format!("view={}", sight.word()));
        let script = self.script.as_ref().map(|script| format!("script={}", encoded(script)));
        let parts: Vec<String> = [lesson, step, hand, size, view, script].into_iter().flatten().collect();
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
        let usual = self.worth_a_look();
        Link {
            lesson,
            step: Some(self.cursor()),
            hand: self.selected.filter(|_| self.selected != usual).and_then(|object| self.place_from(object)),
            size: Some(self.size).filter(|size| self.selected.is_none() && (usual.is_some() || *size != Self::SIZE)),
            sight: self.sight(),
            script: (!is_the_lesson).then(|| scenario.to_string()),
        }
    }

    /// An object as a place: by its name where that leads to it.
    fn place_from(&self, object: ObjectRef) -> Option<Place> {
        let view = self.object(object)?;
        let name = view.name.clone().filter(|name| self.place_of(name) == Some(object));
        Some(Place { base: name.map_or(Base::Address(view.address.raw()), Base::Object), delta: 0 })
    }

    const fn sight(&self) -> Option<Sight> {
        match (self.look.reach, self.look.depth) {
            (true, _) => Some(Sight::Reach),
            (false, Depth::Cache) => Some(Sight::Cache),
            (false, Depth::Memory) => Some(Sight::Memory),
            (false, Depth::Slab) => None,
        }
    }

    /// Follows a link; a bad one leaves the bench and says what is wrong with it.
    pub(super) fn load(&mut self, text: &str) -> Vec<Effect> {
        match Link::parse(text).and_then(|link| Ok((link.follow()?, link))) {
            Ok(((story, scenario), link)) => {
                let look = self.look;
                *self = Self::open(story, &scenario, link.step.unwrap_or(scenario.open_at));
                self.look = look;
                self.look_as(&link);
                self.take_as(&link);
                vec![Effect::Keep]
            }
            Err(error) => {
                self.notice = Some(Notice {
                    head: "This link cannot be followed.".to_owned(),
                    tail: format!("{} The bench is as it was.", as_sentence(&error.to_string())),
                });
                // The address leads to what is on the bench: a reload keeps it.
                vec![Effect::Keep]
            }
        }
    }

    /// Looks where the link looks. One without a step looks where its lesson opens.
    fn look_as(&mut self, link: &Link) {
        self.look.reach = link.sight == Some(Sight::Reach);
        self.look.depth = match link.sight {
            Some(Sight::Cache) => Depth::Cache,
            Some(Sight::Memory) => Depth::Memory,
            Some(Sight::Reach) | None => Depth::Slab,
        };
        if let (Some(lesson), None, None) = (link.lesson, link.step, link.sight) {
            self.open_as(lesson);
        }
    }

    /// Has in hand what the link has in hand.
    fn take_as(&mut self, link: &Link) {
        if let Some(size) = link.size {
            self.size = size;
            self.selected = None;
        }
        if let Some(hand) = &link.hand {
            match self.object_at(hand) {
                Some(object) => self.choose(object),
                None => {
                    self.notice = Some(Notice {
                        head: format!("The link has `{hand}` in hand."),
                        tail: "No object is there at this step.".to_owned(),
                    });
                }
            }
        }
    }

    pub(super) fn object_at(&self, place: &Place) -> Option<ObjectRef> {
        match &place.base {
            Base::Object(name) => self.place_of(name),
            Base::Address(address) => self.object_of(VirtAddr::from_raw(*address)),
        }
    }
}

/// A place without a distance.
fn place_from(text: &str) -> Option<Place> {
    match parse_command(&format!("kfree {text}")) {
        Ok(Command::Kfree { at }) => Some(at).filter(|at| at.delta == 0),
        Ok(_) | Err(_) => None,
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
