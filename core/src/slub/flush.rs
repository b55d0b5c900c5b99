//! Deactivation: what a CPU has of a cache goes back to the slabs and the node.
//!
//! `deactivate_slab`, `flush_slab`, `__flush_cpu_slab`, `unfreeze_partials` (mm/slub.c, 4.19 to 6.1).

use super::lists::End;
use crate::allocator::{Kernel, Probe};
use crate::event::{Event, Oops, OopsKind};
use crate::freelist::LoopGuard;
use crate::kernel::{Deactivation, EmptySlab, StatItem};
use crate::memory::Bytes;
use crate::units::{CacheId, CpuId, SlabId, VirtAddr};

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// Takes from every CPU what it keeps of a cache, in the order of their numbers.
    pub(crate) fn flush_all(&mut self, cache: CacheId) -> Result<(), Box<Oops>> {
        (0..self.model.cpus).map(CpuId::from_raw).try_for_each(|cpu| self.flush_cpu(cache, cpu))
    }

    /// Takes from one CPU what it keeps of a cache, on that CPU: its sheaves, its own slab, then its partial list.
    ///
    /// # Errors
    /// An oops while the CPU's list was walked back.
    pub fn flush_cpu(&mut self, cache: CacheId, cpu: CpuId) -> Result<(), Box<Oops>> {
        self.on_cpu(cpu, |kernel| kernel.flush_this_cpu(cache))
    }

    fn flush_this_cpu(&mut self, cache: CacheId) -> Result<(), Box<Oops>> {
        let cpu = self.cpu;
        self.flush_cpu_sheaves(cache)?;
        let Some(c) = self.caches[cache].cpu_slabs_mut().of_mut(cpu) else { return Ok(()) };
        let freelist = core::mem::take(&mut c.freelist);
        if let Some(slab) = c.slab.take() {
            self.deactivate(cache, slab, freelist)?;
            self.count(cache, StatItem::CpuslabFlush);
            self.on(|| Event::Deactivated { slab, cpu });
        }
        let list = core::mem::take(&mut self.cpu_slab(cache).partial);
        self.unfreeze_partials(cache, list);
        Ok(())
    }

    /// Gives `freelist` back to `slab`, and the slab to the node.
    pub(crate) fn deactivate(&mut self, cache: CacheId, slab: SlabId, freelist: VirtAddr) -> Result<(), Box<Oops>> {
        // Objects freed by others while the CPU owned the slab make it less useful to come back to soon; before 3.2, free
        // objects of the CPU's own made it the one to come back to.
        let is_first =
            if self.model.hot_slab_first { !freelist.is_null() } else { self.slabs[slab].freelist.is_null() };
        if !self.slabs[slab].freelist.is_null() {
            self.count(cache, StatItem::DeactivateRemoteFrees);
        }
        match self.model.deactivation {
            Deactivation::InOrder => self.splice_freelist(cache, slab, freelist)?,
            Deactivation::Reversing => self.return_one_by_one(cache, slab, freelist)?,
        }
        let descriptor = &mut self.slabs[slab];
        descriptor.frozen = false;
        let (is_empty, has_free) = (descriptor.inuse == 0, !descriptor.freelist.is_null());
        let is_kept_for_later = is_empty && self.model.empty_slab == EmptySlab::GoesHome;
        let end = if is_first && !is_kept_for_later { End::Head } else { End::Tail };
        if is_empty && self.has_enough_partial(cache) {
            self.count(cache, StatItem::DeactivateEmpty);
            self.discard(cache, slab);
            self.count(cache, StatItem::FreeSlab);
        } else if has_free {
            self.list(cache, slab, end);
            self.count(cache, counted_as(end, is_kept_for_later));
        } else {
            self.count(cache, StatItem::DeactivateFull);
        }
        Ok(())
    }

    /// 5.12 and later: the CPU's list stays in order and the slab's own list follows its last object.
    fn splice_freelist(&mut self, cache: CacheId, slab: SlabId, freelist: VirtAddr) -> Result<(), Box<Oops>> {
        if freelist.is_null() {
            return Ok(());
        }
        let (tail, count) = self.last_link(cache, freelist)?;
        let own = self.slabs[slab].freelist;
        self.link_back(cache, tail, own)?;
        let descriptor = &mut self.slabs[slab];
        descriptor.freelist = freelist;
        descriptor.inuse = descriptor.inuse.wrapping_sub(count);
        Ok(())
    }

    /// The last object of a CPU's list, and how many there are, as 16 bits count.
    fn last_link(&mut self, cache: CacheId, head: VirtAddr) -> Result<(VirtAddr, u16), Box<Oops>> {
        let s = &self.caches[cache];
        let (code, offset) = (s.code, s.layout.offset);
        let mut guard = LoopGuard::new(head);
        let (mut last, mut count) = (head, 1_u16);
        loop {
            let next = match code.read(&self.bytes, last.wrapping_add(offset)) {
                Ok(next) => next,
                Err(fault) => return Err(self.fault(fault, "deactivate_slab")),
            };
            if next.is_null() {
                return Ok((last, count));
            }
            if guard.repeats_at(next) {
                return Err(self.oops(OopsKind::Hang { at: next }, "deactivate_slab"));
            }
            last = next;
            count = count.wrapping_add(1);
        }
    }

    /// Up to 5.11: each object of the CPU's list is pushed onto the slab's own, which turns the list round.
    fn return_one_by_one(&mut self, cache: CacheId, slab: SlabId, freelist: VirtAddr) -> Result<(), Box<Oops>> {
        let s = &self.caches[cache];
        let (code, offset) = (s.code, s.layout.offset);
        let mut guard = LoopGuard::new(freelist);
        let mut object = freelist;
        while !object.is_null() {
            let next = match code.read(&self.bytes, object.wrapping_add(offset)) {
                Ok(next) => next,
                Err(fault) => return Err(self.fault(fault, "deactivate_slab")),
            };
            let own = self.slabs[slab].freelist;
            self.link_back(cache, object, own)?;
            let descriptor = &mut self.slabs[slab];
            descriptor.freelist = object;
            descriptor.inuse = descriptor.inuse.wrapping_sub(1);
            if !next.is_null() && guard.repeats_at(next) {
                return Err(self.oops(OopsKind::Hang { at: next }, "deactivate_slab"));
            }
            object = next;
        }
        Ok(())
    }

    fn link_back(&mut self, cache: CacheId, object: VirtAddr, next: VirtAddr) -> Result<(), Box<Oops>> {
        if self.model.double_free_bug && object == next {
            return Err(self.double_free_bug(object, "deactivate_slab"));
        }
        let s = &self.caches[cache];
        let word = object.wrapping_add(s.layout.offset);
        s.code.write(&mut self.bytes, word, next).map_err(|fault| self.fault(fault, "deactivate_slab"))
    }
}

const fn counted_as(end: End, is_kept_for_later: bool) -> StatItem {
    match (is_kept_for_later, end) {
        (true, _) => StatItem::DeactivateEmpty,
        (false, End::Head) => StatItem::DeactivateToHead,
        (false, End::Tail) => StatItem::DeactivateToTail,
    }
}
