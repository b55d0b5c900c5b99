//! What a kernel of several CPUs leaves open: each way that it may have gone is tried, and what was recorded next decides.
//!
//! - `kmem_cache_shrink` has all CPUs flush themselves at the same time.
//! - A batch of `kfree_rcu` is freed by the work queue, on a CPU of its choice and, from a second page on, in an order of
//!   its choice.
//! - Where an operation has to move to another CPU first, a grace period may have passed on the way.
//!
//! Limitations: two work items that run side by side, object by object, are given up as unknowable.

use super::Replay;
use super::operation::{Ended, Operation, OurKernel, Returned, perform};
use super::span::Span;
use crate::event::Event;
use crate::recording::read::BadFile;
use crate::recording::report::count;
use crate::slub::KfreeRcuBatch;
use crate::units::{CacheId, CpuId, VirtAddr};

/// CPUs with something to flush, up to which every order is tried: 720 orders.
const MOST_CPUS: usize = 6;
/// Work items of batches, up to which every order and CPU is tried.
const MOST_ITEMS: usize = 3;

/// Why a cache is given up, as a count of what nobody can know.
pub(super) const SIDE_BY_SIDE: &str =
    "records of caches whose batches of kfree_rcu were freed by work items side by side";

/// Why a cache is given up that more CPUs keep something of when it is shrunk.
pub(super) const TOO_WIDE: &str = "caches that more than 6 CPUs flush side by side";

/// What one way of an operation came to.
pub(super) struct Went {
    kernel: OurKernel,
    events: Vec<Event>,
    result: Ended,
}

/// A barrier that several work items had a part in, until a state tells how it went.
#[derive(Debug)]
pub(super) struct Unsettled {
    cache: u32,
    /// Whether one way sends home the slabs that went home.
    is_explained: bool,
}

/// A part of a batch that is freed in one go.
#[derive(Clone, Debug)]
enum Item {
    Page(Vec<VirtAddr>),
    List(Vec<VirtAddr>),
}

impl Replay {
    /// Performs an operation. Where it may go several ways: as the first that explains what was recorded on the way;
    /// those that explain it too are kept until a state decides.
    pub(super) fn perform_some_way(
        &mut self,
        operation: Operation,
        line: u32,
        span: &Span,
    ) -> Result<(Vec<Event>, Ended), BadFile> {
        self.others.clear();
        let several = matches!(operation, Operation::KvfreeRcuBarrier { .. }) && self.may_run_side_by_side();
        let ways = match operation {
            Operation::Shrink { cache, cpu, flushed_before: false } => self.ways_of_shrink(cache, cpu, line)?,
            Operation::KvfreeRcuBarrier { .. } if self.has_batches_on_several_cpus() => self.ways_of_batches(),
            Operation::Alloc { .. }
            | Operation::Zalloc { .. }
            | Operation::Free { .. }
            | Operation::KfreeRcu { .. }
            | Operation::BulkAlloc { .. }
            | Operation::BulkFree { .. }
            | Operation::FreeWrongCache { .. }
            | Operation::FreePage { .. }
            | Operation::Shrink { .. }
            | Operation::FlushCpu { .. }
            | Operation::RcuBarrier { .. }
            | Operation::KvfreeRcuBarrier { .. }
            | Operation::Destroy { .. }
            | Operation::Validate { .. } => Vec::new(),
        };
        let mut fit: Vec<Went> = Vec::new();
        let mut first = None;
        for went in ways {
            if self.explains(&went, span) {
                fit.push(went);
            } else {
                first.get_or_insert(went);
            }
        }
        self.unsettled = several.then(|| Unsettled { cache: operation.cache(), is_explained: !fit.is_empty() });
        let mut fit = fit.into_iter();
        let Some(Went { kernel, events, result }) = fit.next().or(first) else {
            let result = perform(&mut self.kernel, &self.book, operation, line)?;
            return Ok((self.kernel.probe_mut().drain(), result));
        };
        self.kernel = kernel;
        self.others = fit.map(|went| went.kernel).collect();
        count(&mut self.report.luck, "operations of CPUs side by side", 1);
        Ok((events, result))
    }

