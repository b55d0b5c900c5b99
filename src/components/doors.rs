//! Three doors, where the first minute ends.

use super::button::{Fill, button};
use crate::lessons::LessonId;
use crate::session::{Action, Subject};
use yew::{Callback, Html, html};

/// The doors: they lead elsewhere than to what is on the bench.
pub fn doors(subject: Subject, act: &Callback<Action>) -> Html {
    let lessons = match subject {
        Subject::Lesson(lesson) => lesson.doors(),
        Subject::Bench => [LessonId::FIRST_VIEW, LessonId::Slab],
    };
    html! {
        <nav class="doors" aria-label="Where to go from here">
            { for lessons.into_iter().map(|lesson| button(lesson.door(), None, Fill::Plain, Action::OpenLesson(lesson), act)) }
            { button("Your own bench", None, Fill::Plain, Action::NewBench, act) }
        </nav>
    }
}
