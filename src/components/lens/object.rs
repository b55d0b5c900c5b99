//! An object of the lens: a button that selects it. The button is an empty rectangle under the drawing, so that its
//! name is its label alone.

use super::super::figure::{circle, lit, path, patterned, px, rect, texts, word, words};
use super::super::marks::{Way, head, pointer_arrow};
use super::super::send::send;
use crate::scene::{
    Area, HitLook, LensBreak, LensObject, LensPointer, Look, Measure, ObjectRef, Point, PointerLook, Stretch,
};
use crate::session::Action;
use std::rc::Rc;
use yew::{Callback, Html, KeyboardEvent, Properties, classes, component, html};

/// What an object of the lens needs.
#[derive(Properties, PartialEq)]
pub(super) struct LensBoxProps {
    /// What it draws.
    pub object: Rc<LensObject>,
    /// Whether Tab leads to it.
    pub tab: bool,
    /// Whether the pointer or the focus is on it, in whichever figure.
    pub is_lit: bool,
    /// Whom it tells.
    pub act: Callback<Action>,
    /// Who moves the focus.
    pub on_key: Callback<(ObjectRef, String)>,
}

/// The id by which an object takes the focus.
pub(super) fn id_of(object: ObjectRef) -> String {
    format!("lens-{}", object.index.raw())
}

/// The object.
#[component]
pub(super) fn LensBox(props: &LensBoxProps) -> Html {
    let one = &*props.object;
    let act = &props.act;
    let (hover, leave) = (Action::Hover(Some(one.object)), Action::Hover(None));
    let on_key = {
        let (act, on_key, object) = (act.clone(), props.on_key.clone(), one.object);
        let select = move || act.emit(Action::Select(object));
        move |event: KeyboardEvent| {
            match event.key().as_str() {
                // Enter writes what is armed, so it is left to who knows that.
                "Enter" => return select(),
                " " => select(),
                "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" | "Home" | "End" => {
                    on_key.emit((object, event.key()))
                }
                _ => return,
            }
            event.prevent_default();
        }
    };
    html! {
        <g class={classes!("box", lit(props.is_lit))}>
            <rect
                id={id_of(one.object)}
                class="hit"
                x={px(one.area.x)} y={px(one.area.y)} width={px(one.area.w)} height={px(one.area.h)}
                role="button"
                tabindex={if props.tab { "0" } else { "-1" }}
                aria-label={one.label.clone()}
                onclick={send(act, Action::Select(one.object))}
                onkeydown={on_key}
                onfocus={send(act, hover.clone())}
                onblur={send(act, leave.clone())}
                onpointerenter={send(act, hover)}
                onpointerleave={send(act, leave)}
            />
            <g class="drawn" aria-hidden="true">{ drawn(one) }</g>
        </g>
    }
}

fn drawn(one: &LensObject) -> Html {
    let light = Area { w: (one.area.w - 6.0).max(0.0), ..one.area.inset(3.0) };
    html! {
        <>
            { glyph(one) }
            { for one.padding.map(padding) }
            { for one.pointer.iter().map(pointer) }
            { for one.breaks.iter().map(|cut| axis_break(cut, one.look)) }
            { for one.hits.iter().map(|hit| struck(hit, one.look)) }
            { for one.measure.iter().map(|measure| measured(measure, one.look)) }
            { texts(&one.texts) }
            { rect(light, 2.0, "none light") }
        </>
    }
}

fn glyph(one: &LensObject) -> Html {
    let class = match one.look {
        Look::InUse => "f-alloc",
        Look::Free => "f-paper e-line w2",
        Look::Lost => "f-paper e-line w2 dotted",
        Look::Ghost => "e-faint none dashed",
    };
    let area = if one.look == Look::InUse { one.area } else { one.area.inset(1.0) };
    let base = if one.open {
        open_box(area, class)
    } else {
        rect(area, if one.look == Look::InUse { 4.0 } else { 3.0 }, class)
    };
    let target = one.target.then(|| rect(one.area.inset(1.5), 4.0, "none e-target w3"));
    html! { <>{ base }{ target }</> }
}

/// It goes on beyond the figure's edge: no edge at the right.
fn open_box(area: Area, class: &'static str) -> Html {
    let (x, y, right, bottom) = (area.x, area.y, area.right() + 1.0, area.bottom());
    path("M# #H#q-3 0 -3 3V#q0 3 3 3H#", &[right, y, x + 3.0, bottom - 3.0, right], class)
}

