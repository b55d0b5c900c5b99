//! Bytes of slabs, and lists of caches, compared whole.

use super::Replay;
use crate::layout::Track;
use crate::memory::Bytes;
use crate::recording::read::BadFile;
use crate::recording::records::{CpuState, EachCpu, SlabState, Snap, State};
use crate::recording::report::{Comparison, Show, count};
use crate::recording::values::Link;
use crate::slub::{CpuSheaves, KmemCache, Sheaf};
use crate::units::{CpuId, ObjectIndex, SlabId, VirtAddr, count_from, index_from};

impl Show for Link {
    fn show(&self) -> String {
        match self {
            Self::Object(index) => index.to_string(),
            Self::Bad(address) => format!("bad:{:x}", address.raw()),
            Self::Endless => "loop".to_owned(),
        }
    }
}

impl Replay {
    pub(super) fn snap(&mut self, theirs: &Snap, line: u32) -> Result<(), BadFile> {
        let slab = self.book.slab(theirs.c, theirs.s, line)?;
        let ours = self.kernel.slab(slab);
        let mut bytes = vec![0; index_from(u32::try_from(ours.order.bytes()).unwrap_or(0))];
        let read = self.kernel.bytes().copy_out(ours.base, &mut bytes);
        let mut comparison = Self::comparison("snap", line);
        comparison.same("va", theirs.va.address(), ours.base);
        comparison.same("len", theirs.len, count_from(bytes.len()));
        comparison.same("that the slab is its cache's", true, ours.alive && read.is_ok());
        let masked = self.mask_tracks(slab, &theirs.hex.0, &mut bytes);
        comparison.same_bytes("bytes", &theirs.hex.0, &bytes);
        self.report.close(comparison);
        count(&mut self.report.masked, "bytes of tracks", masked);
        Ok(())
    }

    /// Puts their tracks in the place of ours: callers, stacks, processes and times are not to be compared. How many bytes
    /// that is.
    fn mask_tracks(&self, slab: SlabId, theirs: &[u8], ours: &mut [u8]) -> u64 {
        let descriptor = self.kernel.slab(slab);
        let layout = &self.kernel.cache(descriptor.cache).layout;
        let len = 2 * layout.checks.track_size;
        for index in (0..descriptor.objects).map(ObjectIndex::from_raw) {
            let start = layout.object_offset(index) + layout.track_at(Track::Alloc);
            let range = span_of(start, len);
            if let (Some(ours), Some(theirs)) = (ours.get_mut(range.clone()), theirs.get(range)) {
                ours.copy_from_slice(theirs);
            }
        }
        u64::from(descriptor.objects) * len
    }

    pub(super) fn state(&mut self, theirs: &State, line: u32) -> Result<(), BadFile> {
        self.book.cache(theirs.c, line)?;
        let fits = |replay: &Self| replay.compare_state(theirs, line).is_equal();
        self.let_a_grace_period_pass(fits);
        self.choose_way(fits);
        let comparison = self.compare_state(theirs, line);
        if !comparison.is_equal() && self.gives_up_on(theirs.c) {
            return Ok(());
        }
        self.report.close(comparison);
        Ok(())
    }

    fn compare_state(&self, theirs: &State, line: u32) -> Comparison {
        let mut comparison = Self::comparison("state", line);
        let Ok(tracked) = self.book.cache(theirs.c, line) else { return comparison };
        let ours = self.kernel.cache(tracked.id);
        match (&theirs.cpu, &theirs.sheaves, &ours.sheaves) {
            (Some(cpu), None, None) => self.compare_cpu(&mut comparison, theirs.c, cpu, ours),
            // A cache with checks has nothing on any CPU.
            (None, None, None) if ours.layout.is_checked() => {}
            (None, Some(recorded), Some(ours)) => self.compare_sheaves(&mut comparison, theirs.c, recorded, ours),
            (cpu, recorded, ours) => {
                comparison.same("that it has a cpu", cpu.is_some(), ours.is_none());
                comparison.same("that it has sheaves", recorded.is_some(), ours.is_some());
            }
        }
        if let Some(cpus) = &theirs.cpus {
            self.compare_each_cpu(&mut comparison, theirs.c, cpus, ours);
        }
        let partial = self.kernel.node_partial(tracked.id).map(|slab| self.book.in_cache(Some(slab), theirs.c));
        comparison.same("nr_partial", theirs.nr_partial, ours.nr_partial);
        comparison.same("partial", theirs.partial.clone(), partial.collect());
        let full = ours.full.iter().rev().map(|slab| self.book.in_cache(Some(*slab), theirs.c));
        comparison.same("full", theirs.full.clone(), full.collect());
        comparison.same("nr_slabs", theirs.nr_slabs, ours.nr_slabs);
        comparison.same("total_objects", theirs.total_objects, ours.total_objects);
        let waiting: Vec<SlabId> = self.kernel.rcu().slabs().collect();
        let alive: Vec<(u32, SlabId)> = (0..)
            .zip(tracked.slabs.iter().copied())
            .filter(|(_, slab)| self.kernel.slab(*slab).alive && !waiting.contains(slab))
            .collect();
        let numbers = |slabs: &[(u32, SlabId)]| slabs.iter().map(|(number, _)| *number).collect::<Vec<_>>();
        comparison.same("slabs", theirs.slabs.iter().map(|slab| slab.s).collect(), numbers(&alive));
        for (theirs, (_, slab)) in theirs.slabs.iter().zip(&alive) {
            self.compare_slab(&mut comparison, theirs, *slab);
        }
        comparison
    }

