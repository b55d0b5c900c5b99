//! Elsewhere: the target, and where pointers lead that leave the slab.

use super::drawing::Drawing;
use super::figure::figure;
use crate::scene::{ElsewhereBox, ElsewhereScene, Sort};
use yew::{Html, html};

/// The figure.
pub fn elsewhere(scene: &ElsewhereScene) -> Html {
    let place = |place: &ElsewhereBox| Drawing::image("place", &place.label, |svg| draw(svg, place));
    let inside = html! {
        <>
            { Drawing::of(|svg| svg.texts(&scene.heading)) }
            { for scene.boxes.iter().map(|one| html! { <key={one.address.to_string()}>{ place(one) }</> }) }
        </>
    };
    figure("elsewhere", "Elsewhere".into(), scene.area, scene.frame, inside)
}

fn draw(svg: &mut Drawing, place: &ElsewhereBox) {
    let big = place.texts.first().is_some_and(|name| name.size >= 28.0);
    if place.changed {
        svg.rect(place.area.inset(-3.5), 7.0, "none e-changed w3 ring");
    }
    match place.sort {
        Sort::Target => {
            svg.rect(place.area.inset(1.5), 4.0, "f-paper e-target w3");
            svg.rect(place.area.inset(if big { 9.0 } else { 6.0 }), 2.0, "none e-target w1");
        }
        Sort::Memory => svg.rect(place.area.inset(1.0), 4.0, "f-paper e-damage w2 dashed"),
        Sort::Nowhere => svg.rect(place.area.inset(1.0), 4.0, "f-paper e-damage w2"),
    }
    if let Some(at) = place.cross {
        svg.cross_hair(at);
    }
    svg.texts(&place.texts);
    if let Some(also) = &place.also {
        svg.rect(also.area, 4.0, "f-alloc");
        svg.texts([&also.name, &also.note]);
    }
}
