//! Elsewhere: the target, and where pointers lead that leave the slab.

use super::View;
use super::shape::{Area, Point};
use std::rc::Rc;

/// The figure at the right of the map.
#[derive(Clone, Debug, PartialEq)]
pub struct ElsewhereScene {
    /// The figure's rectangle in the frame.
    pub area: Area,
    /// Where its heading stands; `None` where it has none.
    pub heading_at: Option<Point>,
    /// What it shows, in a sentence.
    pub summary: String,
    /// Its boxes, the target first.
    pub boxes: Vec<Rc<ElsewhereBox>>,
}

/// A place outside the slab.
#[derive(Clone, Debug, PartialEq)]
pub struct ElsewhereBox {
    /// Its address.
    pub address: u64,
    /// Where it is drawn.
    pub area: Area,
    /// What it is.
    pub sort: Sort,
    /// Its name: `target`, `nowhere`.
    pub name: String,
    /// Its address, shortened.
    pub note: String,
    /// Lines under the box: why it is no object of this slab.
    pub why: Vec<String>,
    /// Another name that it was handed out under.
    pub also: Option<OtherName>,
    /// Whether it came in with this step.
    pub changed: bool,
    /// All of that in words.
    pub label: String,
}

/// A name that an allocation gave to something that had one.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherName {
    /// The name.
    pub name: String,
    /// Where it is drawn.
    pub area: Area,
}

/// What a place outside the slab is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// The attacker's target.
    Target,
    /// Memory that can be read.
    Memory,
    /// No memory: a fault.
    Nowhere,
}

pub(super) fn scene(view: &View) -> ElsewhereScene {
    let _ = view;
    todo!()
}
