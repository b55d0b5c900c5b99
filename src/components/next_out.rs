//! Next out: what the next allocations return, in order.

use super::figure::{figure, lit, rect, texts, words};
use super::marks::arrow_right;
use super::send::send;
use crate::scene::{Link, NextBox, NextOutScene, NextTone, ObjectRef};
use crate::session::Action;
use std::rc::Rc;
use yew::{Callback, Html, Properties, classes, component, html};

/// What the row needs.
#[derive(Properties, PartialEq)]
pub struct NextOutProps {
    /// What it draws.
    pub scene: Rc<NextOutScene>,
    /// The object that the pointer or the focus is on, in whichever figure.
    #[prop_or_default]
    pub hovered: Option<ObjectRef>,
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// The row.
#[component]
pub fn NextOut(props: &NextOutProps) -> Html {
    let scene = &props.scene;
    let boxes = scene.boxes.iter().map(|next| {
        let is_lit = next.object.is_some() && next.object == props.hovered;
        html! { <NextOutBox key={next.ordinal} next={Rc::clone(next)} {is_lit} act={props.act.clone()} /> }
    });
    let inside = html! {
        <>
            { for scene.heading.iter().map(words) }
            { for boxes }
            { for scene.aside.iter().map(words) }
        </>
    };
    figure("next-out", "Next out", &scene.summary, scene.area, scene.frame, inside)
}

/// What a box needs.
#[derive(Properties, PartialEq)]
struct NextOutBoxProps {
    /// What it draws.
    next: Rc<NextBox>,
    /// Whether the pointer or the focus is on its object, in whichever figure.
    is_lit: bool,
    /// Whom it tells.
    act: Callback<Action>,
}

#[component]
fn NextOutBox(props: &NextOutBoxProps) -> Html {
    let next = &*props.next;
    let edge = match next.tone {
        NextTone::First => "f-paper e-ink w3",
        NextTone::Listed => "f-paper e-line w2",
        NextTone::Ghost => "f-paper e-ink2 forecast",
        NextTone::Target => "f-paper e-target forecast",
        NextTone::Fault => "f-paper e-damage forecast",
    };
    let (act, object) = (&props.act, next.object);
    html! {
        <g
            class={classes!("box", lit(props.is_lit))}
            role="img"
            aria-label={next.label.clone()}
            // Clicking never allocates: the first box takes its object in hand, as a click on any other figure does.
            onclick={object.map(|object| send(act, Action::Select(object)))}
            onpointerenter={object.map(|object| send(act, Action::Hover(Some(object))))}
            onpointerleave={object.map(|_| send(act, Action::Hover(None)))}
        >
            { rect(next.area.inset(1.0), 6.0, edge) }
            { texts(&next.texts) }
            { for next.link.iter().map(link) }
            { rect(next.area.inset(4.0), 3.0, "none light") }
        </g>
    }
}

fn link(link: &Link) -> Html {
    let (line, fill) =
        if link.broken { ("none e-damage w25 dashed", "f-damage") } else { ("none e-ink2 w2", "f-ink2") };
    arrow_right(link.from, link.to.x, 8.0, line, fill)
}
