//! A scenario from beginning to end, with its checks.

use super::check::Check;
use super::check::Ordinal;
use super::scenario::{Notes, Scenario};
use crate::command::{Base, Command, Name, Place, Value};
use crate::event::{Event, Oops, OopsKind};
use crate::kernel::{ConfigError, KernelConfig};
use crate::machine::{Applied, Machine, Refusal};
use crate::outcome::{Outcome, Verdict};
use crate::report as kernel_report;
use crate::snapshot::{ObjectState, Snapshot};
use crate::units::VirtAddr;
use core::fmt;

/// How a scenario went.
#[derive(Clone, Debug)]
pub struct Report {
    /// Checks before the first command that did not hold.
    pub unmet_at_start: Vec<Unmet>,
    /// The commands, as they went.
    pub steps: Vec<Played>,
    /// The goal, where it was not reached.
    pub missed_goal: Option<Unmet>,
    /// The machine after the last command.
    pub machine: Machine,
}

/// A command of a scenario as it went.
#[derive(Clone, Debug)]
pub struct Played {
    /// The command.
    pub command: Command,
    /// What came of it.
    pub result: Result<Applied, Refusal>,
    /// The object that it returned, in words.
    pub returned: Option<String>,
    /// What the commands so far came to.
    pub verdict: Option<Verdict>,
    /// Checks after it that did not hold.
    pub unmet: Vec<Unmet>,
}

/// A check that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// The check.
    pub check: Check,
    /// What is the case.
    pub found: Found,
}

/// What is the case where a check does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// No object has this name yet.
    NoObject(Name),
    /// The places are two addresses.
    Addresses {
        /// The left one.
        left: VirtAddr,
        /// The right one.
        right: VirtAddr,
    },
    /// The object is in another state.
    State(ObjectState),
    /// No object of a slab starts there.
    NoSlabObject(VirtAddr),
    /// The first byte there that is another.
    Byte {
        /// Its address.
        at: VirtAddr,
        /// It, where it can be read.
        byte: Option<u8>,
    },
    /// The commands came to this.
    Outcome(Option<Outcome>),
    /// The last command ended like this.
    Ended(Option<OopsKind>),
    /// The last command had the kernel print this.
    Printed(Vec<String>),
    /// The last command had so many findings and repairs.
    Reports(u32),
    /// The last command was not carried out.
    Refused(Refusal),
}

impl Report {
    /// Whether every check held and the goal was reached.
    #[must_use]
    pub fn is_as_expected(&self) -> bool {
        self.unmet().next().is_none()
    }

    /// Everything that did not hold.
    pub fn unmet(&self) -> impl Iterator<Item = &Unmet> {
        let steps = self.steps.iter().flat_map(|step| &step.unmet);
        self.unmet_at_start.iter().chain(steps).chain(&self.missed_goal)
    }
}

/// Plays a scenario on the kernel that it names.
///
/// # Errors
/// Where no such kernel exists (a scenario that was read from text has one).
pub fn play(scenario: &Scenario) -> Result<Report, ConfigError> {
    play_on(scenario, &scenario.kernel)
}

/// Plays a scenario's commands on another kernel. Its checks are made there too.
///
/// # Errors
/// Where no such kernel exists.
pub fn play_on(scenario: &Scenario, kernel: &KernelConfig) -> Result<Report, ConfigError> {
    let mut machine = Machine::boot(kernel, scenario.luck)?;
    let unmet_at_start = unmet(&scenario.start, &machine, None);
    let mut steps = Vec::new();
    for step in &scenario.steps {
        let result = machine.apply(&step.command);
        let unmet = unmet(&step.notes, &machine, Some(&result));
        let returned = returned(&machine, &result);
        steps.push(Played {
            command: step.command.clone(),
            result,
            returned,
            verdict: machine.verdict().cloned(),
            unmet,
        });
    }
    let goal = scenario.goal.map(|goal| Check::Outcome(Some(goal)));
    let missed_goal = goal.and_then(|check| check.failure(&machine, None));
    Ok(Report { unmet_at_start, steps, missed_goal, machine })
}

