//! Elsewhere: the target, and where pointers lead that leave the slab.

use super::figure::{figure, rect, texts, words};
use super::marks::cross_hair;
use crate::scene::{ElsewhereBox, ElsewhereScene, OtherName, Sort};
use std::rc::Rc;
use yew::{Html, Properties, component, html};

/// What the figure needs.
#[derive(Properties, PartialEq)]
pub struct ElsewhereProps {
    /// What it draws.
    pub scene: Rc<ElsewhereScene>,
}

/// The figure.
#[component]
pub fn Elsewhere(props: &ElsewhereProps) -> Html {
    let scene = &props.scene;
    let boxes = scene.boxes.iter().map(|one| {
        html! { <Place key={one.address.to_string()} place={Rc::clone(one)} /> }
    });
    let inside = html! {
        <>
            { for scene.heading.iter().map(words) }
            { for boxes }
        </>
    };
    figure("elsewhere", "Elsewhere", &scene.summary, scene.area, scene.frame, inside)
}

/// What a place needs.
#[derive(Properties, PartialEq)]
struct PlaceProps {
    /// What it draws.
    place: Rc<ElsewhereBox>,
}

#[component]
fn Place(props: &PlaceProps) -> Html {
    let place = &*props.place;
    let big = place.texts.first().is_some_and(|name| name.size >= 28.0);
    let edge = match place.sort {
        Sort::Target => html! {
            <>
                { rect(place.area.inset(1.5), 4.0, "f-paper e-target w3") }
                { rect(place.area.inset(if big { 9.0 } else { 6.0 }), 2.0, "none e-target w1") }
            </>
        },
        Sort::Memory => rect(place.area.inset(1.0), 4.0, "f-paper e-damage w2 dashed"),
        Sort::Nowhere => rect(place.area.inset(1.0), 4.0, "f-paper e-damage w2"),
    };
    html! {
        <g class="place" role="img" aria-label={place.label.clone()}>
            if place.changed {
                { rect(place.area.inset(-3.5), 7.0, "none e-changed w3 ring") }
            }
            { edge }
            { for place.cross.map(cross_hair) }
            { texts(&place.texts) }
            { for place.also.iter().map(other_name) }
        </g>
    }
}

fn other_name(also: &OtherName) -> Html {
    html! { <>{ rect(also.area, 4.0, "f-alloc") }{ words(&also.name) }{ words(&also.note) }</> }
}
