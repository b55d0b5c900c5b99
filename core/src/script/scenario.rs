//! A scenario: a kernel, its luck, commands, and what is said and checked between them.

use super::check::Check;
use crate::command::{Command, Name};
use crate::kernel::{KernelConfig, PointerPlace, Switch};
use crate::luck::Seed;
use crate::outcome::Outcome;
use crate::units::{Step, count_from};
use core::fmt::{self, Write as _};
use std::rc::Rc;

/// A scenario as its text file has it. `Scenario::parse` reads that text and `Display` prints it; see
/// `docs/scenarios.md`.
///
/// ```text
/// slabscope 1
/// title Eight bytes too many
/// kernel 5.6 random=on
/// luck 0x1
/// open 5
/// target target
/// goal HIJACKED
///
/// a = kmalloc 64
/// say "a is the first object of its slab." "What lies behind it is free."
/// expect used a
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Its title: one line.
    pub title: Rc<str>,
    /// The kernel that it is told on.
    pub kernel: KernelConfig,
    /// The kernel's luck.
    pub luck: Seed,
    /// The step that is shown first.
    pub open_at: Step,
    /// The name of the object that an attacker is after.
    pub target: Option<Name>,
    /// What the commands come to on this kernel.
    pub goal: Option<Outcome>,
    /// What is said and checked before the first command.
    pub start: Notes,
    /// The commands.
    pub steps: Vec<ScriptStep>,
}

/// A command, and what is said and checked after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptStep {
    /// The command.
    pub command: Command,
    /// What is said and checked.
    pub notes: Notes,
}

/// What is said and checked at a step.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Notes {
    /// What is said. True where `checks` hold; on another kernel they may not.
    pub narration: Option<Narration>,
    /// What is checked.
    pub checks: Vec<Check>,
}

/// What is said at a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Narration {
    /// What just happened: at most 13 words.
    pub sentence: Rc<str>,
    /// What that means next; may be empty.
    pub consequence: Rc<str>,
}

impl Scenario {
    /// The commands, in order.
    pub fn commands(&self) -> impl Iterator<Item = &Command> {
        self.steps.iter().map(|step| &step.command)
    }

    /// How many steps there are.
    #[must_use]
    pub fn last_step(&self) -> Step {
        Step::from_raw(count_from(self.steps.len()))
    }

    /// What is said and checked at `step`: after that many commands. `None` beyond the end.
    #[must_use]
    pub fn notes(&self, step: Step) -> Option<&Notes> {
        match step.index().checked_sub(1) {
            None => Some(&self.start),
            Some(index) => self.steps.get(index).map(|step| &step.notes),
        }
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "slabscope 1")?;
        writeln!(f, "title {}", on_one_line(&self.title).collect::<String>())?;
        writeln!(f, "kernel {}", KernelWords(&self.kernel))?;
        writeln!(f, "luck {}", self.luck)?;
        if self.open_at != Step::default() {
            writeln!(f, "open {}", self.open_at.raw())?;
        }
        if let Some(target) = &self.target {
            writeln!(f, "target {target}")?;
        }
        if let Some(goal) = self.goal {
            writeln!(f, "goal {goal}")?;
        }
        writeln!(f)?;
        self.start.fmt(f)?;
        self.steps.iter().try_for_each(|step| write!(f, "{}\n{}", step.command, step.notes))
    }
}

impl fmt::Display for Notes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(narration) = &self.narration {
            writeln!(f, "{narration}")?;
        }
        self.checks.iter().try_for_each(|check| writeln!(f, "expect {check}"))
    }
}

impl fmt::Display for Narration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "say {}", Quoted(&self.sentence))?;
        if self.consequence.is_empty() { Ok(()) } else { write!(f, " {}", Quoted(&self.consequence)) }
    }
}

/// A kernel as the header's `kernel` line has it: the version, then what differs from the upstream default.
pub struct KernelWords<'a>(pub &'a KernelConfig);

impl fmt::Display for KernelWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kernel = self.0;
        write!(f, "{}", kernel.version)?;
        if kernel.cpus != 1 {
            write!(f, " cpus={}", kernel.cpus)?;
        }
        for switch in Switch::ALL.into_iter().filter(|switch| kernel.is_on(*switch) != switch.by_default()) {
            write!(f, " {}={}", switch.word(), if kernel.is_on(switch) { "on" } else { "off" })?;
        }
        if let Some(place) = kernel.pointer_place {
            write!(f, " middle={}", pointer_word(place))?;
        }
        match &kernel.slub_debug {
            Some(option) => write!(f, " slub_debug={option}"),
            None => Ok(()),
        }
    }
}

/// The word of a pointer's place that is not the version's own.
const fn pointer_word(place: PointerPlace) -> &'static str {
    match place {
        PointerPlace::Start => "off",
        PointerPlace::MiddleUp { red_zone_counted: false } => "on",
        PointerPlace::MiddleUp { red_zone_counted: true } => "5.7-rc1",
        PointerPlace::MiddleDown => "5.13",
    }
}

/// The place of a pointer that such a word stands for.
pub(super) fn pointer_place_from_word(word: &str) -> Option<PointerPlace> {
    match word {
        "off" => Some(PointerPlace::Start),
        "on" => Some(PointerPlace::MiddleUp { red_zone_counted: false }),
        "5.7-rc1" => Some(PointerPlace::MiddleUp { red_zone_counted: true }),
        "5.13" => Some(PointerPlace::MiddleDown),
        _ => None,
    }
}

/// The letters of a text on one line: what would break it becomes a space.
fn on_one_line(text: &str) -> impl Iterator<Item = char> {
    text.trim().chars().map(|letter| if letter.is_control() { ' ' } else { letter })
}

/// Prints text in quotation marks.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for letter in on_one_line(self.0) {
            if matches!(letter, '"' | '\\') {
                f.write_char('\\')?;
            }
            f.write_char(letter)?;
        }
        f.write_char('"')
    }
}
