//! A button with its key beside its words.

use super::send::send;
use crate::session::Action;
use yew::{AttrValue, Callback, Html, MouseEvent, classes, html};

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

/// A button: its words, its key where it has one, how it looks, what it does, and whom it tells.
pub fn button(
    words: impl Into<AttrValue>,
    hint: Option<&'static str>,
    fill: Fill,
    action: Action,
    act: &Callback<Action>,
) -> Html {
    drawn(words.into(), hint, fill, send(act, action))
}

fn drawn(words: AttrValue, hint: Option<&'static str>, fill: Fill, onclick: Callback<MouseEvent>) -> Html {
    let fill = match fill {
        Fill::Plain => None,
        Fill::Ink => Some("filled"),
        Fill::Damage => Some("damage"),
    };
    html! {
        <button type="button" class={classes!("button", fill)} {onclick}>
            <span class="words">{ words }</span>
            { for hint.map(|hint| html! { <kbd aria-hidden="true">{ hint }</kbd> }) }
        </button>
    }
}
