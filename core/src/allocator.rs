//! The allocator's whole API as a library: [`Kernel`].

use crate::event::{Event, Oops, OopsKind};
use crate::freelist::PointerCode;
use crate::kernel::{Model, PointerEncoding};
use crate::kmalloc::KmallocCaches;
use crate::layout::{CacheArgs, Layout, LayoutError};
use crate::luck::Luck;
use crate::memory::{Bytes, Fault, Paged};
use crate::pages::PageSource;
use crate::slub::{CpuSlab, KmemCache, PartialList, Sheaves, Slab};
use crate::units::{CacheId, CpuId, Order, PAGE_SHIFT, Pfn, SlabId, VirtAddr, count_from, index_from};
use std::rc::Rc;

/// Somebody who is told what happens. `()` is nobody, and costs nothing.
pub trait Probe: Clone {
    /// Tells it. `event` is made only if it listens.
    fn on(&mut self, event: impl FnOnce() -> Event);
}

impl Probe for () {
    #[inline]
    fn on(&mut self, _event: impl FnOnce() -> Event) {}
}

/// A probe that keeps what it is told until it is asked.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    events: Vec<Event>,
}

impl Recorder {
    /// What was told since last asked.
    pub fn drain(&mut self) -> Vec<Event> {
        core::mem::take(&mut self.events)
    }
}

impl Probe for Recorder {
    fn on(&mut self, event: impl FnOnce() -> Event) {
        self.events.push(event());
    }
}

/// A kernel's slab allocator over some bytes.
#[derive(Clone, Debug)]
pub struct Kernel<P: Probe = (), B: Bytes = Paged> {
    pub(crate) model: Model,
    pub(crate) bytes: B,
    pub(crate) frames: FrameTable,
    pub(crate) pages: PageSource,
    pub(crate) luck: Luck,
    pub(crate) caches: Vec<KmemCache>,
    pub(crate) slabs: Vec<Slab>,
    pub(crate) kmalloc: KmallocCaches,
    /// Slabs of `SLAB_TYPESAFE_BY_RCU` caches whose pages wait for a grace period.
    pub(crate) rcu_waiting: Vec<SlabId>,
    /// The CPU that runs.
    pub(crate) cpu: CpuId,
    /// Whether pages are zeroed as they come, beside what `init_on_alloc` does.
    pub(crate) wipes_fresh_pages: bool,
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
        Self {
            model,
            bytes,
            frames,
            pages,
            luck,
            caches: Vec::new(),
            slabs: Vec::new(),
            kmalloc: KmallocCaches::default(),
            rcu_waiting: Vec::new(),
            cpu: CpuId::from_raw(0),
            wipes_fresh_pages: false,
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
        crate::layout::check(args, &self.model)?;
        match self.find_mergeable(args) {
            Some(cache) => {
                self.merge_into(cache, name, args);
                Ok(cache)
            }
            None => self.create_cache_of_its_own(name, args),
        }
    }

    /// A cache that is merged with no other; later ones may merge with it.
    pub(crate) fn create_cache_of_its_own(&mut self, name: &str, args: &CacheArgs) -> Result<CacheId, LayoutError> {
        let layout = Layout::of(args, &self.model)?;
        let random = match self.model.pointer_encoding {
            PointerEncoding::Plain => 0,
            PointerEncoding::Xor | PointerEncoding::XorSwapped => self.luck.pointer_secret(name),
        };
        let constant = args.ctor || args.flags.typesafe_by_rcu;
        self.caches.push(KmemCache {
            name: name.into(),
            names: vec![name.into()],
            refcount: 1,
            args: *args,
            layout,
            code: PointerCode { encoding: self.model.pointer_encoding, random },
            sequence: None,
            cpus: vec![CpuSlab::default(); index_from(self.cpu.raw()) + 1],
            sheaves: (layout.sheaf_capacity > 0).then(Sheaves::default),
            partial: PartialList::default(),
            nr_partial: 0,
            nr_slabs: 0,
            total_objects: 0,
            slabs_made: 0,
            alive: true,
            zeroes_on_alloc: self.model.init_on_alloc && !constant,
            may_zero: !args.ctor,
            zeroes_on_free: self.model.init_on_free && !constant,
        });
        let cache = CacheId::from_raw(count_from(self.caches.len() - 1));
        if let Luck::Recorded(_) = self.luck {
            self.draw_sequence(cache);
        }
        Ok(cache)
    }

