//! The way up and down: memory, a cache, a slab.

use super::send::send;
use crate::scene::{Area, Heading};
use crate::session::Action;
use crate::text::filled;
use yew::{Callback, Html, html};

/// From the baseline of its words to its upper edge.
const RISE: f64 = 17.0;

/// The way, over the figure that stands in `area`.
pub fn crumbs(heading: &Heading, area: Area, act: &Callback<Action>) -> Html {
    let Heading { at, crumbs, tally } = heading;
    let crumb = |(nth, crumb): (usize, &crate::scene::Crumb)| {
        html! {
            <li key={nth}>
                <button
                    type="button"
                    aria-current={crumb.here.then_some("page")}
                    onclick={send(act, Action::Look(crumb.to))}
                >
                    { crumb.words.clone() }
                </button>
            </li>
        }
    };
    html! {
        <nav
            class="crumbs"
            aria-label="From memory to the slab"
            style={filled("left:#px;top:#px", &[at.x - area.x, at.y - area.y - RISE])}
        >
            <ol>{ for crumbs.iter().enumerate().map(crumb) }</ol>
            if !tally.is_empty() {
                <span>{ tally.clone() }</span>
            }
        </nav>
    }
}
