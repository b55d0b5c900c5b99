//! What things are called: a script's names before addresses.

use crate::session::Session;
use slabscope_core::command::{Base, Name, Place, Value};
use slabscope_core::snapshot::{NamedObject, ObjectView, SlabView, Snapshot};
use slabscope_core::units::{SlabId, VirtAddr};

/// What is called what, everywhere on the page.
///
/// An address is called by the attacker's target while the target's owner has it; else by its latest name that is in
/// use; else by the latest that it was handed out under.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// Who has what.
    pub snapshot: &'a Snapshot,
    /// The attacker's target.
    pub target: Option<&'a Name>,
    /// The slab on the map: what lies in it is told by how far into it, all else by its address.
    pub home: Option<SlabId>,
}

impl<'a> Names<'a> {
    /// The names at a session's step.
    #[must_use]
    pub fn of(session: &'a Session) -> Self {
        let home = session.selected().map(|object| object.slab);
        Self { snapshot: session.snapshot(), target: session.target(), home }
    }

    /// What an address is called, if a script ever named it.
    #[must_use]
    pub fn at(self, address: VirtAddr) -> Option<&'a Name> {
        let object = || self.slab_at(address)?.objects.iter().find(|object| object.address == address);
        self.live(address, None).or_else(|| object()?.name.as_ref()).or_else(|| self.latest(address, None))
    }

    /// What an address is called by who has it.
    #[must_use]
    pub fn in_use(self, address: VirtAddr) -> Option<&'a Name> {
        self.live(address, None)
    }

    /// What an object is called, if a script ever named it.
    #[must_use]
    pub fn of_object(self, object: &'a ObjectView) -> Option<&'a Name> {
        self.live(object.address, None).or(object.name.as_ref())
    }

    /// Who else has an object.
    #[must_use]
    pub fn also(self, object: &'a ObjectView) -> Option<&'a Name> {
        self.live(object.address, self.of_object(object))
    }

    /// What an address is called but for one name: who else has it, else who had it last.
    pub(super) fn besides(self, address: VirtAddr, name: &Name) -> Option<&'a Name> {
        self.live(address, Some(name)).or_else(|| self.latest(address, Some(name)))
    }

    /// What an object is called: a name, else its place in the slab.
    pub(super) fn object_words(self, object: &ObjectView) -> String {
        self.at(object.address).map_or_else(|| format!("object {}", object.index.raw()), ToString::to_string)
    }

    /// What an address is called: a name, or the place in the slab on the map, or its last digits.
    pub(super) fn words(self, address: VirtAddr) -> String {
        self.at(address).map_or_else(|| self.place_words(address), ToString::to_string)
    }

    /// Where an address lies: the place in the slab on the map, or its last digits.
    pub(super) fn place_words(self, address: VirtAddr) -> String {
        let home = self.slab_at(address).filter(|slab| Some(slab.id) == self.home);
        match home.and_then(|slab| address.bytes_after(slab.base)) {
            Some(offset) => format!("+0x{offset:03x}"),
            None => short_address(address),
        }
    }

    fn live(self, address: VirtAddr, but: Option<&Name>) -> Option<&'a Name> {
        let here = || self.here(address, but).filter(|named| named.live).map(|named| &named.name);
        here().find(|name| Some(*name) == self.target).or_else(|| here().next_back())
    }

    fn latest(self, address: VirtAddr, but: Option<&Name>) -> Option<&'a Name> {
        self.here(address, but).next_back().map(|named| &named.name)
    }

    fn here(self, address: VirtAddr, but: Option<&Name>) -> impl DoubleEndedIterator<Item = &'a NamedObject> {
        self.snapshot.named.iter().filter(move |named| named.address == address && Some(&named.name) != but)
    }

    fn slab_at(self, address: VirtAddr) -> Option<&'a SlabView> {
        let holds = |slab: &&SlabView| address.bytes_after(slab.base).is_some_and(|at| at < slab.order.bytes());
        self.snapshot.slabs.iter().map(|slab| &**slab).find(holds)
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
