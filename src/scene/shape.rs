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

    /// Whether both have a place in common.
    #[must_use]
    pub fn meets(&self, other: Self) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }

    /// The smallest one that has both.
    #[must_use]
    pub fn joined(&self, other: Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Self::new(x, y, self.right().max(other.right()) - x, self.bottom().max(other.bottom()) - y)
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

/// What a step did to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// It came into use, or was freed.
    Turned,
    /// Bytes of it were written over, or what was written over them is gone.
    Struck,
}

impl Change {
    /// What is said of an object that a step changed.
    pub(super) fn words(change: Option<Self>) -> &'static str {
        if change.is_some() { ", changed" } else { "" }
    }
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
    /// On a full object.
    OnAlloc,
    /// On a free pointer's yellow.
    OnPointer,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Its baseline's start, or its middle.
    pub at: Point,
    /// Its words.
    pub words: String,
    /// Its size.
    pub size: Px,
    /// Its weight and letters.
    pub face: Face,
    /// What it says beside its words.
    pub tone: Tone,
    /// Whether `at` is its middle.
    pub centred: bool,
}

/// The weight and the letters of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Face {
    /// Plain.
    Plain,
    /// Bold.
    Bold,
    /// Letters of one width.
    Mono,
    /// Bold letters of one width.
    MonoBold,
}

impl Text {
    /// A plain text.
    #[must_use]
    pub fn plain(x: Px, y: Px, words: impl Into<String>, size: Px, tone: Tone) -> Self {
        Self { at: Point { x, y }, words: words.into(), size, face: Face::Plain, tone, centred: false }
    }

    /// The same in another face.
    #[must_use]
    pub fn in_face(self, face: Face) -> Self {
        Self { face, ..self }
    }

    /// The same with its middle at its place.
    #[must_use]
    pub fn centred(self) -> Self {
        Self { centred: true, ..self }
    }

    /// About how wide it is: system fonts differ, so this leans to the wide side.
    #[must_use]
    pub fn width(&self) -> Px {
        self.face.width(&self.words, self.size)
    }

    /// Where its letters are: from a capital's top to the foot of a `p`.
    #[must_use]
    pub fn letters(&self) -> Area {
        let left = if self.centred { self.at.x - self.width() / 2.0 } else { self.at.x };
        Area::new(left, self.at.y - 0.73 * self.size, self.width(), 0.89 * self.size)
    }
}

impl Face {
    /// About how wide a text is at a size.
    #[must_use]
    pub fn width(self, words: &str, size: Px) -> Px {
        words.chars().map(|letter| self.letter(letter)).sum::<f64>() * size
    }

    /// A letter's width as a share of its size, as in DejaVu Sans, which is wider than most.
    fn letter(self, letter: char) -> f64 {
        match (self, letter) {
            (Self::Mono | Self::MonoBold, _) => 0.603,
            (Self::Bold, 'w' | 'm' | 'M' | 'W' | '…') => 0.98,
            (Self::Bold, 'i' | 'l' | 'j' | 'f' | 't' | '.' | ',' | ':' | '’' | ' ' | '-') => 0.38,
            (Self::Bold, '#' | '+' | 'A'..='Z') => 0.84,
            (Self::Bold, _) => 0.69,
            (Self::Plain, 'w' | 'm' | 'M' | 'W' | '…') => 0.92,
            (Self::Plain, 'i' | 'l' | 'j' | 'f' | 't' | '.' | ',' | ':' | '’' | ' ' | '-' | '·') => 0.34,
            (Self::Plain, _) => 0.63,
        }
    }
}
