//! Keys belong to what has focus: a table from key and focus to act.

use super::Session;
use super::action::{Action, Drawer, Way};
use slabscope_core::units::Step;

/// A key that went down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPress {
    /// Its name as browsers give it: `a`, `A`, `ArrowLeft`, `Enter`.
    pub key: String,
    /// Whether Ctrl, Alt or Meta was held: then it is the browser's.
    pub modified: bool,
    /// Whether the key is held down, and the browser repeats it.
    pub held: bool,
}

/// What has the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Focus {
    /// Nothing, or the stage itself.
    Stage,
    /// The timeline.
    Timeline,
    /// A field that takes letters.
    Field,
    /// A control with keys of its own: map, slider, tabs, a menu.
    Own,
    /// A button, a link.
    Button,
}

/// The act that a key stands for; `None` leaves it to the browser.
#[must_use]
pub fn action_of(press: &KeyPress, focus: Focus, session: &Session) -> Option<Action> {
    if press.modified {
        return None;
    }
    let key = press.key.as_str();
    if key == "Escape" {
        return Some(Action::Escape);
    }
    if focus == Focus::Field {
        return None;
    }
    time_key(key, focus, session).or_else(|| act_key(key, focus, session)).or_else(|| letter_key(key, session))
}

fn time_key(key: &str, focus: Focus, session: &Session) -> Option<Action> {
    let looks_along_time = matches!(focus, Focus::Stage | Focus::Timeline);
    let pages = session.look().presenting || focus == Focus::Timeline;
    match key {
        "ArrowLeft" if looks_along_time => Some(Action::Step(Way::Back)),
        "ArrowRight" if looks_along_time => Some(Action::Step(Way::Forward)),
        "PageUp" if pages && focus != Focus::Own => Some(Action::Step(Way::Back)),
        "PageDown" if pages && focus != Focus::Own => Some(Action::Step(Way::Forward)),
        "Home" if looks_along_time => Some(Action::Seek(Step::from_raw(0))),
        "End" if looks_along_time => Some(Action::Seek(Step::from_raw(session.timeline().len()))),
        " " if focus == Focus::Stage => Some(Action::Play),
        _ => None,
    }
}

fn act_key(key: &str, focus: Focus, session: &Session) -> Option<Action> {
    let armed = session.aim().is_some_and(|aim| aim.armed);
    match key {
        "Enter" if armed && matches!(focus, Focus::Stage | Focus::Own) => Some(Action::AimWrite),
        "Delete" => Some(Action::FreeSelected),
        _ => None,
    }
}

/// Single letters, which can be switched off.
fn letter_key(key: &str, session: &Session) -> Option<Action> {
    if !session.look().letter_keys {
        return None;
    }
    match key {
        "a" | "A" => Some(Action::Allocate),
        "f" | "F" => Some(Action::FreeSelected),
        "o" | "O" => Some(Action::AimArm),
        "w" | "W" => Some(Action::WholeChain),
        "z" => Some(Action::Undo),
        "Z" => Some(Action::Redo),
        "t" | "T" => Some(Action::NextTheme),
        "p" | "P" => Some(Action::Present),
        "e" | "E" => Some(Action::Drawer(Some(Drawer::Export))),
        "?" => Some(Action::Drawer(Some(Drawer::Keys))),
        "b" | "B" | "." if session.look().presenting => Some(Action::Blank),
        "g" | "G" => Some(Action::GoToDigits),
        _ => match key.as_bytes() {
            [digit @ b'0'..=b'9'] => Some(Action::Digit(digit - b'0')),
            _ => None,
        },
    }
}
