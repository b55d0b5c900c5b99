//! A slab as a bar: a button that opens its map.

use super::super::drawing::Drawing;
use super::super::hit::leading;
use super::super::kept::Piece;
use crate::scene::{Area, Point, SlabBar};
use crate::session::Action;
use std::rc::Rc;
use yew::{Callback, Html, html};

/// A bar.
#[derive(PartialEq)]
pub(super) struct MapBar {
    /// Its place among the bars: the button stays there when slabs change places.
    pub nth: usize,
    /// What it draws.
    pub bar: Rc<SlabBar>,
}

impl Piece for MapBar {
    fn draw(&self, act: &Callback<Action>) -> Html {
        let bar = &*self.bar;
        let hit = bar.area.inset(-3.5);
        let says = format!("bar-{}-says", self.nth);
        let drawn = Drawing::over_button(&says, &bar.label, "drawn", |svg| draw(svg, bar));
        html! {
            <g>
                { leading(hit, says, false, Action::Select(bar.first), act) }
                { drawn }
            </g>
        }
    }
}

fn draw(svg: &mut Drawing, bar: &SlabBar) {
    let name_at = Point { x: bar.area.x - 8.0, y: bar.area.y + bar.area.h / 2.0 + 5.0 };
    svg.word(name_at, 14.0, "t-ink end", &bar.name);
    svg.rect(bar.area.inset(1.0), 3.0, "f-paper e-line w2");
    svg.rect(Area { w: bar.full, ..bar.area.inset(2.0) }, 1.0, "f-alloc");
    svg.rect(bar.area.inset(-3.5), 6.0, if bar.open { "none e-ink w3 ring" } else { "none light" });
}
