//! Snapshots made from a machine.

use super::chain::walk;
use super::kept::{Kept, kept, view_rcu, view_sheaves};
use super::{
    CacheView, Chain, ChainEnd, CpuView, Hit, ObjectState, ObjectView, PointerView, SlabList, SlabView, Snapshot,
};
use crate::kernel::PointerEncoding;
use crate::layout::WORD;
use crate::machine::{Machine, Mark, range_of};
use crate::memory::Bytes;
use crate::merge::sysfs_name;
use crate::numbered::Numbered;
use crate::slub::{CpuSlab, KmemCache};
use crate::sorted::Map;
use crate::units::{CacheId, CpuId, ObjectIndex, SlabId, VirtAddr, count_from};
use std::rc::Rc;

impl Machine {
    /// The read model.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let caches: Vec<Rc<CacheView>> =
            self.kernel().caches().map(|(id, cache)| Rc::new(view_cache(self, id, cache))).collect();
        let around = Around {
            lists: lists_of(&caches, self.kernel().slabs.len()),
            kept: kept(self),
            before: self.kernel().slabs_before(),
        };
        let slabs = self.kernel().slabs().map(|(id, _)| Rc::new(view_slab(self, id, &around))).collect();
        Snapshot {
            config: self.config().clone(),
            status: self.status(),
            caches,
            slabs,
            cpu: self.kernel().cpu(),
            rcu: view_rcu(self),
            named: self.named().cloned().collect(),
        }
    }
}

impl Snapshot {
    /// Takes over the views of `before` that are equal, so that who draws them can compare pointers.
    #[must_use]
    pub fn sharing(mut self, before: &Self) -> Self {
        share(&mut self.caches, &before.caches, |view| view.id.raw());
        share(&mut self.slabs, &before.slabs, |view| view.id.raw());
        self
    }

    /// The view of a cache.
    #[must_use]
    pub fn cache(&self, cache: CacheId) -> Option<&Rc<CacheView>> {
        self.caches.iter().find(|view| view.id == cache)
    }

    /// The view of a slab.
    #[must_use]
    pub fn slab(&self, slab: SlabId) -> Option<&Rc<SlabView>> {
        self.slabs.iter().find(|view| view.id == slab)
    }
}

/// Both stand in the order of their keys.
fn share<T: PartialEq>(now: &mut [Rc<T>], before: &[Rc<T>], key: impl Fn(&T) -> u32) {
    for view in now {
        let same = before.binary_search_by_key(&key(view), |old| key(old)).ok().and_then(|place| before.get(place));
        if let Some(same) = same.filter(|old| *old == view) {
            *view = Rc::clone(same);
        }
    }
}

/// Which list holds each slab, and the CPU's freelist where it has the slab.
type Lists<'a> = Numbered<SlabId, (SlabList, Option<&'a Chain>)>;

/// What a slab's view needs of the rest of the machine.
struct Around<'a> {
    lists: Lists<'a>,
    kept: Kept,
    /// Whose page a slab's first one was, in order of address.
    before: Vec<(VirtAddr, Option<CacheId>)>,
}

fn lists_of(caches: &[Rc<CacheView>], slabs: usize) -> Lists<'_> {
    let mut lists: Lists<'_> = vec![(SlabList::None, None); slabs].into();
    for cache in caches {
        for slab in &cache.node_partial {
            lists[*slab] = (SlabList::NodePartial, None);
        }
        for cpu in &cache.cpus {
            for slab in &cpu.partial {
                lists[*slab] = (SlabList::CpuPartial(cpu.cpu), None);
            }
            if let Some(slab) = cpu.slab {
                lists[slab] = (SlabList::CpuSlab(cpu.cpu), Some(&cpu.freelist));
            }
        }
    }
    lists
}

