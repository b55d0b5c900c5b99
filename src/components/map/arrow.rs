//! An arrow of the map.

use super::super::drawing::Drawing;
use super::super::marks::Way;
use crate::scene::{Arrow, ArrowKind, Point, Tip};
use crate::text::filled;
use yew::Html;

/// Radius of its corners.
const RADIUS: f64 = 4.0;

/// The arrow: a halo of paper under it, so that crossings can be told apart.
pub(super) fn arrow(arrow: &Arrow) -> Html {
    let (line, fill, size) = match arrow.kind {
        ArrowKind::List => ("none e-ink2 w2", "f-ink2", 6.0),
        ArrowKind::Chain => ("none e-ink2 w1", "f-ink2", 5.0),
        ArrowKind::Broken => ("none e-damage w25", "f-damage", 8.0),
        ArrowKind::Ghost => ("none e-damage w25 dashed", "f-damage", 8.0),
    };
    Drawing::mute("arrow", |svg| {
        svg.outline(&shape(arrow.legs.get(1..).unwrap_or_default()), "none e-paper halo");
        svg.outline(&shape(&arrow.legs), line);
        tip(svg, arrow, fill, size);
    })
}

fn tip(svg: &mut Drawing, arrow: &Arrow, fill: &'static str, size: f64) {
    let Some((end, before)) = arrow.legs.last().zip(arrow.legs.iter().rev().nth(1)) else { return };
    match arrow.tip {
        Tip::Head => svg.head(*end, way(*before, *end), size, fill),
        Tip::Ground => svg.ground(*end),
        Tip::Loop => {
            svg.head(*end, way(*before, *end), size, fill);
            svg.loop_mark(*before);
        }
        Tip::Stub => {}
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
