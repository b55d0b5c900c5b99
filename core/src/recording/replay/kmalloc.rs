//! kmalloc as the boot's own caches serve it, on a second kernel with pages of its own: no record shows where those
//! caches' slabs lie.

use super::Replay;
use super::caches::{Expected, compare_made};
use super::role::OfBoot;
use crate::allocator::{FrameTable, Kernel};
use crate::kernel::{KmallocCopies, Model};
use crate::kmalloc::{BucketArgs, CLASSES, COPIES, Caller, Gfp, KmallocType, chosen, copy_name, size_roundup};
use crate::layout::Window;
use crate::luck::{Luck, Seed};
use crate::memory::Flat;
use crate::pages::{Buddy, PageSource};
use crate::recording::flags::Numbering;
use crate::recording::read::BadFile;
use crate::recording::records::{Kmalloc, KmallocCache, KmallocSite};
use crate::recording::report::{Comparison, Report, count};
use crate::recording::subject::Subject;
use crate::units::{CacheId, Order, Pfn, VirtAddr, count_from};

/// What the driver calls the buckets that it makes.
const DRIVERS_BUCKETS: &str = "orcbkt";

/// RAM of the second kernel: enough for the largest request.
const PAGES: u32 = 1 << 13;

/// A kernel with the boot's caches.
pub(super) type Boot = Kernel<(), Flat>;

impl Replay {
    /// A record about kmalloc.
    pub(super) fn of_boot(&mut self, record: OfBoot, line: u32) -> Result<(), BadFile> {
        let mut comparison = Self::comparison(record.word(), line);
        let Subject { model, flags, .. } = &self.subject;
        let flags = *flags;
        let has_copies = model.kmalloc_copies != KmallocCopies::None;
        let boot = self.boot.get_or_insert_with(|| boot(model.clone()));
        match record {
            OfBoot::Kmalloc(mut theirs) | OfBoot::KmallocLarge(mut theirs) => {
                theirs.cache = theirs.cache.map(|name| ordinary(&model, name, &mut self.report));
                compare_kmalloc(&mut comparison, &theirs, boot, line)?;
            }
            OfBoot::Roundup { n, r } => comparison.same("r", r, size_roundup(n, model)),
            OfBoot::KmallocAlign { n, align } => comparison.same("align", align, alignment_seen(boot, n)),
            // Which copy serves a caller is compared when the seed comes, which is recorded later.
            OfBoot::KmallocSite(theirs) if has_copies => {
                self.copies_told.push((line, theirs));
                return Ok(());
            }
            OfBoot::KmallocSite(theirs) => compare_site(&mut comparison, &theirs, boot),
            OfBoot::RandomKmalloc(theirs) => {
                count(&mut self.report.luck, "seed of the copies", 1);
                comparison.same("NR_KMALLOC_TYPES", theirs.types, count_from(rows(&model).len()));
                self.seed = theirs.seed.0;
                boot.seed_copies(self.seed);
                self.compare_copies();
            }
            OfBoot::KmallocPick(theirs) => {
                let copy = chosen(theirs.caller.0, self.seed);
                comparison.same("type", theirs.kind, copy);
                comparison.same("cache64", theirs.cache64.as_str(), &copy_name(copy, 64, &model));
            }
            OfBoot::KmallocCache(theirs) => {
                count(&mut self.report.luck, "random", u64::from(theirs.made.random.is_some()));
                count(&mut self.report.luck, "random_seq", u64::from(theirs.made.random_seq.is_some()));
                compare_kmalloc_cache(&mut comparison, &theirs, boot, flags);
            }
            OfBoot::Buckets { created } => {
                comparison.same("created", created, model.kmalloc_buckets);
                let window = Window { offset: 0, size: u64::MAX };
                self.bucket = boot.create_buckets(DRIVERS_BUCKETS, BucketArgs { account: false, window });
            }
            OfBoot::BucketsAlloc(theirs) => compare_for(&mut comparison, self.bucket, &theirs, boot, line)?,
        }
        self.report.close(comparison);
        Ok(())
    }

    /// Compares who got which copy, now that the seed is known.
    fn compare_copies(&mut self) {
        let Some(boot) = &self.boot else { return };
        for (line, theirs) in core::mem::take(&mut self.copies_told) {
            let mut comparison = Self::comparison("kmalloc_site", line);
            compare_site(&mut comparison, &theirs, boot);
            self.report.close(comparison);
        }
    }
}

/// The ordinary cache of the copy that served a kmalloc: nothing says from where it was called.
pub(super) fn ordinary(model: &Model, name: String, report: &mut Report) -> String {
    let ordinary = ordinary_name(model, &name);
    count(&mut report.luck, "the copy that served a kmalloc", u64::from(ordinary.is_some()));
    ordinary.unwrap_or(name)
}

/// The name of the cache that one of this name is a copy of, if it is one.
pub(super) fn ordinary_name(model: &Model, name: &str) -> Option<String> {
    let (_, size) = name.strip_prefix(&format!("kmalloc-{}-", model.kmalloc_copy_word))?.split_once('-')?;
    Some(format!("kmalloc-{size}"))
}

