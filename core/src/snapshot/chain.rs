//! A freelist walked in the bytes: bounded, and telling how it ends.

use super::{Chain, ChainEnd};
use crate::machine::{Landing, Machine};
use crate::units::{SlabId, VirtAddr, count_from, index_from};

/// Walks the chain from `head` as a list of objects of `slab`.
pub(super) fn walk(machine: &Machine, slab: SlabId, head: VirtAddr) -> Chain {
    let descriptor = machine.kernel().slab(slab);
    let cache = machine.kernel().cache(descriptor.cache);
    let mut links: Vec<VirtAddr> = Vec::new();
    let mut seen = vec![None; index_from(descriptor.objects)];
    let mut here = head;
    let end = loop {
        let landing = machine.landing(here);
        let index = match landing {
            Landing::Null => break ChainEnd::Null,
            Landing::Object { slab: of, index } if of == slab => index,
            Landing::Object { .. }
            | Landing::InsideObject { .. }
            | Landing::SlabTail { .. }
            | Landing::Ram
            | Landing::Unmapped
            | Landing::NonCanonical => break ChainEnd::Escape { to: here, landing },
        };
        if let Some(to) = seen[index.index()] {
            break ChainEnd::Loop { to };
        }
        seen[index.index()] = Some(count_from(links.len()));
        links.push(here);
        match cache.code.read(machine.kernel().bytes(), here.wrapping_add(cache.layout.offset)) {
            Ok(next) => here = next,
            Err(_) => break ChainEnd::Escape { to: here, landing },
        }
    };
    Chain { links, end }
}
