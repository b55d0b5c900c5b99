//! Arrows of the map: what they mean and where they run.

use super::shape::Point;

/// An arrow, from the dot in a free pointer to where the pointer leads.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    /// Names it among the arrows of its map: the index of the object that it leaves.
    pub key: u32,
    /// What it says.
    pub kind: ArrowKind,
    /// Its corners: the dot first, the tip last; each leg is level or upright.
    pub legs: Vec<Point>,
    /// What stands at its end.
    pub tip: Tip,
}

impl Arrow {
    /// Whether there was no room for it, so that it ends in the gutter.
    #[must_use]
    pub fn is_stub(&self) -> bool {
        self.tip == Tip::Stub
    }
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

/// What stands at the end of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tip {
    /// A head: it points at what its last leg ends at.
    Head,
    /// The end of the list.
    Ground,
    /// The list comes back to where it was.
    Loop,
    /// No room: the cell carries a flag.
    Stub,
}

/// What stands in a cell whose arrow is a stub.
#[derive(Clone, Debug, PartialEq)]
pub struct Flag {
    /// Its left end, on the baseline.
    pub at: Point,
    /// The place in the list that the arrow leads to.
    pub to: String,
}
