//! What waits for a grace period: objects that `kfree_rcu` keeps, and pages of `SLAB_TYPESAFE_BY_RCU` caches.
//!
//! ```text
//! a cache with sheaves    the CPU's rcu_free sheaf ── full ──► a callback ── grace period ──► the barn, or the slabs
//! any other               the CPU's batch: pages of pointers, newest first, then a list ── grace period ──► bulk free
//! ```
//! `kvfree_call_rcu`, `kvfree_rcu_bulk`, `kvfree_rcu_list`, `kvfree_rcu_barrier` (kernel/rcu/tree.c, 6.1;
//! mm/slab_common.c, 7.3), `__kfree_rcu_sheaf`, `rcu_free_sheaf`, `rcu_free_sheaf_nobarn` (mm/slub.c, 7.3).
//!
//! Limitations: a batch's pages are ours and come from no page allocator; the `rcu_head` inside an object, through which
//! lists and callbacks are linked, is not written; callbacks run in the order in which they came, on the CPU that made
//! them, where CPUs run theirs side by side.

use super::sheaf::{MAX_FULL, Sheaf, Sheaves};
use crate::allocator::{Kernel, Probe};
use crate::event::{Event, Oops};
use crate::kernel::{KfreeRcu, StatItem};
use crate::memory::Bytes;
use crate::units::{CacheId, CpuId, SlabId, VirtAddr, index_from};

/// Most empty sheaves that a barn gets from callbacks (`MAX_EMPTY_SHEAVES`).
const MAX_EMPTY: u32 = 10;
/// Pages that a CPU keeps at hand for its batches (`rcu_min_cached_objs`).
const PAGES_AT_HAND: u32 = 5;

/// What waits for a grace period.
#[derive(Clone, Debug, Default)]
pub struct Rcu {
    /// Callbacks, the oldest first, each with the CPU that runs it.
    pub callbacks: Vec<(CpuId, Callback)>,
    /// By CPU, up to the highest that used `kfree_rcu`.
    pub batches: Vec<KfreeRcuBatch>,
}

/// What is done when a grace period has passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Callback {
    /// A slab's pages go home.
    FreeSlab(SlabId),
    /// An object is freed.
    FreeObject(VirtAddr),
    /// A sheaf of objects goes somewhere.
    FreeSheaf {
        /// Whose objects.
        cache: CacheId,
        /// The objects.
        sheaf: Sheaf,
        /// Where they go.
        to: AfterGrace,
    },
}

/// Where a sheaf of waiting objects goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterGrace {
    /// To the barn, as a full sheaf; to the slabs if it has enough.
    ToBarn,
    /// To the slabs.
    ToSlabs,
}

/// What a CPU was given for `kfree_rcu` and keeps by itself (`kfree_rcu_cpu`).
#[derive(Clone, Debug, Default)]
pub struct KfreeRcuBatch {
    /// Pages of pointers, the newest last.
    pub pages: Vec<Vec<VirtAddr>>,
    /// Objects for which no page was at hand, the newest last.
    pub list: Vec<VirtAddr>,
    /// Pages at hand. None before the first batch: only that makes the kernel fetch some.
    pub pages_at_hand: u32,
}

impl Rcu {
    /// Slabs whose pages wait.
    pub fn slabs(&self) -> impl Iterator<Item = SlabId> + '_ {
        self.callbacks.iter().filter_map(|(_, callback)| match callback {
            Callback::FreeSlab(slab) => Some(*slab),
            Callback::FreeObject(_) | Callback::FreeSheaf { .. } => None,
        })
    }

    /// Objects that wait, those of `rcu_free` sheaves aside.
    pub fn objects(&self) -> impl Iterator<Item = VirtAddr> + '_ {
        let called = self.callbacks.iter().flat_map(|(_, callback)| match callback {
            Callback::FreeSlab(_) => &[],
            Callback::FreeObject(object) => core::slice::from_ref(object),
            Callback::FreeSheaf { sheaf, .. } => sheaf.as_slice(),
        });
        called.chain(self.batches.iter().flat_map(KfreeRcuBatch::objects)).copied()
    }

    /// Whether nothing waits, `rcu_free` sheaves aside.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.callbacks.is_empty() && self.batches.iter().all(KfreeRcuBatch::is_empty)
    }
}

impl KfreeRcuBatch {
    /// Its objects: of its pages, the oldest first, then of its list.
    pub fn objects(&self) -> impl Iterator<Item = &VirtAddr> {
        self.pages.iter().flatten().chain(&self.list)
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty() && self.list.is_empty()
    }

