//! What the figures have in hand: a cache, a slab of it, an object of that.

use super::{Change, ObjectRef, View};
use crate::text::Names;
use slabscope_core::command::Name;
use slabscope_core::snapshot::{
    CacheView, Chain, ChainEnd, Hit, ObjectState, ObjectView, SlabList, SlabView, Snapshot,
};
use slabscope_core::sorted::sorted_by;
use slabscope_core::units::{CacheId, CpuId, SlabId, VirtAddr};
use std::ops::Range;

/// A cache, and its slab that the figures show.
#[derive(Clone, Copy)]
pub(super) struct Hand<'a> {
    pub(super) cache: &'a CacheView,
    pub(super) slab: Option<&'a SlabView>,
}

impl<'a> Hand<'a> {
    /// The slab of the object in hand; else that of CPU 0 in the cache in hand; else any of that cache.
    pub(super) fn of(view: &View<'a>) -> Option<Self> {
        let snapshot = view.snapshot;
        if let Some(slab) = view.selected.and_then(|object| slab_of(snapshot, object.slab)) {
            return Some(Self { cache: cache_of(snapshot, slab.cache)?, slab: Some(slab) });
        }
        let cache = cache_of(snapshot, view.cache?)?;
        let active = cache.cpus.iter().find(|cpu| cpu.cpu == CpuId::from_raw(0)).and_then(|cpu| cpu.slab);
        let slab = active
            .and_then(|id| slab_of(snapshot, id))
            .or_else(|| snapshot.slabs.iter().map(|slab| &**slab).find(|slab| slab.cache == cache.id));
        Some(Self { cache, slab })
    }

    /// The object in hand, or else the one before what was written over, or the one that changed last, or one in use.
    pub(super) fn object(&self, view: &View<'a>) -> Option<&'a ObjectView> {
        let slab = self.slab?;
        let selected = view.selected.filter(|object| object.slab == slab.id);
        if let Some(object) = selected.and_then(|object| slab.objects.get(object.index.index())) {
            return Some(object);
        }
        let struck = slab.objects.iter().position(|object| !object.hits.is_empty());
        let before = struck.and_then(|struck| slab.objects.get(struck.checked_sub(1)?));
        let changed = slab
            .objects
            .iter()
            .find(|object| view.before.is_some_and(|before| changed_since(before, slab.id, object).is_some()));
        let in_use = slab.objects.iter().find(|object| object.state == ObjectState::InUse);
        before.or(changed).or(in_use).or_else(|| slab.objects.first())
    }
}

/// A slab by its id.
pub(super) fn slab_of(snapshot: &Snapshot, id: SlabId) -> Option<&SlabView> {
    snapshot.slabs.iter().map(|slab| &**slab).find(|slab| slab.id == id)
}

/// A cache's slabs: the active ones, then those that an allocation comes to next; among equals this one first, if any.
pub(super) fn slabs_in_order<'a>(view: &View<'a>, hand: &Hand, open: Option<SlabId>) -> Vec<&'a SlabView> {
    let place = |slab: &SlabView| (rank(slab.list), Some(slab.id) != open, slab.id);
    sorted_by(slabs_of(view, hand), |one, other| place(one).cmp(&place(other)))
}

const fn rank(list: SlabList) -> u32 {
    match list {
        SlabList::CpuSlab(_) => 0,
        SlabList::CpuPartial(_) => 1,
        SlabList::NodePartial => 2,
        SlabList::None => 3,
    }
}

/// A cache's slabs.
pub(super) fn slabs_of<'a>(view: &View<'a>, hand: &Hand) -> Vec<&'a SlabView> {
    view.snapshot.slabs.iter().map(|slab| &**slab).filter(|slab| slab.cache == hand.cache.id).collect()
}

/// A cache by its id.
pub(super) fn cache_of(snapshot: &Snapshot, id: CacheId) -> Option<&CacheView> {
    snapshot.caches.iter().map(|cache| &**cache).find(|cache| cache.id == id)
}

