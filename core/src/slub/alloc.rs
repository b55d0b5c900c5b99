//! Allocation: the CPU's freelist, and where the next one comes from when it is empty.
//!
//! `slab_alloc_node`, `___slab_alloc`, `get_freelist`, `get_partial_node`, `acquire_slab` (mm/slub.c, 4.19 to 6.1).

use crate::allocator::{Kernel, Probe};
use crate::event::{AllocPath, Event, Oops};
use crate::kernel::{CpuPartialLimit, StatItem};
use crate::memory::Bytes;
use crate::units::{CacheId, SlabId, VirtAddr, index_from};

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// `kmem_cache_alloc`: an object, or NULL when no pages are to be had. `zero` is `__GFP_ZERO`.
    ///
    /// # Errors
    /// An oops: the free pointer that had to be read is not where memory is. What was done before stays done.
    #[inline(always)]
    pub fn alloc(&mut self, cache: CacheId, zero: bool) -> Result<VirtAddr, Oops> {
        match if zero { None } else { self.take_at_once(Some(cache)) } {
            Some(object) => Ok(object),
            None => self.alloc_in_full(cache, zero),
        }
    }

    /// The head of the CPU's freelist, where it has one that can be followed and is handed out as it is.
    #[inline(always)]
    pub(crate) fn take_at_once(&mut self, cache: Option<CacheId>) -> Option<VirtAddr> {
        // No cache is one beyond the last.
        let s = self.caches.get_mut(index_from(cache.map_or(u32::MAX, CacheId::raw)))?;
        let object = s.cpus.running.freelist;
        if object.is_null() || s.finishes_objects {
            return None;
        }
        let at = object.wrapping_add(s.layout.offset);
        s.cpus.running.freelist = s.code.decode(self.bytes.word(at)?, at);
        let cache = cache?;
        self.count(cache, StatItem::AllocFastpath);
        self.on(|| Event::Allocated { cache: Some(cache), address: object, path: AllocPath::Fastpath });
        Some(object)
    }

    /// The oops is not in a box: to look at one would cost the fast path.
    #[cold]
    fn alloc_in_full(&mut self, cache: CacheId, zero: bool) -> Result<VirtAddr, Oops> {
        self.alloc_asked(cache, zero, ALL).map_err(|oops| *oops)
    }

    /// The whole of it, for a user that asked for so many bytes ([`ALL`] for the whole object).
    #[cold]
    pub(crate) fn alloc_asked(&mut self, cache: CacheId, zero: bool, asked: u64) -> Result<VirtAddr, Box<Oops>> {
        let s = &self.caches[cache];
        let finishes = zero || s.finishes_objects;
        let object = if s.takes_from_slabs { self.take(cache) } else { self.take_otherwise(cache, asked) }?;
        if finishes && !object.is_null() {
            self.init_allocated(cache, object, zero, asked)?;
        }
        Ok(object)
    }

    /// Takes the next object of a cache that has neither checks nor sheaves, as it is.
    #[inline]
    fn take(&mut self, cache: CacheId) -> Result<VirtAddr, Box<Oops>> {
        let s = &mut self.caches[cache];
        let object = s.cpus.running.freelist;
        if object.is_null() {
            let Some((object, path)) = self.take_from_slabs(cache)? else {
                self.out_of_memory(cache);
                return Ok(VirtAddr::NULL);
            };
            self.on(|| Event::Allocated { cache: Some(cache), address: object, path });
            return Ok(object);
        }
        // The word of the object that goes out is read before anything changes: a head that points nowhere kills
        // this allocation and every later one.
        match s.code.read(&self.bytes, object.wrapping_add(s.layout.offset)) {
            Ok(next) => s.cpus.running.freelist = next,
            Err(fault) => return Err(self.fault(fault, "kmem_cache_alloc")),
        }
        self.count(cache, StatItem::AllocFastpath);
        self.on(|| Event::Allocated { cache: Some(cache), address: object, path: AllocPath::Fastpath });
        Ok(object)
    }

    /// From a cache whose CPUs own no slabs, or that has sheaves.
    #[inline(never)]
    fn take_otherwise(&mut self, cache: CacheId, asked: u64) -> Result<VirtAddr, Box<Oops>> {
        if self.caches[cache].takes_singly { self.take_single(cache, asked) } else { self.take_from_sheaf(cache) }
    }

    /// The first object of a freelist that the CPU gets, because its own is empty; `None` where no pages are to be had.
    #[inline(always)]
    pub(super) fn take_from_slabs(&mut self, cache: CacheId) -> Result<Option<(VirtAddr, AllocPath)>, Box<Oops>> {
        self.count(cache, StatItem::AllocSlowpath);
        let Some((slab, object, path)) = self.find_freelist(cache) else { return Ok(None) };
        let s = &mut self.caches[cache];
        let next = s.code.read(&self.bytes, object.wrapping_add(s.layout.offset));
        let c = &mut s.cpu_slabs_mut().running;
        c.slab = Some(slab);
        match next {
            Ok(next) => c.freelist = next,
            Err(fault) => return Err(self.fault(fault, "___slab_alloc")),
        }
        Ok(Some((object, path)))
    }

    /// A slab for this CPU, which owns none that has free objects, and the head of its freelist, which is detached from it.
    #[inline]
    fn find_freelist(&mut self, cache: CacheId) -> Option<(SlabId, VirtAddr, AllocPath)> {
        if let Some(slab) = self.cpu_slab(cache).slab.take() {
            if let Some(head) = self.slabs[slab].detach_freelist() {
                self.count(cache, StatItem::AllocRefill);
                return Some((slab, head, AllocPath::Refill));
            }
            // The slab is full: it is forgotten, on no list, until an object of it is freed.
            self.count(cache, StatItem::DeactivateBypass);
        }
        while let Some((slab, _)) = self.cpu_slab(cache).partial.pop() {
            self.count(cache, StatItem::CpuPartialAlloc);
            if let Some(head) = self.slabs[slab].detach_freelist() {
                if self.model.refills_from_cpu_partial {
                    self.count(cache, StatItem::AllocRefill);
                }
                return Some((slab, head, AllocPath::CpuPartial));
            }
            self.count(cache, StatItem::DeactivateBypass);
        }
        if self.caches[cache].partial.head.is_some()
            && let Some((slab, head)) = self.take_from_node(cache)
        {
            return Some((slab, head, AllocPath::NodePartial));
        }
        let slab = self.new_slab(cache)?;
        let head = self.slabs[slab].detach_freelist().expect("a new slab has free objects");
        Some((slab, head, AllocPath::NewSlab))
    }

    /// The head of the node's partial list for the CPU's slab, and some more for its partial list
    /// (`get_partial_node`).
    #[inline(never)]
    fn take_from_node(&mut self, cache: CacheId) -> Option<(SlabId, VirtAddr)> {
        let mut taken = None;
        let mut extra_slabs = 0;
        let mut available = 0;
        while let Some(slab) = self.caches[cache].partial.head {
            self.unlist(cache, slab);
            available += self.slabs[slab].free_objects();
            if taken.is_none() {
                let head = self.slabs[slab].detach_freelist().unwrap_or(VirtAddr::NULL);
                self.slabs[slab].frozen = true;
                taken = Some((slab, head));
                self.count(cache, StatItem::AllocFromPartial);
            } else {
                self.slabs[slab].frozen = self.model.freezes_partial;
                self.put_cpu_partial(cache, slab, false);
                self.count(cache, StatItem::CpuPartialNode);
                extra_slabs += 1;
            }
            let layout = &self.caches[cache].layout;
            let enough = match self.model.cpu_partial {
                CpuPartialLimit::Absent => true,
                CpuPartialLimit::Objects => available > layout.cpu_partial / 2,
                CpuPartialLimit::Slabs => extra_slabs > layout.cpu_partial_slabs / 2,
            };
            if enough {
                break;
            }
        }
        taken
    }

    /// What follows an allocation where anything is to be zeroed: the stale free pointer when frees are zeroed, the
    /// object when allocations are, or when the caller asks for it (`slab_post_alloc_hook`).
    #[cold]
    pub(super) fn init_allocated(
        &mut self,
        cache: CacheId,
        object: VirtAddr,
        zero: bool,
        asked: u64,
    ) -> Result<(), Box<Oops>> {
        let s = &self.caches[cache];
        let offset = s.layout.offset;
        let object_size = s.layout.bytes_to_zero(asked, &self.model);
        let clears_pointer = s.zeroes_on_free;
        let zeroes = s.zeroes_on_alloc || (zero && s.may_zero);
        let result = if clears_pointer { self.bytes.write_u64(object.wrapping_add(offset), 0) } else { Ok(()) };
        let result = result.and_then(|()| if zeroes { self.bytes.fill(object, object_size, 0) } else { Ok(()) });
        result.map_err(|fault| self.fault(fault, "kmem_cache_alloc"))
    }
}

/// Asked for with an object: all of it.
pub(crate) const ALL: u64 = u64::MAX;

/// `inuse` of a slab whose objects are all handed to a CPU.
pub(crate) fn full(objects: u32) -> u16 {
    u16::try_from(objects).expect("a slab holds at most 32767 objects")
}
