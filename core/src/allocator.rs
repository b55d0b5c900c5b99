//! The allocator's whole API as a library: [`Kernel`].

use crate::debug::KernelLog;
use crate::event::{Event, Oops, OopsKind};
use crate::freelist::PointerCode;
use crate::kernel::{Model, PointerEncoding, StatItem};
use crate::kmalloc::{Gfp, KmallocCaches};
use crate::layout::{CacheArgs, Layout, LayoutError};
use crate::luck::Luck;
use crate::memcg::Family;
use crate::memory::{Bytes, Fault, Paged};
use crate::numbered::Numbered;
use crate::pages::PageSource;
use crate::shuffle::Sequence;
use crate::slub::{CpuSlabs, KmemCache, PartialList, Rcu, Sheaves, Slab};
use crate::sorted::{Map, sorted_by};
use crate::statistics::Statistics;
use crate::units::{CacheId, CpuId, Order, PAGE_SHIFT, Pfn, SlabId, VirtAddr, count_from, index_from};
use std::rc::Rc;

/// Somebody who is told what happens. `()` is nobody, and costs nothing.
pub trait Probe: Clone {
    /// Tells it. `event` is made only if it listens.
    fn on(&mut self, event: impl FnOnce() -> Event);

    /// Counts something that happened so often to a cache, on a CPU.
    #[inline]
    fn count(&mut self, _cache: CacheId, _cpu: CpuId, _item: StatItem, _times: u32) {}
}

impl Probe for () {
    #[inline]
    fn on(&mut self, _event: impl FnOnce() -> Event) {}
}

/// A probe that keeps what it is told until it is asked.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    events: Vec<Event>,
    /// What was counted, in a kernel that counts.
    statistics: Option<Box<Statistics>>,
}

impl Recorder {
    /// One that keeps the counters of `CONFIG_SLUB_STATS` too.
    #[must_use]
    pub fn counting() -> Self {
        Self { statistics: Some(Box::default()), ..Self::default() }
    }

    /// The counters, in a kernel that counts.
    #[must_use]
    pub fn statistics(&self) -> Option<&Statistics> {
        self.statistics.as_deref()
    }

    /// What was told since last asked. The room for it is kept for what comes.
    pub fn drain(&mut self) -> Vec<Event> {
        self.events.drain(..).collect()
    }
}

impl Probe for Recorder {
    fn on(&mut self, event: impl FnOnce() -> Event) {
        self.events.push(event());
    }

    #[inline]
    fn count(&mut self, cache: CacheId, cpu: CpuId, item: StatItem, times: u32) {
        if let Some(statistics) = &mut self.statistics {
            statistics.add(cache, cpu, item, times);
        }
    }
}