/// The list whose places the numbers count: the CPU's where a CPU has the slab, else the slab's own.
pub(super) fn list_of<'a>(cache: &'a CacheView, slab: &'a SlabView) -> &'a Chain {
    let cpu = match slab.list {
        SlabList::CpuSlab(cpu) => cache.cpus.iter().find(|one| one.cpu == cpu),
        SlabList::CpuPartial(_) | SlabList::NodePartial | SlabList::None => None,
    };
    cpu.map_or(&slab.freelist, |cpu| &cpu.freelist)
}

/// Where a list goes that leaves its slab.
pub(super) fn escape_of(chain: &Chain) -> Option<VirtAddr> {
    match chain.end {
        ChainEnd::Escape { to, .. } => Some(to),
        ChainEnd::Null | ChainEnd::Loop { .. } => None,
    }
}

/// The address that is the attacker's target.
pub(super) fn target_address(view: &View) -> Option<VirtAddr> {
    let name = view.target?;
    view.snapshot.named.iter().find(|named| named.name == *name).map(|named| named.address)
}

/// The names at this step.
pub(super) fn names<'a>(view: &View<'a>) -> Names<'a> {
    Names { snapshot: view.snapshot, target: view.target, home: view.selected.map(|object| object.slab) }
}

/// The name of whatever in use starts at an address.
pub(super) fn name_at<'a>(view: &View<'a>, address: VirtAddr) -> Option<&'a str> {
    names(view).in_use(address).map(Name::as_str)
}

/// The name that an object was handed out under before its present one, whose owner gave it back.
pub(super) fn former_name<'a>(view: &View<'a>, object: &'a ObjectView) -> Option<&'a str> {
    let present = names(view).of_object(object);
    let mut here = view.snapshot.named.iter().filter(|named| named.address == object.address && !named.live);
    here.rfind(|named| Some(&named.name) != present).map(|named| named.name.as_str())
}

/// What the last step did to an object, as far as a ring tells it; `None` while something is aimed at: then the picture
/// is about what would change.
pub(super) fn change_of(view: &View, slab: SlabId, object: &ObjectView) -> Option<Change> {
    let before = view.before.filter(|_| view.aim.is_none())?;
    changed_since(before, slab, object)
}

/// How an object differs from the step before.
pub(super) fn changed_since(before: &Snapshot, slab: SlabId, object: &ObjectView) -> Option<Change> {
    let in_use = |one: &ObjectView| one.state == ObjectState::InUse;
    match slab_of(before, slab).and_then(|slab| slab.objects.get(object.index.index())) {
        None => in_use(object).then_some(Change::Turned),
        Some(was) if in_use(was) != in_use(object) => Some(Change::Turned),
        Some(was) => (was.hits != object.hits).then_some(Change::Struck),
    }
}

/// The addresses that the aim would write.
pub(super) fn aimed(view: &View) -> Option<Range<u64>> {
    let aim = view.aim.filter(|aim| aim.len > 0)?;
    let hand = Hand::of(view)?;
    let named = view.snapshot.named.iter().find(|named| named.name == aim.object)?;
    let start = named.address.raw().wrapping_add(hand.cache.layout.object_size);
    Some(start..start.saturating_add(aim.len))
}

/// The part of a run of addresses that lies in an object of `size` bytes.
pub(super) fn part_in(run: &Range<u64>, object: VirtAddr, size: u64) -> Option<Hit> {
    let start = object.raw();
    let from = run.start.max(start);
    let to = run.end.min(start.saturating_add(size));
    (from < to).then(|| Hit { offset: from - start, len: to - from })
}

/// An object's reference.
pub(super) fn reference(slab: &SlabView, object: &ObjectView) -> ObjectRef {
    ObjectRef { slab: slab.id, index: object.index }
}
