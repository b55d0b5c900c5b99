//! The page's state, and every way in which it can change: plain data, no timers, no storage, no browser.
//!
//! ```text
//! Action ──► Session::update ──► Vec<Effect>        (the only way in)
//!                │
//!                └──► view(), sentence(), invite(), …   (what is drawn follows from the state alone)
//! ```

mod action;
mod aim;
mod bench;
mod boot;
mod doing;
mod history;
mod invite;
mod keeping;
mod kernel;
mod keys;
mod link;
mod story;
mod subject;
mod time;

#[cfg(test)]
mod tests;

pub use action::{Action, Drawer, Effect, Export, FocusOn, Theme, Toggle, Unread, Way};
pub use aim::{Aim, reach_in};
pub use boot::boot_line;
pub use invite::Invite;
pub use kernel::{is_middle, kernel_name, own_place_is_middle};
pub use keys::{Focus, KeyPress, action_of};
pub use link::{BadLink, Link, Sight};
pub use story::{Story, Subject};

use crate::lessons::LessonId;
use crate::scene::{self, ByteRange, Depth, Frame, ObjectRef, View};
use history::History;
use slabscope_core::command::{Name, Value};
use slabscope_core::script::{Scenario, ScriptError};
use slabscope_core::snapshot::Snapshot;
use slabscope_core::timeline::{Record, Timeline};
use slabscope_core::units::Step;
use std::rc::Rc;

/// Everything that the page knows.
#[derive(Clone, Debug)]
pub struct Session {
    story: Rc<Story>,
    timeline: Timeline,
    history: History,
    wanted: kernel::Wanted,
    snapshot: Rc<Snapshot>,
    before: Option<Rc<Snapshot>>,
    after: Option<Rc<Snapshot>>,
    record: Option<Rc<Record>>,
    selected: Option<ObjectRef>,
    /// Whether somebody took it in hand; else what is in hand goes with the story.
    chosen: bool,
    hovered: Option<ObjectRef>,
    lit: Option<ByteRange>,
    size: u64,
    aim: Option<Aim>,
    value: Option<Value>,
    went_back: bool,
    /// The switch under which what is seen is no hijack, where it is one.
    stopped_by: Option<Toggle>,
    /// Whether nothing was done or looked at since the story opened: then nothing has changed.
    opened: bool,
    look: Look,
    digits: String,
    playing: bool,
    notice: Option<Notice>,
    line_error: Option<LineError>,
    /// How many typed lines were carried out.
    lines_taken: u32,
}

/// How the page stands, apart from the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Which colours.
    pub theme: Theme,
    /// The open part of the drawer.
    pub drawer: Option<Drawer>,
    /// Whether the presenter is on.
    pub presenting: bool,
    /// Whether the screen is blank.
    pub blank: bool,
    /// Whether every arrow is drawn.
    pub whole_chain: bool,
    /// Whether single letters are keys.
    pub letter_keys: bool,
    /// Whether the chart of reaches stands on the stage.
    pub reach: bool,
    /// How far up the stage looks.
    pub depth: Depth,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            drawer: None,
            presenting: false,
            blank: false,
            whole_chain: false,
            letter_keys: true,
            reach: false,
            depth: Depth::Slab,
        }
    }
}

/// Something that did not go, said in the sentence's place until the next act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What is wrong.
    pub head: String,
    /// What would be right.
    pub tail: String,
}

impl Notice {
    /// What is wrong with what was given to the page, which stays as it was.
    fn of(head: &str, tail: &str) -> Self {
        Self { head: head.to_owned(), tail: format!("{tail} The page is as it was.") }
    }
}

