//! The operations of a recording, and performing one.

use super::book::Book;
use crate::allocator::{Kernel, Recorder};
use crate::event::Oops;
use crate::memory::{Bytes, Paged};
use crate::pages::PageSource;
use crate::recording::read::BadFile;
use crate::units::{CpuId, Order, PAGE_SIZE, VirtAddr};

/// Something that the driver had the kernel do. Numbers are the recording's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// `kmem_cache_alloc`.
    Alloc { cache: u32, cpu: u32 },
    /// `kmem_cache_alloc` with `__GFP_ZERO`.
    Zalloc { cache: u32 },
    /// `kmem_cache_free` of an object, or of an address `delta` from it.
    Free { cache: u32, id: u32, delta: i64, cpu: u32 },
    /// `kfree_rcu` of an object.
    KfreeRcu { cache: u32, id: u32, cpu: u32 },
    /// `kmem_cache_alloc_bulk`.
    BulkAlloc { cache: u32, count: u32 },
    /// `kmem_cache_free_bulk` of the first `count` objects of the last bulk allocation.
    BulkFree { cache: u32, count: u32 },
    /// `kmem_cache_free` of an object of `cache` to the cache `to`.
    FreeWrongCache { cache: u32, to: u32, id: u32 },
    /// `kmem_cache_free` of a page that is no slab's.
    FreePage { cache: u32 },
    /// `kmem_cache_shrink`, with all CPUs flushed before or in an order that nobody recorded.
    Shrink { cache: u32, cpu: u32, flushed_before: bool },
    /// What a shrink has one CPU do.
    FlushCpu { cache: u32, cpu: u32 },
    /// `rcu_barrier`.
    RcuBarrier { cache: u32 },
    /// `kvfree_rcu_barrier`, or time enough.
    KvfreeRcuBarrier { cache: u32 },
    /// `kmem_cache_destroy`.
    Destroy { cache: u32 },
    /// `validate_slab_cache`.
    Validate { cache: u32 },
}

impl Operation {
    /// As the records that announce and close it are called.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Alloc { .. } => "alloc",
            Self::Zalloc { .. } => "zalloc",
            Self::Free { .. } => "free",
            Self::BulkAlloc { .. } => "bulk_alloc",
            Self::BulkFree { .. } => "bulk_free",
            Self::FreeWrongCache { .. } => "free_wrong_cache",
            Self::FreePage { .. } => "free_page_as_object",
            Self::Shrink { .. } => "shrink",
            Self::KfreeRcu { .. } => "kfree_rcu",
            Self::FlushCpu { .. } => "flush_cpu",
            Self::RcuBarrier { .. } => "rcu_barrier",
            Self::KvfreeRcuBarrier { .. } => "kvfree_rcu_barrier",
            Self::Destroy { .. } => "destroy",
            Self::Validate { .. } => "validate",
        }
    }

    /// The cache that it is about.
    pub(super) const fn cache(self) -> u32 {
        match self {
            Self::Alloc { cache, .. }
            | Self::KfreeRcu { cache, .. }
            | Self::FlushCpu { cache, .. }
            | Self::RcuBarrier { cache }
            | Self::KvfreeRcuBarrier { cache }
            | Self::Zalloc { cache }
            | Self::Free { cache, .. }
            | Self::BulkAlloc { cache, .. }
            | Self::BulkFree { cache, .. }
            | Self::FreeWrongCache { cache, .. }
            | Self::FreePage { cache }
            | Self::Shrink { cache, .. }
            | Self::Destroy { cache }
            | Self::Validate { cache } => cache,
        }
    }

    /// The CPU that it runs on.
    pub(super) const fn cpu(self) -> u32 {
        match self {
            Self::Alloc { cpu, .. }
            | Self::Free { cpu, .. }
            | Self::KfreeRcu { cpu, .. }
            | Self::Shrink { cpu, .. }
            | Self::FlushCpu { cpu, .. } => cpu,
            Self::Zalloc { .. }
            | Self::BulkAlloc { .. }
            | Self::BulkFree { .. }
            | Self::FreeWrongCache { .. }
            | Self::FreePage { .. }
            | Self::RcuBarrier { .. }
            | Self::KvfreeRcuBarrier { .. }
            | Self::Destroy { .. }
            | Self::Validate { .. } => 0,
        }
    }
}

/// How an operation ended.
pub(super) type Ended = Result<Returned, Box<Oops>>;

/// What an operation returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Returned {
    /// Nothing.
    Nothing,
    /// An address, NULL for none.
    Address(VirtAddr),
    /// The addresses of a bulk allocation.
    Addresses(Vec<VirtAddr>),
    /// Whether the cache is gone.
    Gone(bool),
    /// How many slabs were found.
    Found(u32),
}

/// Its pages are shared by its clones: where something was left open, each way that it may have gone is one.
pub(super) type OurKernel = Kernel<Recorder, Paged>;

