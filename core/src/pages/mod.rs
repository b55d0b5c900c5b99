//! Where slabs' pages come from: each CPU's page lists over the buddy allocator, or a recording of what a real one
//! gave.

mod buddy;
mod per_cpu;

pub use buddy::Buddy;
pub use per_cpu::PcpLimits;

use crate::kernel::Model;
use crate::units::{CpuId, Order, Pfn};
use per_cpu::PerCpuPages;

/// Whether what lies in a page can be moved or got back; pages of a kind are kept together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MigrateType {
    /// Neither: slabs, page tables.
    Unmovable,
    /// Moved: users' pages.
    Movable,
    /// Got back: slabs of `SLAB_RECLAIM_ACCOUNT` caches.
    Reclaimable,
}

impl MigrateType {
    /// All of them, in the order of `enum migratetype`.
    pub const ALL: [Self; 3] = [Self::Unmovable, Self::Movable, Self::Reclaimable];

    const fn index(self) -> usize {
        match self {
            Self::Unmovable => 0,
            Self::Movable => 1,
            Self::Reclaimable => 2,
        }
    }

    /// Whose blocks are taken where this type has none (`fallbacks`, mm/page_alloc.c).
    const fn fallbacks(self) -> [Self; 2] {
        match self {
            Self::Unmovable => [Self::Reclaimable, Self::Movable],
            Self::Movable => [Self::Reclaimable, Self::Unmovable],
            Self::Reclaimable => [Self::Unmovable, Self::Movable],
        }
    }
}

/// What is asked of the page allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// How many pages.
    pub order: Order,
    /// Of which kind.
    pub of: MigrateType,
    /// On which CPU.
    pub cpu: CpuId,
    /// Whether it is given up at once rather than after the CPUs' lists were drained (`__GFP_NORETRY`).
    pub gives_up: bool,
}

/// A source of blocks of pages.
#[derive(Clone, Debug)]
pub enum PageSource {
    /// The page allocator.
    Allocator(Box<PageAllocator>),
    /// Blocks as recorded.
    Recorded(RecordedPages),
}

/// The page allocator of one zone.
#[derive(Clone, Debug)]
pub struct PageAllocator {
    buddy: Buddy,
    limits: PcpLimits,
    /// By CPU, up to the highest that took or freed a page.
    cpus: Vec<PerCpuPages>,
}

/// Blocks laid out by who replays a recording.
#[derive(Clone, Debug, Default)]
pub struct RecordedPages {
    /// The blocks to come, in order: first frame and size.
    pub coming: Vec<(Pfn, Order)>,
    /// A block was wanted and none was laid out.
    pub missing: bool,
}

impl PageSource {
    /// The page allocator of a kernel of this model, over these free blocks.
    #[must_use]
    pub fn booted(buddy: Buddy, model: &Model) -> Self {
        let limits = PcpLimits::new(model.pcp_high_orders, model.cpus);
        Self::Allocator(Box::new(PageAllocator { buddy, limits, cpus: Vec::new() }))
    }

    /// A block; `None` when there is none.
    pub fn alloc(&mut self, request: Request) -> Option<Pfn> {
        match self {
            Self::Allocator(pages) => pages.alloc(request),
            Self::Recorded(recorded) => {
                recorded.missing |= recorded.coming.is_empty();
                // A block of another size than asked for: the kernel got none of this one, and asks again.
                let fits = recorded.coming.first().is_some_and(|(_, size)| *size == request.order);
                fits.then(|| recorded.coming.remove(0).0)
            }
        }
    }

    /// Takes a block back, on the CPU that frees it.
    pub fn free(&mut self, block: Pfn, order: Order, cpu: CpuId) {
        match self {
            Self::Allocator(pages) => pages.free(block, order, cpu),
            Self::Recorded(_) => {}
        }
    }
}

impl PageAllocator {
    /// A block, from the CPU's lists where they hold its order.
    pub fn alloc(&mut self, request: Request) -> Option<Pfn> {
        let found = self.take(request);
        if found.is_some() || request.gives_up { found } else { self.take_after_drain(request) }
    }

    #[cold]
    fn take_after_drain(&mut self, request: Request) -> Option<Pfn> {
        // Direct reclaim has nothing to reclaim here, but it drains every CPU's lists before it gives up.
        for cpu in &mut self.cpus {
            cpu.drain(&mut self.buddy);
        }
        self.take(request)
    }

    fn take(&mut self, Request { order, of, cpu, .. }: Request) -> Option<Pfn> {
        if order > self.limits.highest {
            return self.buddy.alloc(order, of);
        }
        let limits = self.limits;
        let (lists, buddy) = self.lists_of(cpu);
        lists.alloc(order, of, limits, buddy)
    }

    /// Takes a block back.
    ///
    /// # Panics
    /// When the block is not this allocator's.
    pub fn free(&mut self, block: Pfn, order: Order, cpu: CpuId) {
        if order > self.limits.highest {
            self.buddy.free(block, order);
            return;
        }
        let limits = self.limits;
        let (lists, buddy) = self.lists_of(cpu);
        lists.free(block, order, limits, buddy);
    }

    #[inline]
    fn lists_of(&mut self, cpu: CpuId) -> (&mut PerCpuPages, &mut Buddy) {
        if self.cpus.get(cpu.index()).is_none() {
            self.reach(cpu);
        }
        (&mut self.cpus[cpu.index()], &mut self.buddy)
    }

    #[cold]
    fn reach(&mut self, cpu: CpuId) {
        self.cpus.resize_with(cpu.index() + 1, PerCpuPages::default);
    }

    /// What no CPU has.
    #[must_use]
    pub const fn buddy(&self) -> &Buddy {
        &self.buddy
    }

    /// Blocks on the lists of the CPUs.
    pub fn on_cpus(&self) -> impl Iterator<Item = (CpuId, Pfn, Order)> + '_ {
        self.cpus
            .iter()
            .zip((0..).map(CpuId::from_raw))
            .flat_map(|(lists, cpu)| lists.blocks().map(move |(block, order)| (cpu, block, order)))
    }

    /// Whether a frame is this allocator's and in use.
    #[must_use]
    pub fn is_in_use(&self, frame: Pfn) -> bool {
        let holds = |block: Pfn, order: Order| (block..block.offset(order.pages())).contains(&frame);
        self.buddy.owns(frame)
            && self.buddy.free_block_of(frame).is_none()
            && !self.on_cpus().any(|(_, block, order)| holds(block, order))
    }
}
