//! A run of an object's stride that has one use: a red zone, a track, padding.

use super::super::figure::{path, patterned, rect, texts, word};
use super::super::marks::pointer_arrow;
use super::super::send::send;
use super::object::axis_break;
use crate::scene::{Area, HitLook, Look, Point, ZoneBox, ZoneKind};
use crate::session::Action;
use std::rc::Rc;
use yew::{Callback, Html, Properties, component, html};

/// What a zone needs.
#[derive(Properties, PartialEq)]
pub(super) struct LensZoneProps {
    /// What it draws.
    pub zone: Rc<ZoneBox>,
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// The zone. The pointer on it lights the lines of the log that speak of it.
#[component]
pub(super) fn LensZone(props: &LensZoneProps) -> Html {
    let zone = &*props.zone;
    html! {
        <g
            role="img"
            aria-label={zone.label.clone()}
            onpointerenter={send(&props.act, Action::Light(Some(zone.bytes)))}
            onpointerleave={send(&props.act, Action::Light(None))}
        >
            { shape(zone) }
            { for zone.breaks.iter().map(|cut| html! {
                <>{ gap(cut.area) }{ axis_break(cut, Look::Free) }</>
            }) }
            { for zone.hits.iter().map(|(area, how)| struck(*area, *how)) }
            { for zone.tick.iter().map(|(from, to)| path("M# #V#", &[from.x, from.y, to.y], "none e-line w2")) }
            { texts(&zone.texts) }
        </g>
    }
}

/// A break shows paper between its zigzags.
fn gap(area: Area) -> Html {
    rect(Area { y: area.y - 1.0, h: area.h + 2.0, ..area }, 0.0, "f-paper")
}

fn shape(zone: &ZoneBox) -> Html {
    let hollow = zone.area.inset(1.0);
    match zone.kind {
        ZoneKind::Red => html! {
            <>{ rect(zone.area, 2.0, "f-faint") }{ patterned(zone.area, "lens", "stripes", "") }{ rect(hollow, 2.0, "none e-line w2") }</>
        },
        ZoneKind::Object(Look::InUse) => rect(zone.area, 4.0, "f-alloc"),
        ZoneKind::Object(Look::Lost) => rect(hollow, 3.0, "f-paper e-line w2 dotted"),
        ZoneKind::Object(Look::Free | Look::Ghost) | ZoneKind::Kept => rect(hollow, 3.0, "f-paper e-line w2"),
        ZoneKind::Pointer { live: false } => rect(hollow, 1.0, "f-paper e-line w2 dashed"),
        ZoneKind::Pointer { live: true } => pointer(zone.area),
        ZoneKind::Padding => html! {
            <>{ rect(zone.area, 2.0, "f-faint") }{ patterned(zone.area, "lens", "dots", "") }</>
        },
    }
}

fn pointer(area: Area) -> Html {
    html! {
        <>
            { rect(area, 1.0, "f-pointer e-on-pointer w1") }
            { pointer_arrow(area, "none e-on-pointer w25", "f-on-pointer") }
        </>
    }
}

fn struck(area: Area, how: HitLook) -> Html {
    let (pattern, edge, sign) = match how {
        HitLook::Armed => ("hatch-armed", "none e-damage w2 dashed", "!?"),
        HitLook::Written => ("hatch", "none e-damage w2", "!"),
    };
    let middle = Point { x: area.x + area.w / 2.0, y: area.y + area.h / 2.0 };
    let tag = Area::new(area.right() + 6.0, middle.y - 15.0, 30.0, 30.0);
    html! {
        <>
            { rect(area, 0.0, "f-paper") }
            { patterned(area, "lens", pattern, "") }
            { rect(area.inset(1.0), 0.0, edge) }
            { rect(tag, 3.0, "f-paper e-damage w2") }
            { word(Point { x: tag.x + 15.0, y: middle.y + 8.0 }, 24.0, "t-damage bold centred", sign) }
        </>
    }
}
