//! A run of an object's stride that has one use: a red zone, a track, padding.

use super::super::drawing::Drawing;
use super::super::send::send;
use super::object::axis_break;
use crate::scene::{Area, HitLook, Look, Point, ZoneBox, ZoneKind};
use crate::session::Action;
use yew::{Callback, Html, html};

/// The zone. The pointer on it lights the lines of the log that speak of it.
pub(super) fn zone(zone: &ZoneBox, act: &Callback<Action>) -> Html {
    html! {
        <g
            key={zone.bytes.at.to_string()}
            onpointerenter={send(act, Action::Light(Some(zone.bytes)))}
            onpointerleave={send(act, Action::Light(None))}
        >
            { Drawing::image("", &zone.label, |svg| draw(svg, zone)) }
        </g>
    }
}

fn draw(svg: &mut Drawing, zone: &ZoneBox) {
    shape(svg, zone);
    for cut in &zone.breaks {
        // A break shows paper between its zigzags.
        svg.rect(Area { y: cut.area.y - 1.0, h: cut.area.h + 2.0, ..cut.area }, 0.0, "f-paper");
        axis_break(svg, cut, Look::Free);
    }
    for (area, how) in &zone.hits {
        struck(svg, *area, *how);
    }
    if let Some((from, to)) = zone.tick {
        svg.path("M# #V#", &[from.x, from.y, to.y], "none e-line w2");
    }
    svg.texts(&zone.texts);
}

fn shape(svg: &mut Drawing, zone: &ZoneBox) {
    let (area, hollow) = (zone.area, zone.area.inset(1.0));
    match zone.kind {
        ZoneKind::Red => {
            svg.rect(area, 2.0, "f-faint");
            svg.patterned(area, "lens", "stripes", "");
            svg.rect(hollow, 2.0, "none e-line w2");
        }
        ZoneKind::Object(Look::InUse) => svg.rect(area, 4.0, "f-alloc"),
        ZoneKind::Object(Look::Lost) => svg.rect(hollow, 3.0, "f-paper e-line w2 dotted"),
        ZoneKind::Object(Look::Free | Look::Ghost) | ZoneKind::Kept => svg.rect(hollow, 3.0, "f-paper e-line w2"),
        ZoneKind::Pointer { live: false } => svg.rect(hollow, 1.0, "f-paper e-line w2 dashed"),
        ZoneKind::Pointer { live: true } => {
            svg.rect(area, 1.0, "f-pointer e-on-pointer w1");
            svg.pointer_arrow(area, "none e-on-pointer w25", "f-on-pointer");
        }
        ZoneKind::Padding => {
            svg.rect(area, 2.0, "f-faint");
            svg.patterned(area, "lens", "dots", "");
        }
    }
}

fn struck(svg: &mut Drawing, area: Area, how: HitLook) {
    let (pattern, edge, sign) = match how {
        HitLook::Armed => ("hatch-armed", "none e-damage w2 dashed", "!?"),
        HitLook::Written => ("hatch", "none e-damage w2", "!"),
    };
    let middle = Point { x: area.x + area.w / 2.0, y: area.y + area.h / 2.0 };
    let tag = Area::new(area.right() + 6.0, middle.y - 15.0, 30.0, 30.0);
    svg.rect(area, 0.0, "f-paper");
    svg.patterned(area, "lens", pattern, "");
    svg.rect(area.inset(1.0), 0.0, edge);
    svg.rect(tag, 3.0, "f-paper e-damage w2");
    svg.word(Point { x: tag.x + 15.0, y: middle.y + 8.0 }, 24.0, "t-damage bold centred", sign);
}
