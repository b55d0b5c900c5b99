//! `kmem_cache_cpu`: what each CPU keeps of a cache. The running one's is at hand, without a look-up by number.

use crate::units::{CpuId, SlabId, VirtAddr, count_from};

/// What a CPU keeps of a cache.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CpuSlab {
    /// The next object out; NULL for none.
    pub freelist: VirtAddr,
    /// The slab that it owns.
    pub slab: Option<SlabId>,
    /// Slabs with free objects, the head last, each with what the list counted when it was put: slabs from 5.16,
    /// free objects before.
    pub partial: Vec<(SlabId, u32)>,
}

impl CpuSlab {
    /// What the head of the partial list counts.
    #[must_use]
    pub fn partial_count(&self) -> u32 {
        self.partial.last().map_or(0, |(_, count)| *count)
    }
}

/// What the CPUs keep of a cache.
#[derive(Clone, Debug)]
pub struct CpuSlabs {
    /// The running CPU's.
    pub running: CpuSlab,
    cpu: CpuId,
    /// By CPU, up to the highest that ran and kept something; nothing in the running CPU's place.
    others: Vec<CpuSlab>,
}

impl CpuSlabs {
    /// Nothing kept yet, while `cpu` runs.
    #[must_use]
    pub const fn new(cpu: CpuId) -> Self {
        Self { running: CpuSlab { freelist: VirtAddr::NULL, slab: None, partial: Vec::new() }, cpu, others: Vec::new() }
    }

    /// Each CPU's, from 0 to the highest that runs or kept something.
    pub fn iter(&self) -> impl Iterator<Item = (CpuId, &CpuSlab)> {
        let count = self.others.len().max(self.cpu.index() + 1);
        (0..count_from(count)).map(CpuId::from_raw).filter_map(|cpu| Some((cpu, self.of(cpu)?)))
    }

    /// One CPU's; `None` where it never kept anything.
    #[must_use]
    pub fn of(&self, cpu: CpuId) -> Option<&CpuSlab> {
        if cpu == self.cpu { Some(&self.running) } else { self.others.get(cpu.index()) }
    }

    /// One CPU's, to be changed; `None` where it never kept anything.
    pub fn of_mut(&mut self, cpu: CpuId) -> Option<&mut CpuSlab> {
        if cpu == self.cpu { Some(&mut self.running) } else { self.others.get_mut(cpu.index()) }
    }

    /// From now on `cpu` runs.
    pub(crate) fn switch(&mut self, cpu: CpuId) {
        let keeps = self.running != CpuSlab::default();
        let needed = if keeps { self.cpu.max(cpu).index() + 1 } else { 0 };
        if needed > self.others.len() {
            self.others.resize_with(needed, CpuSlab::default);
        }
        let next = self.others.get_mut(cpu.index()).map(core::mem::take).unwrap_or_default();
        let last = core::mem::replace(&mut self.running, next);
        if keeps {
            self.others[self.cpu.index()] = last;
        }
        self.cpu = cpu;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cpu_finds_what_it_kept() {
        let cpu = CpuId::from_raw;
        let kept = |raw| CpuSlab { freelist: VirtAddr::from_raw(raw), ..CpuSlab::default() };
        let mut cpus = CpuSlabs::new(cpu(0));
        cpus.switch(cpu(3));
        assert_eq!(cpus.of(cpu(0)), None, "a CPU that kept nothing takes no room");
        cpus.running = kept(3);
        cpus.switch(cpu(1));
        assert_eq!(cpus.running, CpuSlab::default());
        cpus.running = kept(1);
        cpus.switch(cpu(0));
        let all: Vec<_> = cpus.iter().map(|(cpu, slab)| (cpu.raw(), slab.freelist.raw())).collect();
        assert_eq!(all, [(0, 0), (1, 1), (2, 0), (3, 3)]);
        cpus.switch(cpu(3));
        assert_eq!((cpus.running.clone(), cpus.of(cpu(1))), (kept(3), Some(&kept(1))));
        cpus.of_mut(cpu(1)).expect("kept").freelist = VirtAddr::NULL;
        cpus.switch(cpu(1));
        assert_eq!(cpus.running, CpuSlab::default());
    }
}
