//! The lens: the object in hand and what lies after it, by bytes.

mod object;
mod zone;

use super::drawing::Drawing;
use super::figure::figure;
use super::hit::use_focus;
use super::kept::kept;
use crate::scene::{Area, Handle, Lens as Body, LensObject, LensScene, ObjectRef, Track};
use crate::session::Action;
use crate::text::filled;
use object::LensBox;
use std::rc::Rc;
use yew::{Callback, Html, Properties, component, html};
use zone::zone;

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
    // Memory goes right and down.
    let (focused, on_key) = use_focus(objects_of(scene), 1, object::id_of);
    let body = match &scene.body {
        Body::Empty { area, words } => Drawing::of(|svg| {
            svg.rect(area.inset(1.25), 4.0, "e-faint none dashed");
            svg.words(words);
        }),
        Body::Objects(objects) => {
            let tab_stop = tab_stop(objects, focused);
            let boxes = objects.iter().map(|one| {
                let tab = Some(one.object) == tab_stop;
                let is_lit = props.hovered == Some(one.object);
                let object = LensBox { object: Rc::clone(one), tab, is_lit, on_key: on_key.clone() };
                kept(one.object.index.raw(), object, &props.act)
            });
            html! { <g>{ for boxes }</g> }
        }
        Body::Zones(zones) => html! { <g>{ for zones.iter().map(|one| zone(one, &props.act)) }</g> },
    };
    let inside = html! {
        <>
            { Drawing::of(|svg| {
                svg.patterns("lens", scene.frame);
                svg.texts(scene.heading.iter().chain(&scene.end));
            }) }
            { body }
            { Drawing::mute("over", |svg| over(svg, scene)) }
        </>
    };
    figure("lens", "Lens".into(), scene.area, scene.frame, inside)
}

/// What lies over the objects: marks where memory goes on, the handle, a ring around what is spoken of.
fn over(svg: &mut Drawing, scene: &LensScene) {
    scene.wraps.iter().for_each(|at| svg.wrap(*at));
    if let Some(one) = &scene.handle {
        handle(svg, one);
    }
    if let Some(area) = scene.lit {
        lit(svg, area, scene.area.y);
    }
}

fn tab_stop(objects: &[Rc<LensObject>], focused: Option<ObjectRef>) -> Option<ObjectRef> {
    let is_there = |object: &ObjectRef| objects.iter().any(|one| one.object == *object);
    focused.filter(is_there).or_else(|| objects.first().map(|one| one.object))
}

fn objects_of(scene: &LensScene) -> Vec<ObjectRef> {
    match &scene.body {
        Body::Objects(objects) => objects.iter().map(|one| one.object).collect(),
        Body::Empty { .. } | Body::Zones(_) => Vec::new(),
    }
}

/// A ring, and one straight line up to what speaks of it.
fn lit(svg: &mut Drawing, area: Area, top: f64) {
    let ring = area.inset(-3.5);
    let middle = area.x + area.w / 2.0;
    svg.push("<g class=\"spoken-of\">");
    svg.rect(ring, 7.0, "none e-ink w3");
    svg.path("M# #V#", &[middle, top, ring.y], "none e-ink w3");
    svg.push("</g>");
}

/// The overflow handle as it looks; what is taken hold of lies over it.
fn handle(svg: &mut Drawing, handle: &Handle) {
    let (line, ring, mark) = if handle.aimed {
        ("e-damage w6 none", "f-panel e-damage w3", "none e-damage w25")
    } else {
        ("e-ink w6 none", "f-panel e-ink w3", "none e-ink w25")
    };
    match &handle.track {
        Some(track) => slider(svg, handle, track),
        None => svg.path("M# #V#", &[handle.from.x, handle.from.y, handle.to.y], line),
    }
    svg.circle(handle.grip, handle.radius, ring);
    svg.left_right(handle.grip, mark);
}

fn slider(svg: &mut Drawing, handle: &Handle, track: &Track) {
    let y = track.from.y;
    let ends = [track.from.x, track.to.x];
    let stops = handle.stops.iter().map(|stop| stop.x).chain(ends).map(|x| filled("M# #v16", &[x, y - 8.0]));
    svg.path("M# #H#", &[track.from.x, y, track.to.x], "none e-line w3");
    svg.path("M# #H#", &[track.from.x, y, handle.grip.x], "none e-damage w6");
    svg.outline(&stops.collect::<String>(), "none e-line w2");
    svg.texts(&track.texts);
}