    /// Whether a way sends home the slabs that went home.
    fn explains(&self, went: &Went, span: &Span) -> bool {
        let theirs: Vec<(VirtAddr, u32)> =
            span.freeslabs.iter().map(|(_, slab)| (slab.va.address(), slab.cpu)).collect();
        let ours = went.events.iter().filter_map(|event| {
            if let Event::SlabDiscarded { base, cpu, .. } = event { Some((*base, cpu.raw())) } else { None }
        });
        ours.eq(theirs)
    }

    /// A state was recorded: of the ways still open the first that `fits` it is the one that was gone.
    pub(super) fn choose_way(&mut self, fits: impl Fn(&Self) -> bool) {
        let others = core::mem::take(&mut self.others);
        if others.is_empty() {
            return;
        }
        let mut chosen = None;
        let first = self.kernel.clone();
        for way in core::iter::once(first.clone()).chain(others) {
            self.kernel = way;
            if fits(self) {
                count(&mut self.report.luck, "ways that explain them", 1);
                chosen.get_or_insert_with(|| self.kernel.clone());
            }
        }
        self.kernel = chosen.unwrap_or(first);
    }

    /// Every order in which the CPUs that have something may flush.
    fn ways_of_shrink(&self, cache: u32, cpu: u32, line: u32) -> Result<Vec<Went>, BadFile> {
        let id = self.book.cache(cache, line)?.id;
        let busy = self.busy_cpus(id);
        if busy.len() < 2 {
            return Ok(Vec::new());
        }
        let runs = super::operation::cpu_of(&self.kernel, cpu, line)?;
        let ways = orders_of(&busy).into_iter().map(|order| {
            self.went(|kernel| {
                kernel.run_on(runs);
                kernel.shrink_in_order(id, &order).map(|_| Returned::Nothing)
            })
        });
        Ok(ways.collect())
    }

    /// Whether a CPU keeps anything of a cache.
    fn keeps(&self, cache: CacheId, cpu: CpuId) -> bool {
        let cache = self.kernel.cache(cache);
        let slab = cache.cpu_slabs().of(cpu);
        let sheaves = cache.sheaves.as_ref().and_then(|sheaves| sheaves.cpus.get(cpu.index()));
        slab.is_some_and(|c| c.slab.is_some() || !c.partial.is_empty())
            || sheaves.is_some_and(|c| c.iter().any(|sheaf| !sheaf.is_empty()))
    }

    fn has_batches_on_several_cpus(&self) -> bool {
        self.kernel.model().cpus > 1 && self.kernel.rcu().batches.iter().any(|batch| !batch.is_empty())
    }

    /// A state differs: whether that is because work items ran side by side, which no record tells.
    pub(super) fn gives_up_on(&mut self, cache: u32) -> bool {
        if self.unsettled.take().is_some_and(|unsettled| unsettled.cache == cache) {
            self.lose(cache, SIDE_BY_SIDE);
        } else if !self.may_run_side_by_side() {
            return false;
        }
        count(&mut self.report.unknowable, "states while batches of kfree_rcu were freed", 1);
        true
    }

    /// Whether work items had a part in the last operation of which no way explains the slabs that went home.
    pub(super) fn is_unexplained(&self) -> bool {
        self.unsettled.as_ref().is_some_and(|unsettled| !unsettled.is_explained)
    }

    /// Gives up the cache of such an operation.
    pub(super) fn give_up_unexplained(&mut self) {
        if let Some(Unsettled { cache, .. }) = self.unsettled.take_if(|unsettled| !unsettled.is_explained) {
            self.lose(cache, SIDE_BY_SIDE);
        }
    }

    /// Whether a shrink had more CPUs flush side by side than orders are tried of.
    pub(super) fn is_too_wide(&self, operation: Operation, line: u32) -> Result<bool, BadFile> {
        let Operation::Shrink { cache, flushed_before: false, .. } = operation else { return Ok(false) };
        Ok(self.busy_cpus(self.book.cache(cache, line)?.id).len() > MOST_CPUS)
    }

    /// The CPUs that keep something of a cache.
    fn busy_cpus(&self, cache: CacheId) -> Vec<CpuId> {
        (0..self.kernel.model().cpus).map(CpuId::from_raw).filter(|cpu| self.keeps(cache, *cpu)).collect()
    }

