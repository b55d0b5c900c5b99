//! An object of the map: a button that selects it. The button is an empty rectangle under the drawing, which brings its
//! name: what changes is swapped with its words, and the button keeps the focus.

use super::super::drawing::Drawing;
use super::super::figure::{lit, px};
use super::super::send::send;
use crate::scene::{Area, Cell, CellHit, CellPointer, Change, HitLook, Look, Point};
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
pub(super) fn id_of(index: u32) -> String {
    format!("cell-{index}")
}

/// The cell.
#[component]
pub(super) fn MapCell(props: &MapCellProps) -> Html {
    let cell = &*props.cell;
    let Some(object) = cell.object else {
        return Drawing::mute("cell ghost", |svg| svg.rect(cell.area.inset(1.25), 3.0, "e-faint none dashed"));
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
    let id = id_of(cell.index.raw());
    let says = format!("{id}-says");
    let drawn = Drawing::over_button(&says, &cell.label, class_of(cell), |svg| draw(svg, cell));
    html! {
        <g class={classes!("cell", lit(props.is_lit))}>
            <rect
                {id}
                class="hit"
                x={px(hit.x)} y={px(hit.y)} width={px(hit.w)} height={px(hit.h)}
                role="button"
                tabindex={if props.tab { "0" } else { "-1" }}
                aria-labelledby={says}
                aria-pressed={cell.selected.to_string()}
                onclick={send(act, Action::Select(object))}
                ondblclick={move |_: MouseEvent| free()}
                onkeydown={on_key}
                onfocus={send(act, hover.clone())}
                onblur={send(act, leave.clone())}
                onpointerenter={send(act, hover)}
                onpointerleave={send(act, leave)}
            />
            { drawn }
        </g>
    }
}

/// What moves when it is swapped: a cell that fills or empties.
const fn class_of(cell: &Cell) -> &'static str {
    match cell.change {
        Some(Change::Turned) => "drawn turned",
        Some(Change::Struck) | None => "drawn",
    }
}

fn draw(svg: &mut Drawing, cell: &Cell) {
    glyph(svg, cell);
    if let Some(mark) = &cell.pointer {
        pointer(svg, mark, cell.size >= 24.0);
    }
    for hit in &cell.hits {
        struck(svg, hit, cell);
    }
    // The dot where its arrow starts is drawn over what is hit.
    if let Some(dot) = cell.pointer.and_then(|pointer| pointer.dot) {
        svg.circle(dot, 2.5, "f-on-pointer");
    }
    if !cell.text.is_empty() {
        let class = match cell.look {
            Look::InUse => "t-on-alloc bold centred",
            Look::Free | Look::Lost | Look::Ghost if cell.bold => "t-ink mono bold centred",
            Look::Free | Look::Lost | Look::Ghost => "t-quiet mono centred",
        };
        svg.word(cell.text_at, cell.size, class, &cell.text);
    }
    if let Some(flag) = &cell.flag {
        svg.path("M# #l5 4l-5 4z", &[flag.at.x, flag.at.y - 9.0], "f-ink2");
        svg.word(Point { x: flag.at.x + 6.0, ..flag.at }, 14.0, "t-quiet mono", &flag.to);
    }
    // Where the button is pressed the stylesheet makes a ring of either.
    let ring = if cell.change.is_some() { "none e-changed w3 ring" } else { "none light" };
    svg.rect(cell.area.inset(-3.5), 7.0, ring);
}

fn glyph(svg: &mut Drawing, cell: &Cell) {
    let hollow = cell.area.inset(1.0);
    match cell.look {
        Look::InUse => svg.rect(cell.area, 4.0, "f-alloc"),
        Look::Free => svg.rect(hollow, 3.0, "f-paper e-line w2"),
        Look::Lost => svg.rect(hollow, 3.0, "f-paper e-line w2 dotted"),
        Look::Ghost => svg.rect(hollow, 3.0, "e-faint none dashed"),
    }
    if cell.target {
        svg.rect(cell.area.inset(1.5), 4.0, "none e-target w3");
        svg.rect(cell.area.inset(5.0), 2.0, "none e-target w1");
    }
}

/// With an edge all around it; in the presenter, where an edge is 3 px, with one at the right alone.
fn pointer(svg: &mut Drawing, pointer: &CellPointer, big: bool) {
    let area = pointer.area;
    if big {
        svg.rect(area, 0.0, "f-pointer");
        svg.path("M# #v#", &[area.right(), area.y, area.h], "none e-on-pointer w3");
    } else {
        svg.rect(area, 1.0, "f-pointer e-on-pointer w1");
    }
}

/// Hatch over the bytes that are hit; on a full object it lies on paper. It sweeps over them in the step that hits them.
fn struck(svg: &mut Drawing, hit: &CellHit, cell: &Cell) {
    let under = Area { x: hit.area.x - 1.0, w: hit.area.w + 2.0, ..hit.area };
    let pattern = match (hit.over_pointer, hit.look) {
        (true, HitLook::Armed) => "hatch-pointer-armed",
        (true, HitLook::Written) => "hatch-pointer",
        (false, HitLook::Armed) => "hatch-armed",
        (false, HitLook::Written) => "hatch",
    };
    let edge = match hit.look {
        HitLook::Armed => "none e-damage w2 dashed",
        HitLook::Written => "none e-damage w2",
    };
    if cell.look == Look::InUse {
        svg.rect(under, 0.0, "f-paper");
    }
    svg.patterned(hit.area, "map", pattern, if cell.change == Some(Change::Struck) { "swept" } else { "" });
    svg.rect(hit.area, 0.0, edge);
}
