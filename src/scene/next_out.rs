//! Next out: what the next allocations return, in order.

use super::View;
use super::shape::{Area, Point};
use std::rc::Rc;

/// The row of boxes under the lens.
#[derive(Clone, Debug, PartialEq)]
pub struct NextOutScene {
    /// The figure's rectangle in the frame.
    pub area: Area,
    /// `next out of kmalloc(64)`.
    pub heading: String,
    /// Where the heading's lines stand.
    pub heading_at: Point,
    /// What it shows, in a sentence.
    pub summary: String,
    /// The boxes.
    pub boxes: Vec<Rc<NextBox>>,
    /// What stands after the boxes, in the presenter: `61 objects lost`.
    pub aside: Option<String>,
}

/// An allocation to come.
#[derive(Clone, Debug, PartialEq)]
pub struct NextBox {
    /// Which: 1 is the next.
    pub ordinal: u32,
    /// Where it is drawn.
    pub area: Area,
    /// How its edge looks.
    pub tone: NextTone,
    /// What it returns: a name, an offset, `new slab`, `a fault`.
    pub name: String,
    /// What stands under it.
    pub note: String,
    /// The arrow to the next box; `None` after the last.
    pub link: Option<Link>,
    /// All of that in words.
    pub label: String,
}

/// How a box's edge looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NextTone {
    /// The next one.
    First,
    /// On a list.
    Listed,
    /// It comes only if what is armed is written, or from a slab that is not made yet.
    Ghost,
    /// The attacker's target, or an address outside the slab.
    Target,
    /// It dies.
    Fault,
}

/// The arrow from a box to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Where it starts.
    pub from: Point,
    /// Where its tip is.
    pub to: Point,
    /// Whether it follows a pointer that was, or would be, written over.
    pub broken: bool,
}

pub(super) fn scene(view: &View) -> NextOutScene {
    let _ = view;
    todo!()
}
