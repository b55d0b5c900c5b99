//! Time: the commands so far, the machine at any step, and futures that were left.
//!
//! The machine at a step is made from the nearest checkpoint before it and the commands between. Checkpoints stand
//! `spacing` steps apart; when there are too many, every other one goes and the spacing doubles, so that a long
//! timeline costs no more memory than a short one and a seek replays a bounded share of it.

use crate::command::Command;
use crate::kernel::{ConfigError, KernelConfig};
use crate::luck::Seed;
use crate::machine::{Applied, Machine, Refusal};
use crate::units::{Step, count_from, index_from};
use std::rc::Rc;

/// A step as it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What was asked for.
    pub command: Command,
    /// What came of it. A refusal appears only where commands are re-run on another kernel.
    pub result: Result<Applied, Refusal>,
}

/// Commands, a cursor among them, and the machine at the cursor.
#[derive(Clone, Debug)]
pub struct Timeline {
    machine: Machine,
    commands: Vec<Command>,
    /// How each step went, for those that were played on this line.
    records: Vec<Rc<Record>>,
    cursor: u32,
    /// Machines at multiples of `spacing`, from step 0 on.
    checkpoints: Vec<Rc<Machine>>,
    spacing: u32,
    branches: Vec<Branch>,
}

impl Timeline {
    /// Steps between checkpoints at first.
    const SPACING: u32 = 32;
    /// Checkpoints that are kept at most.
    const CHECKPOINTS: usize = 192;

    /// A machine with no commands yet.
    ///
    /// # Errors
    /// Where no such kernel exists.
    pub fn new(config: KernelConfig, luck: Seed) -> Result<Self, ConfigError> {
        let machine = Machine::boot(&config, luck)?;
        Ok(Self {
            checkpoints: vec![Rc::new(machine.clone())],
            machine,
            commands: Vec::new(),
            records: Vec::new(),
            cursor: 0,
            spacing: Self::SPACING,
            branches: Vec::new(),
        })
    }

    /// The kernel.
    #[must_use]
    pub const fn config(&self) -> &KernelConfig {
        self.machine.config()
    }

    /// The luck.
    #[must_use]
    pub const fn luck(&self) -> Seed {
        self.machine.luck()
    }

    /// Steps of the current line of time, played or to come.
    #[must_use]
    pub fn len(&self) -> u32 {
        count_from(self.commands.len())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// Where the machine is: 0 after boot, n after n commands.
    #[must_use]
    pub const fn cursor(&self) -> Step {
        Step::from_raw(self.cursor)
    }

    /// The commands of the current line, played or to come.
    pub fn commands(&self) -> impl ExactSizeIterator<Item = &Command> {
        self.commands.iter()
    }

    /// How the command that leads to `step` went. `None` for step 0 and for steps that were not played yet.
    #[must_use]
    pub fn record(&self, step: Step) -> Option<&Rc<Record>> {
        self.records.get(step.index().checked_sub(1)?)
    }

    /// The machine at the cursor.
    #[must_use]
    pub const fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Carries out a command at the cursor. If steps were to come and the next of them is another command, they are
    /// kept as a branch.
    ///
    /// # Errors
    /// A refusal: nothing changed.
    pub fn act(&mut self, command: Command) -> Result<Rc<Record>, Refusal> {
        let at = index_from(self.cursor);
        if self.commands.get(at) != Some(&command) {
            // Tried on a copy first: a refusal must leave even the steps to come as they were.
            self.machine.clone().apply(&command)?;
            self.leave_future();
            self.commands.push(command);
        }
        self.step_forward();
        Ok(Rc::clone(&self.records[at]))
    }

    /// Adds a command at the end without moving the cursor (a script's steps to come).
    pub fn append(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// Moves the cursor; past the end is the end.
    pub fn seek(&mut self, step: Step) {
        let target = step.raw().min(self.len());
        if target < self.cursor || target - self.cursor > self.spacing {
            self.restore_before(target);
        }
        while self.cursor < target {
            self.step_forward();
        }
    }

    /// The machines that are kept to start seeks from, oldest first.
    pub fn checkpoints(&self) -> impl ExactSizeIterator<Item = &Machine> {
        self.checkpoints.iter().map(Rc::as_ref)
    }

    /// How many commands a seek to a step that was played carries out at most, wherever the cursor is.
    #[must_use]
    pub const fn replays_at_most(&self) -> u32 {
        self.spacing
    }

    /// The same commands on another kernel or with other luck, at the same step.
    ///
    /// # Errors
    /// Where no such kernel exists.
    pub fn rerun(&self, config: KernelConfig, luck: Seed) -> Result<Self, ConfigError> {
        let mut other = Self::new(config, luck)?;
        other.commands.clone_from(&self.commands);
        other.branches.clone_from(&self.branches);
        other.seek(self.cursor());
        Ok(other)
    }

    /// Futures that were left.
    #[must_use]
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// Goes over to a branch; what is left becomes a branch. A number that is none does nothing.
    pub fn switch_to(&mut self, branch: usize) {
        if branch >= self.branches.len() {
            return;
        }
        let taken = self.branches.remove(branch);
        self.seek(taken.parts_at);
        self.leave_future();
        self.commands.extend(taken.commands);
    }

    /// Keeps the steps to come as a branch, and forgets them here.
    fn leave_future(&mut self) {
        let at = index_from(self.cursor);
        if at < self.commands.len() {
            let here = self.cursor();
            let commands = self.commands.split_off(at);
            // What parted from the future that is left now parts from here.
            for branch in self.branches.iter_mut().filter(|branch| branch.parts_at > here) {
                let shared = branch.parts_at.index() - at;
                branch.commands = [&commands[..shared], &branch.commands].concat();
                branch.parts_at = here;
            }
            self.branches.push(Branch { parts_at: here, commands });
        }
        self.records.truncate(at);
        self.checkpoints.truncate(at / index_from(self.spacing) + 1);
    }

    fn step_forward(&mut self) {
        let at = index_from(self.cursor);
        let command = self.commands[at].clone();
        let result = self.machine.apply(&command);
        self.cursor += 1;
        if self.records.len() == at {
            self.records.push(Rc::new(Record { command, result }));
        }
        self.checkpoint();
    }

    fn checkpoint(&mut self) {
        let number = index_from(self.cursor / self.spacing);
        if self.cursor.is_multiple_of(self.spacing) && number == self.checkpoints.len() {
            self.checkpoints.push(Rc::new(self.machine.clone()));
        }
        if self.checkpoints.len() > Self::CHECKPOINTS {
            let mut number = 0;
            self.checkpoints.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.spacing *= 2;
        }
    }

    fn restore_before(&mut self, step: u32) {
        let number = index_from(step / self.spacing).min(self.checkpoints.len() - 1);
        let at = count_from(number) * self.spacing;
        if step < self.cursor || at > self.cursor {
            self.machine = (*self.checkpoints[number]).clone();
            self.cursor = at;
        }
    }
}

/// A future that was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The last step that it shares with the line that it parts from.
    pub parts_at: Step,
    /// What came after it there.
    pub commands: Vec<Command>,
}
