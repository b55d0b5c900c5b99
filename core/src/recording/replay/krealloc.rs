//! krealloc and ksize, on the kernel with the boot's own caches: who serves each size, what stays where it is, and the
//! bytes. Memory that nobody wrote since it came is whatever was there, and is told as such.

use super::Replay;
use super::kmalloc::{Boot, block_order, gfp_of, ordinary};
use crate::event::Oops;
use crate::kernel::KreallocRoom;
use crate::kmalloc::Gfp;
use crate::memory::Bytes;
use crate::recording::read::BadFile;
use crate::recording::records::{Kmalloc, Krealloc, KreallocSeq, Ksize};
use crate::recording::report::{Comparison, count};
use crate::recording::values::Hex;
use crate::slub::KmemCache;
use crate::units::{VirtAddr, index_from};
use std::collections::VecDeque;

/// What such a recording tells.
pub(super) enum Resizing {
    Sequence(KreallocSeq),
    Step(Box<Krealloc>),
    Ksize(Ksize),
}

/// A sequence of sizes under way.
#[derive(Default)]
pub(super) struct Sequence {
    k: u32,
    gfp: Gfp,
    calls_ksize: bool,
    sizes: VecDeque<u64>,
    step: u8,
    object: VirtAddr,
    /// Which of the object's bytes somebody wrote since it came.
    known: Vec<bool>,
}

/// What the driver writes over an object after its first step; one more after each.
const FIRST_BYTE: u8 = 0x10;

impl Replay {
    /// A record about krealloc.
    pub(super) fn resizing(&mut self, record: Resizing, line: u32) -> Result<(), BadFile> {
        match record {
            Resizing::Sequence(theirs) => self.sequence(theirs, line),
            Resizing::Step(theirs) => self.step(*theirs, line),
            Resizing::Ksize(theirs) => self.fresh_ksize(theirs, line),
        }
    }

    /// A sequence begins. Its plan is what its steps must follow.
    fn sequence(&mut self, theirs: KreallocSeq, line: u32) -> Result<(), BadFile> {
        let gfp = gfp_of(&theirs.gfp, line)?;
        let KreallocSeq { k, calls_ksize, sizes, .. } = theirs;
        self.resized = Sequence { k, gfp, calls_ksize, sizes: sizes.into(), ..Sequence::default() };
        count(&mut self.report.given, "krealloc_seq", 1);
        Ok(())
    }

    fn step(&mut self, mut theirs: Krealloc, line: u32) -> Result<(), BadFile> {
        let mut comparison = Self::comparison("krealloc", line);
        if let Some(Some(name)) = theirs.cache.take() {
            theirs.cache = Some(Some(ordinary(&self.subject.model, name, &mut self.report)));
        } else {
            theirs.cache = theirs.page_order.map(|_| None);
        }
        let model = self.subject.model.clone();
        let boot = self.boot.get_or_insert_with(|| super::kmalloc::boot(model));
        let sequence = &mut self.resized;
        comparison.same("k", theirs.k, sequence.k);
        comparison.same("n", Some(theirs.n), sequence.sizes.pop_front());
        comparison.same("gfp", gfp_of(&theirs.gfp, line)? == sequence.gfp, true);
        let old = sequence.object;
        comparison.same("from", theirs.from.as_str(), kind_of(old));
        comparison.same("orig_size_before", theirs.orig_size_before, size_kept(boot, old));
        // A size of nothing leaves nothing to ask about.
        let calls = sequence.calls_ksize && theirs.n > 0;
        let asked = if calls { boot.ksize(old).ok() } else { None };
        comparison.same("ksize_before", theirs.ksize_before, asked);
        // As krealloc will see it; that it asks has no further consequence.
        let is_resized = theirs.n > 0 && !old.is_zero_or_null();
        let room = if is_resized { boot.room_of(old).unwrap_or_default() } else { (0, 0) };
        match boot.krealloc(old, theirs.n, sequence.gfp) {
            Err(oops) => comparison.differ("how it ended", "it returned", oops.kind.to_string()),
            Ok(object) => {
                sequence.note(boot, room, object, theirs.n);
                let result = match object {
                    VirtAddr::ZERO_SIZE_PTR => "ZERO_SIZE_PTR",
                    same if same == old => "same",
                    _ => "moved",
                };
                comparison.same("result", theirs.result.as_str(), result);
                let unknown = compare_object(&mut comparison, &theirs, boot, sequence);
                count(&mut self.report.masked, "bytes of fresh memory", unknown);
                let calls = sequence.calls_ksize && !object.is_zero_or_null();
                let asked = if calls { boot.ksize(object).ok() } else { None };
                comparison.same("ksize", theirs.ksize, asked);
                sequence.fill(boot, theirs.n);
            }
        }
        self.report.close(comparison);
        if self.resized.sizes.is_empty()
            && let Some(boot) = &mut self.boot
        {
            // The driver frees what is left, which no record tells.
            let freed: Result<(), Box<Oops>> = boot.kfree(self.resized.object);
            debug_assert!(freed.is_ok(), "nothing is damaged");
        }
        Ok(())
    }

