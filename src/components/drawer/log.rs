//! The log: what the kernel did and said, step by step. A line and the bytes that it speaks of light each other up.

use crate::browser::bring_to_top;
use crate::components::send::send;
use crate::scene::ByteRange;
use crate::session::Action;
use slabscope_core::units::Step;
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, Properties, component, html, use_effect_with};

/// The id of the first line of the step that is shown.
const NOW: &str = "log-now";

/// A line of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct LogRow {
    /// The step that it belongs to.
    pub step: u32,
    /// Its words.
    pub words: AttrValue,
    /// The bytes that it speaks of.
    pub bytes: Option<ByteRange>,
    /// Whether the pointer or the focus is on such bytes.
    pub lit: bool,
}

/// What the log needs.
#[derive(Properties, PartialEq)]
pub(super) struct LogProps {
    /// Its lines.
    pub lines: Rc<[LogRow]>,
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// The log.
#[component]
pub(super) fn Log(props: &LogProps) -> Html {
    // It ends with the step that is shown.
    let now = props.lines.last().map(|row| row.step);
    let first = props.lines.iter().position(|row| Some(row.step) == now);
    use_effect_with(now, |_| bring_to_top(NOW));
    if props.lines.is_empty() {
        return html! { <p>{ "Nothing has happened yet." }</p> };
    }
    let line = |(index, row): (usize, &LogRow)| {
        let act = &props.act;
        let (light, leave) = (Action::Light(row.bytes), Action::Light(None));
        html! {
            <li key={index} id={(Some(index) == first).then_some(NOW)} class={row.lit.then_some("lit")}>
                <button
                    type="button"
                    onclick={send(act, Action::Seek(Step::from_raw(row.step)))}
                    onfocus={send(act, light.clone())}
                    onblur={send(act, leave.clone())}
                    onpointerenter={send(act, light)}
                    onpointerleave={send(act, leave)}
                >
                    <span>{ row.step }</span>{ row.words.clone() }
                </button>
            </li>
        }
    };
    html! { <ol class="log-lines">{ for props.lines.iter().enumerate().map(line) }</ol> }
}