/// The checks of a step that do not hold. A command that was not carried out is one where no check expects it.
fn unmet(notes: &Notes, machine: &Machine, last: Option<&Result<Applied, Refusal>>) -> Vec<Unmet> {
    let mut unmet: Vec<Unmet> = notes.checks.iter().filter_map(|check| check.failure(machine, last)).collect();
    if let Some(Err(refusal)) = last
        && !notes.checks.contains(&Check::Refused)
    {
        unmet.insert(0, Unmet { check: Check::Done, found: Found::Refused(refusal.clone()) });
    }
    unmet
}

impl Check {
    /// Why this check does not hold on `machine`, whose last command went as `last` says; `None` where it holds.
    #[must_use]
    pub fn failure(&self, machine: &Machine, last: Option<&Result<Applied, Refusal>>) -> Option<Unmet> {
        let found = match self {
            Self::Same { left, right } => two_places(&machine.snapshot(), left, right),
            Self::Free { at, position } => state(&machine.snapshot(), at, |state| match state {
                ObjectState::Free { position: found } => position.is_none_or(|position| position == found),
                ObjectState::InSheaf { position: found, .. } => position.is_none_or(|position| position == found),
                ObjectState::InUse | ObjectState::Waiting | ObjectState::Lost => false,
            }),
            Self::Lost { at } => state(&machine.snapshot(), at, |state| state == ObjectState::Lost),
            Self::Used { at } => state(&machine.snapshot(), at, |state| state == ObjectState::InUse),
            Self::Bytes { at, len, value } => bytes(machine, at, *len, value),
            Self::Waiting { at } => state(&machine.snapshot(), at, |state| state == ObjectState::Waiting),
            Self::Outcome(expected) => {
                let outcome = machine.verdict().map(|verdict| verdict.outcome);
                (outcome != *expected).then_some(Found::Outcome(outcome))
            }
            Self::Fault(expected) => ended(last, |kind| match kind {
                OopsKind::GeneralProtection { address } | OopsKind::PageFault { address } => address == *expected,
                OopsKind::DoubleFree { .. } | OopsKind::BadFree { .. } | OopsKind::Usercopy | OopsKind::Hang { .. } => {
                    false
                }
            }),
            Self::Bug => ended(last, |kind| {
                matches!(kind, OopsKind::DoubleFree { .. } | OopsKind::BadFree { .. } | OopsKind::Usercopy)
            }),
            Self::Hang => ended(last, |kind| matches!(kind, OopsKind::Hang { .. })),
            Self::Report(text) => {
                let lines = printed(last);
                (!lines.iter().any(|line| line.contains(&**text))).then_some(Found::Printed(lines))
            }
            Self::Reports(expected) => {
                let count = counted(last);
                (count != *expected).then_some(Found::Reports(count))
            }
            Self::Refused => match last {
                Some(Err(_)) => None,
                Some(Ok(_)) | None => Some(Found::Ended(oops(last))),
            },
            Self::Done => match last {
                Some(Err(refusal)) => Some(Found::Refused(refusal.clone())),
                Some(Ok(_)) | None => None,
            },
        };
        found.map(|found| Unmet { check: self.clone(), found })
    }
}

/// The lines of the reports of a command.
fn printed(last: Option<&Result<Applied, Refusal>>) -> Vec<String> {
    reports(last).flat_map(|report| report.lines.iter().map(|line| line.text.clone())).collect()
}

/// How many findings and repairs a command had.
fn counted(last: Option<&Result<Applied, Refusal>>) -> u32 {
    reports(last).map(kernel_report::Report::count).sum()
}

fn reports(last: Option<&Result<Applied, Refusal>>) -> impl Iterator<Item = &kernel_report::Report> {
    let events = last.and_then(|last| last.as_ref().ok()).map_or(&[][..], |applied| &applied.events);
    events.iter().filter_map(Event::report)
}

fn two_places(snapshot: &Snapshot, left: &Place, right: &Place) -> Option<Found> {
    match (address(snapshot, left), address(snapshot, right)) {
        (Ok(left), Ok(right)) => (left != right).then_some(Found::Addresses { left, right }),
        (Err(found), _) | (_, Err(found)) => Some(found),
    }
}

fn state(snapshot: &Snapshot, at: &Place, holds: impl FnOnce(ObjectState) -> bool) -> Option<Found> {
    let address = match address(snapshot, at) {
        Ok(address) => address,
        Err(found) => return Some(found),
    };
    let mut objects = snapshot.slabs.iter().flat_map(|slab| &slab.objects);
    match objects.find(|object| object.address == address) {
        Some(object) => (!holds(object.state)).then_some(Found::State(object.state)),
        None => Some(Found::NoSlabObject(address)),
    }
}

