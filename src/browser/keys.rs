//! Keys, and what had the focus when they went down.

use super::document;
use crate::session::{Focus, KeyPress};
use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// Listens to keys as long as it is held.
pub struct Keys {
    _listener: Option<EventListener>,
}

impl Keys {
    /// Calls `on_key` for each key; where that returns `true`, the browser does nothing of its own.
    pub fn listen(on_key: impl Fn(KeyPress, Focus) -> bool + 'static) -> Self {
        let listener = document().map(|document| {
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&document, "keydown", options, move |event| {
                let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
                if !event.default_prevented() && on_key(press_of(event), focus_of(event)) {
                    event.prevent_default();
                }
            })
        });
        Self { _listener: listener }
    }
}

/// A key event as plain data.
#[must_use]
pub fn press_of(event: &KeyboardEvent) -> KeyPress {
    KeyPress {
        key: event.key(),
        modified: event.ctrl_key() || event.alt_key() || event.meta_key(),
        held: event.repeat(),
    }
}

/// What had the focus.
#[must_use]
pub fn focus_of(event: &KeyboardEvent) -> Focus {
    let Some(element) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else {
        return Focus::Stage;
    };
    let is_in = |selector: &str| element.closest(selector).ok().flatten().is_some();
    if is_in("input:not([type=range]), textarea, select, [contenteditable]") {
        Focus::Field
    } else if is_in("[data-keys=timeline]") {
        Focus::Timeline
    } else if is_in("[data-keys=own], [role=slider], [role=grid], [role=tablist], [role=menu], input[type=range]") {
        Focus::Own
    } else if is_in("button, a[href], summary") {
        Focus::Button
    } else {
        Focus::Stage
    }
}
