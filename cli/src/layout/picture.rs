//! An object drawn in signs, to scale.
//!
//! ```text
//! |################################>>>>>>>>########################|
//! 0                               32      40                      64
//! ```

use slabscope_core::layout::Layout;
use std::fmt;

/// The object's stride: `#` data, `>` free pointer, `.` padding.
pub(super) struct Picture<'a>(pub(super) &'a Layout);

/// The most signs that a stride takes.
const WIDTH: u64 = 64;

impl Picture<'_> {
    /// Bytes that one sign stands for: the fewest with which the stride fits.
    fn scale(&self) -> u64 {
        self.0.size.div_ceil(WIDTH)
    }

    /// The sign for the bytes from `byte` on. A free pointer shows even where it is a part of what the sign stands for.
    fn sign(&self, byte: u64) -> char {
        let (layout, end) = (self.0, byte + self.scale());
        if byte < layout.offset + 8 && layout.offset < end {
            '>'
        } else if byte < layout.object_size {
            '#'
        } else {
            '.'
        }
    }

    /// The places that are named under the bar, in order.
    fn places(&self) -> Vec<u64> {
        let mut places = vec![0, self.0.offset, self.0.offset + 8, self.0.object_size, self.0.size];
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The line under the bar: each place's number under its sign. One that has no room is left out; the stride's end has.
    fn ruler(&self) -> String {
        let column =
            |place: u64| 2 + usize::try_from(place.div_ceil(self.scale())).unwrap_or(0) + usize::from(place > 0);
        let (mut line, end) = (String::from("  0"), self.0.size);
        for place in self.places() {
            let (at, number) = (column(place), place.to_string());
            let is_clear = line.len() < at && (place == end || at + number.len() < column(end));
            if is_clear {
                line.push_str(&" ".repeat(at - line.len()));
                line.push_str(&number);
            }
        }
        line
    }
}

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scale = self.scale();
        f.write_str("  |")?;
        for byte in (0..self.0.size).step_by(usize::try_from(scale).unwrap_or(1)) {
            write!(f, "{}", self.sign(byte))?;
        }
        writeln!(f, "|\n{}", self.ruler())?;
        let unit = if scale == 1 { "a byte".to_owned() } else { format!("up to {scale} bytes") };
        write!(f, "  one sign is {unit}: # data, > free pointer while the object is free, . padding")
    }
}
