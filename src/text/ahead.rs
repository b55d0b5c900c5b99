//! What the allocations to come do, in words.

use super::names::Names;
use super::ordinal::ordinal_word;
use crate::session::Session;
use slabscope_core::event::OopsKind;
use slabscope_core::forecast::{Ahead, forecast};
use slabscope_core::snapshot::Landing;
use slabscope_core::units::VirtAddr;

/// What the next allocations return.
pub(super) fn what_comes(session: &Session) -> String {
    let Some(cache) = session.cache_in_hand() else { return String::new() };
    let ahead = forecast(session.timeline().machine(), None, cache.id, 3);
    let usual = match ahead.first() {
        Some(Ahead::Returns { landing, address, .. }) if is_known(session, *landing, *address) => {
            format!("The next allocation returns {}.", Names::of(session).words(*address))
        }
        _ => "The next allocation takes a new slab.".to_owned(),
    };
    follows_words(session, &ahead, &usual)
}

/// Whether an address lies in a slab that there is already.
fn is_known(session: &Session, landing: Landing, address: VirtAddr) -> bool {
    matches!(landing, Landing::Object { .. } | Landing::InsideObject { .. }) && session.slab_at(address).is_some()
}

/// What allocations to come do, if one of them leaves the caches or dies.
pub(super) fn follows_words(session: &Session, ahead: &[Ahead], otherwise: &str) -> String {
    let first = ahead.first().map(|ahead| ahead_words(session, ahead));
    let strange = ahead.iter().zip(1u32..).find(|(ahead, _)| is_strange(session, ahead));
    match (strange, first) {
        (None, _) | (_, None) => otherwise.to_owned(),
        (Some((Ahead::Dies(oops), nth)), _) => {
            format!("The {} allocation {}.", ordinal_word(nth), dies_words(&oops.kind))
        }
        (Some((strange, 1)), _) => format!("The next allocation returns {}.", ahead_words(session, strange)),
        (Some((strange, 2)), Some(first)) => {
            format!("{first} comes back first. The allocation after it returns {}.", ahead_words(session, strange))
        }
        (Some((strange, nth)), _) => {
            format!("The {} allocation returns {}.", ordinal_word(nth), ahead_words(session, strange))
        }
    }
}

/// Whether an allocation to come returns what is not the allocator's to give.
fn is_strange(session: &Session, ahead: &Ahead) -> bool {
    match ahead {
        Ahead::Dies(_) => true,
        Ahead::Fails => false,
        Ahead::Returns { address, landing: Landing::Object { .. }, .. } => {
            let is_taken = session.snapshot().named.iter().any(|named| named.address == *address && named.live);
            // A slab that is not there yet is one of the cache's own to come.
            let of = session.slab_at(*address);
            is_taken || of.is_some_and(|cache| Some(cache) != session.cache_in_hand().map(|own| own.id))
        }
        Ahead::Returns { .. } => true,
    }
}

fn ahead_words(session: &Session, ahead: &Ahead) -> String {
    match ahead {
        Ahead::Returns { address, .. } => Names::of(session).words(*address),
        Ahead::Fails => "NULL".to_owned(),
        Ahead::Dies(_) => "nothing".to_owned(),
    }
}

pub(super) const fn dies_words(kind: &OopsKind) -> &'static str {
    match kind {
        OopsKind::GeneralProtection { .. } => "reads an address that cannot exist",
        OopsKind::PageFault { .. } => "reads memory that is not there",
        OopsKind::DoubleFree { .. } | OopsKind::BadFree { .. } | OopsKind::Usercopy => "ends in a kernel BUG",
        OopsKind::Hang { .. } => "never ends",
    }
}