/// A kernel's slab allocator over some bytes.
#[derive(Clone, Debug)]
pub struct Kernel<P: Probe = (), B: Bytes = Paged> {
    /// Shared by clones: it never changes.
    pub(crate) model: Rc<Model>,
    pub(crate) bytes: B,
    pub(crate) frames: FrameTable,
    pub(crate) pages: PageSource,
    pub(crate) luck: Luck,
    pub(crate) caches: Numbered<CacheId, KmemCache>,
    pub(crate) slabs: Numbered<SlabId, Slab>,
    pub(crate) kmalloc: KmallocCaches,
    /// What waits for a grace period.
    pub(crate) rcu: Rcu,
    /// Room that a CPU's partial list left when it was passed on, for the next one.
    pub(crate) drained: Vec<(SlabId, u32)>,
    /// The CPU that runs.
    pub(crate) cpu: CpuId,
    /// The gfp words of the allocation under way, for what is printed when it fails.
    pub(crate) gfp: Gfp,
    /// Whether pages are zeroed as they come (`init_on_alloc`).
    pub(crate) wipes_fresh_pages: bool,
    /// Taint, and what is printed only once.
    pub(crate) log: KernelLog,
    probe: P,
}

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// A kernel that has just booted: the kmalloc caches exist and have no slabs.
    #[must_use]
    pub fn new(model: Model, luck: Luck, bytes: B, frames: FrameTable, pages: PageSource, probe: P) -> Self {
        let mut kernel = Self::without_caches(model, luck, bytes, frames, pages, probe);
        kernel.create_kmalloc_caches();
        kernel
    }

    /// A kernel that has not come to making its own caches.
    pub(crate) fn without_caches(
        model: Model,
        luck: Luck,
        bytes: B,
        frames: FrameTable,
        pages: PageSource,
        probe: P,
    ) -> Self {
        // Descriptors need not move until half of the frames have been slabs of their own.
        let room = frames.owners.len() / 2;
        Self {
            wipes_fresh_pages: model.init_on_alloc,
            model: Rc::new(model),
            bytes,
            frames,
            pages,
            luck,
            caches: Numbered::with_capacity(0),
            slabs: Numbered::with_capacity(room),
            kmalloc: KmallocCaches::default(),
            rcu: Rcu::default(),
            drained: Vec::new(),
            cpu: CpuId::from_raw(0),
            gfp: Gfp::default(),
            log: KernelLog::default(),
            probe,
        }
    }

    /// Zeroes pages as they come, as the recordings' kernels did.
    pub fn wipe_fresh_pages(&mut self) {
        self.wipes_fresh_pages = true;
    }

    /// `kmem_cache_create`: a new cache, or one that there is already and that it merges with.
    ///
    /// # Errors
    /// Where no kernel makes such a cache.
    pub fn create_cache(&mut self, name: &str, args: &CacheArgs) -> Result<CacheId, LayoutError> {
        let (args, layout) = Layout::at_boot(name, args, &self.model)?;
        match self.find_mergeable(&args) {
            Some(cache) => {
                self.merge_into(cache, name, &args);
                Ok(cache)
            }
            None => Ok(self.make_cache(name, args, layout)),
        }
    }

    /// A cache that is merged with no other; later ones may merge with it.
    pub(crate) fn create_cache_of_its_own(&mut self, name: &str, args: &CacheArgs) -> Result<CacheId, LayoutError> {
        let (args, layout) = Layout::at_boot(name, args, &self.model)?;
        Ok(self.make_cache(name, args, layout))
    }

    pub(crate) fn make_cache(&mut self, name: &str, args: CacheArgs, layout: Layout) -> CacheId {
        let random = match self.model.pointer_encoding {
            PointerEncoding::Plain => 0,
            PointerEncoding::Xor | PointerEncoding::XorSwapped => self.luck.pointer_secret(name),
        };
        // Poisoned objects are left as poison has them (`slab_want_init_on_alloc`).
        let constant = args.ctor || args.flags.typesafe_by_rcu || args.flags.debug.poison;
        let zeroes_on_alloc = self.model.init_on_alloc && !constant;
        let zeroes_on_free = self.model.init_on_free && !constant;
        let has_sheaves = layout.sheaf_capacity > 0;
        let takes_singly = layout.is_checked() || !self.model.keeps_on_cpus;
        let takes_from_slabs = !has_sheaves && !takes_singly;
        self.caches.push(KmemCache {
            name: name.into(),
            names: vec![name.into()],
            refcount: 1,
            family: Family::Root { child: None },
            args,
            layout,
            code: PointerCode { encoding: self.model.pointer_encoding, random },
            sequence: None,
            starts: self.luck.starts(name),
            cpus: CpuSlabs::new(self.cpu),
            sheaves: has_sheaves.then(|| Sheaves::new(self.cpu)),
            partial: PartialList::default(),
            full: Vec::new(),
            nr_partial: 0,
            nr_slabs: 0,
            total_objects: 0,
            slabs_made: 0,
            alive: true,
            zeroes_on_alloc,
            may_zero: !args.ctor,
            zeroes_on_free,
            finishes_objects: zeroes_on_alloc || zeroes_on_free,
            takes_singly,
            takes_from_slabs,
            frees_as_is: takes_from_slabs && !zeroes_on_free,
        });
        let cache = CacheId::from_raw(count_from(self.caches.len() - 1));
        if let Luck::Recorded(_) = self.luck {
            self.draw_sequence(cache);
        }
        cache
    }

    /// Draws a cache's shuffled sequence, where its kernel shuffles (`init_cache_random_seq`).
    #[inline]
    pub(crate) fn draw_sequence(&mut self, cache: CacheId) {
        if self.model.freelist_random && self.caches[cache].sequence.is_none() {
            self.draw_first_sequence(cache);
        }
    }

    #[cold]
    fn draw_first_sequence(&mut self, cache: CacheId) {
        let cache = &mut self.caches[cache];
        if cache.layout.objects >= 2 {
            let from_32_bits = self.model.shuffles_from_32_bits;
            let indexes = self.luck.sequence(&cache.name, cache.layout.objects, from_32_bits);
            cache.sequence = indexes.map(|indexes| Sequence::new(indexes, cache.layout.size));
        }
    }

    /// The CPU that runs.
    #[must_use]
    pub const fn cpu(&self) -> CpuId {
        self.cpu
    }

    /// What waits for a grace period.
    #[must_use]
    pub const fn rcu(&self) -> &Rcu {
        &self.rcu
    }

    /// Which kernel this is.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The memory.
    #[must_use]
    pub const fn bytes(&self) -> &B {
        &self.bytes
    }

    /// The memory, for kernel code that writes to it.
    pub fn bytes_mut(&mut self) -> &mut B {
        &mut self.bytes
    }

    /// Taint, the clock, and what is printed only once.
    #[must_use]
    pub const fn log(&self) -> &KernelLog {
        &self.log
    }

    /// A unit of time passes, as ages in reports count it.
    pub const fn tick(&mut self) {
        self.log.tick();
    }

    /// The luck, for who lays out a recording's.
    pub fn luck_mut(&mut self) -> &mut Luck {
        &mut self.luck
    }

    /// The source of pages.
    #[must_use]
    pub const fn pages(&self) -> &PageSource {
        &self.pages
    }

    /// The source of pages, for who lays out a recording's.
    pub fn pages_mut(&mut self) -> &mut PageSource {
        &mut self.pages
    }

    /// The probe.
    #[must_use]
    pub const fn probe(&self) -> &P {
        &self.probe
    }

    /// The probe, to be asked.
    pub fn probe_mut(&mut self) -> &mut P {
        &mut self.probe
    }

    /// A cache; also one that was destroyed.
    #[must_use]
    pub fn cache(&self, cache: CacheId) -> &KmemCache {
        &self.caches[cache]
    }

    /// The caches that exist, oldest first.
    pub fn caches(&self) -> impl DoubleEndedIterator<Item = (CacheId, &KmemCache)> {
        let ids = (0..count_from(self.caches.len())).map(CacheId::from_raw);
        ids.zip(self.caches.iter()).filter(|(_, cache)| cache.alive)
    }

    /// A slab; also one whose pages went home.
    #[must_use]
    pub fn slab(&self, slab: SlabId) -> &Slab {
        &self.slabs[slab]
    }

    /// The slabs that hold pages, oldest first.
    pub fn slabs(&self) -> impl Iterator<Item = (SlabId, &Slab)> {
        let ids = (0..count_from(self.slabs.len())).map(SlabId::from_raw);
        ids.zip(self.slabs.iter()).filter(|(_, slab)| slab.alive)
    }

    /// For each slab that holds pages, in order of address: its first byte, and the cache that had this page last, where
    /// one did.
    #[must_use]
    pub fn slabs_before(&self) -> Vec<(VirtAddr, Option<CacheId>)> {
        let bases = self.slabs().map(|(_, slab)| (slab.base, None));
        let mut before: Vec<(VirtAddr, Option<CacheId>)> = sorted_by(bases, |(one, _), (other, _)| one.cmp(other));
        for gone in self.slabs.iter().filter(|slab| !slab.alive) {
            let end = gone.base.wrapping_add(gone.order.bytes());
            let from = before.partition_point(|(base, _)| *base < gone.base);
            let on_its_pages = before.iter_mut().skip(from).take_while(|(base, _)| *base < end);
            on_its_pages.for_each(|(_, last)| *last = Some(gone.cache));
        }
        before
    }

    /// From now on allocations are made with these gfp words, as far as messages go.
    pub const fn asks_with(&mut self, gfp: Gfp) {
        self.gfp = gfp;
    }

    /// Goes on on another CPU of this machine.
    pub fn run_on(&mut self, cpu: CpuId) {
        if cpu != self.cpu {
            self.cpu = cpu;
            self.caches.iter_mut().for_each(|cache| cache.switch_cpu(cpu));
        }
    }

    /// The slab whose pages hold `at`.
    #[must_use]
    #[inline]
    pub fn slab_at(&self, at: VirtAddr) -> Option<SlabId> {
        self.frames.slab_at(at)
    }

    /// The table of frames.
    #[must_use]
    pub const fn frames(&self) -> &FrameTable {
        &self.frames
    }

    /// The node's partial list of a cache, head first.
    pub fn node_partial(&self, cache: CacheId) -> impl Iterator<Item = SlabId> + '_ {
        core::iter::successors(self.cache(cache).partial.head, |slab| self.slab(*slab).listed.and_then(|l| l.next))
    }

    #[inline]
    pub(crate) fn on(&mut self, event: impl FnOnce() -> Event) {
        self.probe.on(event);
    }

    /// Counts, once, on the running CPU.
    #[inline]
    pub(crate) fn count(&mut self, cache: CacheId, item: StatItem) {
        self.count_times(cache, item, 1);
    }

    /// Takes back what a call counted that the kernel does not count there.
    pub(crate) fn uncount(&mut self, cache: CacheId, item: StatItem) {
        self.count_times(cache, item, u32::MAX);
    }

    #[inline]
    pub(crate) fn count_times(&mut self, cache: CacheId, item: StatItem, times: u32) {
        self.probe.count(cache, self.cpu, item, times);
    }

    /// An oops: told, and returned to be passed up, in a box, so that the results of what does not die are short.
    #[cold]
    pub(crate) fn oops(&mut self, kind: OopsKind, function: &'static str) -> Box<Oops> {
        let oops = Oops { kind, function };
        self.log.died();
        self.probe.on(|| Event::Oopsed(oops));
        Box::new(oops)
    }

    /// The oops that a fault is.
    #[cold]
    pub(crate) fn fault(&mut self, fault: Fault, function: &'static str) -> Box<Oops> {
        let kind = match fault {
            Fault::NonCanonical(address) => OopsKind::GeneralProtection { address },
            Fault::Unmapped(address) => OopsKind::PageFault { address },
        };
        self.oops(kind, function)
    }
}

