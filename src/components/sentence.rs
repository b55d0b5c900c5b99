//! The sentence: caption, narration and the page's only voice.

use crate::text::Sentence;
use yew::{Html, classes, html};

/// Letters of the presenter that fit on one line: of what just happened, and of what that means next.
const HEAD_LINE: usize = 42;
const TAIL_LINE: usize = 82;
/// Letters over which it takes two lines on a wide stage.
const TWO_LINES: usize = 112;

/// The sentence. While time plays, only its end is announced; `corner` is where the cursor is, in the presenter: `5 / 8`.
pub fn sentence(said: Sentence, playing: bool, corner: &str) -> Html {
    html! {
        <div class="sentence">
            <div role="status" aria-live={if playing { "off" } else { "polite" }} aria-atomic="true">
                <h1 class={long(&said.head, HEAD_LINE)}>{ said.head }</h1>
                <p class={classes!(long(&said.tail, TAIL_LINE), (said.tail.chars().count() > TWO_LINES).then_some("longest"))}>{ said.tail }</p>
            </div>
            if !corner.is_empty() {
                <span class="corner">{ corner }</span>
            }
        </div>
    }
}

fn long(words: &str, line: usize) -> Option<&'static str> {
    (words.chars().count() > line).then_some("long")
}
