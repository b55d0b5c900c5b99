//! Three doors, where the first minute ends.

use super::button::Button;
use crate::lessons::LessonId;
use crate::session::{Action, Subject};
use yew::{Callback, Html, Properties, component, html};

/// What the doors need.
#[derive(Properties, PartialEq)]
pub struct DoorsProps {
    /// What is on the bench: the doors lead elsewhere.
    pub subject: Subject,
    /// Whom they tell.
    pub act: Callback<Action>,
}

/// The doors.
#[component]
pub fn Doors(props: &DoorsProps) -> Html {
    let lessons = match props.subject {
        Subject::Lesson(lesson) => lesson.doors(),
        Subject::Bench => [LessonId::FIRST_VIEW, LessonId::Slab],
    };
    html! {
        <nav class="doors" aria-label="Where to go from here">
            { for lessons.into_iter().map(|lesson| html! {
                <Button key={lesson.number()} words={lesson.door()} action={Action::OpenLesson(lesson)} act={&props.act} />
            }) }
            <Button words="Your own bench" action={Action::NewBench} act={&props.act} />
        </nav>
    }
}
