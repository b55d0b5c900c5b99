//! The numbers: what the kernel says of its caches and pages, live.

use yew::{AttrValue, Html, Properties, component, html};

/// What the numbers need.
#[derive(Properties, PartialEq)]
pub(super) struct NumbersProps {
    /// The files' text.
    pub text: AttrValue,
}

/// The numbers.
#[component]
pub(super) fn Numbers(props: &NumbersProps) -> Html {
    html! { <pre tabindex="0" aria-label="Numbers">{ props.text.clone() }</pre> }
}
