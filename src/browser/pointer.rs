//! Pointers: mouse, pen and finger.

use super::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlInputElement, HtmlSelectElement, PointerEvent};

/// Lets the element that `selector` finds around the pointer hear of it until it is let go, wherever it goes.
pub fn capture(event: &PointerEvent, selector: &str) {
    let element = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    if let Some(element) = element.and_then(|element| element.closest(selector).ok().flatten()) {
        // A pointer that is gone already is not captured.
        let _ = element.set_pointer_capture(event.pointer_id());
    }
}

/// Whether a finger points.
#[must_use]
pub fn is_touch(event: &PointerEvent) -> bool {
    event.pointer_type() == "touch"
}

/// Where the pointer is in the stage, in the stage's own px: the stage may be drawn larger than it is.
#[must_use]
pub fn stage_x(event: &PointerEvent, stage_width: f64) -> f64 {
    let stage = document().and_then(|document| document.query_selector("[data-stage]").ok().flatten());
    let Some(stage) = stage else { return f64::from(event.client_x()) };
    let drawn = stage.get_bounding_client_rect();
    let scale = if drawn.width() > 0.0 { stage_width / drawn.width() } else { 1.0 };
    (f64::from(event.client_x()) - drawn.left()) * scale
}

/// What stands in the field, or is chosen in the list, that an event came from.
#[must_use]
pub fn text_of(event: &Event) -> String {
    let Some(target) = event.target() else { return String::new() };
    let field = target.dyn_ref::<HtmlInputElement>().map(HtmlInputElement::value);
    field.or_else(|| target.dyn_ref::<HtmlSelectElement>().map(HtmlSelectElement::value)).unwrap_or_default()
}
