//! Caches as the kernel made them, field by field.

use super::Replay;
use crate::kernel::{Model, PointerEncoding, SheafUse};
use crate::layout::{CacheArgs, Window};
use crate::luck::Luck;
use crate::recording::flags::{Asked, Numbering};
use crate::recording::read::BadFile;
use crate::recording::records::{Cache, Made};
use crate::recording::report::{Comparison, Report, count};
use crate::slub::KmemCache;
use crate::units::{VirtAddr, index_from};

/// What the model does not keep of a cache, and what it must be.
pub(super) struct Expected {
    pub(super) numbering: Numbering,
    pub(super) flags: u64,
}

impl Replay {
    /// Makes a cache as asked for, and compares what came of it.
    pub(super) fn cache(&mut self, theirs: &Cache, line: u32) -> Result<(), BadFile> {
        self.book.allocations = 0;
        let flags = match self.subject.flags.asked(theirs.req_flags.0) {
            Asked::Modelled(flags) => flags,
            Asked::Beyond(names) => return self.beyond(theirs, &format!("caches with {names}")),
        };
        let args = CacheArgs {
            object_size: theirs.req_size,
            align: theirs.req_align,
            flags,
            ctor: theirs.req_ctor != 0,
            pointer_at: u64::try_from(theirs.req_freeptr_offset).ok(),
            window: Window::default(),
            sheaf_capacity: 0,
        };
        let mut comparison = Self::comparison("cache", line);
        lay_out_luck(self.kernel.luck_mut(), &theirs.made, &mut comparison, &mut self.report);
        match self.kernel.create_cache(&theirs.made.name, &args) {
            Err(error) => comparison.differ("that it was made", "a cache", error.to_string()),
            Ok(id) => {
                self.book.enter(theirs.c, id);
                let numbering = self.subject.flags;
                let flags = numbering.of_cache(theirs.req_flags.0, &self.kernel.cache(id).layout.checks);
                let expected = Expected { numbering, flags };
                compare_made(&mut comparison, &theirs.made, self.kernel.cache(id), self.kernel.model(), &expected);
            }
        }
        count(&mut self.report.luck, "kmem_cache_va", 1);
        self.report.close(comparison);
        Ok(())
    }

    fn beyond(&mut self, theirs: &Cache, why: &str) -> Result<(), BadFile> {
        self.lose(theirs.c, why);
        count(&mut self.report.not_modelled, why, 1);
        Ok(())
    }
}

/// Lays out what was drawn for the cache to come: its secret, and its sequence, which must be one.
pub(super) fn lay_out_luck(ours: &mut Luck, theirs: &Made, comparison: &mut Comparison, report: &mut Report) {
    let sequence = theirs.random_seq.as_ref().and_then(|offsets| sequence_of(offsets, theirs.size));
    if theirs.random_seq.is_some() {
        comparison.same("that random_seq orders the objects", true, sequence.is_some());
        count(&mut report.luck, "random_seq", 1);
    }
    count(&mut report.luck, "random", u64::from(theirs.random.is_some()));
    if let Luck::Recorded(luck) = ours {
        luck.random = theirs.random.map(|random| random.0);
        luck.sequence = sequence;
    }
}

/// Object indexes of a sequence of byte offsets; `None` where it is no order of the objects.
fn sequence_of(offsets: &[u64], size: u64) -> Option<Vec<u32>> {
    let mut seen = vec![false; offsets.len()];
    offsets
        .iter()
        .map(|offset| {
            let index = u32::try_from(offset.checked_div(size)?).ok()?;
            let seen = seen.get_mut(index_from(index))?;
            (offset % size == 0 && !core::mem::replace(seen, true)).then_some(index)
        })
        .collect()
}

/// Compares every field of a cache.
pub(super) fn compare_made(
    comparison: &mut Comparison,
    theirs: &Made,
    ours: &KmemCache,
    model: &Model,
    expected: &Expected,
) {
    let layout = &ours.layout;
    comparison.same("alloc", theirs.alloc.as_str(), "SLUB");
    comparison.same("name", theirs.name.as_str(), &ours.name);
    comparison.same("object_size", theirs.object_size, layout.object_size);
    comparison.same("size", theirs.size, layout.size);
    comparison.same("align", theirs.align, layout.align);
    comparison.same("offset", theirs.offset, layout.offset);
    comparison.same("inuse", theirs.inuse, layout.inuse);
    comparison.same("red_left_pad", theirs.red_left_pad, layout.red_left_pad);
    comparison.same("order", theirs.order, layout.order.raw());
    comparison.same("objects", theirs.objects, layout.objects);
    comparison.same("min_order", theirs.min_order, layout.min_order.raw());
    comparison.same("min_objects", theirs.min_objects, layout.min_objects);
    comparison.same("oo", theirs.oo.0, u64::from(layout.order.raw()) << 16 | u64::from(layout.objects));
    comparison.same("min_partial", theirs.min_partial, layout.min_partial);
    comparison.same("flags", theirs.flags.address(), VirtAddr::from_raw(expected.flags));
    let mut names = theirs.flag_names.clone();
    names.sort_unstable();
    comparison.same("flag_names", names, expected.numbering.names(expected.flags));
    comparison.same("ctor", theirs.ctor, ours.args.ctor);
    comparison.same("refcount", theirs.refcount, i64::from(ours.refcount));
    let gfp = expected.numbering.gfp_for_pages(ours.args.flags, layout.order.raw());
    comparison.same("allocflags", theirs.allocflags.0, gfp);
    let of_cpus = |value: u32| (model.sheaves != SheafUse::Every).then_some(value);
    comparison.same("cpu_partial", theirs.cpu_partial, of_cpus(layout.cpu_partial));
    comparison.same("cpu_partial_slabs", theirs.cpu_partial_slabs, of_cpus(layout.cpu_partial_slabs));
    comparison.same(
        "sheaf_capacity",
        theirs.sheaf_capacity,
        (model.sheaves != SheafUse::Never).then_some(layout.sheaf_capacity),
    );
    comparison.same("useroffset", theirs.useroffset, ours.args.window.offset);
    comparison.same("usersize", theirs.usersize, ours.args.window.size);
    comparison.same("that it has a random", theirs.random.is_some(), model.pointer_encoding != PointerEncoding::Plain);
    let is_shuffled = model.freelist_random && layout.objects >= 2;
    let unit = is_shuffled.then(|| "bytes".to_owned());
    comparison.same("random_seq_unit", theirs.random_seq_unit.clone(), unit);
    let length = theirs.random_seq.as_ref().map(|offsets| crate::units::count_from(offsets.len()));
    comparison.same("length of random_seq", length, is_shuffled.then_some(layout.objects));
}
