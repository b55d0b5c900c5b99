//! A button that opens a list of buttons.

use crate::browser::{focus_soon, leaves};
use crate::session::Action;
use yew::{AttrValue, Callback, FocusEvent, Html, KeyboardEvent, Properties, classes, component, html, use_state};

/// The id of the entry that holds now, in the menu that is open.
const CURRENT: &str = "menu-current";

/// An entry of a menu.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its words.
    pub words: AttrValue,
    /// What stands beside them, smaller.
    pub note: AttrValue,
    /// Whether it is the one that holds now.
    pub current: bool,
    /// What it does.
    pub action: Action,
}

/// What a menu needs.
#[derive(Properties, PartialEq)]
pub struct MenuProps {
    /// Its name for who cannot see it.
    pub label: AttrValue,
    /// What stands on its button.
    pub words: AttrValue,
    /// A class for its place in the bar.
    pub class: AttrValue,
    /// Whether its button shows three dots rather than words and a caret.
    #[prop_or_default]
    pub dots: bool,
    /// Whether one entry at most is the one that holds: then opening leads to it.
    #[prop_or_default]
    pub marks_current: bool,
    /// Its entries.
    pub entries: Vec<Entry>,
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// The menu.
#[component]
pub fn Menu(props: &MenuProps) -> Html {
    let open = use_state(|| false);
    let toggle = {
        let open = open.clone();
        move |_| {
            open.set(!*open);
            if !*open {
                focus_soon(CURRENT);
            }
        }
    };
    let on_key = {
        let open = open.clone();
        move |event: KeyboardEvent| {
            if event.key() == "Escape" && *open {
                event.prevent_default();
                open.set(false);
            }
        }
    };
    let on_leave = {
        let open = open.clone();
        move |event: FocusEvent| {
            if leaves(&event, ".menu") {
                open.set(false);
            }
        }
    };
    let entries = props.entries.iter().enumerate().map(|(index, entry)| {
        let (act, action, open) = (props.act.clone(), entry.action.clone(), open.clone());
        let choose = move |_| {
            open.set(false);
            act.emit(action.clone());
        };
        html! {
            <li key={index}>
                <button type="button" id={(entry.current && props.marks_current).then_some(CURRENT)} aria-current={entry.current.then_some("true")} onclick={choose}>
                    <span>{ entry.words.clone() }</span>
                    <small>{ entry.note.clone() }</small>
                </button>
            </li>
        }
    });
    html! {
        <div class={classes!("menu", props.class.to_string())} data-keys="own" onkeydown={on_key} onfocusout={on_leave}>
            <button
                type="button"
                class={classes!("opener", props.dots.then_some("dots"))}
                aria-expanded={(*open).to_string()}
                aria-label={format!("{}: {}", props.label, props.words)}
                onclick={toggle}
            >
                if props.dots {
                    <svg width="20" height="20" aria-hidden="true">
                        <circle cx="3" cy="10" r="2" /><circle cx="10" cy="10" r="2" /><circle cx="17" cy="10" r="2" />
                    </svg>
                } else {
                    <span>{ props.words.clone() }</span>
                }
            </button>
            if *open {
                <ul>{ for entries }</ul>
            }
        </div>
    }
}
