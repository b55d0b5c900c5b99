//! Time: the commands so far, the machine at any step, and futures that were left.

use crate::command::Command;
use crate::kernel::{ConfigError, KernelConfig};
use crate::luck::Seed;
use crate::machine::{Applied, Machine, Refusal};
use crate::outcome::Verdict;
use crate::units::Step;
use std::rc::Rc;

/// A step as it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What was asked for.
    pub command: Command,
    /// What came of it. A refusal appears only where commands are re-run on another kernel.
    pub result: Result<Applied, Refusal>,
    /// The verdict after it.
    pub verdict: Option<Verdict>,
}

/// Commands, a cursor among them, and the machine at the cursor.
#[derive(Clone, Debug)]
pub struct Timeline {}

impl Timeline {
    /// A machine with no commands yet.
    ///
    /// # Errors
    /// Where no such kernel exists.
    pub fn new(config: KernelConfig, luck: Seed) -> Result<Self, ConfigError> {
        let _ = (config, luck);
        todo!()
    }

    /// The kernel.
    #[must_use]
    pub fn config(&self) -> &KernelConfig {
        todo!()
    }

    /// The luck.
    #[must_use]
    pub fn luck(&self) -> Seed {
        todo!()
    }

    /// Steps of the current line of time, played or to come.
    #[must_use]
    pub fn len(&self) -> u32 {
        todo!()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the machine is: 0 after boot, n after n commands.
    #[must_use]
    pub fn cursor(&self) -> Step {
        todo!()
    }

    /// The commands of the current line, played or to come.
    pub fn commands(&self) -> impl Iterator<Item = &Command> {
        core::iter::empty()
    }

    /// How the step before `step` went (that is, the command that leads to it). `None` for step 0 and beyond the end.
    pub fn record(&mut self, step: Step) -> Option<Rc<Record>> {
        let _ = step;
        todo!()
    }

    /// The machine at the cursor.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        todo!()
    }

    /// Carries out a command at the cursor. If steps were to come and the next of them is another command, they are
    /// kept as a branch.
    ///
    /// # Errors
    /// A refusal: nothing changed.
    pub fn act(&mut self, command: Command) -> Result<Rc<Record>, Refusal> {
        let _ = command;
        todo!()
    }

    /// Adds a command at the end without moving the cursor (a script's steps to come).
    pub fn append(&mut self, command: Command) {
        let _ = command;
        todo!()
    }

    /// Moves the cursor; past the end is the end.
    pub fn seek(&mut self, step: Step) {
        let _ = step;
        todo!()
    }

    /// The same commands on another kernel or with other luck, at the same step.
    ///
    /// # Errors
    /// Where no such kernel exists; the timeline is as it was.
    pub fn rerun(&self, config: KernelConfig, luck: Seed) -> Result<Self, ConfigError> {
        let _ = (config, luck);
        todo!()
    }

    /// Futures that were left: where each parts from the current line, and its commands.
    pub fn branches(&self) -> Vec<Branch> {
        todo!()
    }

    /// Goes over to a branch; what is left becomes a branch.
    pub fn switch_to(&mut self, branch: usize) {
        let _ = branch;
        todo!()
    }
}

/// A future that was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The last step that it shares with the current line.
    pub parts_at: Step,
    /// What came after it there.
    pub commands: Vec<Command>,
}
