//! What things are called: a script's names before addresses.

use slabscope_core::command::{Base, Name, Place, Value};
use slabscope_core::snapshot::{ObjectView, Snapshot};
use slabscope_core::units::VirtAddr;

/// What an address is called: the oldest name that it was handed out under, so that `v` stays `v` when it comes back
/// as `p`.
#[must_use]
pub(super) fn oldest_name(snapshot: &Snapshot, address: VirtAddr) -> Option<Name> {
    snapshot.named.iter().find(|named| named.address == address).map(|named| named.name.clone())
}

/// What an object is called: its oldest name, else its place in the slab.
#[must_use]
pub(super) fn object_words(snapshot: &Snapshot, object: &ObjectView) -> String {
    oldest_name(snapshot, object.address)
        .map_or_else(|| format!("object {}", object.index.raw()), |name| name.to_string())
}

/// What an address is called: a name, or the place in its slab, or its last digits.
#[must_use]
pub(super) fn address_words(snapshot: &Snapshot, address: VirtAddr) -> String {
    if let Some(name) = oldest_name(snapshot, address) {
        return name.to_string();
    }
    let slab = snapshot
        .slabs
        .iter()
        .find(|slab| address.bytes_after(slab.base).is_some_and(|offset| offset < slab.order.bytes()));
    match slab.and_then(|slab| address.bytes_after(slab.base)) {
        Some(offset) => format!("+0x{offset:03x}"),
        None => short_address(address),
    }
}

/// An address by its end: `0x…5e2a1c0`.
#[must_use]
pub(super) fn short_address(address: VirtAddr) -> String {
    let digits = format!("{:016x}", address.raw());
    format!("0x…{}", &digits[9..])
}

/// A value as the chooser names it.
#[must_use]
pub fn value_words(value: &Value) -> String {
    match value {
        Value::AddressOf(Place { base: Base::Object(name), delta: 0 }) => format!("address of {name}"),
        Value::AddressOf(place) => format!("address {place}"),
        Value::Zeros => "zeros".to_owned(),
        Value::Letter(letter) => format!("{0}…{0}", char::from(*letter)),
        Value::Bytes(_) => value.to_string(),
    }
}
