//! The lessons that the page carries: scenario files, told by the same words as any script.

use crate::scene::Depth;
use crate::session::{Story, Subject, Toggle};
use core::fmt;
use slabscope_core::kernel::{Switch, Version};

/// A lesson, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LessonId {
    /// What a slab is; last in, first out.
    Slab,
    /// Where the free pointer lives.
    Pointer,
    /// Eight bytes too many.
    EightBytes,
    /// The pointer moves to the middle.
    Middle,
    /// The double-free check.
    DoubleFree,
    /// Use after free.
    UseAfterFree,
    /// Red zones, poison, tracks.
    Report,
    /// What 7.0 changed.
    Sheaves,
}

/// What a lesson ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A switch to turn.
    Flip(Toggle),
    /// Another version to run the same on.
    Version(Version),
}

/// What there is to know of a lesson before it is opened.
struct Facts {
    number: u32,
    title: &'static str,
    door: &'static str,
    text: &'static str,
}

impl LessonId {
    /// All of them, in order.
    pub const ALL: [Self; 8] = [
        Self::Slab,
        Self::Pointer,
        Self::EightBytes,
        Self::Middle,
        Self::DoubleFree,
        Self::UseAfterFree,
        Self::Report,
        Self::Sheaves,
    ];

    /// The lesson that the page opens with.
    pub const FIRST_VIEW: Self = Self::EightBytes;

    const fn facts(self) -> Facts {
        match self {
            Self::Slab => Facts {
                number: 1,
                title: "what a slab is",
                door: "What is a slab?",
                text: include_str!("../../scenarios/lesson-01-slab.slab"),
            },
            Self::Pointer => Facts {
                number: 2,
                title: "where the free pointer lives",
                door: "Where is the pointer?",
                text: include_str!("../../scenarios/lesson-02-pointer.slab"),
            },
            Self::EightBytes => Facts {
                number: 3,
                title: "eight bytes too many",
                door: "Eight bytes too many",
                text: include_str!("../../scenarios/lesson-03-eight-bytes.slab"),
            },
            Self::Middle => Facts {
                number: 6,
                title: "how far for each size",
                door: "How far for each size",
                text: include_str!("../../scenarios/lesson-06-reach.slab"),
            },
            Self::DoubleFree => Facts {
                number: 9,
                title: "double free",
                door: "Double free",
                text: include_str!("../../scenarios/lesson-09-double-free.slab"),
            },
            Self::UseAfterFree => Facts {
                number: 10,
                title: "use after free",
                door: "Use after free",
                text: include_str!("../../scenarios/lesson-10-use-after-free.slab"),
            },
            Self::Report => Facts {
                number: 11,
                title: "reading a report",
                door: "Reading a report",
                text: include_str!("../../scenarios/lesson-11-report.slab"),
            },
            Self::Sheaves => Facts {
                number: 14,
                title: "sheaves",
                door: "Sheaves, since 7.0",
                text: include_str!("../../scenarios/lesson-14-sheaves.slab"),
            },
        }
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.facts().number
    }

