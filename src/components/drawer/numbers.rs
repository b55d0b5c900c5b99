//! The numbers: what the kernel says of its caches and pages, live. They open where the cache in hand stands.

use crate::browser::bring_into_view;
use crate::text;
use std::rc::Rc;
use yew::{Html, Properties, component, html, use_effect_with};

/// The id of the line of the cache in hand.
const IN_HAND: &str = "numbers-in-hand";

/// What the numbers need.
#[derive(Properties, PartialEq)]
pub(super) struct NumbersProps {
    /// The files' text.
    pub numbers: Rc<text::Numbers>,
}

/// The numbers.
#[component]
pub(super) fn Numbers(props: &NumbersProps) -> Html {
    let text::Numbers { before, line, after } = &*props.numbers;
    // Once for each cache: a reader who has scrolled on stays there while its numbers change.
    let name = line.split(' ').next().unwrap_or_default().to_owned();
    use_effect_with(name, |_| bring_into_view(IN_HAND));
    html! {
        <pre tabindex="0" aria-label="Numbers">
            { before }
            if !line.is_empty() {
                <mark id={IN_HAND}>{ line }</mark>
            }
            { after }
        </pre>
    }
}
