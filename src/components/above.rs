//! A view from above: a cache's lists, or memory's pages. What is a slab leads down to it: the button is an empty
//! rectangle under the drawing, so that its name is its label alone.

use super::figure::{figure, px, rect, texts};
use super::marks::{Way, arrow_right, head};
use super::send::{send, send_on_press};
use crate::scene::{AboveScene, Area, Part, PartLook, Point};
use crate::session::Action;
use crate::text::filled;
use std::rc::Rc;
use yew::{Callback, Html, Properties, component, html};

/// What the view needs.
#[derive(Properties, PartialEq)]
pub struct AboveProps {
    /// What it draws.
    pub scene: Rc<AboveScene>,
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// The view.
#[component]
pub fn Above(props: &AboveProps) -> Html {
    let scene = &props.scene;
    let parts = scene.parts.iter().map(|part| {
        html! { <AbovePart key={part.key} part={Rc::clone(part)} act={props.act.clone()} /> }
    });
    let inside = html! {
        <>
            <path d={lines(&scene.rules)} class="none e-faint w2" aria-hidden="true" />
            <g class="parts">{ for parts }</g>
            <path d={lines(&scene.marks)} class="none e-line w2" aria-hidden="true" />
            <g aria-hidden="true">
                { for scene.arrows.iter().map(|(from, to)| arrow_right(*from, to.x, 8.0, "none e-ink2 w2", "f-ink2")) }
            </g>
            { texts(&scene.texts) }
        </>
    };
    figure("above", "From above", &scene.summary, scene.area, scene.frame, inside)
}

fn lines(lines: &[(Point, Point)]) -> String {
    lines.iter().map(|(from, to)| filled("M# #L# #", &[from.x, from.y, to.x, to.y])).collect()
}

/// What a part needs.
#[derive(Properties, PartialEq)]
struct AbovePartProps {
    /// What it draws.
    part: Rc<Part>,
    /// Whom it tells.
    act: Callback<Action>,
}

#[component]
fn AbovePart(props: &AbovePartProps) -> Html {
    let part = &*props.part;
    let drawn = drawn(part);
    let Some(object) = part.leads_to else {
        return html! { <g role="img" aria-label={part.label.clone()}>{ drawn }</g> };
    };
    let hit = part.area.inset(-3.5);
    html! {
        <g class="part">
            <rect
                class="hit"
                x={px(hit.x)} y={px(hit.y)} width={px(hit.w)} height={px(hit.h)}
                role="button"
                tabindex="0"
                aria-label={part.label.clone()}
                aria-current={part.here.then_some("true")}
                onclick={send(&props.act, Action::GoDown(object))}
                onkeydown={send_on_press(&props.act, Action::GoDown(object))}
            />
            <g class="drawn" aria-hidden="true">{ drawn }{ rect(hit, 7.0, "none light") }</g>
        </g>
    }
}

/// Places side by side; over the next one out a mark.
fn sheaf(area: Area, capacity: u32, filled: u32, pitch: f64, marks_top: bool) -> Html {
    // Places too narrow to be told apart are one run.
    const NARROWEST: f64 = 8.0;
    let full = f64::from(filled) * pitch;
    let runs = (pitch < NARROWEST).then(|| {
        html! {
            <>
                { rect(area, 3.0, "f-faint") }
                if filled > 0 { { rect(Area { w: full, ..area }.inset(1.0), 3.0, "f-paper e-line w2") } }
            </>
        }
    });
    let place = |nth: u32| {
        let place = Area { x: area.x + f64::from(nth) * pitch, w: pitch - 2.0, ..area };
        if nth < filled { rect(place.inset(1.0), 3.0, "f-paper e-line w2") } else { rect(place, 3.0, "f-faint") }
    };
    let top = Point { x: area.x + full - 0.5 * pitch - 1.0, y: area.y - 3.0 };
    html! {
        <>
            if let Some(runs) = runs {
                { runs }
            } else {
                { for (0..capacity).map(place) }
            }
            if marks_top { { head(top, Way::Down, 7.0, "f-ink") } }
        </>
    }
}

fn drawn(part: &Part) -> Html {
    let hollow = part.area.inset(1.0);
    let shape = match part.look {
        PartLook::Slab { full } => html! {
            <>
                { rect(hollow, 3.0, "f-paper e-line w2") }
                { rect(Area { w: full, ..part.area.inset(2.0) }, 1.0, "f-alloc") }
            </>
        },
        PartLook::Own => rect(part.area, 3.0, "f-alloc"),
        PartLook::Other => rect(part.area, 3.0, "f-faint"),
        PartLook::Hollow => rect(hollow, 3.0, "f-paper e-line w2"),
        PartLook::Sheaf { capacity, filled, pitch, marks_top } => sheaf(part.area, capacity, filled, pitch, marks_top),
        PartLook::Waiting => rect(hollow, 3.0, "f-paper e-line w2 dashed"),
        PartLook::Count => rect(part.area, 2.0, "f-line"),
    };
    html! {
        <>
            { shape }
            if part.here {
                { rect(part.area.inset(-3.5), 6.0, "none e-ink w3 ring") }
            }
            { texts(&part.texts) }
        </>
    }
}
