//! Arrows of the map: what they mean and where they run.

use super::shape::Point;

/// An arrow, from the dot in a free pointer to where the pointer leads.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    /// Names it among the arrows of its map.
    pub key: u32,
    /// What it says.
    pub kind: ArrowKind,
    /// Its corners: the dot first, the tip last; each leg is level or upright. One point where there is no room: a
    /// stub, with a flag.
    pub legs: Vec<Point>,
    /// The end of a stub.
    pub flag: Option<Flag>,
}

/// What an arrow says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrowKind {
    /// A hop of a list.
    List,
    /// One more hop of the whole chain, under the glyphs.
    Chain,
    /// A pointer that was written over.
    Broken,
    /// Where a pointer will lead if what is armed is written.
    Ghost,
}

/// What stands at the end of a stub.
#[derive(Clone, Debug, PartialEq)]
pub struct Flag {
    /// Where: its left end, on the baseline.
    pub at: Point,
    /// The place in the list that the arrow leads to.
    pub to: String,
}
