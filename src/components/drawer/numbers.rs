//! The numbers: `/proc/slabinfo`, live.

use yew::{AttrValue, Html, Properties, component, html};

/// What the numbers need.
#[derive(Properties, PartialEq)]
pub(super) struct NumbersProps {
    /// The file's text.
    pub text: AttrValue,
}

/// The numbers.
#[component]
pub(super) fn Numbers(props: &NumbersProps) -> Html {
    html! { <pre tabindex="0" aria-label="/proc/slabinfo">{ props.text.clone() }</pre> }
}
