//! Three doors, where the first minute ends.

use super::button::Button;
use crate::lessons::LessonId;
use crate::session::{Action, Subject};
use yew::{Callback, Html, Properties, component, html};

/// What the doors need.
#[derive(Properties, PartialEq)]
pub struct DoorsProps {
    /// What is on the bench: its own door is left out.
    pub subject: Subject,
    /// Whom they tell.
    pub act: Callback<Action>,
}

/// The doors.
#[component]
pub fn Doors(props: &DoorsProps) -> Html {
    let others = LessonId::ALL.into_iter().rev().filter(|lesson| props.subject != Subject::Lesson(*lesson));
    html! {
        <nav class="doors" aria-label="Where to go from here">
            { for others.map(|lesson| html! {
                <Button key={lesson.number()} words={lesson.door()} action={Action::OpenLesson(lesson)} act={&props.act} />
            }) }
            <Button words="Your own bench" action={Action::NewBench} act={&props.act} />
        </nav>
    }
}
