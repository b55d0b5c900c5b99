//! What is on the bench: a lesson, a script of one's own, or nothing yet.

use super::Session;
use crate::lessons::LessonId;
use slabscope_core::command::Name;
use slabscope_core::kernel::KernelConfig;
use slabscope_core::luck::Seed;
use slabscope_core::script::{Narration, Notes, Scenario, ScriptError, ScriptStep};
use slabscope_core::timeline::Timeline;
use slabscope_core::units::Step;

/// Where a story comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// One of the lessons.
    Lesson(LessonId),
    /// The reader's own.
    Bench,
}

/// A scenario, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// Where it comes from.
    pub subject: Subject,
    /// What it is.
    pub scenario: Scenario,
}

impl Story {
    /// A script's text as a story.
    ///
    /// # Errors
    /// The first thing that is wrong with the text.
    pub fn parse(text: &str, subject: Subject) -> Result<Self, ScriptError> {
        Scenario::parse(text).map(|scenario| Self { subject, scenario })
    }

    /// An empty bench.
    #[must_use]
    pub fn bench(kernel: KernelConfig, luck: Seed) -> Self {
        let scenario = Scenario {
            title: "Your bench".into(),
            kernel,
            luck,
            open_at: Step::default(),
            target: None,
            goal: None,
            start: Notes::default(),
            steps: Vec::new(),
        };
        Self { subject: Subject::Bench, scenario }
    }

    /// The object that the attacker is after.
    #[must_use]
    pub const fn target(&self) -> Option<&Name> {
        self.scenario.target.as_ref()
    }

    /// What is said at a step.
    #[must_use]
    pub fn said_at(&self, step: Step) -> Option<&Narration> {
        self.scenario.notes(step)?.narration.as_ref()
    }
}

/// A timeline with a scenario's commands to come.
///
/// # Panics
/// When no such kernel exists: a scenario is only made of a kernel that does.
#[must_use]
pub(super) fn timeline_of(scenario: &Scenario) -> Timeline {
    let timeline = Timeline::new(scenario.kernel.clone(), scenario.luck);
    let mut timeline = timeline.unwrap_or_else(|error| panic!("a scenario's kernel exists: {error}"));
    scenario.commands().for_each(|command| timeline.append(command.clone()));
    timeline
}

impl Session {
    /// Looks where a lesson begins.
    pub(super) fn open_as(&mut self, lesson: LessonId) {
        self.look.reach = lesson.opens_with_reach();
        self.look.depth = lesson.opens_at();
    }

    /// What is on the bench as a scenario: this kernel, this luck, this line of commands. What the story says and checks
    /// is kept as far as it is still this story.
    #[must_use]
    pub fn scenario(&self) -> Scenario {
        let told = &self.story.scenario;
        let is_same_machine = *self.timeline.config() == told.kernel && self.timeline.luck() == told.luck;
        let mut is_same_line = is_same_machine;
        let steps = self.timeline.commands().enumerate().map(|(index, command)| {
            let step = told.steps.get(index).filter(|step| step.command == *command);
            is_same_line &= step.is_some();
            let notes = step.filter(|_| is_same_line).map(|step| step.notes.clone()).unwrap_or_default();
            ScriptStep { command: command.clone(), notes }
        });
        let steps: Vec<ScriptStep> = steps.collect();
        Scenario {
            kernel: self.timeline.config().clone(),
            luck: self.timeline.luck(),
            start: if is_same_machine { told.start.clone() } else { Notes::default() },
            goal: told.goal.filter(|_| is_same_line && steps.len() == told.steps.len()),
            open_at: Step::from_raw(told.open_at.raw().min(self.timeline.len())),
            steps,
            ..told.clone()
        }
    }

    /// Whether what is shown is what the story tells: its kernel, its luck, its commands up to here.
    #[must_use]
    pub fn is_as_told(&self) -> bool {
        let told = &self.story.scenario;
        *self.timeline.config() == told.kernel
            && self.timeline.luck() == told.luck
            && self.cursor() <= told.last_step()
            && self
                .timeline
                .commands()
                .zip(told.commands())
                .take(self.cursor().index())
                .all(|(ours, theirs)| ours == theirs)
    }
}
