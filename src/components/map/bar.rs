//! A slab as a bar: a button that opens its map.

use super::super::figure::{rect, word};
use super::super::send::{send, send_on_press};
use crate::scene::{Area, Point, SlabBar};
use crate::session::Action;
use std::rc::Rc;
use yew::{Callback, Html, Properties, component, html};

/// What a bar needs.
#[derive(Properties, PartialEq)]
pub(super) struct MapBarProps {
    /// What it draws.
    pub bar: Rc<SlabBar>,
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// The bar.
#[component]
pub(super) fn MapBar(props: &MapBarProps) -> Html {
    let bar = &*props.bar;
    let full = Area { w: bar.full, ..bar.area.inset(2.0) };
    let name_at = Point { x: bar.area.x - 8.0, y: bar.area.y + bar.area.h / 2.0 + 5.0 };
    html! {
        <>
            <g aria-hidden="true">{ word(name_at, 14.0, "t-ink end", &bar.name) }</g>
            <g
                class="bar-of-slab"
                role="button"
                tabindex="0"
                aria-label={bar.label.clone()}
                aria-pressed={bar.open.to_string()}
                onclick={send(&props.act, Action::Select(bar.first))}
                onkeydown={send_on_press(&props.act, Action::Select(bar.first))}
            >
                { rect(bar.area.inset(1.0), 3.0, "f-paper e-line w2") }
                { rect(full, 1.0, "f-alloc") }
                if bar.open {
                    { rect(bar.area.inset(-3.5), 6.0, "none e-ink w3 ring") }
                }
            </g>
        </>
    }
}
