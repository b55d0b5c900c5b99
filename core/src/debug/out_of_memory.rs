//! What is told when no page is to be had for a slab.
//!
//! `slab_out_of_memory` (mm/slub.c, 4.19 to 6.12).
//!
//! Limitations: the node is any.

use super::report::plain;
use crate::allocator::{Kernel, Probe};
use crate::event::{Event, Warning};
use crate::memory::Bytes;
use crate::report::Told;
use crate::units::{CacheId, Order};

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// The allocation under way fails: told as an event, and as the kernel prints it.
    #[cold]
    pub(crate) fn out_of_memory(&mut self, cache: CacheId) {
        let s = &self.caches[cache];
        let (name, layout) = (&s.name, &s.layout);
        let order = layout.min_order;
        let free = self.node_partial(cache).map(|slab| self.slab(slab).free_objects()).fold(0, u32::wrapping_add);
        let mut lines = vec![
            plain(format!("SLUB: Unable to allocate memory on node -1, gfp={}", self.gfp.told(&self.model))),
            plain(format!(
                "  cache: {name}, object size: {}, buffer size: {}, default order: {}, min order: {}",
                layout.object_size,
                layout.size,
                layout.order.raw(),
                order.raw()
            )),
        ];
        if order > Order::holding(layout.object_size) {
            let option = self.model.debug.told.option_name;
            lines.push(plain(format!("  {name} debugging increased min order, use {option}=O to disable.")));
        }
        let (slabs, objects) = (s.nr_slabs, s.total_objects);
        lines.push(plain(format!("  node 0: slabs: {slabs}, objs: {objects}, free: {free}")));
        self.on(|| Event::Warned(Warning::OutOfMemory { cache: Some(cache), order }));
        self.tell(cache, None, None, Told::OutOfMemory, lines);
    }
}
