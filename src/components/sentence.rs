//! The sentence: caption, narration and the page's only voice.

use yew::{AttrValue, Html, Properties, component, html};

/// Letters of the presenter that fit on one line: of what just happened, and of what that means next.
const HEAD_LINE: usize = 42;
const TAIL_LINE: usize = 82;

/// What the sentence needs.
#[derive(Properties, PartialEq)]
pub struct SentenceProps {
    /// What just happened.
    pub head: AttrValue,
    /// What that means next.
    pub tail: AttrValue,
    /// Whether time plays: then only its end is announced.
    pub playing: bool,
    /// Where the cursor is, in the presenter: `5 / 8`.
    #[prop_or_default]
    pub corner: AttrValue,
}

/// The sentence.
#[component]
pub fn Sentence(props: &SentenceProps) -> Html {
    html! {
        <div class="sentence">
            <div role="status" aria-live={if props.playing { "off" } else { "polite" }} aria-atomic="true">
                <h1 class={long(&props.head, HEAD_LINE)}>{ props.head.clone() }</h1>
                <p class={long(&props.tail, TAIL_LINE)}>{ props.tail.clone() }</p>
            </div>
            if !props.corner.is_empty() {
                <span class="corner">{ props.corner.clone() }</span>
            }
        </div>
    }
}

fn long(words: &str, line: usize) -> Option<&'static str> {
    (words.chars().count() > line).then_some("long")
}
