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
    /// `/proc/slabinfo`: a line a cache, the newest first.
    ///
    /// Objects that a CPU holds, free or not, count as active: the kernel subtracts only what lies free in slabs of
    /// the node's partial list.
    #[must_use]
    pub fn slabinfo(&self) -> String {
        let mut text = HEADER.to_owned();
        for (id, cache) in self.kernel().caches().rev() {
            let active = cache.total_objects.saturating_sub(free_on_node(self.kernel(), id));
            let written = write_line(&mut text, cache, active);
            debug_assert!(written.is_ok(), "a String takes what is written to it");
        }
        text
    }
}

fn free_on_node<P: Probe, B: Bytes>(kernel: &Kernel<P, B>, cache: CacheId) -> u32 {
    kernel.node_partial(cache).map(|slab| kernel.slab(slab).free_objects()).fold(0, u32::wrapping_add)
}

fn write_line(text: &mut String, cache: &KmemCache, active: u32) -> core::fmt::Result {
    writeln!(
        text,
        "{:<17} {:6} {:6} {:6} {:4} {:4} : tunables {:4} {:4} {:4} : slabdata {:6} {:6} {:6}",
        cache.name,
        active,
        cache.total_objects,
        cache.layout.size,
        cache.layout.objects,
        cache.layout.order.pages(),
        0,
        0,
        0,
        cache.nr_slabs,
        cache.nr_slabs,
        0
    )
}