/// Performs an operation.
pub(super) fn perform(kernel: &mut OurKernel, book: &Book, operation: Operation, line: u32) -> Result<Ended, BadFile> {
    let cache = book.cache(operation.cache(), line)?;
    let id = cache.id;
    let cpu = cpu_of(kernel, operation.cpu(), line)?;
    kernel.run_on(cpu);
    Ok(match operation {
        Operation::Alloc { .. } => kernel.alloc(id, false).map(Returned::Address).map_err(Box::new),
        Operation::Zalloc { .. } => kernel.alloc(id, true).map(Returned::Address).map_err(Box::new),
        Operation::KfreeRcu { cache, id: object, .. } => {
            let at = book.object(cache, object, line)?;
            kernel.kfree_rcu(at).map(|()| Returned::Nothing)
        }
        Operation::FlushCpu { .. } => kernel.flush_cpu(id, cpu).map(|()| Returned::Nothing),
        Operation::RcuBarrier { .. } => kernel.rcu_barrier().map(|()| Returned::Nothing),
        Operation::KvfreeRcuBarrier { .. } => kernel.kvfree_rcu_barrier().map(|()| Returned::Nothing),
        Operation::Free { cache, id: object, delta, .. } => {
            let at = book.object(cache, object, line)?.wrapping_add(delta.cast_unsigned());
            kernel.free(id, at).map(|()| Returned::Nothing)
        }
        Operation::BulkAlloc { count, .. } => kernel.alloc_bulk(id, count, false).map(Returned::Addresses),
        Operation::BulkFree { count, .. } => {
            let objects = cache.bulk.get(..crate::units::index_from(count)).ok_or_else(|| {
                let problem = format!("a bulk free of {count} objects after a bulk allocation of {}", cache.bulk.len());
                BadFile::at(line, problem, "at most as many as the bulk_alloc before it returned")
            })?;
            kernel.free_bulk(Some(id), objects).map(|()| Returned::Nothing)
        }
        Operation::FreeWrongCache { cache, to, id: object } => {
            let (to, at) = (book.cache(to, line)?.id, book.object(cache, object, line)?);
            kernel.free(to, at).map(|()| Returned::Nothing)
        }
        Operation::FreePage { .. } => {
            let page = page_of_no_slab(kernel);
            kernel.free(id, page).map(|()| Returned::Nothing)
        }
        Operation::Shrink { .. } => kernel.shrink(id).map(|_| Returned::Nothing),
        Operation::Destroy { .. } => {
            let name = std::rc::Rc::clone(&kernel.cache(id).name);
            kernel.destroy_cache(id, &name).map(Returned::Gone)
        }
        Operation::Validate { .. } => kernel.validate(id).map(Returned::Found),
    })
}

/// A CPU by its number, if the machine has it.
pub(super) fn cpu_of(kernel: &OurKernel, cpu: u32, line: u32) -> Result<CpuId, BadFile> {
    let cpus = kernel.model().cpus;
    if cpu < cpus {
        return Ok(CpuId::from_raw(cpu));
    }
    Err(BadFile::at(line, format!("CPU {cpu}"), format!("CPU 0 to {}, which the machine has", cpus - 1)))
}

/// Which page the driver took is luck, and it recorded none: the last one of RAM that no slab has.
fn page_of_no_slab(kernel: &OurKernel) -> VirtAddr {
    let pages = u64::from(super::RAM_PAGES);
    (1..=pages)
        .map(|from_end| VirtAddr::from_raw(crate::units::PAGE_OFFSET).wrapping_add((pages - from_end) * PAGE_SIZE))
        .find(|page| kernel.slab_at(*page).is_none() && kernel.bytes().is_mapped(*page))
        .unwrap_or(VirtAddr::NULL)
}

/// Lays out the pages and start positions that the next operation will need. A block must lie in RAM, be aligned to
/// its order, and be no slab's.
pub(super) fn lay_out(
    kernel: &mut OurKernel,
    newslabs: &[(u32, crate::recording::records::NewSlab)],
    starts: &[(u32, crate::recording::records::Pos)],
) -> Result<(), BadFile> {
    let mut coming = Vec::new();
    for (line, slab) in newslabs {
        let order = Order::from_raw(slab.order);
        let bad = |problem: String| BadFile::at(*line, problem, "a block of pages in RAM that no slab has");
        if order > Order::MAX {
            return Err(bad(format!("a slab of order {}", slab.order)));
        }
        let base = slab.va.address();
        let block = base.pfn().filter(|block| {
            base.raw() % order.bytes() == 0 && block.raw() + order.pages() <= u64::from(super::RAM_PAGES)
        });
        let block = block.ok_or_else(|| bad(format!("a slab of order {} at {base}", slab.order)))?;
        let taken = (0..order.pages()).find_map(|page| kernel.frames().slab(block.offset(page)));
        if taken.is_some() {
            return Err(bad(format!("a slab at {base}, where another one is")));
        }
        coming.push((block, order));
    }
    if let PageSource::Recorded(pages) = kernel.pages_mut() {
        pages.coming.extend(coming);
    }
    if let crate::luck::Luck::Recorded(luck) = kernel.luck_mut() {
        luck.starts.extend(starts.iter().map(|(_, pos)| pos.pos));
    }
    Ok(())
}
