//! Taking acts back: whole states of the bench, which share their memory's pages.

use super::kernel::Wanted;
use super::story::Story;
use super::{Effect, Session};
use slabscope_core::timeline::Timeline;
use std::rc::Rc;

/// Acts that can be taken back, and acts that were.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    done: Vec<Past>,
    undone: Vec<Past>,
}

/// The bench as it was.
#[derive(Clone, Debug)]
pub(super) struct Past {
    story: Rc<Story>,
    timeline: Timeline,
    pub(super) wanted: Wanted,
}

impl Session {
    /// The bench as it is.
    pub(super) fn past(&self) -> Past {
        Past { story: Rc::clone(&self.story), timeline: self.timeline.clone(), wanted: self.wanted }
    }

    /// An act was done that led away from `past`.
    pub(super) fn remember(&mut self, past: Past) {
        self.history.done.push(past);
        self.history.undone.clear();
    }

    /// Whether there is an act to take back.
    #[must_use]
    pub const fn can_undo(&self) -> bool {
        !self.history.done.is_empty()
    }

    /// Whether there is an act to do again.
    #[must_use]
    pub const fn can_redo(&self) -> bool {
        !self.history.undone.is_empty()
    }

    pub(super) fn undo(&mut self) -> Vec<Effect> {
        let Some(past) = self.history.done.pop() else { return Vec::new() };
        let now = self.past();
        self.history.undone.push(now);
        self.return_to(past)
    }

    pub(super) fn redo(&mut self) -> Vec<Effect> {
        let Some(past) = self.history.undone.pop() else { return Vec::new() };
        let now = self.past();
        self.history.done.push(now);
        self.return_to(past)
    }

    fn return_to(&mut self, past: Past) -> Vec<Effect> {
        let in_hand = self.name_in_hand();
        self.story = past.story;
        self.timeline = past.timeline;
        self.wanted = past.wanted;
        self.aim = None;
        self.look_again();
        if let Some(name) = in_hand {
            self.select_named(&name);
        }
        vec![Effect::Keep]
    }
}
