//! The log: what the kernel did and said, step by step.

use crate::session::Action;
use slabscope_core::units::Step;
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, Properties, component, html};

/// What the log needs.
#[derive(Properties, PartialEq)]
pub(super) struct LogProps {
    /// Its lines, each with its step.
    pub lines: Rc<[(u32, AttrValue)]>,
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// The log.
#[component]
pub(super) fn Log(props: &LogProps) -> Html {
    if props.lines.is_empty() {
        return html! { <p>{ "Nothing has happened yet." }</p> };
    }
    let line = |(index, (step, words)): (usize, &(u32, AttrValue))| {
        let (act, step) = (props.act.clone(), *step);
        html! {
            <li key={index}>
                <button type="button" onclick={move |_| act.emit(Action::Seek(Step::from_raw(step)))}>
                    <span>{ step }</span>{ words.clone() }
                </button>
            </li>
        }
    };
    html! { <ol class="log-lines">{ for props.lines.iter().enumerate().map(line) }</ol> }
}
