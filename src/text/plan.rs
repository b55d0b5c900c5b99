//! What can be done with the object in hand, where it is nothing that overflows.

use super::ordinal::{counted, ordinal};
use crate::session::Session;
use slabscope_core::snapshot::{ObjectState, SheafPlace};

/// Where a free object in hand stands: `4th in line: three allocations come before.`
#[must_use]
pub fn standing(session: &Session) -> Option<String> {
    let object = session.object(session.selected()?)?;
    match object.state {
        ObjectState::InUse => None,
        ObjectState::Free { position: 1 } => Some("1st in line: the next allocation returns it.".to_owned()),
        ObjectState::Free { position } => {
            let before = u64::from(position - 1);
            let verb = if before == 1 { "comes" } else { "come" };
            Some(format!("{} in line: {} {verb} before.", ordinal(position), counted(before, "allocation")))
        }
        ObjectState::InSheaf { sheaf: SheafPlace::Main(cpu), position: 1 } if cpu == session.snapshot().cpu => {
            Some("1st in the sheaf: the next allocation returns it.".to_owned())
        }
        ObjectState::InSheaf { position, .. } => Some(format!("{} in its sheaf.", ordinal(position))),
        ObjectState::Waiting => Some("Waits for a grace period: no allocation returns it before.".to_owned()),
        ObjectState::Lost => Some("On no list: no allocation returns it.".to_owned()),
    }
}
