//! The screen: its size, its colours, and filling it.

use super::{document, window};
use gloo_events::EventListener;
use js_sys::{Function, Promise};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::Element;

/// Width and height of what can be seen, in CSS px.
#[must_use]
pub fn size() -> (f64, f64) {
    let side = |value: Option<f64>, usual: f64| value.filter(|side| *side > 0.0).unwrap_or(usual);
    let Some(window) = window() else { return (1280.0, 720.0) };
    let width = window.inner_width().ok().and_then(|value| value.as_f64());
    let height = window.inner_height().ok().and_then(|value| value.as_f64());
    (side(width, 1280.0), side(height, 720.0))
}

/// Listens to changes of that size, as long as it is held.
pub struct Viewport {
    _listener: Option<EventListener>,
}

impl Viewport {
    /// Calls `on_change` with the new width and height.
    pub fn listen(on_change: impl Fn((f64, f64)) + 'static) -> Self {
        let listener = window().map(|window| EventListener::new(&window, "resize", move |_| on_change(size())));
        Self { _listener: listener }
    }
}

/// Whether the reader's system asks for dark colours.
#[must_use]
pub fn prefers_dark() -> bool {
    let query = window().and_then(|window| window.match_media("(prefers-color-scheme: dark)").ok().flatten());
    query.is_some_and(|query| query.matches())
}

/// Colours the page: `Some("dark")`, `Some("light")`, or as the system likes it.
pub fn paint(theme: Option<&str>) {
    let Some(root) = document().and_then(|document| document.document_element()) else { return };
    // Setting an attribute whose name is a name does not fail.
    let _ = match theme {
        Some(theme) => root.set_attribute("data-theme", theme),
        None => root.remove_attribute("data-theme"),
    };
}

/// Fills the screen, or stops. A browser that allows it only after a key or a click may refuse; the presenter then
/// fills the window.
pub fn fill_screen(fill: bool) {
    let Some(document) = document() else { return };
    if !fill {
        if document.fullscreen_element().is_some() {
            document.exit_fullscreen();
        }
    } else if let Some(root) = document.document_element() {
        ask_to_fill(&root);
    }
}

/// The same as `Element::request_fullscreen`, whose promise web-sys drops: refused and unheard, it would be logged as
/// an error.
fn ask_to_fill(root: &Element) {
    let ask = js_sys::Reflect::get(root, &"requestFullscreen".into()).and_then(JsCast::dyn_into::<Function>);
    let asked = ask.and_then(|ask| ask.call0(root)).and_then(JsCast::dyn_into::<Promise>);
    if let Ok(asked) = asked {
        spawn_local(async move {
            let _ = JsFuture::from(asked).await;
        });
    }
}

/// Listens to the browser leaving full screen, as long as it is held.
pub struct Fullscreen {
    _listener: Option<EventListener>,
}

impl Fullscreen {
    /// Calls `on_leave` when the screen is no longer filled.
    pub fn listen(on_leave: impl Fn() + 'static) -> Self {
        let listener = document().map(|document| {
            EventListener::new(&document.clone(), "fullscreenchange", move |_| {
                if document.fullscreen_element().is_none() {
                    on_leave();
                }
            })
        });
        Self { _listener: listener }
    }
}
