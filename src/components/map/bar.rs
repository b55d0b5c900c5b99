//! A slab as a bar: a button that opens its map.

use super::super::drawing::Drawing;
use super::super::hit::leading;
use crate::scene::{Area, Point, SlabBar};
use crate::session::Action;
use yew::{Callback, Html, html};

/// The bar that is the `nth`: the button stays there when slabs change places.
pub(super) fn bar(nth: usize, bar: &SlabBar, act: &Callback<Action>) -> Html {
    let hit = bar.area.inset(-3.5);
    let says = format!("bar-{nth}-says");
    let drawn = Drawing::over_button(&says, &bar.label, "drawn", |svg| draw(svg, bar));
    html! {
        <g key={nth}>
            { leading(hit, says, false, Action::Select(bar.first), act) }
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
