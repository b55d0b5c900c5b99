//! The lens: the object in hand and what lies after it, by bytes.

mod object;
mod zone;

use super::figure::{circle, figure, path, rect, texts, words};
use super::marks::{left_right, patterns, wrap};
use crate::browser;
use crate::scene::{Area, Handle, Lens as Body, LensObject, LensScene, ObjectRef, Track};
use crate::session::Action;
use crate::text::filled;
use object::LensBox;
use std::rc::Rc;
use yew::{Callback, Html, Properties, component, html, use_callback, use_state};
use zone::LensZone;

/// What the lens needs.
#[derive(Properties, PartialEq)]
pub struct LensProps {
    /// What it draws.
    pub scene: Rc<LensScene>,
    /// The object that the pointer or the focus is on, in whichever figure.
    #[prop_or_default]
    pub hovered: Option<ObjectRef>,
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// The lens.
#[component]
pub fn Lens(props: &LensProps) -> Html {
    let scene = &props.scene;
    let focused = use_state(|| None::<ObjectRef>);
    let on_key = {
        let focused = focused.clone();
        use_callback(Rc::clone(scene), move |(object, key): (ObjectRef, String), scene| {
            if let Some(next) = neighbour(scene, object, &key) {
                focused.set(Some(next));
                browser::focus(&object::id_of(next));
            }
        })
    };
    let body = match &scene.body {
        Body::Empty { area, words: text } => {
            html! { <>{ rect(area.inset(1.25), 4.0, "e-faint none dashed") }{ words(text) }</> }
        }
        Body::Objects(objects) => {
            let tab_stop = tab_stop(objects, *focused);
            let boxes = objects.iter().map(|one| {
                let tab = Some(one.object) == tab_stop;
                let is_lit = props.hovered == Some(one.object);
                html! {
                    <LensBox key={one.object.index.raw()} object={Rc::clone(one)} {tab} {is_lit} act={props.act.clone()} on_key={on_key.clone()} />
                }
            });
            html! { <g>{ for boxes }</g> }
        }
        Body::Zones(zones) => {
            let boxes = zones.iter().map(|one| {
                html! { <LensZone key={one.bytes.at.to_string()} zone={Rc::clone(one)} act={props.act.clone()} /> }
            });
            html! { <g>{ for boxes }</g> }
        }
    };
    let inside = html! {
        <>
            { patterns("lens", scene.frame) }
            { for scene.heading.iter().map(words) }
            { body }
            { for scene.end.iter().map(words) }
            <g aria-hidden="true">{ for scene.wraps.iter().map(|at| wrap(*at)) }</g>
            { for scene.handle.as_ref().map(handle) }
            { for scene.lit.map(|area| lit(area, scene.area.y)) }
        </>
    };
    figure("lens", "Lens", &scene.summary, scene.area, scene.frame, inside)
}

fn tab_stop(objects: &[Rc<LensObject>], focused: Option<ObjectRef>) -> Option<ObjectRef> {
    let is_there = |object: &ObjectRef| objects.iter().any(|one| one.object == *object);
    focused.filter(is_there).or_else(|| objects.first().map(|one| one.object))
}

/// The object that an arrow key leads to: memory goes right and down.
fn neighbour(scene: &LensScene, object: ObjectRef, key: &str) -> Option<ObjectRef> {
    let Body::Objects(objects) = &scene.body else { return None };
    let here = objects.iter().position(|one| one.object == object)?;
    let next = match key {
        "ArrowRight" | "ArrowDown" => here.checked_add(1),
        "ArrowLeft" | "ArrowUp" => here.checked_sub(1),
        "Home" => Some(0),
        "End" => objects.len().checked_sub(1),
        _ => None,
    }?;
    objects.get(next).map(|one| one.object)
}

/// A ring, and one straight line up to what speaks of it.
fn lit(area: Area, top: f64) -> Html {
    let ring = area.inset(-3.5);
    let middle = area.x + area.w / 2.0;
    html! {
        <g class="spoken-of" aria-hidden="true">
            { rect(ring, 7.0, "none e-ink w3") }
            { path("M# #V#", &[middle, top, ring.y], "none e-ink w3") }
        </g>
    }
}

/// The overflow handle as it looks; what is taken hold of lies over it.
fn handle(handle: &Handle) -> Html {
    let line = if handle.aimed { "e-damage w6 none" } else { "e-ink w6 none" };
    let (ring, mark) = if handle.aimed {
        ("f-panel e-damage w3", "none e-damage w25")
    } else {
        ("f-panel e-ink w3", "none e-ink w25")
    };
    let grip = html! {
        <>
            { circle(handle.grip, handle.radius, ring) }
            { left_right(handle.grip, mark) }
        </>
    };
    let line = match &handle.track {
        Some(track) => slider(handle, track),
        None => path("M# #V#", &[handle.from.x, handle.from.y, handle.to.y], line),
    };
    html! { <g class="handle" aria-hidden="true">{ line }{ grip }</g> }
}

fn slider(handle: &Handle, track: &Track) -> Html {
    let y = track.from.y;
    let ends = [track.from.x, track.to.x];
    let stops = handle.stops.iter().map(|stop| stop.x).chain(ends).map(|x| filled("M# #v16", &[x, y - 8.0]));
    html! {
        <>
            { path("M# #H#", &[track.from.x, y, track.to.x], "none e-line w3") }
            { path("M# #H#", &[track.from.x, y, handle.grip.x], "none e-damage w6") }
            <path d={stops.collect::<String>()} class="none e-line w2" />
            { texts(&track.texts) }
        </>
    }
}
