//! A slab as a bar: a button that opens its map, an empty rectangle under the drawing, which brings its name.

use super::super::drawing::Drawing;
use super::super::figure::px;
use super::super::send::{send, send_on_press};
use crate::scene::{Area, Point, SlabBar};
use crate::session::Action;
use std::rc::Rc;
use yew::{Callback, Html, Properties, component, html};

/// What a bar needs.
#[derive(Properties, PartialEq)]
pub(super) struct MapBarProps {
    /// Its place among the bars: the button stays there when slabs change places.
    pub nth: usize,
    /// What it draws.
    pub bar: Rc<SlabBar>,
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// The bar.
#[component]
pub(super) fn MapBar(props: &MapBarProps) -> Html {
    let bar = &*props.bar;
    let hit = bar.area.inset(-3.5);
    let says = format!("bar-{}-says", props.nth);
    let drawn = Drawing::over_button(&says, &bar.label, "drawn", |svg| draw(svg, bar));
    html! {
        <g>
            <rect
                class="hit"
                x={px(hit.x)} y={px(hit.y)} width={px(hit.w)} height={px(hit.h)}
                role="button"
                tabindex="0"
                aria-labelledby={says}
                onclick={send(&props.act, Action::Select(bar.first))}
                onkeydown={send_on_press(&props.act, Action::Select(bar.first))}
            />
            { drawn }
        </g>
    }
}

fn draw(svg: &mut Drawing, bar: &SlabBar) {
    let name_at = Point { x: bar.area.x - 8.0, y: bar.area.y + bar.area.h / 2.0 + 5.0 };
    svg.word(name_at, 14.0, "t-ink end", &bar.name);
    svg.rect(bar.area.inset(1.0), 3.0, "f-paper e-line w2");
    svg.rect(Area { w: bar.full, ..bar.area.inset(2.0) }, 1.0, "f-alloc");
    svg.rect(bar.area.inset(-3.5), 6.0, if bar.open { "none e-ink w3 ring" } else { "none light" });
}
