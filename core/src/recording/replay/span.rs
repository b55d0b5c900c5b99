//! What was recorded since the last operation.

use crate::recording::console::Console;
use crate::recording::records::{FreeSlab, NewSlab, Pos};

/// What was recorded since the last operation, each with its line.
#[derive(Debug, Default)]
pub(super) struct Span {
    pub(super) newslabs: Vec<(u32, NewSlab)>,
    pub(super) starts: Vec<(u32, Pos)>,
    pub(super) freeslabs: Vec<(u32, FreeSlab)>,
    pub(super) console: Console,
    /// The line of each fact that the kernel printed.
    pub(super) console_lines: Vec<u32>,
}

impl Span {
    pub(super) fn newslab(&mut self, line: u32, slab: NewSlab) {
        self.newslabs.push((line, slab));
    }

    pub(super) fn pos(&mut self, line: u32, pos: Pos) {
        self.starts.push((line, pos));
    }

    pub(super) fn freeslab(&mut self, line: u32, slab: FreeSlab) {
        self.freeslabs.push((line, slab));
    }

    pub(super) fn console(&mut self, line: u32, text: &str) {
        self.console.line(text);
        self.console_lines.resize(self.console.facts.len(), line);
    }
}
