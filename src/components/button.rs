//! A button with its key beside its words.

use super::send::send;
use crate::session::Action;
use yew::{AttrValue, Callback, Html, Properties, classes, component, html};

/// How a button looks. One filled control on the screen at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// An edge.
    Plain,
    /// The next thing to do.
    Ink,
    /// The next thing to do, and it writes damage.
    Damage,
}

impl Fill {
    /// Filled if this is the invited control.
    #[must_use]
    pub const fn ink_if(invited: bool) -> Self {
        if invited { Self::Ink } else { Self::Plain }
    }
}

/// What a button needs.
#[derive(Properties, PartialEq)]
pub struct ButtonProps {
    /// Its words.
    pub words: AttrValue,
    /// Its key, where it has one.
    #[prop_or_default]
    pub hint: AttrValue,
    /// How it looks.
    #[prop_or(Fill::Plain)]
    pub fill: Fill,
    /// What it does.
    pub action: Action,
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// The button.
#[component]
pub fn Button(props: &ButtonProps) -> Html {
    let fill = match props.fill {
        Fill::Plain => None,
        Fill::Ink => Some("filled"),
        Fill::Damage => Some("damage"),
    };
    html! {
        <button type="button" class={classes!("button", fill)} onclick={send(&props.act, props.action.clone())}>
            <span class="words">{ props.words.clone() }</span>
            if !props.hint.is_empty() {
                <kbd aria-hidden="true">{ props.hint.clone() }</kbd>
            }
        </button>
    }
}
