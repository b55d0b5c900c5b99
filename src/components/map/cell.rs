//! An object of the map: a button that selects it, and frees it.

use super::super::drawing::Drawing;
use super::super::hit::Selecting;
use super::super::kept::Piece;
use crate::scene::{Area, Cell, CellHit, CellPointer, Change, HitLook, Look, ObjectRef, Point};
use crate::session::Action;
use std::rc::Rc;
use yew::{Callback, Html};

/// The cell.
#[derive(PartialEq)]
pub(super) struct MapCell {
    /// What it draws.
    pub cell: Rc<Cell>,
    /// Whether Tab leads to it.
    pub tab: bool,
    /// Whether the pointer or the focus is on its object, in whichever figure.
    pub is_lit: bool,
    /// Who moves the focus.
    pub on_key: Callback<(ObjectRef, String)>,
}

/// The id by which a cell takes the focus.
pub(super) fn id_of(object: ObjectRef) -> String {
    format!("cell-{}", object.index.raw())
}

impl Piece for MapCell {
    fn draw(&self, act: &Callback<Action>) -> Html {
        let cell = &*self.cell;
        let Some(object) = cell.object else {
            return Drawing::mute("cell ghost", |svg| svg.rect(cell.area.inset(1.25), 3.0, "e-faint none dashed"));
        };
        let id = id_of(object);
        let says = format!("{id}-says");
        let drawn = Drawing::over_button(&says, &cell.label, class_of(cell), |svg| draw(svg, cell));
        let button = Selecting {
            class: "cell",
            id,
            hit: cell.area.inset(-3.5),
            object,
            tab: self.tab,
            is_lit: self.is_lit,
            pressed: Some(cell.selected),
            on_key: &self.on_key,
        };
        button.under(drawn, act)
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
        if let Some(plate) = cell.plate {
            svg.rect(plate, 2.0, "f-paper");
        }
        let class = match cell.look {
            Look::InUse if cell.plate.is_some() => "t-ink bold centred",
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
