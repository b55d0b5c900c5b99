//! Places and sizes of what is drawn, and the tokens that it is drawn with.

/// A length in CSS pixels.
pub type Px = f64;

/// A place in a figure: px from the frame's left and top edge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: Px,
    /// Down.
    pub y: Px,
}

/// A rectangle in a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    /// Its left edge.
    pub x: Px,
    /// Its top edge.
    pub y: Px,
    /// Its width.
    pub w: Px,
    /// Its height.
    pub h: Px,
}

impl Area {
    /// A rectangle from its left and top edge, its width and its height.
    #[must_use]
    pub const fn new(x: Px, y: Px, w: Px, h: Px) -> Self {
        Self { x, y, w, h }
    }

    /// Its right edge.
    #[must_use]
    pub fn right(&self) -> Px {
        self.x + self.w
    }

    /// Its bottom edge.
    #[must_use]
    pub fn bottom(&self) -> Px {
        self.y + self.h
    }

    /// The same, `by` px smaller on every side; larger where `by` is negative.
    #[must_use]
    pub fn inset(&self, by: Px) -> Self {
        Self::new(self.x + by, self.y + by, self.w - 2.0 * by, self.h - 2.0 * by)
    }
}

/// How an object looks: full, hollow, dotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Look {
    /// Somebody has it.
    InUse,
    /// On a list.
    Free,
    /// Free, but on no list.
    Lost,
    /// Not there yet: a slab to come.
    Ghost,
}

/// How bytes look that a write hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HitLook {
    /// Aimed at, not yet written.
    Armed,
    /// Written.
    Written,
}

/// What a text or an edge says beside its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tone {
    /// Plain.
    Ink,
    /// Second to that.
    Quiet,
    /// Damage.
    Damage,
    /// The attacker's target.
    Target,
}
