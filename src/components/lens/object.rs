//! An object of the lens: a button that selects it.

use super::super::drawing::Drawing;
use super::super::hit::Selecting;
use super::super::kept::Piece;
use super::super::marks::Way;
use crate::scene::{
    Area, Change, HitLook, LensBreak, LensObject, LensPointer, Look, Measure, ObjectRef, Point, PointerLook, Stretch,
};
use crate::session::Action;
use std::rc::Rc;
use yew::{Callback, Html};

/// The object.
#[derive(PartialEq)]
pub(super) struct LensBox {
    /// What it draws.
    pub object: Rc<LensObject>,
    /// Whether Tab leads to it.
    pub tab: bool,
    /// Whether the pointer or the focus is on it, in whichever figure.
    pub is_lit: bool,
    /// Who moves the focus.
    pub on_key: Callback<(ObjectRef, String)>,
}

/// The id by which an object takes the focus.
pub(super) fn id_of(object: ObjectRef) -> String {
    format!("lens-{}", object.index.raw())
}

impl Piece for LensBox {
    fn draw(&self, act: &Callback<Action>) -> Html {
        let one = &*self.object;
        let id = id_of(one.object);
        let says = format!("{id}-says");
        let class = if one.change == Some(Change::Turned) { "drawn turned" } else { "drawn" };
        let drawn = Drawing::over_button(&says, &one.label, class, |svg| draw(svg, one));
        let button = Selecting {
            class: "box",
            id,
            hit: one.area,
            object: one.object,
            tab: self.tab,
            is_lit: self.is_lit,
            pressed: None,
            on_key: &self.on_key,
        };
        button.under(drawn, act)
    }
}

fn draw(svg: &mut Drawing, one: &LensObject) {
    glyph(svg, one);
    if let Some(area) = one.padding {
        svg.rect(area, 0.0, "f-faint");
        svg.patterned(area, "lens", "dots", "");
    }
    if let Some(mark) = &one.pointer {
        pointer(svg, mark);
    }
    for cut in &one.breaks {
        axis_break(svg, cut, one.look);
    }
    for hit in &one.hits {
        struck(svg, hit, one);
    }
    if let Some(measure) = &one.measure {
        measured(svg, measure, one.look);
    }
    if let Some(plate) = one.plate {
        svg.rect(plate, 3.0, "f-paper");
    }
    svg.texts(&one.texts);
    svg.rect(Area { w: (one.area.w - 6.0).max(0.0), ..one.area.inset(3.0) }, 2.0, "none light");
}

fn glyph(svg: &mut Drawing, one: &LensObject) {
    let (area, radius, class) = match one.look {
        Look::InUse => (one.area, 4.0, "f-alloc"),
        Look::Free => (one.area.inset(1.0), 3.0, "f-paper e-line w2"),
        Look::Lost => (one.area.inset(1.0), 3.0, "f-paper e-line w2 dotted"),
        Look::Ghost => (one.area.inset(1.0), 3.0, "e-faint none dashed"),
    };
    if one.open {
        open_box(svg, area, class);
    } else {
        svg.rect(area, radius, class);
    }
    if one.target {
        svg.rect(one.area.inset(1.5), 4.0, "none e-target w3");
    }
}

/// It goes on beyond the figure's edge: no edge at the right.
fn open_box(svg: &mut Drawing, area: Area, class: &'static str) {
    let (x, y, right, bottom) = (area.x, area.y, area.right() + 1.0, area.bottom());
    svg.path("M# #H#q-3 0 -3 3V#q0 3 3 3H#", &[right, y, x + 3.0, bottom - 3.0, right], class);
}