    /// A state that differs, on a machine of several CPUs, may come after a grace period that nobody waited for: to go on
    /// on another CPU takes time.
    pub(super) fn let_a_grace_period_pass(&mut self, fits: impl Fn(&Self) -> bool) {
        let waits = self.kernel.model().cpus > 1 && !self.kernel.rcu().callbacks.is_empty();
        if !waits || fits(self) {
            return;
        }
        let passed = self.went(|kernel| kernel.rcu_barrier().map(|()| Returned::Nothing));
        let sent_home = passed.events.iter().any(|event| matches!(event, Event::SlabDiscarded { .. }));
        if sent_home {
            return;
        }
        let before = core::mem::replace(&mut self.kernel, passed.kernel);
        if fits(self) {
            count(&mut self.report.luck, "grace periods that passed on the way to another CPU", 1);
        } else {
            self.kernel = before;
        }
    }

    /// Whether what waits may be freed by several work items.
    pub(super) fn may_run_side_by_side(&self) -> bool {
        let items: usize = self.kernel.rcu().batches.iter().map(|batch| items(batch).len()).sum();
        self.kernel.model().cpus > 1 && items > 1
    }

    /// Every order in which what waits may be freed, each part on every CPU.
    fn ways_of_batches(&self) -> Vec<Went> {
        let items: Vec<Item> = self.kernel.rcu().batches.iter().flat_map(items).collect();
        if items.len() > MOST_ITEMS {
            return Vec::new();
        }
        let cpus: Vec<CpuId> = (0..self.kernel.model().cpus).map(CpuId::from_raw).collect();
        let places = draws_of(&cpus, items.len());
        let ways = orders_of(&items).into_iter().flat_map(|order| {
            let parts = places.iter().map(move |places| order.iter().cloned().zip(places.iter().copied()).collect());
            parts.collect::<Vec<Vec<(Item, CpuId)>>>()
        });
        ways.map(|parts| self.went(|kernel| free_parts(kernel, &parts))).collect()
    }

    fn went(&self, act: impl FnOnce(&mut OurKernel) -> Ended) -> Went {
        let mut kernel = self.kernel.clone();
        let result = act(&mut kernel);
        let events = kernel.probe_mut().drain();
        Went { kernel, events, result }
    }

    /// The slabs that went home while a batch was freed before its barrier was recorded: they are the barrier's.
    pub(super) fn put_off(&mut self, span: &mut Span) {
        if self.may_run_side_by_side() {
            self.early.append(&mut span.freeslabs);
        }
    }
}

fn items(batch: &KfreeRcuBatch) -> Vec<Item> {
    let pages = batch.pages.iter().rev().map(|page| Item::Page(page.clone()));
    let list = Some(&batch.list).filter(|list| !list.is_empty()).map(|list| Item::List(list.clone()));
    pages.chain(list).collect()
}

/// Every order of some things.
fn orders_of<T: Clone>(things: &[T]) -> Vec<Vec<T>> {
    let Some((first, rest)) = things.split_first() else { return vec![Vec::new()] };
    let orders = orders_of(rest).into_iter().flat_map(|order| {
        (0..=order.len()).map(move |at| {
            let mut order = order.clone();
            order.insert(at, first.clone());
            order
        })
    });
    orders.collect()
}

/// Every way to draw so many of some things, each as often as one likes.
fn draws_of<T: Clone>(things: &[T], count: usize) -> Vec<Vec<T>> {
    (0..count).fold(vec![Vec::new()], |draws, _| {
        let longer =
            |draw: Vec<T>| things.iter().map(move |thing| [draw.as_slice(), core::slice::from_ref(thing)].concat());
        draws.into_iter().flat_map(longer).collect()
    })
}

fn free_parts(kernel: &mut OurKernel, parts: &[(Item, CpuId)]) -> Ended {
    kernel.rcu_barrier()?;
    for cpu in (0..kernel.model().cpus).map(CpuId::from_raw) {
        kernel.take_batch_of(cpu);
    }
    for (item, cpu) in parts {
        kernel.run_on(*cpu);
        match item {
            Item::Page(page) => kernel.free_bulk(None, page)?,
            Item::List(list) => list.iter().rev().try_for_each(|object| kernel.kfree(*object))?,
        }
    }
    Ok(Returned::Nothing)
}