fn bytes(machine: &Machine, at: &Place, len: u64, value: &Value) -> Option<Found> {
    match machine.first_other_byte(at, len, value) {
        Ok(other) => other.map(|(at, byte)| Found::Byte { at, byte }),
        Err(refusal) => Some(Found::Refused(refusal)),
    }
}

fn ended(last: Option<&Result<Applied, Refusal>>, holds: impl FnOnce(OopsKind) -> bool) -> Option<Found> {
    let kind = oops(last);
    (!kind.is_some_and(holds)).then_some(Found::Ended(kind))
}

fn oops(last: Option<&Result<Applied, Refusal>>) -> Option<OopsKind> {
    match last?.as_ref().ok()?.events.last() {
        Some(Event::Oopsed(Oops { kind, .. })) => Some(*kind),
        Some(_) | None => None,
    }
}

/// The address of a place, by the names of this moment.
fn address(snapshot: &Snapshot, place: &Place) -> Result<VirtAddr, Found> {
    let base = match &place.base {
        Base::Address(address) => VirtAddr::from_raw(*address),
        Base::Object(name) => {
            let named = snapshot.named.iter().find(|named| named.name == *name);
            named.ok_or_else(|| Found::NoObject(name.clone()))?.address
        }
    };
    Ok(if place.delta < 0 {
        base.wrapping_sub(place.delta.unsigned_abs())
    } else {
        base.wrapping_add(place.delta.unsigned_abs())
    })
}

/// What a command returned, in words: the address, and the names that it has had before.
fn returned(machine: &Machine, result: &Result<Applied, Refusal>) -> Option<String> {
    let address = result.as_ref().ok()?.returned?;
    if let Some(name) = [(VirtAddr::NULL, "NULL"), (VirtAddr::ZERO_SIZE_PTR, "ZERO_SIZE_PTR")]
        .iter()
        .find_map(|(nothing, name)| (*nothing == address).then_some(*name))
    {
        return Some(name.to_owned());
    }
    let mut names: Vec<&str> = machine.named_at(address).map(|named| named.name.as_str()).collect();
    names.pop();
    Some(match names.as_slice() {
        [] => format!("{address}"),
        names => format!("{address}, also {}", names.join(", ")),
    })
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.check == Check::Done {
            write!(f, "not carried out: {}", self.found)
        } else {
            write!(f, "expected {}, but {}", self.check, self.found)
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoObject(name) => write!(f, "no object is named `{name}` yet"),
            Self::Addresses { left, right } => write!(f, "{left} is not {right}"),
            Self::State(ObjectState::InUse) => f.write_str("it is in use"),
            Self::State(ObjectState::InSheaf { position, .. }) => {
                write!(f, "it is free, {} in its sheaf", Ordinal(*position))
            }
            Self::State(ObjectState::Waiting) => f.write_str("it waits for a grace period"),
            Self::State(ObjectState::Lost) => f.write_str("it is lost: free, and on no list"),
            Self::State(ObjectState::Free { position }) => write!(f, "it is free, {} in its list", Ordinal(*position)),
            Self::NoSlabObject(address) => write!(f, "no object of a slab starts at {address}"),
            Self::Byte { at, byte: Some(byte) } => write!(f, "the byte at {at} is 0x{byte:02x}"),
            Self::Byte { at, byte: None } => write!(f, "no memory is at {at}"),
            Self::Outcome(Some(outcome)) => write!(f, "the outcome is {outcome}"),
            Self::Outcome(None) => f.write_str("nothing went out of bounds"),
            Self::Ended(Some(kind)) => write!(f, "it ended in: {kind}"),
            Self::Ended(None) => f.write_str("it ended well"),
            Self::Printed(lines) if lines.is_empty() => f.write_str("no check reported anything"),
            Self::Printed(lines) => {
                let told = lines.iter().filter(|line| line.starts_with("BUG ") || line.contains("overwritten"));
                write!(f, "it reported: {}", told.map(String::as_str).collect::<Vec<_>>().join("; "))
            }
            Self::Reports(count) => write!(f, "it had {count}"),
            Self::Refused(refusal) => refusal.fmt(f),
        }
    }
}
