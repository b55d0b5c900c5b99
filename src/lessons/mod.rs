//! The lessons that the page carries: scenario files, told by the same words as any script.

use crate::session::{Story, Subject};
use core::fmt;

/// A lesson, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LessonId {
    /// Eight bytes too many.
    EightBytes,
    /// The pointer moves to the middle.
    Middle,
}

impl LessonId {
    /// All of them, in order.
    pub const ALL: [Self; 2] = [Self::EightBytes, Self::Middle];

    /// The lesson that the page opens with.
    pub const FIRST_VIEW: Self = Self::EightBytes;

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Self::EightBytes => 3,
            Self::Middle => 6,
        }
    }

    /// What it is about, in a few words.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::EightBytes => "eight bytes too many",
            Self::Middle => "how far for each size",
        }
    }

    /// What stands on the door that leads to it.
    #[must_use]
    pub const fn door(self) -> &'static str {
        match self {
            Self::EightBytes => "Eight bytes too many",
            Self::Middle => "How far for each size",
        }
    }

    /// Whether it opens with the chart of reaches.
    #[must_use]
    pub const fn opens_with_reach(self) -> bool {
        matches!(self, Self::Middle)
    }

    const fn text(self) -> &'static str {
        match self {
            Self::EightBytes => include_str!("../../scenarios/lesson-03-eight-bytes.slab"),
            Self::Middle => include_str!("../../scenarios/lesson-06-reach.slab"),
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
        Self::ALL.map(|lesson| lesson.to_string()).join(" or ")
    }

    /// The lesson itself.
    ///
    /// # Panics
    /// When its file is wrong; a test reads them all.
    #[must_use]
    pub fn story(self) -> Story {
        Story::parse(self.text(), Subject::Lesson(self)).expect("a lesson's file is right")
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

    #[test]
    fn every_lesson_reads_and_is_found_by_its_number() {
        for lesson in LessonId::ALL {
            assert!(!lesson.story().scenario.steps.is_empty(), "lesson {lesson}");
            assert_eq!(LessonId::parse(&lesson.to_string()), Some(lesson));
        }
        assert_eq!(LessonId::parse("03"), None);
    }
}