    fn push(&mut self, object: VirtAddr, pointers: u32) {
        let is_full = self.pages.last().is_none_or(|page| page.len() >= index_from(pointers));
        if !is_full && let Some(page) = self.pages.last_mut() {
            page.push(object);
        } else if self.pages_at_hand > 0 {
            self.pages_at_hand -= 1;
            self.pages.push(vec![object]);
        } else {
            self.list.push(object);
        }
    }
}

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// `kfree_rcu` of an object: it is freed after a grace period.
    ///
    /// # Errors
    /// An oops: where caches may have sheaves, the object's page is looked at now.
    pub fn kfree_rcu(&mut self, object: VirtAddr) -> Result<(), Box<Oops>> {
        if object.is_null() {
            self.on(|| Event::FreeIgnored { address: object });
            return Ok(());
        }
        let cache = self.cache_with_sheaves(object)?;
        match (cache, self.model.kfree_rcu) {
            (Some(cache), _) => self.put_in_rcu_sheaf(cache, object),
            (None, KfreeRcu::Absent | KfreeRcu::Callbacks) => self.call_rcu(Callback::FreeObject(object)),
            (None, KfreeRcu::List) => self.kfree_rcu_batch().list.push(object),
            (None, KfreeRcu::Pages { pointers }) => self.kfree_rcu_batch().push(object, pointers),
        }
        self.on(|| Event::FreeDeferred { address: object });
        Ok(())
    }

    /// The cache of an object, if it has sheaves.
    fn cache_with_sheaves(&mut self, object: VirtAddr) -> Result<Option<CacheId>, Box<Oops>> {
        if self.model.sheaves == crate::kernel::SheafUse::Never {
            return Ok(None);
        }
        let slab = match self.slab_of_object(object) {
            Ok(slab) => slab,
            Err(kind) => return Err(self.oops(kind, "kvfree_call_rcu")),
        };
        let cache = slab.map(|slab| self.slabs[slab].cache);
        Ok(cache.filter(|cache| self.caches[*cache].sheaves.is_some()))
    }

    fn kfree_rcu_batch(&mut self) -> &mut KfreeRcuBatch {
        let cpu = self.cpu.index();
        if self.rcu.batches.len() <= cpu {
            self.rcu.batches.resize_with(cpu + 1, KfreeRcuBatch::default);
        }
        &mut self.rcu.batches[cpu]
    }

    /// A new `rcu_free` sheaf is the spare if that is empty, an empty one of the barn, or made.
    fn put_in_rcu_sheaf(&mut self, cache: CacheId, object: VirtAddr) {
        let capacity = self.capacity(cache);
        let c = self.cpu_sheaves(cache);
        if c.rcu_free.is_none() {
            let own = c.spare.take_if(|spare| spare.is_empty());
            let sheaf = match own.or_else(|| self.sheaves(cache).barn.take_empty()) {
                Some(empty) => empty,
                None => self.new_sheaf(cache),
            };
            self.cpu_sheaves(cache).rcu_free = Some(sheaf);
        }
        let sheaf = self.cpu_sheaves(cache).rcu_free.get_or_insert_default();
        sheaf.push(object);
        let is_full = sheaf.len() >= capacity;
        self.count(cache, StatItem::FreeRcuSheaf);
        if is_full {
            self.hand_over_rcu_free(cache, AfterGrace::ToBarn);
        }
    }

    /// The running CPU's `rcu_free` sheaf, if it has one, waits for a grace period.
    pub(super) fn hand_over_rcu_free(&mut self, cache: CacheId, to: AfterGrace) {
        if self.has_sheaves_here(cache)
            && let Some(sheaf) = self.cpu_sheaves(cache).rcu_free.take()
        {
            self.call_rcu(Callback::FreeSheaf { cache, sheaf, to });
        }
    }

    pub(super) fn call_rcu(&mut self, callback: Callback) {
        self.rcu.callbacks.push((self.cpu, callback));
    }

    /// Time for a grace period passes, and for the timers of batches: callbacks run, batches are freed. An `rcu_free`
    /// sheaf that is not full goes on waiting.
    ///
    /// # Errors
    /// An oops of a free.
    pub fn grace_period(&mut self) -> Result<(), Box<Oops>> {
        self.on(|| Event::GracePeriodPassed);
        self.rcu_barrier()?;
        (0..self.model.cpus).map(CpuId::from_raw).try_for_each(|cpu| self.free_batch_of(cpu, cpu))
    }

    /// `rcu_barrier`: every callback that was made before has run.
    ///
    /// # Errors
    /// An oops of a callback; those after it are left.
    pub fn rcu_barrier(&mut self) -> Result<(), Box<Oops>> {
        for _ in 0..self.rcu.callbacks.len() {
            let (cpu, callback) = self.rcu.callbacks.remove(0);
            self.on_cpu(cpu, |kernel| kernel.run_callback(callback))?;
        }
        Ok(())
    }

    /// `kvfree_rcu_barrier`: all that was given to `kfree_rcu` before is freed. What `rcu_free` sheaves have goes to the
    /// slabs.
    ///
    /// # Errors
    /// An oops of a free.
    pub fn kvfree_rcu_barrier(&mut self) -> Result<(), Box<Oops>> {
        let with_sheaves: Vec<CacheId> =
            self.caches().filter(|(_, cache)| cache.sheaves.is_some()).map(|(id, _)| id).collect();
        for cpu in (0..self.model.cpus).map(CpuId::from_raw).filter(|_| !with_sheaves.is_empty()) {
            self.on_cpu(cpu, |kernel| {
                with_sheaves.iter().for_each(|cache| kernel.hand_over_rcu_free(*cache, AfterGrace::ToSlabs));
            });
        }
        self.rcu_barrier()?;
        (0..self.model.cpus).map(CpuId::from_raw).try_for_each(|cpu| self.free_batch_of(cpu, cpu))
    }

    /// Frees one CPU's batch, `on` a CPU of the work queue's choice: pages in bulk, the newest first, then the list, its
    /// last first.
    ///
    /// # Errors
    /// An oops of a free.
    pub fn free_batch_of(&mut self, of: CpuId, on: CpuId) -> Result<(), Box<Oops>> {
        let Some(batch) = self.take_batch_of(of) else { return Ok(()) };
        self.on_cpu(on, |kernel| {
            batch.pages.iter().rev().try_for_each(|page| kernel.free_bulk(None, page))?;
            batch.list.iter().rev().try_for_each(|object| kernel.kfree(*object))
        })
    }

    /// Takes a CPU's batch away, to be freed; its pages are at hand again.
    pub fn take_batch_of(&mut self, of: CpuId) -> Option<KfreeRcuBatch> {
        let batch = self.rcu.batches.get_mut(of.index()).filter(|batch| !batch.is_empty())?;
        Some(core::mem::replace(batch, KfreeRcuBatch { pages_at_hand: PAGES_AT_HAND, ..KfreeRcuBatch::default() }))
    }

    fn run_callback(&mut self, callback: Callback) -> Result<(), Box<Oops>> {
        match callback {
            Callback::FreeSlab(slab) => {
                self.send_home(slab);
                Ok(())
            }
            Callback::FreeObject(object) => self.kfree_aside(object),
            Callback::FreeSheaf { cache, sheaf, to } => self.free_sheaf(cache, sheaf, to),
        }
    }

    fn free_sheaf(&mut self, cache: CacheId, sheaf: Sheaf, to: AfterGrace) -> Result<(), Box<Oops>> {
        if self.caches[cache].zeroes_on_free {
            sheaf.iter().try_for_each(|object| self.wipe_freed(cache, *object))?;
        }
        let has_room = self.sheaves(cache).barn.full.len() < MAX_FULL;
        if to == AfterGrace::ToBarn && has_room {
            self.sheaves(cache).barn.full.push(sheaf);
            self.count(cache, StatItem::BarnPut);
            return Ok(());
        }
        if to == AfterGrace::ToBarn {
            self.count(cache, StatItem::BarnPutFail);
        }
        self.flush_sheaf(cache, &sheaf)?;
        let barn = &mut self.sheaves(cache).barn;
        if to == AfterGrace::ToBarn && barn.empty < MAX_EMPTY {
            barn.empty += 1;
        } else {
            self.count(cache, StatItem::SheafFree);
        }
        Ok(())
    }

    /// The grace period that one slab's pages wait for ends: they go home. Nothing happens if they do not wait.
    pub fn end_grace_period_of(&mut self, slab: SlabId) {
        let waiting = Callback::FreeSlab(slab);
        if let Some(at) = self.rcu.callbacks.iter().position(|(_, callback)| *callback == waiting) {
            self.rcu.callbacks.remove(at);
            self.send_home(slab);
        }
    }

    /// Whether an object that is free to its user is kept where no free pointer is written: in a sheaf, or until a grace
    /// period has passed.
    #[must_use]
    pub fn is_kept_aside(&self, object: VirtAddr) -> bool {
        let cache = self.slab_at(object).map(|slab| self.cache(self.slab(slab).cache));
        let mut in_sheaves = cache.and_then(|cache| cache.sheaves.as_ref()).into_iter().flat_map(Sheaves::objects);
        in_sheaves.any(|kept| kept == object) || self.rcu.objects().any(|kept| kept == object)
    }

    /// Does something on another CPU.
    pub(super) fn on_cpu<T>(&mut self, cpu: CpuId, act: impl FnOnce(&mut Self) -> T) -> T {
        let runs = self.cpu;
        self.run_on(cpu);
        let result = act(self);
        self.run_on(runs);
        result
    }
}
