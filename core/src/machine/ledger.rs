//! Who has what: the names that scripts gave, and which addresses are handed out.
//!
//! The allocator does not know whether an object is in use; it knows lists. Its users know, and this is their book.

use crate::command::Name;
use crate::sorted::Map;
use crate::units::{CacheId, VirtAddr, count_from};

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
    /// By number: those with a name in order of its first use, and between them those in use whose name was given to another
    /// since.
    objects: Map<u32, NamedObject>,
    /// Which object each address was last handed out as, or which has its name now.
    last_at: Map<VirtAddr, u32>,
}

impl Ledger {
    /// What `name` stands for.
    pub(super) fn named(&self, name: &Name) -> Option<&NamedObject> {
        self.objects.get(self.names.get(name)?)
    }

    /// All names, in order of first use.
    pub(super) fn objects(&self) -> impl Iterator<Item = &NamedObject> {
        self.named_where(|_| true)
    }

    /// All names of what starts at an address, in order of first use.
    pub(super) fn objects_at(&self, address: VirtAddr) -> impl Iterator<Item = &NamedObject> {
        self.named_where(move |object| object.address == address)
    }

    /// The condition is asked first: to look for a name takes longer.
    fn named_where(&self, holds: impl Fn(&NamedObject) -> bool) -> impl Iterator<Item = &NamedObject> {
        let has_name =
            move |(number, object): &&(u32, NamedObject)| holds(object) && self.names.get(&object.name) == Some(number);
        self.objects.iter().filter(has_name).map(|(_, object)| object)
    }

    /// What was last handed out at exactly this address.
    pub(super) fn last_at(&self, address: VirtAddr) -> Option<&NamedObject> {
        self.objects.get(self.last_at.get(&address)?)
    }

    /// Whether an object in use starts at exactly this address.
    pub(super) fn is_live_at(&self, address: VirtAddr) -> bool {
        // The name under which the address was handed out may have gone on to another object since.
        let is_here = |object: &NamedObject| object.live && object.address == address && address < object.end();
        self.last_at(address).is_some_and(is_here)
    }

    /// The object in use that holds this address.
    pub(super) fn live_holding(&self, address: VirtAddr) -> Option<&NamedObject> {
        // A few entries back: a misaligned object handed out inside another one hides it from a look at the nearest.
        let nearby = self.last_at.up_to(address).take(8);
        nearby
            .filter_map(|(_, number)| self.objects.get(number))
            .find(|object| object.live && object.address <= address && address < object.end())
    }

    /// Notes that an object was handed out.
    pub(super) fn hand_out(&mut self, object: NamedObject) {
        let number = match self.names.get(&object.name) {
            Some(number) => {
                let number = *number;
                self.unname(number);
                number
            }
            None => {
                let number = self.next();
                self.names.insert(object.name.clone(), number);
                number
            }
        };
        self.last_at.insert(object.address, number);
        self.objects.insert(number, object);
    }

    /// Gives a named object a number of its own if it is in use: its name is about to go on to another.
    fn unname(&mut self, number: u32) {
        let is_at = |object: &&NamedObject| object.live && self.last_at.get(&object.address) == Some(&number);
        if let Some(object) = self.objects.get(&number).filter(is_at).cloned() {
            let next = self.next();
            self.last_at.insert(object.address, next);
            self.objects.insert(next, object);
        }
    }

    fn next(&self) -> u32 {
        count_from(self.objects.len())
    }

    /// Notes that the object at this address was given back.
    pub(super) fn give_back(&mut self, address: VirtAddr) {
        let Some(number) = self.last_at.get(&address) else { return };
        if let Some(object) = self.objects.get_mut(number).filter(|object| object.address == address) {
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