    fn fresh_ksize(&mut self, theirs: Ksize, line: u32) -> Result<(), BadFile> {
        let mut comparison = Self::comparison("ksize", line);
        let Ksize { n, ksize, object_size, size, page_order, .. } = theirs;
        let cache = theirs.cache.map(|name| ordinary(&self.subject.model, name, &mut self.report));
        let model = self.subject.model.clone();
        let boot = self.boot.get_or_insert_with(|| super::kmalloc::boot(model));
        // What kmalloc(0) returns is told elsewhere.
        let va = (n == 0).then_some(Some(Hex(VirtAddr::ZERO_SIZE_PTR.raw())));
        let ksize = Some(ksize);
        let asked = Kmalloc { n, cache, object_size, size, page_order, ksize, va, ..Kmalloc::default() };
        super::kmalloc::compare_kmalloc(&mut comparison, &asked, boot, line)?;
        self.report.close(comparison);
        Ok(())
    }
}

impl Sequence {
    /// Notes which bytes of what krealloc returned are somebody's: what was zeroed, copied, poisoned, or made a red zone.
    fn note(&mut self, boot: &Boot, (room, used): (u64, u64), object: VirtAddr, size: u64) {
        let (known, old) = (core::mem::take(&mut self.known), core::mem::replace(&mut self.object, object));
        let model = boot.model();
        let zeroes = self.gfp.zero || model.init_on_alloc;
        let layout = cache_of(boot, object).map(|cache| cache.layout);
        let keeps_size = layout.is_some_and(|layout| layout.orig_size_at().is_some()) && model.debug.kmalloc_red_zone;
        let has_red_zone = keeps_size && layout.is_some_and(|layout| layout.checks.flags.red_zone);
        if object == old {
            self.known = known;
            if zeroes && model.krealloc_zeroes_rest {
                self.know(if used < size { used..size } else { size..room });
            }
            if has_red_zone && model.krealloc_room == KreallocRoom::ObjectSize {
                self.know(size..room);
            }
            return;
        }
        let given = boot.usable(object);
        self.known = vec![false; index_from(u32::try_from(given).unwrap_or(0))];
        if layout.is_some_and(|layout| layout.checks.object_poison) {
            self.know(0..given);
        }
        if zeroes {
            self.know(0..if keeps_size { size } else { given });
        }
        if has_red_zone {
            self.know(size..given);
        }
        if !object.is_zero_or_null() {
            let copied = index_from(u32::try_from(used).unwrap_or(0)).min(self.known.len()).min(known.len());
            self.known[..copied].copy_from_slice(&known[..copied]);
        }
    }

    fn know(&mut self, bytes: core::ops::Range<u64>) {
        let at = |byte: u64| index_from(u32::try_from(byte).unwrap_or(u32::MAX)).min(self.known.len());
        let (start, end) = (at(bytes.start), at(bytes.end));
        if start < end {
            self.known[start..end].fill(true);
        }
    }

