//! An arrow of the map.

use super::super::drawing::Drawing;
use super::super::marks::Way;
use crate::scene::{Arrow, ArrowKind, Point, Tip};
use crate::text::filled;
use std::rc::Rc;
use yew::Html;

/// Radius of its corners.
const RADIUS: f64 = 4.0;

/// The arrow: paper under it where it crosses an earlier one, so that they can be told apart, and where it comes in,
/// so that a ring there does not hide its head. Nowhere else: it would rub out what runs beside it.
pub(super) fn arrow(arrow: &Arrow, earlier: &[Rc<Arrow>]) -> Html {
    let (line, fill, size) = match arrow.kind {
        ArrowKind::List => ("none e-ink2 w2", "f-ink2", 6.0),
        ArrowKind::Chain => ("none e-ink2 w1", "f-ink2", 5.0),
        ArrowKind::Broken => ("none e-damage w25", "f-damage", 8.0),
        ArrowKind::Ghost => ("none e-damage w25 dashed", "f-damage", 8.0),
    };
    Drawing::mute("arrow", |svg| {
        for [from, to] in halos(arrow, earlier) {
            svg.path("M# #L# #", &[from.x, from.y, to.x, to.y], "none e-paper halo");
        }
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
            // At the cell's corner, clear of what stands in the cell.
            svg.loop_mark(Point { x: end.x - 6.0, y: end.y - 12.5 });
            svg.head(*end, way(*before, *end), size, fill);
        }
        Tip::Stub => {}
    }
}

/// The parts of an arrow that have paper under them.
fn halos(arrow: &Arrow, earlier: &[Rc<Arrow>]) -> Vec<[Point; 2]> {
    let crossings = legs(arrow).skip(1).flat_map(|leg| {
        let others = earlier.iter().flat_map(|other| legs(other));
        others.filter_map(move |other| crossing(leg, other))
    });
    let comes_in = legs(arrow).last().filter(|_| matches!(arrow.tip, Tip::Head | Tip::Loop) && arrow.legs.len() > 2);
    crossings.chain(comes_in).collect()
}

fn legs(arrow: &Arrow) -> impl Iterator<Item = [Point; 2]> + '_ {
    arrow.legs.windows(2).map(|ends| [ends[0], ends[1]])
}

/// The part of a leg around the place where it crosses another one.
fn crossing(leg: [Point; 2], other: [Point; 2]) -> Option<[Point; 2]> {
    const AROUND: f64 = 3.5;
    let is_level = |[from, to]: [Point; 2]| from.y == to.y;
    let lies_in = |at: f64, one: f64, other: f64| at > one.min(other) && at < one.max(other);
    let (level, upright) = if is_level(leg) { (leg, other) } else { (other, leg) };
    let at = Point { x: upright[0].x, y: level[0].y };
    let crosses = is_level(leg) != is_level(other)
        && lies_in(at.x, level[0].x, level[1].x)
        && lies_in(at.y, upright[0].y, upright[1].y);
    let (dx, dy) = if is_level(leg) { (AROUND, 0.0) } else { (0.0, AROUND) };
    crosses.then_some([Point { x: at.x - dx, y: at.y - dy }, Point { x: at.x + dx, y: at.y + dy }])
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
    fn paper_is_where_arrows_cross_and_not_where_they_run_side_by_side() {
        let at = |x, y| Point { x, y };
        let level = [at(0.0, 5.0), at(20.0, 5.0)];
        let cases = [
            ([at(10.0, 0.0), at(10.0, 9.0)], Some([at(6.5, 5.0), at(13.5, 5.0)])),
            ([at(0.0, 8.0), at(20.0, 8.0)], None),
            ([at(10.0, 5.0), at(10.0, 9.0)], None),
            ([at(20.0, 0.0), at(20.0, 9.0)], None),
        ];
        for (other, expected) in cases {
            assert_eq!(crossing(level, other), expected, "{other:?}");
        }
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