    fn compare_cpu(&self, comparison: &mut Comparison, cache: u32, theirs: &CpuState, ours: &KmemCache) {
        let none = crate::slub::CpuSlab::default();
        let cpu = ours.cpu_slabs().of(CpuId::from_raw(0)).unwrap_or(&none);
        let number = |slab| self.book.in_cache(Some(slab), cache);
        comparison.same("cpu.slab", theirs.slab, cpu.slab.map(number));
        comparison.same("cpu.head", theirs.head.map(|head| head.address()), not_null(cpu.freelist));
        let chain = cpu.slab.map_or_else(Vec::new, |slab| self.chain(slab, cpu.freelist));
        comparison.same("cpu.fl", theirs.fl.clone(), chain);
        let partial = cpu.partial.iter().rev().map(|(slab, _)| number(*slab)).collect();
        comparison.same("cpu.partial", theirs.partial.clone(), partial);
        comparison.same("cpu.partial_slabs", theirs.partial_slabs, cpu.partial_count());
    }

    fn compare_slab(&self, comparison: &mut Comparison, theirs: &SlabState, slab: SlabId) {
        let ours = self.kernel.slab(slab);
        let field = |name: &str| format!("slab {}, {name}", theirs.s);
        comparison.same(&field("inuse"), theirs.inuse, u32::from(ours.inuse));
        comparison.same(&field("objects"), theirs.objects, ours.objects);
        comparison.same(&field("frozen"), theirs.frozen, u32::from(ours.frozen));
        comparison.same(&field("head"), theirs.head.map(|head| head.address()), not_null(ours.freelist));
        if let Some(chain) = &theirs.fl {
            comparison.same(&field("fl"), chain.clone(), self.chain(slab, ours.freelist));
        }
    }

    /// Every CPU of the machine, in the order of their numbers.
    fn compare_each_cpu(&self, comparison: &mut Comparison, cache: u32, theirs: &[EachCpu], ours: &KmemCache) {
        let all = 0..self.kernel.model().cpus;
        comparison.same("cpus", theirs.iter().map(|each| each.cpu).collect(), all.collect::<Vec<_>>());
        let (none, no_sheaves) = (crate::slub::CpuSlab::default(), CpuSheaves::default());
        let number = |slab| self.book.in_cache(Some(slab), cache);
        for each in theirs {
            let field = |name: &str| format!("cpus[{}].{name}", each.cpu);
            let cpu = ours.cpu_slabs().of(CpuId::from_raw(each.cpu)).unwrap_or(&none);
            let owns = ours.sheaves.is_none();
            comparison.same(&field("slab"), each.slab, owns.then(|| cpu.slab.map(number)));
            let chain = || cpu.slab.map_or_else(Vec::new, |slab| self.chain(slab, cpu.freelist));
            comparison.same(&field("fl"), each.fl.clone(), owns.then(chain));
            let partial = || cpu.partial.iter().rev().map(|(slab, _)| number(*slab)).collect();
            comparison.same(&field("partial"), each.partial.clone(), owns.then(partial));
            comparison.same(&field("partial_slabs"), each.partial_slabs, owns.then(|| cpu.partial_count()));
            let sheaves =
                ours.sheaves.as_ref().map(|sheaves| sheaves.cpus.get(index_from(each.cpu)).unwrap_or(&no_sheaves));
            let objects = |sheaf: &Sheaf| sheaf.iter().map(|object| self.in_sheaf(cache, *object)).collect::<Vec<_>>();
            comparison.same(&field("main"), each.main.clone(), sheaves.map(|sheaves| objects(&sheaves.main)));
            let spare = sheaves.and_then(|sheaves| sheaves.spare.as_ref().map(objects));
            comparison.same(&field("spare"), each.spare.clone(), spare);
            let rcu_free = sheaves.and_then(|sheaves| sheaves.rcu_free.as_ref().map(objects));
            comparison.same(&field("rcu_free"), each.rcu_free.clone(), rcu_free);
        }
    }

    /// A free list as recordings walk it: by index, until it ends, leaves the slab's objects, or has more links than
    /// the slab has objects.
    fn chain(&self, slab: SlabId, head: VirtAddr) -> Vec<Link> {
        let descriptor = self.kernel.slab(slab);
        let cache = self.kernel.cache(descriptor.cache);
        let mut links = Vec::new();
        let mut here = head;
        while !here.is_null() {
            if count_from(links.len()) > descriptor.objects {
                links.push(Link::Endless);
                break;
            }
            let word = here.wrapping_add(cache.layout.offset);
            match (self.index_in(slab, here), cache.code.read(self.kernel.bytes(), word)) {
                (Some(index), Ok(next)) => {
                    links.push(Link::Object(index));
                    here = next;
                }
                (None, _) | (_, Err(_)) => {
                    links.push(Link::Bad(here));
                    break;
                }
            }
        }
        links
    }

    /// The index of the object of `slab` that starts at `address`.
    pub(super) fn index_in(&self, slab: SlabId, address: VirtAddr) -> Option<u32> {
        let descriptor = self.kernel.slab(slab);
        let layout = &self.kernel.cache(descriptor.cache).layout;
        let index = layout.index_at(address.bytes_after(descriptor.base)?)?.raw();
        (index < descriptor.objects).then_some(index)
    }
}

fn span_of(start: u64, len: u64) -> core::ops::Range<usize> {
    let index = |at| usize::try_from(at).unwrap_or(usize::MAX);
    index(start)..index(start + len)
}

fn not_null(address: VirtAddr) -> Option<VirtAddr> {
    (!address.is_null()).then_some(address)
}