/// Who has each frame of memory, so that an address leads to its slab (`virt_to_slab`).
#[derive(Clone, Debug)]
pub struct FrameTable {
    /// The address of the first frame.
    base: VirtAddr,
    /// By frame: the slab that has it, with its cache, so that a free needs no look at the slab's descriptor to find it.
    owners: Vec<Option<(SlabId, CacheId)>>,
    /// The blocks of large kmallocs, by their first frame.
    large: Map<Pfn, Order>,
}

impl FrameTable {
    /// `count` frames from `first` on, none of them a slab's.
    #[must_use]
    pub fn new(first: Pfn, count: u32) -> Self {
        Self { base: first.address(), owners: vec![None; index_from(count)], large: Map::default() }
    }

    /// The slab that has this frame.
    #[must_use]
    pub fn slab(&self, frame: Pfn) -> Option<SlabId> {
        self.slab_at(frame.address())
    }

    /// The slab that has the frame of this address.
    #[must_use]
    #[inline]
    pub fn slab_at(&self, at: VirtAddr) -> Option<SlabId> {
        self.owner_at(at).map(|(slab, _)| slab)
    }

    /// The slab that has the frame of this address, and that slab's cache.
    #[must_use]
    #[inline(always)]
    pub fn owner_at(&self, at: VirtAddr) -> Option<(SlabId, CacheId)> {
        self.owners.get(self.index(at)).copied().flatten()
    }

