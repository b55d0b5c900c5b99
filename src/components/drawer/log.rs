//! The log: what the kernel did and said, step by step. A line and the bytes that it speaks of light each other up.

use crate::components::follow::{Follow, Move};
use crate::components::kept::Piece;
use crate::components::send::send;
use crate::scene::ByteRange;
use crate::session::Action;
use slabscope_core::units::Step;
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, html};

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

/// The log.
#[derive(PartialEq)]
pub(super) struct Log {
    /// Its lines.
    pub lines: Rc<[LogRow]>,
}

impl Piece for Log {
    fn draw(&self, act: &Callback<Action>) -> Html {
        // It ends with the step that is shown.
        let now = self.lines.last().map(|row| row.step);
        let first = self.lines.iter().position(|row| Some(row.step) == now);
        if self.lines.is_empty() {
            return html! { <p>{ "Nothing has happened yet." }</p> };
        }
        let line = |(index, row): (usize, &LogRow)| {
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
        html! {
            <>
                <ol class="log-lines">{ for self.lines.iter().enumerate().map(line) }</ol>
                <Follow when={now.unwrap_or_default().to_string()} id={NOW} by={Move::ToTop} />
            </>
        }
    }
}
