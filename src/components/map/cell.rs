//! An object of the map: a button that selects it. The button is an empty rectangle under the drawing, so that its
//! name is its label alone.

use super::super::figure::{circle, lit, path, patterned, px, rect, word};
use super::super::send::send;
use crate::scene::{Area, Cell, CellHit, CellPointer, HitLook, Look, Point, Ring};
use crate::session::Action;
use std::rc::Rc;
use yew::{Callback, Html, KeyboardEvent, MouseEvent, Properties, classes, component, html};

/// What a cell needs.
#[derive(Properties, PartialEq)]
pub(super) struct MapCellProps {
    /// What it draws.
    pub cell: Rc<Cell>,
    /// Whether Tab leads to it.
    pub tab: bool,
    /// Whether the pointer or the focus is on its object, in whichever figure.
    pub is_lit: bool,
    /// Whom it tells.
    pub act: Callback<Action>,
    /// Who moves the focus.
    pub on_key: Callback<(u32, String)>,
}

/// The id by which a cell takes the focus.
pub(super) fn id_of(cell: &Cell) -> String {
    format!("cell-{}", cell.index.raw())
}

/// The cell.
#[component]
pub(super) fn MapCell(props: &MapCellProps) -> Html {
    let cell = &*props.cell;
    let Some(object) = cell.object else {
        return html! { <g class="cell ghost">{ rect(cell.area.inset(1.25), 3.0, "e-faint none dashed") }</g> };
    };
    let act = &props.act;
    let (hover, leave) = (Action::Hover(Some(object)), Action::Hover(None));
    let free = {
        let act = act.clone();
        move || {
            act.emit(Action::Select(object));
            act.emit(Action::FreeSelected);
        }
    };
    let on_key = {
        let (act, free, on_key, index) = (act.clone(), free.clone(), props.on_key.clone(), cell.index.raw());
        let select = move || act.emit(Action::Select(object));
        move |event: KeyboardEvent| {
            match event.key().as_str() {
                // Enter writes what is armed, so it is left to who knows that.
                " " => select(),
                "Enter" => return select(),
                "Delete" => free(),
                "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" | "Home" | "End" => {
                    on_key.emit((index, event.key()))
                }
                _ => return,
            }
            event.prevent_default();
        }
    };
    let hit = cell.area.inset(-3.5);
    html! {
        <g class={classes!("cell", lit(props.is_lit))}>
            <rect
                id={id_of(cell)}
                class="hit"
                x={px(hit.x)} y={px(hit.y)} width={px(hit.w)} height={px(hit.h)}
                role="button"
                tabindex={if props.tab { "0" } else { "-1" }}
                aria-label={cell.label.clone()}
                aria-pressed={cell.selected.to_string()}
                onclick={send(act, Action::Select(object))}
                ondblclick={move |_: MouseEvent| free()}
                onkeydown={on_key}
                onfocus={send(act, hover.clone())}
                onblur={send(act, leave.clone())}
                onpointerenter={send(act, hover)}
                onpointerleave={send(act, leave)}
            />
            <g class="drawn" aria-hidden="true">{ drawn(cell) }</g>
        </g>
    }
}

fn drawn(cell: &Cell) -> Html {
    let text = match cell.look {
        Look::InUse => "t-on-alloc bold centred",
        Look::Free | Look::Lost | Look::Ghost if cell.bold => "t-ink mono bold centred",
        Look::Free | Look::Lost | Look::Ghost => "t-quiet mono centred",
    };
    html! {
        <>
            { glyph(cell) }
            { for cell.pointer.iter().map(|mark| pointer(mark, cell.size >= 24.0)) }
            { for cell.hits.iter().map(|hit| struck(hit, cell.look)) }
            // The dot where its arrow starts is drawn over what is hit.
            { for cell.pointer.and_then(|pointer| pointer.dot).map(dot) }
            if !cell.text.is_empty() {
                { word(cell.text_at, cell.size, text, &cell.text) }
            }
            { for cell.flag.iter().map(|flag| html! {
                <>
                    { path("M# #l5 4l-5 4z", &[flag.at.x, flag.at.y - 9.0], "f-ink2") }
                    { word(Point { x: flag.at.x + 6.0, ..flag.at }, 14.0, "t-quiet mono", &flag.to) }
                </>
            }) }
            { ring(cell) }
        </>
    }
}

fn glyph(cell: &Cell) -> Html {
    let hollow = cell.area.inset(1.0);
    let base = match cell.look {
        Look::InUse => rect(cell.area, 4.0, "f-alloc"),
        Look::Free => rect(hollow, 3.0, "f-paper e-line w2"),
        Look::Lost => rect(hollow, 3.0, "f-paper e-line w2 dotted"),
        Look::Ghost => rect(hollow, 3.0, "e-faint none dashed"),
    };
    let target = cell.target.then(|| {
        html! {
            <>
                { rect(cell.area.inset(1.5), 4.0, "none e-target w3") }
                { rect(cell.area.inset(5.0), 2.0, "none e-target w1") }
            </>
        }
    });
    html! { <>{ base }{ target }</> }
}

/// With an edge all around it; in the presenter, where an edge is 3 px, with one at the right alone.
fn pointer(pointer: &CellPointer, big: bool) -> Html {
    if !big {
        return rect(pointer.area, 1.0, "f-pointer e-on-pointer w1");
    }
    let area = pointer.area;
    let edge = path("M# #v#", &[area.right(), area.y, area.h], "none e-on-pointer w3");
    html! { <>{ rect(area, 0.0, "f-pointer") }{ edge }</> }
}

fn dot(at: Point) -> Html {
    circle(at, 2.5, "f-on-pointer")
}

/// Hatch over the bytes that are hit; on a full object it lies on paper.
fn struck(hit: &CellHit, look: Look) -> Html {
    let under = Area { x: hit.area.x - 1.0, w: hit.area.w + 2.0, ..hit.area }.inset(0.0);
    let pattern = match (hit.over_pointer, hit.look) {
        (true, HitLook::Armed) => "hatch-pointer-armed",
        (true, HitLook::Written) => "hatch-pointer",
        (false, HitLook::Armed) => "hatch-armed",
        (false, HitLook::Written) => "hatch",
    };
    let (edge, motion) = match hit.look {
        HitLook::Armed => ("none e-damage w2 dashed", ""),
        HitLook::Written => ("none e-damage w2", "swept"),
    };
    html! {
        <>
            if look == Look::InUse { { rect(under, 0.0, "f-paper") } }
            { patterned(hit.area, "map", pattern, motion) }
            { rect(hit.area, 0.0, edge) }
        </>
    }
}

fn ring(cell: &Cell) -> Html {
    let around = cell.area.inset(-3.5);
    match cell.ring {
        Some(Ring::Selected) => rect(around, 7.0, "none e-ink w3 ring"),
        Some(Ring::Changed) => rect(around, 7.0, "none e-changed w3 ring"),
        None => rect(around, 7.0, "none light"),
    }
}
