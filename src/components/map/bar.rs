//! A slab as a bar: a button that opens its map.

use super::super::figure::{px, rect};
use crate::scene::{Area, SlabBar};
use crate::session::Action;
use std::rc::Rc;
use yew::{Callback, Html, KeyboardEvent, MouseEvent, Properties, component, html};

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
    let open = {
        let (act, first) = (props.act.clone(), bar.first);
        move || act.emit(Action::Select(first))
    };
    let on_key = {
        let open = open.clone();
        move |event: KeyboardEvent| {
            if matches!(event.key().as_str(), "Enter" | " ") {
                event.prevent_default();
                open();
            }
        }
    };
    let full = Area { w: bar.full, ..bar.area.inset(2.0) };
    let text_y = bar.area.y + bar.area.h / 2.0 + 5.0;
    html! {
        <>
            <text aria-hidden="true" x={px(bar.area.x - 8.0)} y={px(text_y)} font-size="14" class="t-ink end">{ &bar.name }</text>
            <g
                class="bar-of-slab"
                role="button"
                tabindex="0"
                aria-label={bar.label.clone()}
                aria-pressed={bar.open.to_string()}
                onclick={move |_: MouseEvent| open()}
                onkeydown={on_key}
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
