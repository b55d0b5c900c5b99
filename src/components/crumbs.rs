//! The way up and down: memory, a cache, a slab.

use super::send::send;
use crate::scene::{Area, Heading};
use crate::session::Action;
use crate::text::filled;
use yew::{Callback, Html, Properties, component, html};

/// What the way needs.
#[derive(Properties, PartialEq)]
pub struct CrumbsProps {
    /// Its parts.
    pub heading: Heading,
    /// The figure that it stands in.
    pub area: Area,
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// From the baseline of its words to its upper edge.
const RISE: f64 = 17.0;

/// The way.
#[component]
pub fn Crumbs(props: &CrumbsProps) -> Html {
    let Heading { at, crumbs, tally } = &props.heading;
    let crumb = |(nth, crumb): (usize, &crate::scene::Crumb)| {
        html! {
            <li key={nth}>
                <button
                    type="button"
                    aria-current={crumb.here.then_some("page")}
                    onclick={send(&props.act, Action::Look(crumb.to))}
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
            style={filled("left:#px;top:#px", &[at.x - props.area.x, at.y - props.area.y - RISE])}
        >
            <ol>{ for crumbs.iter().enumerate().map(crumb) }</ol>
            if !tally.is_empty() {
                <span>{ tally.clone() }</span>
            }
        </nav>
    }
}
