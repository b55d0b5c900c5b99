//! The map: every object of the slab in hand, its arrows, and the bars of its cache's other slabs.

mod arrow;
mod bar;
mod cell;

use super::drawing::Drawing;
use super::figure::figure;
use super::hit::use_focus;
use super::kept::kept;
use crate::scene::{ArrowKind, MapScene, ObjectRef};
use crate::session::Action;
use arrow::arrow;
use bar::bar;
use cell::MapCell;
use slabscope_core::units::index_from;
use std::rc::Rc;
use yew::{Callback, Html, Properties, component, html};

/// What the map needs.
#[derive(Properties, PartialEq)]
pub struct MapProps {
    /// What it draws.
    pub scene: Rc<MapScene>,
    /// The object that the pointer or the focus is on, in whichever figure.
    #[prop_or_default]
    pub hovered: Option<ObjectRef>,
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// The map.
#[component]
pub fn Map(props: &MapProps) -> Html {
    let scene = &props.scene;
    let objects = scene.cells.iter().filter_map(|cell| cell.object).collect();
    let (focused, on_key) = use_focus(objects, index_from(scene.columns), cell::id_of);
    let tab_stop = tab_stop(scene, focused);
    let cells = scene.cells.iter().map(|cell| {
        let key = cell.index.raw();
        let is_lit = props.hovered.is_some() && props.hovered == cell.object;
        let tab = tab_stop == key;
        kept(key, MapCell { cell: Rc::clone(cell), tab, is_lit, on_key: on_key.clone() }, &props.act)
    });
    let bars = scene.bars.iter().enumerate().map(|(nth, one)| bar(nth, one, &props.act));
    let inside = html! {
        <>
            { Drawing::of(|svg| svg.patterns("map", scene.frame)) }
            <g class="bars">{ for bars }</g>
            <g class="arrows" aria-hidden="true">{ for arrows(scene, |kind| kind == ArrowKind::Chain) }</g>
            <g class="cells">{ for cells }</g>
            <g class="arrows" aria-hidden="true">{ for arrows(scene, |kind| kind != ArrowKind::Chain) }</g>
            { for scene.note.as_ref().map(|note| Drawing::of(|svg| svg.word(note.at, 16.0, "t-quiet", &note.words))) }
        </>
    };
    // Where no heading counts them, the figure's name does.
    let title = if scene.heading.is_some() { "Map".to_owned() } else { format!("Map. {}", scene.summary) };
    figure("map", title.into(), scene.area, scene.frame, inside)
}

fn arrows(scene: &MapScene, wanted: impl Fn(ArrowKind) -> bool) -> impl Iterator<Item = Html> {
    let shown = scene.arrows.iter().enumerate().filter(move |(_, arrow)| wanted(arrow.kind));
    shown.map(|(nth, one)| html! { <key={one.key}>{ arrow(one, &scene.arrows[..nth]) }</> })
}

/// One cell takes the focus by Tab: the one that had it last, else the one in hand, else the first.
fn tab_stop(scene: &MapScene, focused: Option<ObjectRef>) -> u32 {
    let is_there = |index: &u32| scene.cells.iter().any(|cell| cell.index.raw() == *index);
    let selected = || scene.cells.iter().find(|cell| cell.selected).map(|cell| cell.index.raw());
    focused.map(|object| object.index.raw()).filter(is_there).or_else(selected).unwrap_or(0)
}