pub(super) fn boot(model: Model) -> Boot {
    let first = Pfn::from_raw(0);
    let pages = PageSource::booted(Buddy::new(first, PAGES), &model);
    Kernel::new(model, Luck::Keyed(Seed(0)), Flat::new(PAGES), FrameTable::new(first, PAGES), pages, ())
}

pub(super) fn compare_kmalloc(
    comparison: &mut Comparison,
    theirs: &Kmalloc,
    boot: &mut Boot,
    line: u32,
) -> Result<(), BadFile> {
    compare_for(comparison, Caller::Anyone, theirs, boot, line)
}

/// A kmalloc of some caller's.
fn compare_for(
    comparison: &mut Comparison,
    caller: Caller,
    theirs: &Kmalloc,
    boot: &mut Boot,
    line: u32,
) -> Result<(), BadFile> {
    let gfp = gfp_of(theirs.gfp.as_deref().unwrap_or("GFP_KERNEL"), line)?;
    let Ok(object) = boot.kmalloc_for(caller, theirs.n, gfp) else {
        comparison.differ("how it ended", "it returned", "it died");
        return Ok(());
    };
    let slab = boot.slab_at(object).map(|slab| boot.slab(slab).cache);
    let cache = slab.map(|cache| boot.cache(cache));
    let is_nothing = object.is_zero_or_null();
    let name = cache.map(|cache| ordinary_name(boot.model(), &cache.name).unwrap_or_else(|| cache.name.to_string()));
    comparison.same("cache", theirs.cache.clone(), name);
    comparison.same("object_size", theirs.object_size, cache.map(|cache| cache.layout.object_size));
    comparison.same("size", theirs.size, cache.map(|cache| cache.layout.size));
    comparison.same("page_order", theirs.page_order, block_order(boot, object));
    let va = is_nothing.then_some((!object.is_null()).then_some(object));
    comparison.same("va", theirs.va.map(|va| va.map(|va| va.address())), va);
    if let Some(ksize) = theirs.ksize {
        comparison.same("ksize", ksize, boot.ksize(object));
    }
    if let Some(roundup) = theirs.roundup {
        comparison.same("roundup", roundup, size_roundup(theirs.n, boot.model()));
    }
    if boot.kfree(object).is_err() {
        comparison.differ("how kfree ended", "it returned", "it died");
    }
    Ok(())
}

pub(super) fn gfp_of(words: &str, line: u32) -> Result<Gfp, BadFile> {
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

/// The order of a large kmalloc's block.
pub(super) fn block_order(boot: &Boot, object: VirtAddr) -> Option<u32> {
    object.pfn().and_then(|frame| boot.frames().large(frame)).map(|(_, order)| order.raw())
}

/// The largest power of two that divides every address that `kmalloc(n)` returns: that of the stride, since slabs
/// are aligned to pages and more.
fn alignment_seen(boot: &Boot, n: u64) -> u64 {
    match boot.kmalloc_cache(n, Gfp::default()) {
        Some(cache) => 1 << boot.cache(cache).layout.size.trailing_zeros(),
        None => Order::holding(n).bytes(),
    }
}

/// A kmalloc whose caller is known.
fn compare_site(comparison: &mut Comparison, theirs: &KmallocSite, boot: &Boot) {
    let cache = boot.kmalloc_cache_for(Caller::Site(theirs.caller.0), theirs.n, Gfp::default());
    let cache = cache.map(|cache| boot.cache(cache));
    comparison.same("cache", Some(theirs.cache.clone()), cache.map(|cache| cache.name.to_string()));
    comparison.same("object_size", Some(theirs.object_size), cache.map(|cache| cache.layout.object_size));
    comparison.same("size", Some(theirs.size), cache.map(|cache| cache.layout.size));
}

fn compare_kmalloc_cache(comparison: &mut Comparison, theirs: &KmallocCache, boot: &Boot, numbering: Numbering) {
    let Some(cache) = kmalloc_cache(boot, theirs.kind, theirs.idx) else {
        comparison.differ("type and idx", format!("{} and {}", theirs.kind, theirs.idx), "no such cache");
        return;
    };
    let ours = boot.cache(cache);
    let expected = Expected { numbering, flags: numbering.of_kmalloc(ours.args.flags, &ours.layout.checks) };
    compare_made(comparison, &theirs.made, ours, boot.model(), &expected);
}

/// Types as the kernel numbers them: the copies of the ordinary caches come after these.
fn rows(model: &Model) -> Vec<(KmallocType, u32)> {
    let copies = if model.kmalloc_copies == KmallocCopies::None { 1 } else { COPIES };
    let ordinary = (0..copies).map(|copy| (KmallocType::Normal, copy));
    ordinary.chain(KmallocType::all(model).skip(1).map(|kind| (kind, 0))).collect()
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
    let (kind, copy) = *rows(boot.model()).get(crate::units::index_from(kind))?;
    match kind {
        KmallocType::Normal => boot.kmalloc_caches().copy(copy, class),
        KmallocType::Cgroup | KmallocType::Reclaim | KmallocType::Dma => boot.kmalloc_caches().get(kind, class),
    }
}
