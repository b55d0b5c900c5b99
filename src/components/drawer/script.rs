//! The script: its lines, a line to type into, and under it what is wrong with what was typed.

use crate::browser::text_of;
use crate::components::follow::{Follow, Move};
use crate::components::send::send;
use crate::components::time::state_of;
use crate::session::{Action, LineError};
use slabscope_core::units::Step;
use std::rc::Rc;
use yew::{
    AttrValue, Callback, Html, InputEvent, KeyboardEvent, Properties, classes, component, html, use_effect_with,
    use_state_eq,
};

/// The id of the line that was carried out last.
const NOW: &str = "script-now";

/// What the script needs.
#[derive(Properties, PartialEq)]
pub(super) struct ScriptProps {
    /// The commands.
    pub lines: Rc<[AttrValue]>,
    /// How many are done.
    pub cursor: u32,
    /// What is wrong with the line typed last.
    pub error: Option<LineError>,
    /// How many typed lines were carried out.
    pub taken: u32,
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// The script.
#[component]
pub(super) fn Script(props: &ScriptProps) -> Html {
    let typed = use_state_eq(String::new);
    let on_input = {
        let typed = typed.clone();
        move |event: InputEvent| typed.set(text_of(&event))
    };
    let on_key = {
        let act = props.act.clone();
        move |event: KeyboardEvent| {
            if event.key() == "Enter" {
                event.prevent_default();
                act.emit(Action::TypedLine(text_of(&event)));
            }
        }
    };
    {
        // A line that was carried out leaves the field.
        let typed = typed.clone();
        use_effect_with(props.taken, move |_| typed.set(String::new()));
    }
    let error = props.error.as_ref();
    // What is wrong takes some of the lines' room.
    let room = if error.is_some() { "less" } else { "all" };
    html! {
        <>
            <ol class="script-lines">{ for (1..).zip(props.lines.iter()).map(|(step, line)| script_line(props, step, line)) }</ol>
            <div class={classes!("script-input", error.map(|_| "wrong"))}>
                <input
                    id="script-line"
                    type="text"
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck="false"
                    placeholder="a = kmalloc 64"
                    aria-label="A command"
                    aria-invalid={error.map(|_| "true")}
                    aria-describedby={error.map(|_| "script-error")}
                    value={(*typed).clone()}
                    oninput={on_input}
                    onkeydown={on_key}
                />
                { for error.filter(|error| stands_in_field(error)).map(under_line) }
            </div>
            if let Some(error) = error {
                <p id="script-error" class="script-error" role="alert">
                    <b>{ place_words(error) }</b>{ " " }{ error.message.clone() }
                    if !stands_in_field(error) {
                        { excerpt(error) }
                    }
                </p>
            }
            <Follow when={format!("{} {room}", props.cursor)} id={NOW} by={Move::IntoView} />
        </>
    }
}

fn script_line(props: &ScriptProps, step: u32, line: &AttrValue) -> Html {
    html! {
        <li key={step} id={(step == props.cursor).then_some(NOW)} class={state_of(step, props.cursor)} aria-current={(step == props.cursor).then_some("step")}>
            <button type="button" onclick={send(&props.act, Action::Seek(Step::from_raw(step)))}>{ line.clone() }</button>
        </li>
    }
}

/// Whether all of the line is seen in the field: it was typed, and is no longer than the narrowest field.
fn stands_in_field(error: &LineError) -> bool {
    const LETTERS: usize = 26;
    error.row.is_none() && error.line.chars().count() <= LETTERS
}

/// A wave under the word at fault: spaces up to it, then as many letters as it has, in the field's own font.
fn under_line(error: &LineError) -> Html {
    let (before, word, _) = parted(error);
    let (pad, word) = (" ".repeat(before.chars().count()), if word.is_empty() { " " } else { word });
    html! { <span class="wave" aria-hidden="true">{ pad }<u>{ word.to_owned() }</u></span> }
}

/// The word at fault with what stands around it, where the field does not show it.
fn excerpt(error: &LineError) -> Html {
    const AROUND: usize = 24;
    let (before, word, after) = parted(error);
    let skipped = before.chars().count().saturating_sub(AROUND);
    let start = if skipped > 0 { "…" } else { "" };
    let word = if word.is_empty() { " ".to_owned() } else { cut(word, 2 * AROUND) };
    let before: String = before.chars().skip(skipped).collect();
    html! { <code class="wave">{ start }{ before }<u>{ word }</u>{ cut(after, AROUND) }</code> }
}

/// The line up to the word at fault, the word, and the rest.
fn parted(error: &LineError) -> (&str, &str, &str) {
    let byte = |text: &str, letters| text.char_indices().nth(letters).map_or(text.len(), |(at, _)| at);
    let before = usize::try_from(error.column.saturating_sub(1)).unwrap_or_default();
    let (before, rest) = error.line.split_at(byte(&error.line, before));
    let (word, after) = rest.split_at(byte(rest, error.word.chars().count()));
    (before, word, after)
}

/// The first letters of a text, and a mark where there are more.
fn cut(text: &str, letters: usize) -> String {
    let mut all = text.chars();
    let mut first: String = all.by_ref().take(letters).collect();
    first.extend(all.next().map(|_| '…'));
    first
}

fn place_words(error: &LineError) -> String {
    match error.row {
        Some(row) => format!("line {row}, column {}:", error.column),
        None => format!("column {}:", error.column),
    }
}
