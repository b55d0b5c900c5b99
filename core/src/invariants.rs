//! What must hold of every kernel, read off the raw bytes and the records, without the paths that keep it so.
//!
//! [`structure`] holds always, whatever was written over: it is our own bookkeeping. [`chains`] holds as long as nobody
//! damaged a free pointer or freed what was not theirs to free.

use crate::allocator::{Kernel, Probe};
use crate::layout::align_up;
use crate::memory::Bytes;
use crate::pages::PageSource;
use crate::slub::{CpuSheaves, KmemCache, MAX_FULL, Sheaves, Slab};
use crate::units::{CacheId, Order, Pfn, SlabId, VirtAddr, count_from, index_from};
use core::fmt;
use std::collections::{BTreeMap, BTreeSet};

/// Something that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// A slab stands on two lists, or twice on one.
    ListedTwice(SlabId),
    /// A list's links do not lead both ways.
    Unlinked(SlabId),
    /// The node's count of partial slabs is not the list's length.
    PartialCount(CacheId),
    /// A cache's count of slabs or objects is not what the slabs come to.
    SlabCount(CacheId),
    /// A slab is frozen and no CPU has it, or the other way round.
    Frozen(SlabId),
    /// A slab's frames do not lead to it.
    Frames(SlabId),
    /// A page is free and a slab's.
    PageInUse(Pfn),
    /// A sheaf holds more than it can, a full one less, or the barn has too many.
    SheafSize(CacheId),
    /// A sheaf has something that is no object of its cache, or has it twice.
    SheafObject {
        /// The cache.
        cache: CacheId,
        /// What it has.
        object: VirtAddr,
    },
    /// What waits for a grace period is no object, or waits twice, or lies in a sheaf too.
    WaitingObject {
        /// What waits.
        object: VirtAddr,
    },
    /// A freelist does not have the length that the counts call for.
    ChainLength {
        /// The slab.
        slab: SlabId,
        /// Objects on lists.
        found: u32,
        /// Objects that the slab counts as free, and the CPU's.
        counted: u32,
    },
    /// A freelist leads to something that is no object of its slab.
    ChainEscapes {
        /// The slab.
        slab: SlabId,
        /// Where it leads.
        to: VirtAddr,
    },
    /// An object is on a list twice, or on one and in a sheaf, or on one and waits for a grace period.
    ChainRepeats {
        /// The slab.
        slab: SlabId,
        /// The object.
        object: VirtAddr,
    },
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "broken invariant: {self:?}")
    }
}

impl core::error::Error for Broken {}

/// Checks lists, counts and frames.
///
/// # Errors
/// The first thing that does not hold.
pub fn structure<P: Probe, B: Bytes>(kernel: &Kernel<P, B>) -> Result<(), Broken> {
    let mut listed = BTreeSet::new();
    for (id, cache) in kernel.caches() {
        check_node_list(kernel, id, cache, &mut listed)?;
        for (_, c) in cache.cpu_slabs().iter() {
            for slab in c.slab.iter().chain(c.partial.iter().map(|(slab, _)| slab)) {
                if !listed.insert(*slab) {
                    return Err(Broken::ListedTwice(*slab));
                }
            }
        }
        check_sheaf_sizes(id, cache)?;
    }
    check_all_counts(kernel)?;
    for (id, slab) in kernel.slabs() {
        check_frames(kernel, id, slab)?;
    }
    check_free_pages(kernel)
}

