//! The sentence: caption, narration and the page's only voice.

use yew::{AttrValue, Html, Properties, component, html};

/// Letters that fit on one line of the presenter.
const ONE_LINE: usize = 82;

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
                <h1>{ props.head.clone() }</h1>
                <p class={(props.tail.chars().count() > ONE_LINE).then_some("long")}>{ props.tail.clone() }</p>
            </div>
            if !props.corner.is_empty() {
                <span class="corner">{ props.corner.clone() }</span>
            }
        </div>
    }
}
