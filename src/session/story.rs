//! What is on the bench: a lesson, a script of one's own, or nothing yet.

use crate::lessons::LessonId;
use slabscope_core::command::{Base, Command, Name, Value};
use slabscope_core::kernel::KernelConfig;
use slabscope_core::luck::Seed;
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

/// A kernel, its luck, commands, and what is said about them.
#[derive(Clone, Debug, PartialEq)]
pub struct Story {
    /// Where it comes from.
    pub subject: Subject,
    /// Its title.
    pub title: String,
    /// The kernel it is told on.
    pub config: KernelConfig,
    /// The luck it is told with.
    pub luck: Seed,
    /// Its commands.
    pub commands: Vec<Command>,
    /// What is said at a step, where something is.
    pub says: Vec<(Step, String)>,
    /// The step that it opens at.
    pub opens_at: Step,
    /// The object that the attacker is after.
    pub target: Option<Name>,
}

impl Story {
    /// An empty bench.
    #[must_use]
    pub fn bench(config: KernelConfig, luck: Seed) -> Self {
        Self {
            subject: Subject::Bench,
            title: "Your bench".to_owned(),
            config,
            luck,
            commands: Vec::new(),
            says: Vec::new(),
            opens_at: Step::from_raw(0),
            target: None,
        }
    }

    /// The same with the target that its commands write the address of.
    #[must_use]
    pub fn with_target(mut self) -> Self {
        self.target = target_of(&self.commands);
        self
    }

    /// A timeline with its commands to come.
    ///
    /// # Panics
    /// When no such kernel exists: a story is only made of a kernel that does.
    #[must_use]
    pub fn timeline(&self) -> Timeline {
        let mut timeline = Timeline::new(self.config, self.luck).expect("a story's kernel exists");
        self.commands.iter().for_each(|command| timeline.append(command.clone()));
        timeline
    }

    /// What is said at a step.
    #[must_use]
    pub fn said_at(&self, step: Step) -> Option<&str> {
        self.says.iter().find(|(at, _)| *at == step).map(|(_, text)| text.as_str())
    }
}

/// The object whose address a write plants, else one that is called `target`.
pub(super) fn target_of(commands: &[Command]) -> Option<Name> {
    let planted = commands.iter().find_map(|command| match command {
        Command::Overflow { value: Value::AddressOf(place), .. }
        | Command::Write { value: Value::AddressOf(place), .. } => match &place.base {
            Base::Object(name) => Some(name.clone()),
            Base::Address(_) => None,
        },
        _ => None,
    });
    planted.or_else(|| {
        commands.iter().find_map(|command| match command {
            Command::Kmalloc { object, .. } | Command::Alloc { object, .. } if object.as_str() == "target" => {
                Some(object.clone())
            }
            _ => None,
        })
    })
}
