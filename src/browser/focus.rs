//! Where the focus is and where it goes.

use super::document;
use wasm_bindgen::JsCast;
use web_sys::{
    Element, FocusEvent, FocusOptions, HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition, SvgElement,
};

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

/// Puts the focus on the first of these that is there, once what was changed is drawn: it may not be there yet. The stage
/// is not scrolled to: it may be larger than the window, and the reader looks at a part of it.
pub fn focus_soon(ids: &'static [&'static str]) {
    let focus = move || {
        let document = document()?;
        let element = ids.iter().find_map(|id| document.get_element_by_id(id))?;
        let options = FocusOptions::new();
        options.set_prevent_scroll(element.has_attribute("data-stage"));
        element.dyn_ref::<HtmlElement>()?.focus_with_options(&options).ok()
    };
    gloo_timers::callback::Timeout::new(0, move || {
        let _ = focus();
    })
    .forget();
}

/// Scrolls the list around the element of this id so far that the element stands at its top.
pub fn bring_to_top(id: &str) {
    let element = document().and_then(|document| document.get_element_by_id(id));
    let element = element.and_then(|element| element.dyn_into::<HtmlElement>().ok());
    if let Some((element, list)) = element.as_ref().and_then(|element| Some((element, element.parent_element()?))) {
        let first = list.first_element_child().and_then(|first| first.dyn_into::<HtmlElement>().ok());
        list.set_scroll_top(element.offset_top() - first.map_or(0, |first| first.offset_top()));
    }
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

/// The element of this id, emptied: a place to mount the page on.
#[must_use]
pub fn mount_place(id: &str) -> Option<Element> {
    let element = document()?.get_element_by_id(id)?;
    element.set_inner_html("");
    Some(element)
}