/// Checks that every freelist is whole, and that it agrees with the counts. What a sheaf has its slab counts as in use.
///
/// # Errors
/// The first thing that does not hold.
pub fn chains<P: Probe, B: Bytes>(kernel: &Kernel<P, B>) -> Result<(), Broken> {
    let mut held: BTreeMap<SlabId, VirtAddr> = BTreeMap::new();
    let mut on_cpu_partial = BTreeSet::new();
    let mut in_sheaves: BTreeMap<SlabId, BTreeSet<VirtAddr>> = BTreeMap::new();
    for (id, cache) in kernel.caches() {
        check_counts(kernel, id, cache)?;
        for object in cache.sheaves.iter().flat_map(Sheaves::objects) {
            let slab = object_of(kernel, id, object).ok_or(Broken::SheafObject { cache: id, object })?;
            if !in_sheaves.entry(slab).or_default().insert(object) {
                return Err(Broken::SheafObject { cache: id, object });
            }
        }
        held.extend(cache.cpu_slabs().iter().filter_map(|(_, c)| Some((c.slab?, c.freelist))));
        on_cpu_partial.extend(cache.cpu_slabs().iter().flat_map(|(_, c)| c.partial.iter().map(|(slab, _)| *slab)));
    }
    for object in kernel.rcu.objects() {
        // What is no slab's object is a large kmalloc's.
        let Some(slab) = kernel.slab_at(object) else { continue };
        let cache = kernel.slab(slab).cache;
        let broken = Broken::WaitingObject { object };
        if object_of(kernel, cache, object).is_none() || !in_sheaves.entry(slab).or_default().insert(object) {
            return Err(broken);
        }
    }
    for (id, slab) in kernel.slabs() {
        let owned = held.contains_key(&id) || (kernel.model().freezes_partial && on_cpu_partial.contains(&id));
        // A slab that failed a check is frozen, and nobody's.
        let is_checked = kernel.cache(slab.cache).layout.is_checked();
        if slab.frozen != owned && !is_checked && !is_waiting(kernel, id) {
            return Err(Broken::Frozen(id));
        }
        let mut seen = in_sheaves.remove(&id).unwrap_or_default();
        let own = walk(kernel, id, slab, slab.freelist, &mut seen)?;
        if own != slab.free_objects() {
            return Err(Broken::ChainLength { slab: id, found: own, counted: slab.free_objects() });
        }
        if let Some(head) = held.get(&id) {
            walk(kernel, id, slab, *head, &mut seen)?;
        }
    }
    Ok(())
}

/// The slab of a cache that an object starts in.
fn object_of<P: Probe, B: Bytes>(kernel: &Kernel<P, B>, cache: CacheId, object: VirtAddr) -> Option<SlabId> {
    let id = kernel.slab_at(object)?;
    let slab = kernel.slab(id);
    let layout = &kernel.cache(cache).layout;
    let offset = object.bytes_after(slab.base)?;
    let fits = slab.cache == cache && offset < slab.used_bytes(layout) && layout.index_at(offset).is_some();
    fits.then_some(id)
}

fn check_sheaf_sizes(id: CacheId, cache: &KmemCache) -> Result<(), Broken> {
    let Some(sheaves) = &cache.sheaves else { return Ok(()) };
    let capacity = index_from(cache.layout.sheaf_capacity);
    let of_cpus = sheaves.cpus.iter().flat_map(CpuSheaves::iter);
    let fits = of_cpus.into_iter().all(|sheaf| sheaf.len() <= capacity)
        && sheaves.barn.full.iter().all(|sheaf| sheaf.len() == capacity)
        && sheaves.barn.full.len() <= MAX_FULL;
    if fits { Ok(()) } else { Err(Broken::SheafSize(id)) }
}

/// Whether a slab has left its cache and its pages wait for a grace period.
fn is_waiting<P: Probe, B: Bytes>(kernel: &Kernel<P, B>, slab: SlabId) -> bool {
    kernel.rcu.slabs().any(|waiting| waiting == slab)
}

fn check_node_list<P: Probe, B: Bytes>(
    kernel: &Kernel<P, B>,
    id: CacheId,
    cache: &KmemCache,
    listed: &mut BTreeSet<SlabId>,
) -> Result<(), Broken> {
    let mut prev = None;
    let mut at = cache.partial.head;
    while let Some(slab) = at {
        if !listed.insert(slab) {
            return Err(Broken::ListedTwice(slab));
        }
        let links = kernel.slab(slab).listed.filter(|links| links.cache == id && links.prev == prev);
        let Some(links) = links else { return Err(Broken::Unlinked(slab)) };
        prev = Some(slab);
        at = links.next;
    }
    if cache.partial.tail != prev {
        return Err(Broken::Unlinked(prev.unwrap_or_default()));
    }
    Ok(())
}

