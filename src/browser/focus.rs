//! Where the focus is and where it goes.

use super::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, FocusEvent, HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition, SvgElement};

/// Puts the focus on the element of this id, if there is one.
pub fn focus(id: &str) {
    let element = document().and_then(|document| document.get_element_by_id(id));
    let Some(element) = element else { return };
    // An element that cannot take the focus leaves it where it is.
    let _ = match element.dyn_ref::<SvgElement>() {
        Some(drawn) => drawn.focus(),
        None => element.dyn_ref::<HtmlElement>().map_or(Ok(()), HtmlElement::focus),
    };
}

/// Scrolls what is around the element of this id as little as it takes to show it.
pub fn bring_into_view(id: &str) {
    if let Some(element) = document().and_then(|document| document.get_element_by_id(id)) {
        let nearest = ScrollIntoViewOptions::new();
        nearest.set_block(ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&nearest);
    }
}

/// Whether what has the focus lies in an element that `selector` finds.
#[must_use]
pub fn has_focus_within(selector: &str) -> bool {
    let active = document().and_then(|document| document.active_element());
    active.is_some_and(|element| element.closest(selector).ok().flatten().is_some())
}

/// Whether the focus leaves the element around it that `selector` finds.
#[must_use]
pub fn leaves(event: &FocusEvent, selector: &str) -> bool {
    let from = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let to = event.related_target().and_then(|target| target.dyn_into::<Element>().ok());
    let Some(whole) = from.and_then(|element| element.closest(selector).ok().flatten()) else { return true };
    !to.is_some_and(|element| whole.contains(Some(&element)))
}

/// The same once what was changed is drawn: the element may not be there yet.
pub fn focus_soon(id: &'static str) {
    gloo_timers::callback::Timeout::new(0, move || focus(id)).forget();
}

/// The element of this id, emptied: a place to mount the page on.
#[must_use]
pub fn mount_place(id: &str) -> Option<Element> {
    let element = document()?.get_element_by_id(id)?;
    element.set_inner_html("");
    Some(element)
}
