//! The one next thing to do: the only filled control on the screen.

use super::action::Toggle;
use super::{Session, Subject};
use crate::lessons::Ending;
use slabscope_core::command::Command;
use slabscope_core::event::Event;
use slabscope_core::forecast::{Ahead, forecast};
use slabscope_core::kernel::{Switch, Version};
use slabscope_core::machine::{Machine, Status};
use slabscope_core::outcome::Outcome;
use slabscope_core::snapshot::Landing;

/// The control that is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Invite {
    /// Allocate, in the row of what comes next.
    Allocate,
    /// The first allocation of an empty bench, in the handle's row.
    FirstAllocation,
    /// Overflow, which arms.
    Overflow,
    /// Write, which writes what is armed.
    Write,
    /// Free.
    Free,
    /// A switch of the bar.
    Flip(Toggle),
    /// "On Linux 6.12": the same commands there.
    Version(Version),
    /// "How far would it have to go?"
    HowFar,
    /// "Try 40 bytes at 64".
    TryReach,
    /// One step back from a dead machine.
    StepBack,
    /// One step on.
    StepOn,
    /// Nothing in particular.
    Nothing,
}

impl Session {
    /// What to do next.
    #[must_use]
    pub fn invite(&self) -> Invite {
        if self.look.reach {
            return Invite::TryReach;
        }
        if self.aim.as_ref().is_some_and(|aim| aim.armed) {
            return Invite::Write;
        }
        match self.ending() {
            Some(Ending::Flip(toggle)) => return Invite::Flip(toggle),
            Some(Ending::Version(version)) => return Invite::Version(version),
            None => {}
        }
        if self.ends_here() {
            return Invite::StepBack;
        }
        match self.next_command() {
            Some(next) => self.invite_to(next),
            None => self.invite_after_the_end(),
        }
    }

    fn invite_to(&self, next: &Command) -> Invite {
        match next {
            Command::Overflow { object, .. } if self.name_in_hand().as_ref() == Some(object) => Invite::Overflow,
            Command::Kmalloc { .. } | Command::Alloc { .. } if self.next_is_allocation() => Invite::Allocate,
            Command::Free { object } if self.name_in_hand().as_ref() == Some(object) => Invite::Free,
            _ => Invite::StepOn,
        }
    }

    fn invite_after_the_end(&self) -> Invite {
        if let Some(toggle) = self.stopped_by {
            return Invite::Flip(toggle);
        }
        match self.timeline.machine().verdict().map(|verdict| verdict.outcome) {
            Some(Outcome::Missed) => Invite::HowFar,
            _ if self.snapshot.named.is_empty() && self.story.subject == Subject::Bench => Invite::FirstAllocation,
            _ if self.story.subject == Subject::Bench => Invite::Allocate,
            _ if self.is_as_told() => Invite::Nothing,
            Some(Outcome::Hijacked) => Invite::Nothing,
            _ => Invite::Allocate,
        }
    }

    /// Whether a task died in this step, or the machine hangs.
    fn ends_here(&self) -> bool {
        let events = self.record.as_ref().and_then(|record| record.result.as_ref().ok()).map(|applied| &applied.events);
        let is_dead = matches!(events.and_then(|events| events.last()), Some(Event::Oopsed(_)));
        is_dead || self.timeline.machine().status() == Status::Hung
    }

    /// The switch under which the same commands are no hijack: a switch that changes nothing is not worth a flip.
    pub(super) fn switch_that_stops(&self) -> Option<Toggle> {
        /// What is carried out anew each time that a hijack comes into sight.
        const MOST_COMMANDS: u32 = 1000;
        let is_hijacked = |machine: &Machine| machine.verdict().is_some_and(|told| told.outcome == Outcome::Hijacked);
        let is_at_the_end = self.next_command().is_none() && self.timeline.len() <= MOST_COMMANDS;
        if !is_at_the_end || !is_hijacked(self.timeline.machine()) {
            return None;
        }
        let switches = [Toggle::MiddlePointer, Toggle::Kernel(Switch::FreelistHardened)];
        switches.into_iter().filter(|toggle| !self.is_on(*toggle)).find(|toggle| {
            let turned = self.turned(*toggle).and_then(|(config, _)| self.timeline.rerun(config, self.timeline.luck()));
            turned.is_ok_and(|timeline| !is_hijacked(timeline.machine()))
        })
    }

    /// What the lesson on the bench ends with, once it has been told to its end.
    fn ending(&self) -> Option<Ending> {
        let Subject::Lesson(lesson) = self.story.subject else { return None };
        lesson.ending().filter(|_| self.next_command().is_none() && self.is_as_told())
    }

    /// Whether it is time for the next story: the reader went back to make a write longer and now reaches the target,
    /// or has turned the switch that the lesson ends with.
    #[must_use]
    pub fn is_at_the_doors(&self) -> bool {
        match self.aim {
            Some(_) => self.went_back && self.aim_reaches_target(),
            None => self.next_command().is_none() && self.has_turned_the_last_switch(),
        }
    }

    fn has_turned_the_last_switch(&self) -> bool {
        let Subject::Lesson(lesson) = self.story.subject else { return false };
        let told = &self.story.scenario;
        lesson.ending().is_some() && *self.timeline.config() != told.kernel
    }

    /// Whether an allocation to come would return the target if what is aimed at were written.
    #[must_use]
    pub fn aim_reaches_target(&self) -> bool {
        let Some(command) = self.aim.as_ref().and_then(super::Aim::command) else { return false };
        let Some(target) = self.target().and_then(|name| self.snapshot.named.iter().find(|named| named.name == *name))
        else {
            return false;
        };
        let Some(cache) = self.cache_in_hand() else { return false };
        forecast(self.timeline.machine(), Some(&command), cache.id, 3)
            .iter()
            .any(|ahead| matches!(ahead, Ahead::Returns { address, .. } if *address == target.address))
    }

    /// Whether the object of the name is the target's own landing (used by the sentence).
    #[must_use]
    pub fn is_elsewhere(&self, landing: Landing) -> bool {
        match (landing, self.selected) {
            (Landing::Object { slab, .. }, Some(selected)) => slab != selected.slab,
            (Landing::Object { .. }, None) => false,
            _ => true,
        }
    }
}
