//! A button that opens a list of buttons.

use crate::browser::{focus, leaves};
use crate::session::Action;
use yew::{
    AttrValue, Callback, FocusEvent, Html, KeyboardEvent, Properties, classes, component, html, use_effect_with,
    use_state,
};

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
    pub class: &'static str,
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
    let focused = use_state(|| 0_usize);
    let typed = use_state(String::new);
    let marked = props.entries.iter().position(|entry| entry.current).filter(|_| props.marks_current);
    // Right when it is there, not later: the next key counts from the entry in focus.
    use_effect_with(*open, |open| {
        if *open {
            focus(CURRENT);
        }
    });
    let toggle = {
        let (open, typed) = (open.clone(), typed.clone());
        move |_| {
            open.set(!*open);
            typed.set(String::new());
        }
    };
    let on_key = {
        let (open, focused, typed) = (open.clone(), focused.clone(), typed.clone());
        let (entries, class) = (props.entries.clone(), props.class);
        move |event: KeyboardEvent| {
            if !*open {
                return;
            }
            let key = event.key();
            if key == "Escape" {
                event.prevent_default();
                return open.set(false);
            }
            if let Some((next, so_far)) = led_to(&entries, *focused, &typed, &key) {
                event.prevent_default();
                typed.set(so_far);
                focus(&id_of(class, marked, next));
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
        let on_focus = {
            let focused = focused.clone();
            move |_: FocusEvent| focused.set(index)
        };
        let id = id_of(props.class, marked, index);
        html! {
            <li key={index} class={entry.note.is_empty().then_some("bare")}>
                <button type="button" {id} aria-current={entry.current.then_some("true")} onclick={choose} onfocus={on_focus}>
                    <span>{ entry.words.clone() }</span>
                    if !entry.note.is_empty() {
                        <small>{ entry.note.clone() }</small>
                    }
                </button>
            </li>
        }
    });
    html! {
        <div class={classes!("menu", props.class)} data-keys="own" onkeydown={on_key} onfocusout={on_leave}>
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

/// The id of an entry; the marked one has its own.
fn id_of(class: &str, marked: Option<usize>, index: usize) -> String {
    if marked == Some(index) { CURRENT.to_owned() } else { format!("menu-{class}-{index}") }
}

/// The entry that a key leads to, and what was typed so far: arrows go on by one, letters to what begins with them.
fn led_to(entries: &[Entry], here: usize, typed: &str, key: &str) -> Option<(usize, String)> {
    let last = entries.len().checked_sub(1)?;
    let to = match key {
        "ArrowDown" | "ArrowRight" => (here + 1).min(last),
        "ArrowUp" | "ArrowLeft" => here.saturating_sub(1),
        "Home" => 0,
        "End" => last,
        _ => return typed_to(entries, typed, key),
    };
    Some((to, String::new()))
}

fn typed_to(entries: &[Entry], typed: &str, key: &str) -> Option<(usize, String)> {
    let mut letters = key.chars();
    letters.next().filter(|letter| !letter.is_whitespace() && letters.next().is_none())?;
    let find = |text: &str| {
        let is_it = |entry: &Entry| *entry.words == *text;
        let begins = |entry: &Entry| entry.words.to_ascii_lowercase().starts_with(&text.to_ascii_lowercase());
        entries.iter().position(is_it).or_else(|| entries.iter().position(begins))
    };
    let longer = format!("{typed}{key}");
    find(&longer).map(|index| (index, longer)).or_else(|| find(key).map(|index| (index, key.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Vec<Entry> {
        let words = ["6.1", "5.19", "5.10", "5.1", "4.8"];
        let entry = |words: &str| Entry {
            words: words.to_owned().into(),
            note: AttrValue::default(),
            current: false,
            action: Action::Undo,
        };
        words.into_iter().map(entry).collect()
    }

    #[test]
    fn what_is_typed_leads_to_what_it_names_and_else_to_what_begins_with_it() {
        let after = |keys: &[&str]| {
            keys.iter().fold((0, String::new()), |(here, typed), key| {
                led_to(&entries(), here, &typed, key).unwrap_or((here, typed))
            })
        };
        assert_eq!(after(&["5"]).0, 1);
        assert_eq!(after(&["5", ".", "1"]).0, 3);
        assert_eq!(after(&["5", ".", "1", "0"]).0, 2);
        assert_eq!(after(&["5", "4"]).0, 4);
        assert_eq!(after(&["ArrowDown", "ArrowDown", "ArrowUp", "Tab"]).0, 1);
        assert_eq!(after(&["End", "ArrowDown"]).0, 4);
    }
}
