//! Marks, all drawn as paths: no font needs to have them.

use super::drawing::Drawing;
use crate::scene::{Area, Frame, Point};

/// Which way an arrow's head points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Right,
    Left,
    Up,
    Down,
}

impl Drawing {
    /// An arrow's head with its tip at a place.
    pub(super) fn head(&mut self, tip: Point, way: Way, size: f64, class: &'static str) {
        let (long, wide) = (size, size * 0.55);
        let (shape, legs) = match way {
            Way::Right => ("M# #l# #v#z", [-long, -wide, 2.0 * wide]),
            Way::Left => ("M# #l# #v#z", [long, -wide, 2.0 * wide]),
            Way::Up => ("M# #l# #h#z", [-wide, long, 2.0 * wide]),
            Way::Down => ("M# #l# #h#z", [-wide, -long, 2.0 * wide]),
        };
        let [across, down, back] = legs;
        self.path(shape, &[tip.x, tip.y, across, down, back], class);
    }

    /// An arrow to the right, `size` the length of its head.
    pub(super) fn arrow_right(&mut self, from: Point, to_x: f64, size: f64, line: &'static str, fill: &'static str) {
        self.path("M# #H#", &[from.x, from.y, to_x - 8.0], line);
        self.head(Point { x: to_x, y: from.y }, Way::Right, size, fill);
    }

    /// The arrow in the bytes of a free pointer.
    pub(super) fn pointer_arrow(&mut self, area: Area, line: &'static str, fill: &'static str) {
        let from = Point { x: area.x + area.w * 0.19, y: area.y + area.h / 2.0 };
        self.arrow_right(from, area.x + area.w * 0.825, 10.0, line, fill);
    }

    /// The target's cross-hair.
    pub(super) fn cross_hair(&mut self, at: Point) {
        let (x, y) = (at.x, at.y);
        self.circle(at, 8.0, "e-target w2 none");
        self.path("M# #h26M# #v26", &[x - 13.0, y, x, y - 13.0], "e-target w2 none");
    }

    /// The end of a list: earth.
    pub(super) fn ground(&mut self, at: Point) {
        let (x, y) = (at.x, at.y);
        self.path("M# #h10M# #h6M# #h2", &[x - 5.0, y, x - 3.0, y + 3.0, x - 1.0, y + 6.0], "e-ink2 w2 none");
    }

    /// A list that comes back to where it was.
    pub(super) fn loop_mark(&mut self, at: Point) {
        let (x, y) = (at.x, at.y);
        self.circle(at, 8.5, "f-paper");
        let shape = "M# #a5.5 5.5 0 1 0 5.5 5.5M# #l3.2 -3.2l3.2 3.2";
        self.path(shape, &[x, y - 5.5, x + 2.3, y + 2.0], "e-damage w2 none");
    }

    /// Memory goes on in the next row.
    pub(super) fn wrap(&mut self, at: Point) {
        let (x, y) = (at.x, at.y);
        self.path("M# #v4a5 5 0 0 0 5 5h9M# #l5 5l-5 5", &[x - 8.0, y - 8.0, x + 2.0, y - 4.0], "e-damage w25 none");
    }

    /// What a grip does: it goes left and right.
    pub(super) fn left_right(&mut self, at: Point, class: &'static str) {
        self.path("M# #h22m-16 -6l-6 6l6 6m10 -12l6 6l-6 6", &[at.x - 11.0, at.y], class);
    }

    /// The patterns of a figure: hatch means damage, dots slack and lost room. In the presenter the hatch is wider: a
    /// thin one boils in a video call.
    pub(super) fn patterns(&mut self, figure: &'static str, frame: Frame) {
        let pitch = if frame == Frame::Presenter { 12.0 } else { 8.0 };
        let hatches = [
            ("hatch", "f-damage"),
            ("hatch-armed", "f-damage half"),
            ("hatch-pointer", "f-damage-on-pointer"),
            ("hatch-pointer-armed", "f-damage-on-pointer half"),
        ];
        self.push("<defs>");
        for (name, class) in hatches {
            self.pattern(figure, name, [pitch, pitch], " patternTransform=\"rotate(45)");
            self.shape("<rect width=\"#\" height=\"#", &[pitch * 0.425, pitch], class);
            self.push("</pattern>");
        }
        self.pattern(figure, "stripes", [6.0, 8.0], "");
        self.shape("<rect width=\"2\" height=\"8", &[], "f-line");
        self.push("</pattern>");
        self.pattern(figure, "dots", [8.0, 8.0], "");
        self.shape("<rect x=\"3\" y=\"3\" width=\"2\" height=\"2", &[], "f-line");
        self.push("</pattern></defs>");
    }

    /// The start of a pattern.
    fn pattern(&mut self, figure: &'static str, name: &'static str, size: [f64; 2], turned: &'static str) {
        for part in ["<pattern id=\"", figure, "-", name] {
            self.push(part);
        }
        self.numbers("\" width=\"#\" height=\"#\" patternUnits=\"userSpaceOnUse\"", &size);
        self.push(turned);
        self.push(if turned.is_empty() { ">" } else { "\">" });
    }
}