    /// The block of a large kmalloc that has this frame: its first frame and its order.
    #[must_use]
    pub fn large(&self, frame: Pfn) -> Option<(Pfn, Order)> {
        let (first, order) = self.large.up_to(frame).next()?;
        (frame.raw() - first.raw() < order.pages()).then_some((*first, *order))
    }

    pub(crate) fn mark_slab(&mut self, first: Pfn, order: Order, slab: SlabId, cache: CacheId) {
        self.mark(first, order, Some((slab, cache)));
    }

    pub(crate) fn mark_large(&mut self, first: Pfn, order: Order) {
        self.large.insert(first, order);
    }

    pub(crate) fn clear_slab(&mut self, first: Pfn, order: Order) {
        self.mark(first, order, None);
    }

    pub(crate) fn clear_large(&mut self, first: Pfn) {
        self.large.remove(&first);
    }

    fn mark(&mut self, first: Pfn, order: Order, owner: Option<(SlabId, CacheId)>) {
        let start = self.index(first.address());
        let len = index_from(u32::try_from(order.pages()).expect("at most 1024 pages"));
        self.owners[start..start + len].fill(owner);
    }

    /// An address before the first frame wraps to a frame far beyond the last.
    #[inline(always)]
    fn index(&self, at: VirtAddr) -> usize {
        usize::try_from(at.raw().wrapping_sub(self.base.raw()) >> PAGE_SHIFT).unwrap_or(usize::MAX)
    }
}