fn view_cache(machine: &Machine, id: CacheId, cache: &KmemCache) -> CacheView {
    let cpus = cache.cpu_slabs().iter();
    CacheView {
        id,
        name: Rc::clone(&cache.name),
        names: cache.names.clone(),
        sysfs: sysfs_name(cache, machine.kernel().model()).into(),
        args: cache.args,
        layout: cache.layout,
        random: (cache.code.encoding != PointerEncoding::Plain).then_some(cache.code.random),
        sequence: cache.sequence.as_ref().map(|sequence| Rc::clone(sequence.indexes())),
        cpus: cpus.map(|(cpu, c)| view_cpu(machine, cpu, c)).collect(),
        sheaves: cache.sheaves.as_ref().map(view_sheaves),
        node_partial: machine.kernel().node_partial(id).collect(),
        nr_slabs: cache.nr_slabs,
        total_objects: cache.total_objects,
    }
}

fn view_cpu(machine: &Machine, cpu: CpuId, c: &CpuSlab) -> CpuView {
    CpuView {
        cpu,
        slab: c.slab,
        freelist: match c.slab {
            Some(slab) => walk(machine, slab, c.freelist),
            None => Chain { links: Vec::new(), end: ChainEnd::Null },
        },
        partial: c.partial.iter().rev().map(|(slab, _)| *slab).collect(),
        partial_count: c.partial_count(),
    }
}

fn view_slab(machine: &Machine, id: SlabId, Around { lists, kept, before }: &Around<'_>) -> SlabView {
    let slab = machine.kernel().slab(id);
    let (list, cpu_chain) = lists[id];
    let own = walk(machine, id, slab.freelist);
    // What the CPU holds goes out first, then what others freed into the slab.
    let in_order = cpu_chain.into_iter().flat_map(|chain| &chain.links).chain(&own.links);
    let mut positions: Map<VirtAddr, u32> = Map::default();
    for link in in_order {
        let next = count_from(positions.len()) + 1;
        positions.or_insert(*link, &next);
    }
    let state = |address| {
        let listed = positions.get(&address).map(|position| ObjectState::Free { position: *position });
        listed.or_else(|| kept.get(&address).copied()).unwrap_or(ObjectState::Lost)
    };
    let page_was = before.binary_search_by_key(&slab.base, |(base, _)| *base).ok().and_then(|place| before[place].1);
    let objects = (0..slab.objects).map(|index| view_object(machine, id, ObjectIndex::from_raw(index), state));
    SlabView {
        id,
        cache: slab.cache,
        base: slab.base,
        order: slab.order,
        page_was: page_was.map(|cache| Rc::clone(&machine.kernel().cache(cache).name)),
        list,
        inuse: u32::from(slab.inuse),
        frozen: slab.frozen,
        objects: objects.collect(),
        freelist: own,
    }
}

fn view_object(
    machine: &Machine,
    slab: SlabId,
    index: ObjectIndex,
    free_state: impl FnOnce(VirtAddr) -> ObjectState,
) -> ObjectView {
    let address = machine.object_address(slab, index);
    let state = if machine.is_live(slab, index) { ObjectState::InUse } else { free_state(address) };
    let size = machine.kernel().cache(machine.kernel().slab(slab).cache).layout.size;
    ObjectView {
        index,
        address,
        state,
        name: machine.last_at(address).map(|object| object.name.clone()),
        pointer: view_pointer(machine, slab, address),
        hits: hits(machine, address, size),
    }
}

fn view_pointer(machine: &Machine, slab: SlabId, object: VirtAddr) -> PointerView {
    let cache = machine.kernel().cache(machine.kernel().slab(slab).cache);
    let at = object.wrapping_add(cache.layout.offset);
    let stored = machine.kernel().bytes().read_u64(at).unwrap_or(0);
    let decoded = cache.code.decode(stored, at);
    PointerView {
        at,
        stored,
        decoded,
        landing: machine.landing(decoded),
        intact: machine.marks().overlapping(&range_of(at, WORD)).is_empty(),
    }
}

/// The bytes of an object's stride that strangers wrote to.
fn hits(machine: &Machine, object: VirtAddr, size: u64) -> Vec<Hit> {
    let range = range_of(object, size);
    let damaged = machine.marks().overlapping(&range).into_iter().filter(|(_, mark)| *mark == Mark::Damage);
    damaged
        .map(|(bytes, _)| {
            let start = bytes.start.max(range.start);
            Hit { offset: start - range.start, len: bytes.end.min(range.end) - start }
        })
        .collect()
}
