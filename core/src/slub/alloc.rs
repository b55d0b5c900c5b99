//! Allocation: the CPU's freelist, and where the next one comes from when it is empty.
//!
//! `slab_alloc_node`, `___slab_alloc`, `get_freelist`, `get_partial_node`, `acquire_slab` (mm/slub.c, 4.19 to 6.1).

use crate::allocator::{Kernel, Probe};
use crate::event::{AllocPath, Event, Oops};
use crate::kernel::{CpuPartialLimit, StatItem};
use crate::memory::Bytes;
use crate::units::{CacheId, SlabId, VirtAddr};

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// `kmem_cache_alloc`: an object, or NULL when no pages are to be had. `zero` is `__GFP_ZERO`.
    ///
    /// # Errors
    /// An oops: the free pointer that had to be read is not where memory is. What was done before stays done.
    #[inline(always)]
    pub fn alloc(&mut self, cache: CacheId, zero: bool) -> Result<VirtAddr, Oops> {
        self.alloc_asked(cache, zero, ALL)
    }

    /// The same for a user that asked for so many bytes ([`ALL`] for the whole object).
    #[inline(always)]
    pub(crate) fn alloc_asked(&mut self, cache: CacheId, zero: bool, asked: u64) -> Result<VirtAddr, Oops> {
        let finishes = zero | self.caches[cache.index()].finishes_objects;
        let object = self.take(cache, asked)?;
        if finishes {
            self.finish_object(cache, object, zero, asked)?;
        }
        Ok(object)
    }

    /// Takes the next object, as it is.
    #[inline(always)]
    pub(super) fn take(&mut self, cache: CacheId, asked: u64) -> Result<VirtAddr, Oops> {
        let s = &mut self.caches[cache.index()];
        let c = &mut s.cpus.running;
        let object = c.freelist;
        if object.is_null() {
            return self.take_slow(cache, asked);
        }
        // The word of the object that goes out is read before anything changes: a head that points nowhere kills
        // this allocation and every later one.
        match s.code.read(&self.bytes, object.wrapping_add(s.layout.offset)) {
            Ok(next) => c.freelist = next,
            Err(fault) => return Err(self.fault(fault, "kmem_cache_alloc")),
        }
        self.count(cache, StatItem::AllocFastpath);
        self.on(|| Event::Allocated { cache: Some(cache), address: object, path: AllocPath::Fastpath });
        Ok(object)
    }

    #[cold]
    fn take_slow(&mut self, cache: CacheId, asked: u64) -> Result<VirtAddr, Oops> {
        if self.caches[cache.index()].takes_singly {
            return self.take_single(cache, asked);
        }
        if self.caches[cache.index()].sheaves.is_some() {
            return self.take_from_sheaf(cache);
        }
        let Some((object, path)) = self.take_from_slabs(cache)? else {
            self.out_of_memory(cache);
            return Ok(VirtAddr::NULL);
        };
        self.on(|| Event::Allocated { cache: Some(cache), address: object, path });
        Ok(object)
    }

    /// The first object of a freelist that the CPU gets, because its own is empty; `None` where no pages are to be had.
    pub(super) fn take_from_slabs(&mut self, cache: CacheId) -> Result<Option<(VirtAddr, AllocPath)>, Oops> {
        self.count(cache, StatItem::AllocSlowpath);
        let Some((object, path)) = self.find_freelist(cache) else { return Ok(None) };
        let s = &self.caches[cache.index()];
        match s.code.read(&self.bytes, object.wrapping_add(s.layout.offset)) {
            Ok(next) => self.cpu_slab(cache).freelist = next,
            Err(fault) => return Err(self.fault(fault, "___slab_alloc")),
        }
        Ok(Some((object, path)))
    }

    /// A freelist for this CPU, detached from its slab, which is now the CPU's: its head.
    fn find_freelist(&mut self, cache: CacheId) -> Option<(VirtAddr, AllocPath)> {
        if let Some(slab) = self.cpu_slab(cache).slab {
            if let Some(head) = self.detach_freelist(slab) {
                self.count(cache, StatItem::AllocRefill);
                return Some((head, AllocPath::Refill));
            }
            // The slab is full: it is forgotten, on no list, until an object of it is freed.
            self.count(cache, StatItem::DeactivateBypass);
            self.cpu_slab(cache).slab = None;
        }
        while let Some((slab, _)) = self.cpu_slab(cache).partial.pop() {
            self.cpu_slab(cache).slab = Some(slab);
            self.count(cache, StatItem::CpuPartialAlloc);
            if let Some(head) = self.detach_freelist(slab) {
                if self.model.refills_from_cpu_partial {
                    self.count(cache, StatItem::AllocRefill);
                }
                return Some((head, AllocPath::CpuPartial));
            }
            self.count(cache, StatItem::DeactivateBypass);
            self.cpu_slab(cache).slab = None;
        }
        if let Some((slab, head)) = self.take_from_node(cache) {
            self.cpu_slab(cache).slab = Some(slab);
            return Some((head, AllocPath::NodePartial));
        }
        let slab = self.new_slab(cache)?;
        let head = self.detach_freelist(slab).expect("a new slab has free objects");
        self.cpu_slab(cache).slab = Some(slab);
        Some((head, AllocPath::NewSlab))
    }

    /// Takes a slab's whole freelist; the slab then counts every object as in use, and is frozen only if there was
    /// a list (`get_freelist`).
    pub(crate) fn detach_freelist(&mut self, slab: SlabId) -> Option<VirtAddr> {
        let slab = &mut self.slabs[slab.index()];
        let head = core::mem::take(&mut slab.freelist);
        slab.inuse = full(slab.objects);
        slab.frozen = !head.is_null();
        (!head.is_null()).then_some(head)
    }

    /// The head of the node's partial list for the CPU's slab, and some more for its partial list
    /// (`get_partial_node`).
    fn take_from_node(&mut self, cache: CacheId) -> Option<(SlabId, VirtAddr)> {
        let mut taken = None;
        let mut extra_slabs = 0;
        let mut available = 0;
        while let Some(slab) = self.caches[cache.index()].partial.head {
            self.unlist(cache, slab);
            available += self.slabs[slab.index()].free_objects();
            if taken.is_none() {
                let head = self.detach_freelist(slab).unwrap_or(VirtAddr::NULL);
                self.slabs[slab.index()].frozen = true;
                taken = Some((slab, head));
                self.count(cache, StatItem::AllocFromPartial);
            } else {
                self.slabs[slab.index()].frozen = self.model.freezes_partial;
                self.put_cpu_partial(cache, slab, false);
                self.count(cache, StatItem::CpuPartialNode);
                extra_slabs += 1;
            }
            let layout = &self.caches[cache.index()].layout;
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

    #[cold]
    fn finish_object(&mut self, cache: CacheId, object: VirtAddr, zero: bool, asked: u64) -> Result<(), Oops> {
        if object.is_null() { Ok(()) } else { self.init_allocated(cache, object, zero, asked) }
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
    ) -> Result<(), Oops> {
        let s = &self.caches[cache.index()];
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
