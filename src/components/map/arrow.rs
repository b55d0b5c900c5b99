//! An arrow of the map.

use super::super::marks::{Way, ground, head, loop_mark};
use crate::scene::{Arrow, ArrowKind, Point, Tip};
use crate::text::filled;
use std::rc::Rc;
use yew::{Html, Properties, component, html};

/// Radius of its corners.
const RADIUS: f64 = 4.0;

/// What an arrow needs.
#[derive(Properties, PartialEq)]
pub(super) struct MapArrowProps {
    /// What it draws.
    pub arrow: Rc<Arrow>,
}

/// The arrow: a halo of paper under it, so that crossings can be told apart.
#[component]
pub(super) fn MapArrow(props: &MapArrowProps) -> Html {
    let arrow = &*props.arrow;
    let d = shape(&arrow.legs);
    let (line, fill, size) = match arrow.kind {
        ArrowKind::List => ("none e-ink2 w2", "f-ink2", 6.0),
        ArrowKind::Chain => ("none e-ink2 w1", "f-ink2", 5.0),
        ArrowKind::Broken => ("none e-damage w25", "f-damage", 8.0),
        ArrowKind::Ghost => ("none e-damage w25 dashed", "f-damage", 8.0),
    };
    html! {
        <g class="arrow">
            <path d={shape(arrow.legs.get(1..).unwrap_or_default())} class="none e-paper halo" />
            <path {d} class={line} />
            { tip(arrow, fill, size) }
        </g>
    }
}

fn tip(arrow: &Arrow, fill: &'static str, size: f64) -> Html {
    let Some((end, before)) = arrow.legs.last().zip(arrow.legs.iter().rev().nth(1)) else { return html! {} };
    match arrow.tip {
        Tip::Head => head(*end, way(*before, *end), size, fill),
        Tip::Ground => ground(*end),
        Tip::Loop => html! { <>{ head(*end, way(*before, *end), size, fill) }{ loop_mark(*before) }</> },
        Tip::Stub => html! {},
    }
}

fn way(from: Point, to: Point) -> Way {
    let (across, down) = (to.x - from.x, to.y - from.y);
    match () {
        () if across.abs() >= down.abs() && across >= 0.0 => Way::Right,
        () if across.abs() >= down.abs() => Way::Left,
        () if down >= 0.0 => Way::Down,
        () => Way::Up,
    }
}

/// Legs with rounded corners.
fn shape(legs: &[Point]) -> String {
    let Some((first, rest)) = legs.split_first() else { return String::new() };
    let mut d = filled("M# #", &[first.x, first.y]);
    let mut from = *first;
    for (nth, corner) in rest.iter().enumerate() {
        let leg = match rest.get(nth + 1) {
            None => filled("L# #", &[corner.x, corner.y]),
            Some(next) => {
                let (start, end) = (toward(*corner, from), toward(*corner, *next));
                filled("L# #Q# # # #", &[start.x, start.y, corner.x, corner.y, end.x, end.y])
            }
        };
        d.push_str(&leg);
        from = *corner;
    }
    d
}

/// A place a radius away from a corner, or half the leg where that is shorter.
fn toward(corner: Point, other: Point) -> Point {
    let (across, down) = (other.x - corner.x, other.y - corner.y);
    let length = across.abs() + down.abs();
    let share = if length > 0.0 { RADIUS.min(length / 2.0) / length } else { 0.0 };
    Point { x: corner.x + across * share, y: corner.y + down * share }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_rounded_by_four_px_or_by_half_a_short_leg() {
        let at = |x, y| Point { x, y };
        let d = shape(&[at(0.0, 0.0), at(0.0, 20.0), at(4.0, 20.0), at(4.0, 40.0)]);
        assert_eq!(d, "M0 0L0 16Q0 20 2 20L2 20Q4 20 4 24L4 40");
    }

    #[test]
    fn heads_point_the_way_of_the_last_leg() {
        let at = |x, y| Point { x, y };
        let from = at(5.0, 5.0);
        let ways =
            [(at(9.0, 5.0), Way::Right), (at(1.0, 5.0), Way::Left), (at(5.0, 9.0), Way::Down), (at(5.0, 1.0), Way::Up)];
        assert!(ways.iter().all(|(to, expected)| way(from, *to) == *expected));
    }
}