fn pointer(svg: &mut Drawing, pointer: &LensPointer) {
    let area = pointer.area;
    let (inset, edge, line, fill) = match pointer.look {
        PointerLook::Live => (0.5, "f-pointer e-on-pointer w1", "none e-on-pointer w25", "f-on-pointer"),
        PointerLook::Stale => (1.0, "none e-on-alloc w2 dashed", "none e-on-alloc w25", "f-on-alloc"),
    };
    svg.rect(area.inset(inset), 1.0, edge);
    if pointer.arrow {
        svg.pointer_arrow(area, line, fill);
    }
}

/// Hatch over the bytes that are hit; on a full object it lies on paper, over a live pointer on its yellow. It sweeps
/// over them in the step that hits them.
fn struck(svg: &mut Drawing, hit: &Stretch, one: &LensObject) {
    let inner = Area::new(hit.area.x + 1.0, hit.area.y + 1.0, (hit.area.w - 2.0).max(0.0), hit.area.h - 2.0);
    let (plain, over, edge) = match hit.look {
        HitLook::Armed => ("hatch-armed", "hatch-pointer-armed", "none e-damage w2 dashed"),
        HitLook::Written => ("hatch", "hatch-pointer", "none e-damage w2"),
    };
    let motion = if one.change == Some(Change::Struck) { "swept" } else { "" };
    if one.look == Look::InUse {
        svg.rect(hit.area, 0.0, "f-paper");
    }
    let mut hatch = |area: Area, pattern| {
        if area.w > 0.0 {
            svg.patterned(area, "lens", pattern, motion);
        }
    };
    match hit.over_pointer {
        None => hatch(inner, plain),
        Some(pointer) => {
            hatch(Area { w: pointer.x - inner.x, ..inner }, plain);
            hatch(Area { y: inner.y, h: inner.h, ..pointer }, over);
            hatch(Area { x: pointer.right(), w: inner.right() - pointer.right(), ..inner }, plain);
        }
    }
    svg.rect(inner, 0.0, edge);
    if let (Some(at), Some(area)) = (hit.tag_at, hit.tag_area()) {
        tag(svg, at, area, hit);
    }
}

fn tag(svg: &mut Drawing, at: Point, area: Area, hit: &Stretch) {
    let sign = match hit.look {
        HitLook::Armed => "!?",
        HitLook::Written => "!",
    };
    svg.rect(area, 3.0, "f-paper e-damage w2");
    svg.word(Point { y: at.y + hit.tag * 0.36, ..at }, hit.tag, "t-damage bold centred", sign);
}

/// Two zigzags of paper with the number of bytes that are left out between them.
pub(super) fn axis_break(svg: &mut Drawing, cut: &LensBreak, look: Look) {
    let area = cut.area;
    let (step, two) = (area.h / 8.0, area.h / 4.0);
    let (class, dots) =
        if look == Look::InUse { ("none e-paper w3", "f-on-alloc") } else { ("none e-line w2", "f-ink2") };
    for x in [area.x, area.right()] {
        svg.path("M# #l4 #l-8 #l8 #l-8 #l4 #", &[x, area.y, step, two, two, two, step], class);
    }
    if cut.words.words.is_empty() {
        return;
    }
    let (middle, y) = (area.x + area.w / 2.0, cut.words.at.y - cut.words.size - 4.0);
    for dx in [-8.0, 0.0, 8.0] {
        svg.circle(Point { x: middle + dx, y }, 1.8, dots);
    }
    svg.words(&cut.words);
}

fn measured(svg: &mut Drawing, measure: &Measure, look: Look) {
    let (line, fill) =
        if look == Look::InUse { ("none e-on-alloc w2", "f-on-alloc") } else { ("none e-ink w2", "f-ink") };
    let (from, to) = (measure.from, measure.to);
    let top = from.y - 7.0;
    svg.path("M# #v14M# #v14", &[from.x, top, to.x, top], line);
    for (from, to) in measure.lines() {
        svg.path("M# #H#", &[from.x, from.y, to.x], line);
    }
    svg.head(from, Way::Left, 8.0, fill);
    svg.head(to, Way::Right, 8.0, fill);
    svg.words(&measure.words);
}
