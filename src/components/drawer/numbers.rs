//! The numbers: what the kernel says of its caches and pages, live. They open where the cache in hand stands.

use crate::components::follow::{Follow, Move};
use crate::components::kept::Piece;
use crate::session::Action;
use crate::text;
use std::rc::Rc;
use yew::{Callback, Html, html};

/// The id of the line of the cache in hand.
const IN_HAND: &str = "numbers-in-hand";

/// The numbers: the files' text.
#[derive(PartialEq)]
pub(super) struct Numbers(pub(super) Rc<text::Numbers>);

impl Piece for Numbers {
    fn draw(&self, _: &Callback<Action>) -> Html {
        let text::Numbers { before, line, after } = &*self.0;
        // Once for each cache: a reader who has scrolled on stays there while its numbers change.
        let name = line.split(' ').next().unwrap_or_default().to_owned();
        html! {
            <>
                <pre tabindex="0" aria-label="Numbers">
                    { before }
                    if !line.is_empty() {
                        <mark id={IN_HAND}>{ line }</mark>
                    }
                    { after }
                </pre>
                <Follow when={name} id={IN_HAND} by={Move::IntoView} />
            </>
        }
    }
}
