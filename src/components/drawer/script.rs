//! The script: its lines, a line to type into, and under it what is wrong with what was typed.

use crate::browser::{bring_into_view, text_of};
use crate::components::send::send;
use crate::components::time::state_of;
use crate::session::{Action, LineError};
use slabscope_core::units::Step;
use std::rc::Rc;
use yew::{
    AttrValue, Callback, Html, InputEvent, KeyboardEvent, Properties, classes, component, html, use_effect_with,
    use_state,
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
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// The script.
#[component]
pub(super) fn Script(props: &ScriptProps) -> Html {
    let typed = use_state(String::new);
    let on_input = {
        let typed = typed.clone();
        move |event: InputEvent| typed.set(text_of(&event))
    };
    let on_key = {
        let act = props.act.clone();
        move |event: KeyboardEvent| {
            if event.key() == "Enter" {
                event.prevent_default();
                // What the field shows: nothing, once a line was carried out.
                act.emit(Action::TypedLine(text_of(&event)));
            }
        }
    };
    // A line that was carried out is the script's last one: it leaves the field.
    let is_done = props.error.is_none()
        && props
            .cursor
            .checked_sub(1)
            .and_then(|last| props.lines.get(usize::try_from(last).ok()?))
            .is_some_and(|line| **line == **typed);
    let shown = if is_done { String::new() } else { (*typed).clone() };
    let error = props.error.as_ref();
    // What is wrong takes some of the lines' room.
    use_effect_with((props.cursor, error.is_some()), |_| bring_into_view(NOW));
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
                    value={shown}
                    oninput={on_input}
                    onkeydown={on_key}
                />
                { for error.map(under_line) }
            </div>
            if let Some(error) = error {
                <p id="script-error" class="script-error" role="alert">
                    <b>{ place_words(error) }</b>{ " " }{ error.message.clone() }
                </p>
            }
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

/// A wave under the word at fault: spaces up to it, then as many letters as it has, in the field's own font.
fn under_line(error: &LineError) -> Html {
    let before = usize::try_from(error.column.saturating_sub(1)).unwrap_or_default();
    let pad = " ".repeat(before);
    let word = if error.word.is_empty() { " ".to_owned() } else { error.word.clone() };
    html! { <span class="wave" aria-hidden="true">{ pad }<u>{ word }</u></span> }
}

fn place_words(error: &LineError) -> String {
    format!("line {}, column {}:", error.row, error.column)
}
