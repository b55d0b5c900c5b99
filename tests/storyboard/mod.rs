//! The first minute as acts, and the machine's digest after each.

use slabscope::session::{Action, Session, Toggle};

/// The digests of the storyboard, press by press, a line each.
#[must_use]
pub(crate) fn digests() -> String {
    let mut session = Session::new();
    let presses =
        [Action::AimArm, Action::AimWrite, Action::Allocate, Action::Allocate, Action::Flip(Toggle::MiddlePointer)];
    let digest = |press| {
        session.update(press);
        format!("{:016x}\n", session.timeline().machine().digest())
    };
    presses.map(digest).concat()
}

/// What they come to, on every host.
pub(crate) const EXPECTED: &str = include_str!("digests.txt");
