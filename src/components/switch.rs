//! A switch of the kernel: a pill and its name. A grey one says why it is grey, where it is looked at.

use super::send::send;
use crate::session::{Action, Toggle};
use yew::{AttrValue, Callback, Html, Properties, classes, component, html};

/// What a switch needs.
#[derive(Properties, PartialEq)]
pub struct SwitchProps {
    /// Which.
    pub toggle: Toggle,
    /// Its name.
    pub words: AttrValue,
    /// Whether it is on.
    pub on: bool,
    /// Whether it is the next thing to do.
    #[prop_or_default]
    pub invited: bool,
    /// Why it cannot be turned on; empty where it can.
    #[prop_or_default]
    pub reason: AttrValue,
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// The switch.
#[component]
pub fn Switch(props: &SwitchProps) -> Html {
    let grey = !props.reason.is_empty();
    let id = format!("reason-{}", props.words.replace(' ', "-"));
    html! {
        <span class={classes!("switch", props.invited.then_some("invited"), grey.then_some("grey"))}>
            <button
                type="button"
                role="switch"
                aria-checked={props.on.to_string()}
                aria-disabled={grey.then_some("true")}
                aria-describedby={grey.then(|| id.clone())}
                onclick={send(&props.act, Action::Flip(props.toggle))}
            >
                <i class="pill" aria-hidden="true"></i>
                <span>{ props.words.clone() }</span>
            </button>
            if grey {
                <span class="reason" id={id} role="tooltip">{ props.reason.clone() }</span>
            }
        </span>
    }
}
