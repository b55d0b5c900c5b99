//! kmalloc as the boot's own caches serve it, on a second kernel with pages of its own: no record shows where those
//! caches' slabs lie.

use super::Replay;
use super::caches::{Expected, compare_made};
use crate::allocator::{FrameTable, Kernel};
use crate::kernel::Model;
use crate::kmalloc::{CLASSES, Gfp, KmallocType, size_roundup};
use crate::luck::{Luck, Seed};
use crate::memory::Flat;
use crate::pages::{Buddy, PageSource};
use crate::recording::flags;
use crate::recording::read::BadFile;
use crate::recording::records::{Kmalloc, KmallocCache, KmallocSite, Record};
use crate::recording::report::{Comparison, count};
use crate::units::{CacheId, Order, Pfn};

/// RAM of the second kernel: enough for the largest request.
const PAGES: u32 = 1 << 13;

/// A kernel with the boot's caches.
pub(super) type Boot = Kernel<(), Flat>;

impl Replay {
    /// A record about kmalloc, or one that has no place here.
    pub(super) fn kmalloc_record(&mut self, record: Record, line: u32) -> Result<(), BadFile> {
        let mut comparison = match super::compared_as(&record) {
            Some(kind) => Self::comparison(kind, line),
            None => return Err(BadFile::at(line, "a second header", "one header, as the first record")),
        };
        let model = *self.kernel.model();
        let boot = self.boot.get_or_insert_with(|| boot(model));
        match record {
            Record::Kmalloc(theirs) | Record::KmallocLarge(theirs) => {
                compare_kmalloc(&mut comparison, &theirs, boot, line)?
            }
            Record::Roundup { n, r } => comparison.same("r", r, size_roundup(n)),
            Record::KmallocAlign { n, align } => comparison.same("align", align, alignment_seen(boot, n)),
            Record::KmallocSite(theirs) => compare_site(&mut comparison, &theirs, boot),
            Record::KmallocCache(theirs) => {
                count(&mut self.report.luck, "random", u64::from(theirs.made.random.is_some()));
                count(&mut self.report.luck, "random_seq", u64::from(theirs.made.random_seq.is_some()));
                compare_kmalloc_cache(&mut comparison, &theirs, boot);
            }
            _ => return Err(BadFile::at(line, "a record out of place", "an operation, or a state between two")),
        }
        self.report.close(comparison);
        Ok(())
    }
}

fn boot(model: Model) -> Boot {
    let first = Pfn::from_raw(0);
    let pages = PageSource::Buddy(Buddy::new(first, PAGES));
    Kernel::new(model, Luck::Keyed(Seed(0)), Flat::new(PAGES), FrameTable::new(first, PAGES), pages, ())
}

fn compare_kmalloc(comparison: &mut Comparison, theirs: &Kmalloc, boot: &mut Boot, line: u32) -> Result<(), BadFile> {
    let gfp = gfp_of(theirs.gfp.as_deref().unwrap_or("GFP_KERNEL"), line)?;
    let Ok(object) = boot.kmalloc(theirs.n, gfp) else {
        comparison.differ("how it ended", "it returned", "it died");
        return Ok(());
    };
    let slab = boot.slab_at(object).map(|slab| boot.slab(slab).cache);
    let cache = slab.map(|cache| boot.cache(cache));
    let is_nothing = object.is_zero_or_null();
    comparison.same("cache", theirs.cache.clone(), cache.map(|cache| cache.name.to_string()));
    comparison.same("object_size", theirs.object_size, cache.map(|cache| cache.layout.object_size));
    comparison.same("size", theirs.size, cache.map(|cache| cache.layout.size));
    let large = object.pfn().and_then(|frame| boot.frames().large(frame)).map(|(_, order)| order.raw());
    comparison.same("page_order", theirs.page_order, large);
    let va = is_nothing.then_some((!object.is_null()).then_some(object));
    comparison.same("va", theirs.va.map(|va| va.map(|va| va.address())), va);
    if let Some(ksize) = theirs.ksize {
        comparison.same("ksize", ksize, boot.ksize(object));
    }
    if let Some(roundup) = theirs.roundup {
        comparison.same("roundup", roundup, size_roundup(theirs.n));
    }
    if boot.kfree(object).is_err() {
        comparison.differ("how kfree ended", "it returned", "it died");
    }
    Ok(())
}

