//! An object drawn in signs, to scale.
//!
//! ```text
//! |################################>>>>>>>>########################|
//! 0                               32      40                      64
//! ```

use slabscope_core::layout::{Layout, Track};
use std::fmt;

/// The object's stride: `#` data, `>` free pointer, `.` padding, and what checks keep: `=` red zones, `t` tracks, `s` the size
/// that was asked for.
pub(super) struct Picture<'a>(pub(super) &'a Layout);

/// The most signs that a stride takes.
const WIDTH: u64 = 64;

/// A part of the stride: where it begins and ends, counted from the stride's first byte; its sign; what that stands for.
type Zone = (u64, u64, char, &'static str);

impl Picture<'_> {
    /// Bytes that one sign stands for: the fewest with which the stride fits.
    fn scale(&self) -> u64 {
        self.0.size.div_ceil(WIDTH)
    }

    /// What has a sign of its own; the rest is padding. A free pointer shows even where it is a part of what a sign stands for,
    /// so it comes first.
    fn zones(&self) -> Vec<Zone> {
        let (layout, object) = (self.0, self.0.red_left_pad);
        let zone = |from: u64, len: u64, sign, what| (object + from, object + from + len, sign, what);
        let tracks = 2 * layout.checks.track_size;
        let right_zone = if layout.checks.flags.red_zone { layout.inuse - layout.object_size } else { 0 };
        let mut zones = vec![
            zone(layout.offset, 8, '>', "free pointer while the object is free"),
            zone(0, layout.object_size, '#', "data"),
            (0, object, '=', "red zone"),
            zone(layout.object_size, right_zone, '=', "red zone"),
            zone(if tracks > 0 { layout.track_at(Track::Alloc) } else { 0 }, tracks, 't', "who allocated and freed it"),
        ];
        zones.extend(layout.orig_size_at().map(|at| zone(at, layout.checks.orig_size, 's', "size asked for")));
        zones.retain(|(from, to, _, _)| from < to);
        zones
    }

    /// The sign for the bytes from `byte` on.
    fn sign(&self, byte: u64, zones: &[Zone]) -> char {
        let end = byte + self.scale();
        let shown =
            zones.iter().find(
                |(from, to, sign, _)| {
                    if *sign == '>' { byte < *to && *from < end } else { (*from..*to).contains(&byte) }
                },
            );
        shown.map_or('.', |(_, _, sign, _)| *sign)
    }

    /// The places that are named under the bar, in order.
    fn places(&self, zones: &[Zone]) -> Vec<u64> {
        let ends = zones.iter().flat_map(|(from, to, _, _)| [*from, *to]);
        let mut places: Vec<u64> = ends.chain([0, self.0.size]).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The line under the bar: each place's number, counted from the object, under its sign. One that has no room is left out;
    /// the stride's end has.
    fn ruler(&self, zones: &[Zone]) -> String {
        let column =
            |place: u64| 2 + usize::try_from(place.div_ceil(self.scale())).unwrap_or(0) + usize::from(place > 0);
        let (mut line, end) = (String::new(), self.0.size);
        for place in self.places(zones) {
            let number = (i128::from(place) - i128::from(self.0.red_left_pad)).to_string();
            let at = column(place);
            let is_clear = place == 0 || (line.len() < at && (place == end || at + number.len() < column(end)));
            if is_clear {
                line.push_str(&" ".repeat(at - line.len()));
                line.push_str(&number);
            }
        }
        line
    }

    /// `# data, > free pointer while the object is free, . padding`.
    fn legend(&self, zones: &[Zone]) -> String {
        let mut words: Vec<String> = Vec::new();
        for sign in ['#', '>', '=', 't', 's'] {
            let what = zones.iter().find(|zone| zone.2 == sign).map(|zone| zone.3);
            words.extend(what.map(|what| format!("{sign} {what}")));
        }
        words.push(". padding".to_owned());
        words.join(", ")
    }
}

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scale, zones) = (self.scale(), self.zones());
        f.write_str("  |")?;
        for byte in (0..self.0.size).step_by(usize::try_from(scale).unwrap_or(1)) {
            write!(f, "{}", self.sign(byte, &zones))?;
        }
        writeln!(f, "|\n{}", self.ruler(&zones))?;
        let unit = if scale == 1 { "a byte".to_owned() } else { format!("up to {scale} bytes") };
        write!(f, "  one sign is {unit}: {}", self.legend(&zones))
    }
}
