//! Next out: what the next allocations return, in order.

use super::drawing::Drawing;
use super::figure::{figure, lit};
use super::send::send;
use crate::scene::{Link, NextBox, NextOutScene, NextTone, ObjectRef};
use crate::session::Action;
use yew::{Callback, Html, classes, html};

/// The row; `hovered` is the object that the pointer or the focus is on, in whichever figure.
pub fn next_out(scene: &NextOutScene, hovered: Option<ObjectRef>, act: &Callback<Action>) -> Html {
    let boxes = scene.boxes.iter().map(|next| next_box(next, next.object.is_some() && next.object == hovered, act));
    let inside = html! {
        <>
            { Drawing::of(|svg| svg.texts(scene.heading.iter().chain(&scene.aside))) }
            { for boxes }
        </>
    };
    figure("next-out", "Next out".into(), scene.area, scene.frame, inside)
}

fn next_box(next: &NextBox, is_lit: bool, act: &Callback<Action>) -> Html {
    let object = next.object;
    html! {
        <g
            key={next.ordinal}
            class={classes!("box", lit(is_lit))}
            // Clicking never allocates: the first box takes its object in hand, as a click on any other figure does.
            onclick={object.map(|object| send(act, Action::Select(object)))}
            onpointerenter={object.map(|object| send(act, Action::Hover(Some(object))))}
            onpointerleave={object.map(|_| send(act, Action::Hover(None)))}
        >
            { Drawing::image("drawn", &next.label, |svg| draw(svg, next)) }
        </g>
    }
}

fn draw(svg: &mut Drawing, next: &NextBox) {
    let edge = match next.tone {
        NextTone::First => "f-paper e-ink w3",
        NextTone::Listed => "f-paper e-line w2",
        NextTone::Ghost => "f-paper e-ink2 forecast",
        NextTone::Target => "f-paper e-target forecast",
        NextTone::Fault => "f-paper e-damage forecast",
    };
    svg.rect(next.area.inset(1.0), 6.0, edge);
    svg.texts(&next.texts);
    if let Some(Link { from, to, broken }) = next.link {
        let (line, fill) = if broken { ("none e-damage w25 dashed", "f-damage") } else { ("none e-ink2 w2", "f-ink2") };
        svg.arrow_right(from, to.x, 8.0, line, fill);
    }
    svg.rect(next.area.inset(4.0), 3.0, "none light");
}
