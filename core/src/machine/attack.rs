//! What an attack has come to so far.

use crate::blast::Struck;
use crate::event::{Event, OopsKind, Warning};
use crate::outcome::{Outcome, Verdict, Why};
use std::rc::Rc;

/// What went out of bounds, and what followed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Attack {
    /// The verdict of the last event that decided anything.
    decided: Option<Rc<Verdict>>,
    /// The verdict of the last stray write, if nothing follows from it.
    standing: Option<Rc<Verdict>>,
    /// Allocations since that write.
    allocations: u32,
}

impl Attack {
    /// Allocations after which an overwritten pointer of the next object out has shown: the first hands out the
    /// object, the second follows its pointer.
    const SHOWN_AFTER: u32 = 2;

    pub(super) fn verdict(&self) -> Option<&Verdict> {
        let shown = self.standing.as_deref().filter(|_| self.allocations >= Self::SHOWN_AFTER);
        self.decided.as_deref().or(shown)
    }

    pub(super) fn standing(&self) -> Option<&Verdict> {
        self.decided.as_deref().or(self.standing.as_deref())
    }

    pub(super) fn decide(&mut self, outcome: Outcome, why: Why) {
        self.decided = Some(Rc::new(Verdict { outcome, why }));
    }

    pub(super) fn allocated(&mut self) {
        self.allocations += 1;
    }

    /// Takes note of a stray write.
    pub(super) fn strayed(&mut self, outcome: Outcome, why: Why) {
        self.standing = Some(Rc::new(Verdict { outcome, why }));
        self.allocations = 0;
    }

    /// What an event decides.
    pub(super) fn saw(&mut self, event: &Event) {
        if let Event::Oopsed(oops) = event {
            self.saw_oops(oops.kind);
        }
        if let Event::Reported(report) = event
            && let Some(finding) = report.finding()
        {
            self.decide(Outcome::Caught, Why::Found(finding));
        }
        if let Some(Warning::WrongCache { .. }) = event.warning() {
            self.decide(Outcome::Caught, Why::WrongCache);
        }
    }

    fn saw_oops(&mut self, kind: OopsKind) {
        match kind {
            OopsKind::GeneralProtection { address } => self.decide(Outcome::Crashed, Why::NotCanonical(address)),
            OopsKind::PageFault { address } => self.decide(Outcome::Crashed, Why::NotMapped(address)),
            OopsKind::Hang { .. } => self.decide(Outcome::Crashed, Why::Endless),
            OopsKind::DoubleFree { .. } => self.decide(Outcome::Caught, Why::DoubleFree),
            OopsKind::Usercopy => self.decide(Outcome::Caught, Why::Usercopy),
            OopsKind::BadFree { .. } => self.decide(Outcome::Caught, Why::BadFree),
        }
    }
}

/// Whether what a write struck is the allocator's to follow.
pub(super) const fn is_pointer(struck: Struck) -> bool {
    matches!(struck, Struck::FreePointer { .. })
}