fn padding(area: Area) -> Html {
    html! { <>{ rect(area, 0.0, "f-faint") }{ patterned(area, "lens", "dots", "") }</> }
}

fn pointer(pointer: &LensPointer) -> Html {
    let area = pointer.area;
    let (frame, line, fill) = match pointer.look {
        PointerLook::Live => {
            (rect(area.inset(0.5), 1.0, "f-pointer e-on-pointer w1"), "none e-on-pointer w25", "f-on-pointer")
        }
        PointerLook::Stale => {
            (rect(area.inset(1.0), 1.0, "none e-on-alloc w2 dashed"), "none e-on-alloc w25", "f-on-alloc")
        }
    };
    let arrow = pointer.arrow.then(|| pointer_arrow(area, line, fill));
    html! { <>{ frame }{ arrow }</> }
}

/// Hatch over the bytes that are hit; on a full object it lies on paper, over a live pointer on its yellow.
fn struck(hit: &Stretch, look: Look) -> Html {
    let inner = Area::new(hit.area.x + 1.0, hit.area.y + 1.0, (hit.area.w - 2.0).max(0.0), hit.area.h - 2.0);
    let (plain, over, edge, motion) = match hit.look {
        HitLook::Armed => ("hatch-armed", "hatch-pointer-armed", "none e-damage w2 dashed", ""),
        HitLook::Written => ("hatch", "hatch-pointer", "none e-damage w2", "swept"),
    };
    let parts = match hit.over_pointer {
        None => vec![(inner, plain)],
        Some(pointer) => {
            let before = Area { w: pointer.x - inner.x, ..inner };
            let after = Area { x: pointer.right(), w: inner.right() - pointer.right(), ..inner };
            vec![(before, plain), (Area { y: inner.y, h: inner.h, ..pointer }, over), (after, plain)]
        }
    };
    let parts = parts.into_iter().filter(|(area, _)| area.w > 0.0);
    html! {
        <>
            if look == Look::InUse { { rect(hit.area, 0.0, "f-paper") } }
            { for parts.map(|(area, pattern)| patterned(area, "lens", pattern, motion)) }
            { rect(inner, 0.0, edge) }
            { for hit.tag_at.map(|at| tag(at, hit)) }
        </>
    }
}

fn tag(at: Point, hit: &Stretch) -> Html {
    let (w, h) = (hit.tag * 1.15, hit.tag * 1.44);
    let area = Area::new(at.x - w / 2.0, at.y - h / 2.0, w, h);
    let sign = match hit.look {
        HitLook::Armed => "!?",
        HitLook::Written => "!",
    };
    html! {
        <>
            { rect(area, 3.0, "f-paper e-damage w2") }
            { word(Point { y: at.y + hit.tag * 0.36, ..at }, hit.tag, "t-damage bold centred", sign) }
        </>
    }
}

/// Two zigzags of paper with the number of bytes that are left out between them.
pub(super) fn axis_break(cut: &LensBreak, look: Look) -> Html {
    let area = cut.area;
    let (step, two) = (area.h / 8.0, area.h / 4.0);
    let numbers = |x: f64| [x, area.y, step, two, two, two, step];
    let edge = |x: f64, class| path("M# #l4 #l-8 #l8 #l-8 #l4 #", &numbers(x), class);
    let class = if look == Look::InUse { "none e-paper w3" } else { "none e-line w2" };
    let dots = if look == Look::InUse { "f-on-alloc" } else { "f-ink2" };
    let (middle, y) = (area.x + area.w / 2.0, cut.words.at.y - cut.words.size - 4.0);
    html! {
        <>
            { edge(area.x, class) }
            { edge(area.right(), class) }
            if !cut.words.words.is_empty() {
                { for [-8.0, 0.0, 8.0].map(|dx| circle(Point { x: middle + dx, y }, 1.8, dots)) }
                { words(&cut.words) }
            }
        </>
    }
}

fn measured(measure: &Measure, look: Look) -> Html {
    let (line, fill) =
        if look == Look::InUse { ("none e-on-alloc w2", "f-on-alloc") } else { ("none e-ink w2", "f-ink") };
    let (from, to) = (measure.from, measure.to);
    let (y, top) = (from.y, from.y - 7.0);
    html! {
        <>
            { path("M# #H#M# #v14M# #v14", &[from.x, y, to.x, from.x, top, to.x, top], line) }
            { head(from, Way::Left, 8.0, fill) }
            { head(to, Way::Right, 8.0, fill) }
            { words(&measure.words) }
        </>
    }
}
