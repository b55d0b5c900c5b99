//! Handlers that do nothing but send an action.

use crate::session::Action;
use yew::{Callback, KeyboardEvent};

/// Sends `action` at each event.
pub(super) fn send<E: 'static>(act: &Callback<Action>, action: Action) -> Callback<E> {
    let act = act.clone();
    Callback::from(move |_| act.emit(action.clone()))
}

/// Sends `action` when Enter or the space bar presses what has the focus.
pub(super) fn send_on_press(act: &Callback<Action>, action: Action) -> Callback<KeyboardEvent> {
    let act = act.clone();
    Callback::from(move |event: KeyboardEvent| {
        if matches!(event.key().as_str(), "Enter" | " ") {
            event.prevent_default();
            act.emit(action.clone());
        }
    })
}
