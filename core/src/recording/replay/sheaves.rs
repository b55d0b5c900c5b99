//! Sheaves, compared with a state's and with an operation's counters.

use super::Replay;
use crate::recording::records::SheavesState;
use crate::recording::report::{Comparison, Show};
use crate::recording::values::SheafObject;
use crate::slub::{CpuSheaves, Sheaf, Sheaves};
use crate::units::{CpuId, VirtAddr, count_from};

impl Show for SheafObject {
    fn show(&self) -> String {
        match self {
            Self::Object(slab, index) => format!("[{slab}, {index}]"),
            Self::Inside(slab, offset) => format!("\"{slab}+{offset:x}\""),
            Self::Outside(address) => address.to_string(),
        }
    }
}

/// How many objects a CPU has in its sheaves, and sheaves the node has.
#[derive(Clone, Copy, Debug)]
pub(super) struct SheafCounts {
    pub(super) main: u32,
    /// -1: there is none.
    pub(super) spare: i64,
    /// -1: there is none.
    pub(super) rcu_free: i64,
    pub(super) full: u32,
    pub(super) empty: u32,
}

/// The counters of a cache's sheaves, as a CPU has them.
pub(super) fn sheaf_counts(sheaves: &Sheaves, cpu: CpuId) -> SheafCounts {
    let none = CpuSheaves::default();
    let cpu = sheaves.cpus.get(cpu.index()).unwrap_or(&none);
    let size = |sheaf: &Option<Sheaf>| sheaf.as_ref().map_or(-1, |sheaf| i64::from(count_from(sheaf.len())));
    SheafCounts {
        main: count_from(cpu.main.len()),
        spare: size(&cpu.spare),
        rcu_free: size(&cpu.rcu_free),
        full: count_from(sheaves.barn.full.len()),
        empty: sheaves.barn.empty,
    }
}

impl Replay {
    /// Compares what a state says of a cache's sheaves, object by object.
    pub(super) fn compare_sheaves(
        &self,
        comparison: &mut Comparison,
        cache: u32,
        theirs: &SheavesState,
        ours: &Sheaves,
    ) {
        let none = CpuSheaves::default();
        let cpu = ours.cpus.first().unwrap_or(&none);
        let objects = |sheaf: &Sheaf| sheaf.iter().map(|object| self.in_sheaf(cache, *object)).collect::<Vec<_>>();
        comparison.same("sheaves.main", theirs.main.clone(), objects(&cpu.main));
        comparison.same("sheaves.spare", theirs.spare.clone(), cpu.spare.as_ref().map(objects));
        comparison.same("sheaves.rcu_free", theirs.rcu_free.clone(), cpu.rcu_free.as_ref().map(objects));
        let counts = sheaf_counts(ours, CpuId::from_raw(0));
        comparison.same("sheaves.barn_nr_full", theirs.barn_nr_full, counts.full);
        comparison.same("sheaves.barn_nr_empty", theirs.barn_nr_empty, counts.empty);
        comparison.same(
            "sheaves.barn_full",
            theirs.barn_full.clone(),
            ours.barn.full.iter().rev().map(objects).collect(),
        );
    }

    /// An object of a sheaf as recordings tell it.
    pub(super) fn in_sheaf(&self, cache: u32, address: VirtAddr) -> SheafObject {
        let slab = self.kernel.slab_at(address);
        let number = self.book.in_cache(slab, cache);
        match slab.filter(|_| number >= 0) {
            None => SheafObject::Outside(address),
            Some(slab) => match self.index_in(slab, address) {
                Some(index) => SheafObject::Object(number, index),
                None => {
                    let offset = address.bytes_after(self.kernel.slab(slab).base);
                    SheafObject::Inside(number, offset.unwrap_or_default())
                }
            },
        }
    }
}
