//! A switch of the kernel: a pill and its name. A grey one says why it is grey, where it is looked at.

use super::send::send;
use crate::session::{Action, Toggle};
use yew::{Callback, Html, classes, html};

/// How a switch stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Which.
    pub toggle: Toggle,
    /// Its name.
    pub words: &'static str,
    /// Whether it is on.
    pub on: bool,
    /// Whether it is the next thing to do.
    pub invited: bool,
    /// Why it cannot be turned on; empty where it can.
    pub reason: String,
}

/// The switch.
pub fn kernel_switch(state: State, act: &Callback<Action>) -> Html {
    let State { toggle, words, on, invited, reason } = state;
    let grey = !reason.is_empty();
    let id = format!("reason-{}", words.replace(' ', "-"));
    html! {
        <span class={classes!("switch", invited.then_some("invited"), grey.then_some("grey"))}>
            <button
                type="button"
                role="switch"
                aria-checked={on.to_string()}
                aria-disabled={grey.then_some("true")}
                aria-describedby={grey.then(|| id.clone())}
                onclick={send(act, Action::Flip(toggle))}
            >
                <i class="pill" aria-hidden="true"></i>
                <span>{ words }</span>
            </button>
            if grey {
                <span class="reason" id={id} role="tooltip">{ reason }</span>
            }
        </span>
    }
}
