//! `/proc/slabinfo`, as `print_slabinfo_header` and `cache_show` print it (mm/slab_common.c).

use crate::allocator::{Kernel, Probe};
use crate::machine::Machine;
use crate::memory::Bytes;
use crate::slub::KmemCache;
use crate::units::CacheId;
use core::fmt::Write as _;

const HEADER: &str = "slabinfo - version: 2.1\n# name            <active_objs> <num_objs> <objsize> <objperslab> \
<pagesperslab> : tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>\n";

impl Machine {
    /// `/proc/slabinfo`: a line a cache, the newest first, each with what its child has (`memcg_accumulate_slabinfo`).
    ///
    /// Objects that a CPU holds, free or not, count as active: the kernel subtracts only what lies free in slabs of
    /// the node's partial list.
    #[must_use]
    pub fn slabinfo(&self) -> String {
        let mut text = HEADER.to_owned();
        for (id, cache) in self.kernel().caches().rev().filter(|(_, cache)| cache.is_root()) {
            let child = cache.child().map_or(Counts::default(), |child| Counts::of(self.kernel(), child));
            let written = write_line(&mut text, cache, Counts::of(self.kernel(), id).and(child));
            debug_assert!(written.is_ok(), "a String takes what is written to it");
        }
        text
    }
}

/// What a cache has.
#[derive(Clone, Copy, Default)]
struct Counts {
    active: u32,
    objects: u32,
    slabs: u32,
}

impl Counts {
    fn of<P: Probe, B: Bytes>(kernel: &Kernel<P, B>, id: CacheId) -> Self {
        let free = kernel.node_partial(id).map(|slab| kernel.slab(slab).free_objects()).fold(0, u32::wrapping_add);
        let cache = kernel.cache(id);
        let objects = cache.total_objects;
        Self { active: objects.saturating_sub(free), objects, slabs: cache.nr_slabs }
    }

    const fn and(self, other: Self) -> Self {
        Self {
            active: self.active.wrapping_add(other.active),
            objects: self.objects.wrapping_add(other.objects),
            slabs: self.slabs.wrapping_add(other.slabs),
        }
    }
}

fn write_line(text: &mut String, cache: &KmemCache, Counts { active, objects, slabs }: Counts) -> core::fmt::Result {
    writeln!(
        text,
        "{:<17} {active:6} {objects:6} {:6} {:4} {:4} : tunables {:4} {:4} {:4} : slabdata {slabs:6} {slabs:6} {:6}",
        cache.name,
        cache.layout.size,
        cache.layout.objects,
        cache.layout.order.pages(),
        0,
        0,
        0,
        0
    )
}
