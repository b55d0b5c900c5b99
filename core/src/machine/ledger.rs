//! Who has what: the names that scripts gave, and which addresses are handed out.
//!
//! The allocator does not know whether an object is in use; it knows lists. Its users know, and this is their book.

use crate::command::Name;
use crate::sorted::Map;
use crate::units::{CacheId, VirtAddr};

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NamedObject {
    /// The name.
    pub name: Name,
    /// The address that was last handed out under it.
    pub address: VirtAddr,
    /// How it was asked for.
    pub source: Source,
    /// Bytes that were asked for.
    pub requested: u64,
    /// Bytes that its user was given: the cache's `object_size`, or whole pages.
    pub len: u64,
    /// Whether it was not freed yet.
    pub live: bool,
}

/// How an object was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// `kmalloc`, served by this cache, or by pages.
    Kmalloc(Option<CacheId>),
    /// `kmem_cache_alloc` of this cache.
    Cache(CacheId),
}

impl NamedObject {
    /// The cache that served it.
    #[must_use]
    pub const fn cache(&self) -> Option<CacheId> {
        match self.source {
            Source::Kmalloc(cache) => cache,
            Source::Cache(cache) => Some(cache),
        }
    }

    /// The first byte after it.
    #[must_use]
    pub const fn end(&self) -> VirtAddr {
        self.address.wrapping_add(self.len)
    }
}

/// The book. A clone shares what did not change.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger {
    /// By name.
    names: Map<Name, u32>,
    /// By order of first use.
    objects: Map<u32, NamedObject>,
    /// The name under which each address was last handed out.
    last_at: Map<VirtAddr, u32>,
    /// Objects in use whose name was given to another since, by address.
    unnamed: Map<VirtAddr, NamedObject>,
}

impl Ledger {
    /// What `name` stands for.
    pub(super) fn named(&self, name: &Name) -> Option<&NamedObject> {
        self.objects.get(self.names.get(name)?)
    }

    /// All names, in order of first use.
    pub(super) fn objects(&self) -> impl Iterator<Item = &NamedObject> {
        self.objects.iter().map(|(_, object)| object)
    }

    /// What was last handed out at exactly this address.
    pub(super) fn last_at(&self, address: VirtAddr) -> Option<&NamedObject> {
        self.objects.get(self.last_at.get(&address)?)
    }

    /// Whether an object in use starts at exactly this address.
    pub(super) fn is_live_at(&self, address: VirtAddr) -> bool {
        // The name under which the address was handed out may have gone on to another object since.
        let is_here = |object: &NamedObject| object.live && object.address == address && address < object.end();
        let is_live = |object: Option<&NamedObject>| object.is_some_and(is_here);
        // A snapshot asks for every object there is: what is asked for by name is found without a search around it.
        is_live(self.last_at(address))
            || (is_live(self.unnamed.get(&address))
                && self.live_holding(address).is_some_and(|object| object.address == address))
    }

    /// The object in use that holds this address.
    pub(super) fn live_holding(&self, address: VirtAddr) -> Option<&NamedObject> {
        // A few entries back: a misaligned object handed out inside another one hides it from a look at the nearest.
        let nearby = self.last_at.up_to(address).take(8);
        nearby
            .filter_map(|(_, number)| self.objects.get(number))
            .chain(self.unnamed.up_to(address).take(8).map(|(_, object)| object))
            .find(|object| object.live && object.address <= address && address < object.end())
    }

    /// Notes that an object was handed out.
    pub(super) fn hand_out(&mut self, object: NamedObject) {
        let number = match self.names.get(&object.name) {
            Some(number) => *number,
            None => {
                let number = crate::units::count_from(self.objects.len());
                self.names.insert(object.name.clone(), number);
                number
            }
        };
        if let Some(former) = self.objects.get(&number).filter(|former| former.live).cloned() {
            self.unnamed.insert(former.address, former);
        }
        self.unnamed.remove(&object.address);
        self.last_at.insert(object.address, number);
        self.objects.insert(number, object);
    }

    /// Notes that the object at this address was given back.
    pub(super) fn give_back(&mut self, address: VirtAddr) {
        self.unnamed.remove(&address);
        let Some(number) = self.last_at.get(&address).copied() else { return };
        if let Some(object) = self.objects.get_mut(&number).filter(|object| object.address == address) {
            object.live = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::kernel::{KernelConfig, Version};
    use crate::luck::Seed;
    use crate::machine::Machine;
    use crate::script::parse_command;
    use crate::snapshot::ObjectState;

    /// An object whose name was given to another one is still somebody's, until it is freed by its address.
    #[test]
    fn an_object_without_a_name_is_in_use() {
        let mut machine = Machine::boot(&KernelConfig::plain(Version::release(6, 1)), Seed(1)).expect("a kernel");
        let mut apply = |line: &str| {
            let returned = machine.apply(&parse_command(line).expect("a command")).expect("carried out").returned;
            let snapshot = machine.snapshot();
            let objects = snapshot.slabs.iter().flat_map(|slab| slab.objects.clone());
            (returned, objects.filter(|object| object.state == ObjectState::InUse).count())
        };
        let (first, _) = apply("a = kmalloc 64");
        assert_eq!(apply("a = kmalloc 64").1, 2);
        assert_eq!(apply(&format!("kfree {:#x}", first.expect("an object").raw())).1, 1);
        assert_eq!(apply("free a").1, 0);
    }
}
