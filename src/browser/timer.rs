//! Timers: those that go on stop when they are dropped.

use super::{document, window};
use gloo_events::EventListener;
use gloo_timers::callback::{Interval, Timeout};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// Calls `then` once what has changed is drawn.
pub fn after_drawing(then: impl FnOnce() + 'static) {
    // What a frame calls runs before that frame is drawn; a timer that is started there, after it.
    let in_frame = Closure::once_into_js(move || Timeout::new(0, then).forget());
    if let Some(window) = window() {
        let asked = window.request_animation_frame(in_frame.unchecked_ref());
        debug_assert!(asked.is_ok(), "a window draws");
    }
}

/// Calls back at a steady pace, as long as it is held.
pub struct Beat {
    _interval: Interval,
}

impl Beat {
    /// Calls `on_beat` every `milliseconds`.
    pub fn every(milliseconds: u32, on_beat: impl Fn() + 'static) -> Self {
        Self { _interval: Interval::new(milliseconds, on_beat) }
    }
}

/// Tells when the pointer has rested for a while and when it moves again, as long as it is held.
pub struct PointerRest {
    _listener: Option<EventListener>,
}

impl PointerRest {
    /// Calls `on_change` with `true` after `milliseconds` without a move, with `false` at the next move.
    pub fn after(milliseconds: u32, on_change: impl Fn(bool) + 'static) -> Self {
        let on_change = Rc::new(on_change);
        let waiting: Rc<RefCell<Option<Timeout>>> = Rc::default();
        let wait = move || {
            let on_rest = Rc::clone(&on_change);
            on_change(false);
            *waiting.borrow_mut() = Some(Timeout::new(milliseconds, move || on_rest(true)));
        };
        wait();
        Self { _listener: document().map(|document| EventListener::new(&document, "pointermove", move |_| wait())) }
    }
}