    /// Draws a cache's shuffled sequence, where its kernel shuffles (`init_cache_random_seq`).
    pub(crate) fn draw_sequence(&mut self, cache: CacheId) {
        let cache = &mut self.caches[cache.index()];
        if self.model.freelist_random && cache.layout.objects >= 2 && cache.sequence.is_none() {
            cache.sequence = self.luck.sequence(&cache.name, cache.layout.objects).map(Rc::from);
        }
    }

    /// Which kernel this is.
    #[must_use]
    pub const fn model(&self) -> &Model {
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
    pub fn probe_mut(&mut self) -> &mut P {
        &mut self.probe
    }

    /// A cache; also one that was destroyed.
    #[must_use]
    pub fn cache(&self, cache: CacheId) -> &KmemCache {
        &self.caches[cache.index()]
    }

    /// The caches that exist, oldest first.
    pub fn caches(&self) -> impl DoubleEndedIterator<Item = (CacheId, &KmemCache)> {
        let ids = (0..count_from(self.caches.len())).map(CacheId::from_raw);
        ids.zip(&self.caches).filter(|(_, cache)| cache.alive)
    }

    /// A slab; also one whose pages went home.
    #[must_use]
    pub fn slab(&self, slab: SlabId) -> &Slab {
        &self.slabs[slab.index()]
    }

    /// The slabs that hold pages, oldest first.
    pub fn slabs(&self) -> impl Iterator<Item = (SlabId, &Slab)> {
        let ids = (0..count_from(self.slabs.len())).map(SlabId::from_raw);
        ids.zip(&self.slabs).filter(|(_, slab)| slab.alive)
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

    /// An oops: told, and returned to be passed up.
    #[cold]
    pub(crate) fn oops(&mut self, kind: OopsKind, function: &'static str) -> Oops {
        let oops = Oops { kind, function };
        self.probe.on(|| Event::Oopsed(oops));
        oops
    }

    /// The oops that a fault is.
    #[cold]
    pub(crate) fn fault(&mut self, fault: Fault, function: &'static str) -> Oops {
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
    first: Pfn,
    /// The address of the first frame.
    base: VirtAddr,
    tags: Vec<Tag>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    Other,
    /// With its cache, so that a free needs no look at the slab's descriptor to find it.
    Slab(SlabId, CacheId),
    Large(Order),
}

impl FrameTable {
    /// `count` frames from `first` on, none of them a slab's.
    #[must_use]
    pub fn new(first: Pfn, count: u32) -> Self {
        Self { first, base: first.address(), tags: vec![Tag::Other; index_from(count)] }
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
    #[inline]
    pub fn owner_at(&self, at: VirtAddr) -> Option<(SlabId, CacheId)> {
        // An address before the first frame wraps to a frame far beyond the last.
        let frame = at.raw().wrapping_sub(self.base.raw()) >> PAGE_SHIFT;
        match self.tags.get(usize::try_from(frame).unwrap_or(usize::MAX)) {
            Some(Tag::Slab(slab, cache)) => Some((*slab, *cache)),
            Some(Tag::Other | Tag::Large(_)) | None => None,
        }
    }

    /// The block of a large kmalloc that has this frame: its first frame and its order.
    #[must_use]
    pub fn large(&self, frame: Pfn) -> Option<(Pfn, Order)> {
        match self.tag(frame) {
            Some(Tag::Large(order)) => Some((Pfn::from_raw(frame.raw() & !(order.pages() - 1)), order)),
            Some(Tag::Other | Tag::Slab(..)) | None => None,
        }
    }

    pub(crate) fn mark_slab(&mut self, first: Pfn, order: Order, slab: SlabId, cache: CacheId) {
        self.mark(first, order, Tag::Slab(slab, cache));
    }

    pub(crate) fn mark_large(&mut self, first: Pfn, order: Order) {
        self.mark(first, order, Tag::Large(order));
    }

    pub(crate) fn clear(&mut self, first: Pfn, order: Order) {
        self.mark(first, order, Tag::Other);
    }

    #[inline]
    fn tag(&self, frame: Pfn) -> Option<Tag> {
        self.tags.get(self.index(frame)?).copied()
    }

    fn mark(&mut self, first: Pfn, order: Order, tag: Tag) {
        let start = self.index(first).expect("a frame of this table");
        let len = index_from(u32::try_from(order.pages()).expect("at most 1024 pages"));
        self.tags[start..start + len].fill(tag);
    }

    #[inline]
    fn index(&self, frame: Pfn) -> Option<usize> {
        let index = frame.raw().checked_sub(self.first.raw())?;
        u32::try_from(index).ok().map(index_from)
    }
}