    /// What it is about, in a few words.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.facts().title
    }

    /// What stands on the door that leads to it.
    #[must_use]
    pub const fn door(self) -> &'static str {
        self.facts().door
    }

    /// The two lessons whose doors stand at this one's end: the next, and one that everybody should have seen.
    #[must_use]
    pub fn doors(self) -> [Self; 2] {
        let next = Self::ALL.into_iter().find(|lesson| lesson.number() > self.number());
        let mut others = [next, Some(Self::EightBytes), Some(Self::Slab), Some(Self::Middle)].into_iter().flatten();
        let first = others.find(|lesson| *lesson != self).unwrap_or(Self::FIRST_VIEW);
        let second = others.find(|lesson| *lesson != self && *lesson != first).unwrap_or(Self::FIRST_VIEW);
        [first, second]
    }

    /// Whether it opens with the chart of reaches.
    #[must_use]
    pub const fn opens_with_reach(self) -> bool {
        matches!(self, Self::Middle)
    }

    /// How far up the stage looks when it opens.
    #[must_use]
    pub const fn opens_at(self) -> Depth {
        if matches!(self, Self::Sheaves) { Depth::Cache } else { Depth::Slab }
    }

    /// What it ends with, where what its commands come to does not say so.
    #[must_use]
    pub const fn ending(self) -> Option<Ending> {
        match self {
            Self::Slab => Some(Ending::Flip(Toggle::Kernel(Switch::FreelistRandom))),
            Self::Pointer => Some(Ending::Flip(Toggle::MiddlePointer)),
            Self::EightBytes | Self::Middle => None,
            Self::DoubleFree => Some(Ending::Flip(Toggle::Kernel(Switch::FreelistHardened))),
            Self::UseAfterFree => Some(Ending::Flip(Toggle::Kernel(Switch::InitOnFree))),
            Self::Report => Some(Ending::Flip(Toggle::Debug)),
            Self::Sheaves => Some(Ending::Version(Version::release(6, 12))),
        }
    }

    /// The lesson of this number.
    #[must_use]
    pub fn parse(number: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lesson| lesson.to_string() == number)
    }

    /// All numbers, as a sentence has them.
    #[must_use]
    pub fn listed() -> String {
        let numbers = Self::ALL.map(|lesson| lesson.to_string());
        let (last, others) = numbers.split_last().expect("there are lessons");
        format!("{} or {last}", others.join(", "))
    }

    /// The lesson itself.
    ///
    /// # Panics
    /// When its file is wrong; a test reads them all.
    #[must_use]
    pub fn story(self) -> Story {
        let story = Story::parse(self.facts().text, Subject::Lesson(self));
        story.unwrap_or_else(|error| panic!("lesson {self}: {error}"))
    }
}

impl fmt::Display for LessonId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Action, Invite, Session};
    use slabscope_core::units::Step;

    #[test]
    fn every_lesson_reads_and_is_found_by_its_number() {
        for lesson in LessonId::ALL {
            assert!(!lesson.story().scenario.steps.is_empty(), "lesson {lesson}");
            assert_eq!(LessonId::parse(&lesson.to_string()), Some(lesson));
        }
        assert_eq!(LessonId::parse("03"), None);
        assert_eq!(LessonId::listed(), "1, 2, 3, 6, 9, 10, 11 or 14");
    }

    #[test]
    fn every_lesson_says_something_at_each_step_in_few_words() {
        for lesson in LessonId::ALL {
            let story = lesson.story();
            for step in 0..=story.scenario.last_step().raw() {
                let said = story.said_at(Step::from_raw(step)).unwrap_or_else(|| panic!("lesson {lesson}, {step}"));
                for sentence in said.sentence.split(". ").chain(said.consequence.split(". ")) {
                    let words = sentence.split_whitespace().count();
                    assert!(words <= 13, "lesson {lesson}, {step}: {words} words: {sentence}");
                }
            }
        }
    }

    #[test]
    fn every_lesson_ends_with_another_kernel_that_changes_what_comes_of_it() {
        for lesson in LessonId::ALL {
            let mut session = Session::new();
            session.update(Action::OpenLesson(lesson));
            let end = session.story().scenario.last_step();
            session.update(Action::Seek(end));
            let told = session.timeline().machine().digest();
            session.update(match session.invite() {
                Invite::Flip(toggle) => Action::Flip(toggle),
                Invite::Version(version) => Action::ChooseVersion(version),
                other => panic!("lesson {lesson}: {other:?}"),
            });
            assert_eq!((session.notice(), session.cursor()), (None, end), "lesson {lesson}");
            assert_ne!(session.timeline().machine().digest(), told, "lesson {lesson}");
        }
    }

    #[test]
    fn three_doors_are_two_other_lessons_and_the_bench() {
        assert_eq!(LessonId::EightBytes.doors(), [LessonId::Middle, LessonId::Slab]);
        for lesson in LessonId::ALL {
            let [first, second] = lesson.doors();
            assert!(first != second && first != lesson && second != lesson, "lesson {lesson}");
        }
    }
}
