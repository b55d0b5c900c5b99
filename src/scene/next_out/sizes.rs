//! Where the boxes of next out lie, by the kind of screen.

use super::super::measure::{NARROW_MARGIN, px};
use super::super::shape::{Area, Face, Point, Px, Text, Tone};
use super::super::{Frame, words};
use super::{NextTone, Telling};

pub(super) struct Sizes {
    pub(super) area: Area,
    heading: Point,
    pub(super) first: Area,
    pitch: Px,
    pub(super) link_gap: Px,
    pub(super) big: bool,
    narrow: bool,
}

impl Sizes {
    pub(super) fn of(frame: Frame) -> Self {
        let wide = Self {
            area: Area::new(0.0, 522.0, 640.0, 112.0),
            heading: Point { x: 28.0, y: 540.0 },
            first: Area::new(28.0, 552.0, 172.0, 60.0),
            pitch: 204.0,
            link_gap: 5.0,
            big: false,
            narrow: false,
        };
        match frame {
            Frame::Wide => wide,
            Frame::Short => Self {
                area: Area::new(0.0, 422.0, 640.0, 96.0),
                heading: Point { x: 28.0, y: 436.0 },
                first: Area::new(28.0, 448.0, 172.0, 60.0),
                ..wide
            },
            Frame::Presenter => Self {
                area: Area::new(0.0, 584.0, 1280.0, 128.0),
                heading: Point { x: 28.0, y: 648.0 },
                first: Area::new(124.0, 603.0, 260.0, 94.0),
                pitch: 314.0,
                link_gap: 4.0,
                big: true,
                ..wide
            },
            Frame::Narrow { width } => {
                let inner = px(width) - 2.0 * NARROW_MARGIN;
                // On the narrowest screens the arrows are shorter, so that the words have room.
                let gap = if width < 375 { 16.0 } else { 22.0 };
                let each = ((inner - 2.0 * gap) / 3.0).floor();
                Self {
                    area: Area::new(0.0, 0.0, px(width), 86.0),
                    heading: Point { x: NARROW_MARGIN, y: 16.0 },
                    first: Area::new(NARROW_MARGIN, 26.0, each, 54.0),
                    pitch: each + gap,
                    link_gap: 3.0,
                    narrow: true,
                    ..wide
                }
            }
        }
    }

    pub(super) fn area_of(&self, nth: u32, wide: bool) -> Area {
        let w = if wide { self.pitch + self.first.w } else { self.first.w };
        Area { x: self.first.x + px(nth) * self.pitch, w, ..self.first }
    }

    pub(super) fn heading(&self, call: &str) -> Vec<Text> {
        let Point { x, y } = self.heading;
        if self.big {
            let line = |dy, words: &str| Text::plain(x, y + dy, words, 28.0, Tone::Quiet);
            return vec![line(0.0, "next"), line(30.0, "out")];
        }
        vec![Text::plain(x, y, format!("next out of {call}"), 14.0, Tone::Quiet)]
    }

    pub(super) fn texts(&self, telling: &Telling, ordinal: u32, area: Area) -> Vec<Text> {
        let tone = match telling.tone {
            NextTone::Target => Tone::Target,
            NextTone::Fault => Tone::Damage,
            NextTone::First | NextTone::Listed | NextTone::Ghost => Tone::Ink,
        };
        let (left, size) = match (self.big, self.narrow) {
            (true, _) => (54.0, 28.0),
            (false, true) if area.w < 99.0 => (8.0, 14.0),
            (false, true) => (12.0, 16.0),
            (false, false) => (36.0, 20.0),
        };
        let (number_x, number_size, number_y, name_y) = match (self.big, self.narrow) {
            (true, _) => (18.0, 28.0, 59.0, 59.0),
            (false, true) => (left, 14.0, 20.0, 43.0),
            (false, false) => (14.0, 16.0, 27.0, 27.0),
        };
        let room = area.w - left - 4.0;
        // Smaller letters before cut words.
        let smaller = match (self.big, self.narrow) {
            (true, _) => 24.0,
            (false, true) => 14.0,
            (false, false) => 16.0,
        };
        let is_address = telling.name.starts_with("0x");
        let is_long = Face::Bold.width(&telling.name, size) > room;
        let size = if is_long && (is_address || self.narrow) { smaller } else { size };
        let fit = if is_address { words::fit_end } else { words::fit };
        let name = fit(&telling.name, room, Face::Bold, size);
        let face = if self.big || self.narrow { Face::Plain } else { Face::Mono };
        let mut texts = vec![
            Text::plain(area.x + number_x, area.y + number_y, ordinal.to_string(), number_size, Tone::Quiet)
                .in_face(face),
            Text::plain(area.x + left, area.y + name_y, name, size, tone).in_face(Face::Bold),
        ];
        if !self.big && !self.narrow {
            let note = words::fit(&telling.note, area.w - left - 6.0, Face::Mono, 14.0);
            texts.push(Text::plain(area.x + left, area.y + 49.0, note, 14.0, Tone::Quiet).in_face(Face::Mono));
        }
        texts
    }
}