    /// The driver writes over what it asked for.
    fn fill(&mut self, boot: &mut Boot, size: u64) {
        let byte = FIRST_BYTE.wrapping_add(self.step);
        self.step = self.step.wrapping_add(1);
        if self.object.is_zero_or_null() {
            return;
        }
        let written = boot.bytes_mut().fill(self.object, size, byte);
        debug_assert!(written.is_ok(), "an object is mapped");
        self.know(0..size);
    }
}

/// Compares what was returned, and its bytes: how many of them are nobody's.
fn compare_object(comparison: &mut Comparison, theirs: &Krealloc, boot: &Boot, sequence: &Sequence) -> u64 {
    let object = sequence.object;
    let is_object = !object.is_zero_or_null();
    let cache = cache_of(boot, object);
    let name_of = |cache: &KmemCache| {
        let ordinary = super::kmalloc::ordinary_name(boot.model(), &cache.name);
        ordinary.unwrap_or_else(|| cache.name.to_string())
    };
    let name = is_object.then(|| cache.map(name_of));
    comparison.same("cache", theirs.cache.clone().map(Option::unwrap_or_default), name.map(Option::unwrap_or_default));
    comparison.same("object_size", theirs.object_size, cache.map(|cache| cache.layout.object_size));
    comparison.same("size", theirs.size, cache.map(|cache| cache.layout.size));
    comparison.same("page_order", theirs.page_order, block_order(boot, object));
    comparison.same("orig_size", theirs.orig_size, is_object.then(|| size_kept(boot, object)));
    if !is_object {
        return 0;
    }
    // Of whole pages, only what was asked for is told.
    let given = cache.map_or(theirs.n, |cache| cache.layout.object_size);
    let part =
        |runs: &[(u8, u64)], at: u64, len: u64, cut: Option<bool>| compare_runs(runs, at, len, cut == Some(true));
    let mut unknown = 0;
    for (field, told) in [
        ("runs", part(&theirs.runs, 0, theirs.n, theirs.runs_cut)),
        ("tail", part(&theirs.tail, theirs.n, given.saturating_sub(theirs.n), theirs.tail_cut)),
    ] {
        let Some((at, theirs)) = told else {
            comparison.differ(field, "as many bytes as were asked for", "another number");
            continue;
        };
        let mut ours = vec![0; theirs.len()];
        let read = boot.bytes().copy_out(object.wrapping_add(at), &mut ours);
        debug_assert!(read.is_ok(), "an object is mapped");
        let known = sequence.known.iter().skip(index_from(u32::try_from(at).unwrap_or(u32::MAX)));
        unknown += comparison.same_known_bytes(field, &theirs, &ours, known.copied());
    }
    unknown
}

/// The bytes that runs stand for, and where they begin; `None` where they are not `len` bytes and were not cut.
fn compare_runs(runs: &[(u8, u64)], at: u64, len: u64, cut: bool) -> Option<(u64, Vec<u8>)> {
    let told: u64 = runs.iter().fold(0, |told, (_, times)| told.saturating_add(*times));
    let fits = if cut { told <= len } else { told == len };
    let of = |(byte, times): &(u8, u64)| core::iter::repeat_n(*byte, index_from(u32::try_from(*times).unwrap_or(0)));
    fits.then(|| (at, runs.iter().flat_map(of).collect()))
}

fn kind_of(object: VirtAddr) -> &'static str {
    match object {
        VirtAddr::NULL => "NULL",
        VirtAddr::ZERO_SIZE_PTR => "ZERO_SIZE_PTR",
        _ => "object",
    }
}

fn cache_of(boot: &Boot, object: VirtAddr) -> Option<&KmemCache> {
    boot.slab_at(object).map(|slab| boot.cache(boot.slab(slab).cache))
}

/// What the allocator keeps as the size that was asked for: with no place for it, that of the cache's objects.
fn size_kept(boot: &Boot, object: VirtAddr) -> i64 {
    match cache_of(boot, object) {
        _ if object.is_zero_or_null() => 0,
        Some(cache) => {
            boot.orig_size(&cache.layout, object).ok().and_then(|size| i64::try_from(size).ok()).unwrap_or(-1)
        }
        None => -1,
    }
}