/// A slab that was freed to the wrong cache leaves the list, and goes home, at that cache's cost, so only all caches together
/// count right.
fn check_all_counts<P: Probe, B: Bytes>(kernel: &Kernel<P, B>) -> Result<(), Broken> {
    let sum = |sum: (u32, u32), slabs: u32, objects: u32| (sum.0.wrapping_add(slabs), sum.1.wrapping_add(objects));
    let counted = kernel.caches.iter().fold((0, 0), |all, cache| sum(all, cache.nr_slabs, cache.total_objects));
    let own = kernel.slabs().filter(|(slab, _)| !is_waiting(kernel, *slab));
    let found = own.fold((0, 0), |all, (_, record)| sum(all, 1, record.objects));
    if counted != found {
        return Err(Broken::SlabCount(CacheId::default()));
    }
    let counted = kernel.caches.iter().fold(0, |all: u32, cache| all.wrapping_add(cache.nr_partial));
    let listed = kernel.slabs().filter(|(_, record)| record.listed.is_some()).count();
    if counted == count_from(listed) { Ok(()) } else { Err(Broken::PartialCount(CacheId::default())) }
}

fn check_counts<P: Probe, B: Bytes>(kernel: &Kernel<P, B>, id: CacheId, cache: &KmemCache) -> Result<(), Broken> {
    let own = kernel.slabs().filter(|(slab, record)| record.cache == id && !is_waiting(kernel, *slab));
    let (slabs, objects) = own.fold((0, 0), |(slabs, objects), (_, slab)| (slabs + 1, objects + slab.objects));
    if (slabs, objects) != (cache.nr_slabs, cache.total_objects) {
        return Err(Broken::SlabCount(id));
    }
    let listed = kernel.node_partial(id).count();
    if count_from(listed) == cache.nr_partial { Ok(()) } else { Err(Broken::PartialCount(id)) }
}

fn check_frames<P: Probe, B: Bytes>(kernel: &Kernel<P, B>, id: SlabId, slab: &Slab) -> Result<(), Broken> {
    let block = slab.base.pfn().ok_or(Broken::Frames(id))?;
    let leads_back = (0..slab.order.pages()).all(|page| kernel.frames().slab(block.offset(page)) == Some(id));
    let aligned = align_up(block.raw(), slab.order.pages()) == block.raw();
    if leads_back && aligned { Ok(()) } else { Err(Broken::Frames(id)) }
}

fn check_free_pages<P: Probe, B: Bytes>(kernel: &Kernel<P, B>) -> Result<(), Broken> {
    let PageSource::Allocator(pages) = kernel.pages() else { return Ok(()) };
    let orders = (0..=Order::MAX.raw()).map(Order::from_raw);
    let of_buddy = orders.flat_map(|order| pages.buddy().free_blocks(order).map(move |block| (block, order)));
    let mut seen = BTreeSet::new();
    for (block, order) in of_buddy.chain(pages.on_cpus().map(|(_, block, order)| (block, order))) {
        for page in (0..order.pages()).map(|page| block.offset(page)) {
            let is_in_use = kernel.frames().slab(page).is_some() || kernel.frames().large(page).is_some();
            if is_in_use || !seen.insert(page) {
                return Err(Broken::PageInUse(page));
            }
        }
    }
    Ok(())
}

/// The length of a chain, every link of it an object of the slab that no chain had before.
fn walk<P: Probe, B: Bytes>(
    kernel: &Kernel<P, B>,
    id: SlabId,
    slab: &Slab,
    head: VirtAddr,
    seen: &mut BTreeSet<VirtAddr>,
) -> Result<u32, Broken> {
    let cache = kernel.cache(slab.cache);
    let before = seen.len();
    let mut object = head;
    while !object.is_null() {
        let offset = object.bytes_after(slab.base).filter(|offset| *offset < slab.used_bytes(&cache.layout));
        if offset.is_none_or(|offset| cache.layout.index_at(offset).is_none()) {
            return Err(Broken::ChainEscapes { slab: id, to: object });
        }
        if !seen.insert(object) {
            return Err(Broken::ChainRepeats { slab: id, object });
        }
        let word = object.wrapping_add(cache.layout.offset);
        object = cache.code.read(kernel.bytes(), word).map_err(|_| Broken::ChainEscapes { slab: id, to: word })?;
    }
    Ok(count_from(seen.len() - before))
}
