//! Who has the pages of memory: slabs, large kmallocs, free blocks, and what the kernel took at boot.

use crate::machine::Machine;
use crate::pages::{PageAllocator, PageSource};
use crate::sorted::sorted_by;
use crate::units::{CpuId, Order, Pfn, SlabId, VirtAddr, count_from};

/// Pages next to each other that one owner has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PageRun {
    /// Where they start.
    pub base: VirtAddr,
    /// How many.
    pub pages: u32,
    /// Whose they are.
    pub owner: PageOwner,
}

/// Who has pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PageOwner {
    /// A slab.
    Slab(SlabId),
    /// A kmalloc that is too large for slabs.
    Large,
    /// A free block of this order.
    Free(Order),
    /// Nobody, but a CPU keeps them on its page list for who asks next.
    OnCpu(CpuId),
    /// Whoever took them at boot.
    Kernel,
}

impl Machine {
    /// All pages that the page allocator has or had, in order of address.
    #[must_use]
    pub fn page_runs(&self) -> Vec<PageRun> {
        let mut runs: Vec<PageRun> = Vec::new();
        let on_cpus = self.page_allocator().into_iter().flat_map(PageAllocator::on_cpus);
        let on_cpus = sorted_by(on_cpus, |(_, one, _), (_, other, _)| one.cmp(other));
        let (first, count) = Self::page_allocator_frames();
        let end = first.raw() + u64::from(count);
        let mut frame = first.raw();
        while frame < end {
            let next = self.run_at(Pfn::from_raw(frame), &on_cpus);
            frame += u64::from(next.pages);
            match runs.last_mut() {
                Some(last) if last.owner == PageOwner::Kernel && next.owner == PageOwner::Kernel => {
                    last.pages += next.pages;
                }
                _ => runs.push(next),
            }
        }
        runs
    }

    /// Free blocks of each order, the smallest first.
    #[must_use]
    pub fn free_blocks(&self) -> Vec<(Order, u32)> {
        let Some(pages) = self.page_allocator() else { return Vec::new() };
        let orders = (0..=Order::MAX.raw()).map(Order::from_raw);
        orders.map(|order| (order, count_from(pages.buddy().free_blocks(order).count()))).collect()
    }

    /// What starts at a frame.
    fn run_at(&self, frame: Pfn, on_cpus: &[(CpuId, Pfn, Order)]) -> PageRun {
        let base = frame.address();
        let (order, owner) = if let Some(slab) = self.kernel().slab_at(base) {
            (self.kernel().slab(slab).order, PageOwner::Slab(slab))
        } else if let Some((_, order)) = self.kernel().frames().large(frame) {
            (order, PageOwner::Large)
        } else if let Ok(place) = on_cpus.binary_search_by_key(&frame, |(_, block, _)| *block) {
            let (cpu, _, order) = on_cpus[place];
            (order, PageOwner::OnCpu(cpu))
        } else {
            match self.page_allocator().and_then(|pages| pages.buddy().free_block_of(frame)) {
                Some((_, order)) => (order, PageOwner::Free(order)),
                None => (Order::from_raw(0), PageOwner::Kernel),
            }
        };
        PageRun { base, pages: u32::try_from(order.pages()).unwrap_or(1), owner }
    }

    fn page_allocator(&self) -> Option<&PageAllocator> {
        match self.kernel().pages() {
            PageSource::Allocator(pages) => Some(pages),
            PageSource::Recorded(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{KernelConfig, Version};
    use crate::luck::Seed;
    use crate::script::parse_command;

    #[test]
    fn every_page_has_one_owner_and_free_blocks_are_those_of_the_lists() {
        let mut machine = Machine::boot(&KernelConfig::plain(Version::release(5, 6)), Seed(1)).expect("a kernel");
        for line in ["a = kmalloc 64", "b = kmalloc 4096", "c = kmalloc 20000"] {
            machine.apply(&parse_command(line).expect("a command")).expect("carried out");
        }
        let runs = machine.page_runs();
        let (first, count) = Machine::page_allocator_frames();
        assert_eq!(runs.iter().map(|run| run.pages).sum::<u32>(), count);
        let mut at = first.address();
        for run in &runs {
            assert_eq!(run.base, at);
            at = at.wrapping_add(u64::from(run.pages) * 4096);
        }
        let slabs = runs.iter().filter(|run| matches!(run.owner, PageOwner::Slab(_))).count();
        assert_eq!(slabs, machine.snapshot().slabs.len());
        assert!(runs.iter().any(|run| run.owner == PageOwner::Large && run.pages == 8));
        for (order, count) in machine.free_blocks() {
            let drawn = runs.iter().filter(|run| run.owner == PageOwner::Free(order)).count();
            assert_eq!(count_from(drawn), count, "order {}", order.raw());
        }
    }
}
