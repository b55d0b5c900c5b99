//! The page's state, and every way in which it can change: plain data, no timers, no storage, no browser.

use slabscope_core::command::{Command, Name, Value};

/// An overflow that is aimed or armed, and not written: no tick, no branch, no script line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    /// Past which object.
    pub object: Name,
    /// How many bytes past its end; 0 while the handle is at home.
    pub len: u64,
    /// What would be written.
    pub value: Value,
    /// Whether the handle was let go: then Write writes.
    pub armed: bool,
}

impl Aim {
    /// The command that would carry it out.
    #[must_use]
    pub fn command(&self) -> Option<Command> {
        (self.len > 0).then(|| Command::Overflow {
            object: self.object.clone(),
            len: self.len,
            value: self.value.clone(),
        })
    }
}