fn gfp_of(words: &str, line: u32) -> Result<Gfp, BadFile> {
    let mut gfp = Gfp::default();
    for word in words.split('|') {
        match word {
            "GFP_KERNEL" => {}
            "GFP_ATOMIC" => gfp.atomic = true,
            "GFP_KERNEL_ACCOUNT" | "__GFP_ACCOUNT" => gfp.account = true,
            "GFP_DMA" | "__GFP_DMA" => gfp.dma = true,
            "__GFP_RECLAIMABLE" => gfp.reclaimable = true,
            "__GFP_ZERO" => gfp.zero = true,
            other => {
                let words = "GFP_KERNEL, GFP_ATOMIC, GFP_KERNEL_ACCOUNT, GFP_DMA, __GFP_RECLAIMABLE, __GFP_ZERO";
                return Err(BadFile::at(line, format!("a gfp word `{other}`"), words));
            }
        }
    }
    Ok(gfp)
}

/// The largest power of two that divides every address that `kmalloc(n)` returns: that of the stride, since slabs
/// are aligned to pages and more.
fn alignment_seen(boot: &Boot, n: u64) -> u64 {
    match boot.kmalloc_cache(n, Gfp::default()) {
        Some(cache) => 1 << boot.cache(cache).layout.size.trailing_zeros(),
        None => Order::holding(n).bytes(),
    }
}

/// No kernel here has copies of its caches, so the caller chooses nothing.
fn compare_site(comparison: &mut Comparison, theirs: &KmallocSite, boot: &Boot) {
    let cache = boot.kmalloc_cache(theirs.n, Gfp::default()).map(|cache| boot.cache(cache));
    comparison.same("cache", Some(theirs.cache.clone()), cache.map(|cache| cache.name.to_string()));
    comparison.same("object_size", Some(theirs.object_size), cache.map(|cache| cache.layout.object_size));
    comparison.same("size", Some(theirs.size), cache.map(|cache| cache.layout.size));
}

fn compare_kmalloc_cache(comparison: &mut Comparison, theirs: &KmallocCache, boot: &Boot) {
    let Some(cache) = kmalloc_cache(boot, theirs.kind, theirs.idx) else {
        comparison.differ("type and idx", format!("{} and {}", theirs.kind, theirs.idx), "no such cache");
        return;
    };
    let ours = boot.cache(cache);
    let model = boot.model();
    let is_normal = theirs.kind == 0;
    let expected = Expected {
        flags: flags::of_kmalloc(ours.args.flags),
        // With memory control groups built in, the ordinary ones may not merge: their count says so.
        refcount: if is_normal && model.kmalloc_cgroup { -1 } else { 1 },
        usersize: ours.layout.object_size,
    };
    compare_made(comparison, &theirs.made, ours, model, &expected);
}

/// The cache of a type and class as the kernel numbers them: types that exist, in order; classes by power of two,
/// with 96 as 1 and 192 as 2.
fn kmalloc_cache(boot: &Boot, kind: u32, idx: u32) -> Option<CacheId> {
    let size = match idx {
        1 => 96,
        2 => 192,
        3..=13 => 1_u64 << idx,
        _ => return None,
    };
    let class = CLASSES.iter().position(|class| *class == size)?;
    let kinds = KmallocType::ALL.into_iter().filter_map(|kind| boot.kmalloc_caches().get(kind, class));
    kinds.into_iter().nth(crate::units::index_from(kind))
}
