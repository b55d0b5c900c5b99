//! Looking along time: steps, jumps, play. Looking changes nothing.

use super::action::{Effect, Way};
use super::{Aim, Session};
use slabscope_core::command::Command;
use slabscope_core::timeline::Record;
use slabscope_core::units::Step;
use std::rc::Rc;

impl Session {
    /// The command that leads on from here, if there is one.
    #[must_use]
    pub fn next_command(&self) -> Option<&Command> {
        self.timeline.commands().nth(self.cursor().index())
    }

    /// The command that led here.
    #[must_use]
    pub fn last_command(&self) -> Option<&Command> {
        self.cursor().index().checked_sub(1).and_then(|before| self.timeline.commands().nth(before))
    }

    /// How the steps so far went, in order.
    pub fn log(&self) -> impl Iterator<Item = &Record> {
        (1..=self.cursor().raw()).filter_map(|step| self.timeline.record(Step::from_raw(step)).map(Rc::as_ref))
    }

    /// One step on or back. An overflow to come is shown armed first, so that a speaker can talk over it; and a step
    /// back from an aim gives the aim up.
    pub(super) fn step(&mut self, way: Way) -> Vec<Effect> {
        let cursor = self.cursor().raw();
        match way {
            Way::Forward => {
                if self.aim_is_next() || !self.arm_next() {
                    self.look_at(Step::from_raw((cursor + 1).min(self.timeline.len())));
                }
            }
            Way::Back if self.aim.is_some() => self.aim = None,
            Way::Back => self.look_at(Step::from_raw(cursor.saturating_sub(1))),
        }
        vec![Effect::Keep]
    }

    /// Whether what is aimed at is what the next step writes.
    fn aim_is_next(&self) -> bool {
        self.aim.as_ref().and_then(Aim::command).is_some_and(|aimed| self.next_command() == Some(&aimed))
    }

    /// Arms the overflow that the next step writes; `false` where it writes none, or where its object is nowhere.
    fn arm_next(&mut self) -> bool {
        let Some(Command::Overflow { object, len, value }) = self.next_command().cloned() else { return false };
        self.select_named(&object);
        if self.overflowable().is_none_or(|(_, in_hand)| in_hand.name.as_ref() != Some(&object)) {
            return false;
        }
        self.aim = Some(Aim { object, len, value, armed: true });
        true
    }

    /// Looks at a step.
    pub(super) fn look_at(&mut self, step: Step) {
        self.aim = None;
        let was = self.cursor();
        if step != was {
            self.timeline.seek(step);
            self.look_from(was);
        }
    }

    pub(super) fn seek(&mut self, step: Step) -> Vec<Effect> {
        self.playing = false;
        self.look_at(step);
        vec![Effect::Keep]
    }

    /// Starts or stops playing; at the end it starts over.
    pub(super) fn play(&mut self) -> Vec<Effect> {
        self.playing = !self.playing && !self.timeline.is_empty();
        if self.playing && self.cursor().raw() == self.timeline.len() {
            self.look_at(Step::from_raw(0));
        }
        vec![Effect::Keep]
    }

    pub(super) fn tick(&mut self) -> Vec<Effect> {
        if !self.playing {
            return Vec::new();
        }
        let effects = self.step(Way::Forward);
        self.playing = self.cursor().raw() < self.timeline.len();
        effects
    }

    pub(super) fn digit(&mut self, digit: u8) {
        const MOST: usize = 9;
        if self.digits.len() < MOST {
            self.digits.push(char::from(b'0' + digit.min(9)));
        }
    }

    pub(super) fn go_to_digits(&mut self) -> Vec<Effect> {
        let typed = core::mem::take(&mut self.digits);
        match typed.parse() {
            Ok(step) => self.seek(Step::from_raw(step)),
            Err(_) => Vec::new(),
        }
    }

    pub(super) fn switch_branch(&mut self, branch: usize) -> Vec<Effect> {
        if branch >= self.timeline.branches().len() {
            return Vec::new();
        }
        let past = self.past();
        self.remember(past);
        self.aim = None;
        self.timeline.switch_to(branch);
        self.look_again();
        vec![Effect::Keep]
    }
}