/// A line that is no command, with the place of the word at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// The line.
    pub line: String,
    /// The line's number in the script that was given, from 1; `None` for one that was typed alone.
    pub row: Option<u32>,
    /// The first letter at fault, from 1.
    pub column: u32,
    /// The word at fault; empty at the line's end.
    pub word: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl Session {
    /// The size in hand before one is chosen.
    const SIZE: u64 = 64;

    /// The page as it opens: lesson 3 at its first view.
    #[must_use]
    pub fn new() -> Self {
        Self::with_story(LessonId::FIRST_VIEW.story())
    }

    fn with_story(story: Story) -> Self {
        let scenario = story.scenario.clone();
        let step = scenario.open_at;
        Self::open(story, &scenario, step)
    }

    /// A story at a step, with the scenario that stands on the bench: the story's own, or what a reader made of it.
    fn open(story: Story, scenario: &Scenario, step: Step) -> Self {
        let mut timeline = story::timeline_of(scenario);
        timeline.seek(step);
        let snapshot = Rc::new(timeline.machine().snapshot());
        let mut session = Self {
            wanted: kernel::Wanted::of(timeline.config()),
            story: Rc::new(story),
            timeline,
            history: History::default(),
            snapshot,
            before: None,
            after: None,
            record: None,
            selected: None,
            chosen: false,
            hovered: None,
            lit: None,
            size: Self::SIZE,
            aim: None,
            value: None,
            went_back: false,
            stopped_by: None,
            opened: true,
            look: Look::default(),
            digits: String::new(),
            playing: false,
            notice: None,
            line_error: None,
            lines_taken: 0,
        };
        session.look_again();
        session.opened = true;
        session
    }

    /// Carries out an act and says what the browser is to do.
    pub fn update(&mut self, action: Action) -> Vec<Effect> {
        let harmless = matches!(action, Action::Hover(_) | Action::Light(_));
        let effects = doing::update(self, action);
        if !harmless {
            self.look_ahead();
        }
        effects
    }

    /// What is aimed at is carried out on a copy, once for all figures.
    fn look_ahead(&mut self) {
        let ahead = self.aim.as_ref().and_then(|aim| scene::after(self.timeline.machine(), aim));
        self.after = ahead.map(Rc::new);
    }

    /// What scenes are made from.
    #[must_use]
    pub fn view(&self, frame: Frame) -> View<'_> {
        View {
            machine: self.timeline.machine(),
            snapshot: &self.snapshot,
            before: self.before.as_deref().filter(|_| self.aim.is_none() && !self.opened),
            after: self.after.as_deref(),
            cache: self.cache_in_hand().map(|cache| cache.id),
            selected: self.selected,
            aim: self.aim.as_ref(),
            lit: self.lit,
            target: self.target(),
            whole_chain: self.look.whole_chain,
            frame,
        }
    }

    /// The story that is on the bench.
    #[must_use]
    pub fn story(&self) -> &Story {
        &self.story
    }

    /// The commands and the machine.
    #[must_use]
    pub const fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// The machine at the cursor, decoded.
    #[must_use]
    pub const fn snapshot(&self) -> &Rc<Snapshot> {
        &self.snapshot
    }

    /// How the command that led here went.
    #[must_use]
    pub const fn record(&self) -> Option<&Rc<Record>> {
        self.record.as_ref()
    }

    /// Where the cursor is.
    #[must_use]
    pub fn cursor(&self) -> Step {
        self.timeline.cursor()
    }

    /// The object in hand.
    #[must_use]
    pub const fn selected(&self) -> Option<ObjectRef> {
        self.selected
    }

    /// The object under the pointer or the focus.
    #[must_use]
    pub const fn hovered(&self) -> Option<ObjectRef> {
        self.hovered
    }

    /// The bytes of the object under the pointer or the focus, or those that something there speaks of.
    #[must_use]
    pub fn bytes_in_sight(&self) -> Option<ByteRange> {
        let of_object = || {
            let object = self.object(self.hovered?)?;
            let layout = self.cache_in_hand()?.layout;
            Some(ByteRange { at: object.address, len: layout.size })
        };
        self.lit.or_else(of_object)
    }

    /// The aim, if there is one.
    #[must_use]
    pub const fn aim(&self) -> Option<&Aim> {
        self.aim.as_ref()
    }

    /// How the page stands.
    #[must_use]
    pub const fn look(&self) -> Look {
        self.look
    }

    /// How far up the stage looks now: what is aimed at is seen in its slab.
    #[must_use]
    pub const fn depth(&self) -> Depth {
        if self.aim.is_some() { Depth::Slab } else { self.look.depth }
    }

    /// Whether time plays.
    #[must_use]
    pub const fn is_playing(&self) -> bool {
        self.playing
    }

    /// What did not go, until the next act.
    #[must_use]
    pub const fn notice(&self) -> Option<&Notice> {
        self.notice.as_ref()
    }

    /// What is wrong with the line typed last.
    #[must_use]
    pub const fn line_error(&self) -> Option<&LineError> {
        self.line_error.as_ref()
    }

    /// How many typed lines were carried out: with each the field is empty again.
    #[must_use]
    pub const fn lines_taken(&self) -> u32 {
        self.lines_taken
    }

    /// The digits typed so far for a jump.
    #[must_use]
    pub fn digits(&self) -> &str {
        &self.digits
    }

    /// The name of the attacker's target, if the script has one.
    #[must_use]
    pub fn target(&self) -> Option<&Name> {
        self.story.target()
    }
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl LineError {
    fn of(line: &str, row: Option<u32>, error: &ScriptError) -> Self {
        Self { line: line.to_owned(), row, column: error.column, word: error.word.clone(), message: error.message() }
    }
}
