//! Single objects of the boot's own kmalloc caches, byte by byte: the whole stride, with the red zones around the object and what
//! SLUB keeps behind it.
//!
//! Where an object lies is luck, and so is what the boot left in it. Two kernels therefore do the same: the memory that comes to
//! one is zeroes, that of the other ones, and each bit of a link is another one there. A byte on which the two agree was
//! written since the recording began, and is compared; one on which they do not is part of a link, or nobody wrote it.
//!
//! Each object is brought to its recorded address: its slab's pages come where it lies, and whatever else is handed out on the
//! way stays with users of the boot whom nobody recorded.

use super::operation::OurKernel;
use super::{RAM_PAGES, Replay};
use crate::allocator::{FrameTable, Kernel, Recorder};
use crate::event::Oops;
use crate::freelist::PointerCode;
use crate::kernel::{KmallocCopies, Model, PointerEncoding};
use crate::kmalloc::{COPIES, Caller, Gfp, chosen};
use crate::layout::Track;
use crate::luck::{Luck, Seed};
use crate::memory::{Bytes, Paged};
use crate::pages::{PageSource, RecordedPages};
use crate::recording::console::Fact;
use crate::recording::facts;
use crate::recording::read::BadFile;
use crate::recording::records::KmallocedObject;
use crate::recording::report::{Comparison, Place, count};
use crate::units::{Order, Pfn, VirtAddr, index_from};
use std::collections::BTreeSet;

/// Pages beyond the recorded machine's RAM, for slabs that nothing was recorded of.
const SPARE_PAGES: u32 = 1 << 13;
/// How many slabs one allocation may need: a sheaf of 60 of the largest objects.
const SLABS_AT_HAND: usize = 64;
/// The most allocations until an object is there: more than any cache has in slabs that were recorded.
const MOST_TRIES: u32 = 1 << 12;

/// What the driver writes over an object.
const FILLED: u8 = 0x77;
/// What it writes behind one.
const OVERFLOWED: u8 = 0xa1;

/// Two kernels that do the same over memory that is not the same.
pub(super) struct Twins {
    kernels: [OurKernel; 2],
    /// The next spare page.
    spare: Pfn,
    /// Objects that are in use, by whom nobody recorded.
    held: BTreeSet<VirtAddr>,
    /// The object that the driver has.
    in_hand: Option<InHand>,
}

#[derive(Clone, Copy)]
struct InHand {
    object: VirtAddr,
    asked: u64,
    is_freed: bool,
}

/// What fresh memory holds in each of the two.
const FRESH: [u8; 2] = [0, 0xff];

impl Replay {
    /// A step with an object, and the object after it.
    pub(super) fn kmalloced_object(&mut self, theirs: &KmallocedObject, line: u32) -> Result<(), BadFile> {
        self.refuse_announced(line)?;
        let mut console = core::mem::take(&mut self.span.console);
        let lines = core::mem::take(&mut self.span.console_lines);
        self.settle_nothing()?;
        let mut comparison = Self::comparison("kobj", line);
        let model = &self.subject.model;
        let mut twins = self.twins.take().unwrap_or_else(|| Twins::new(model));
        let outcome = twins.step(theirs, line)?;
        match &outcome {
            Err(oops) => comparison.differ("how it ended", "it returned", oops.kind.to_string()),
            Ok(object) => {
                comparison.same("va", theirs.va.address(), *object);
                comparison.same("n", theirs.n, twins.size_of_step(&theirs.why));
                let left_out = twins.compare(&mut comparison, theirs);
                count(&mut self.report.masked, "bytes of tracks", left_out.tracks);
                let name = "bytes of links, and of memory that nobody wrote";
                count(&mut self.report.masked, name, left_out.undetermined);
            }
        }
        count(&mut self.report.luck, "va", 1);
        if model.kmalloc_copies != KmallocCopies::None {
            count(&mut self.report.luck, "the copy that served a kmalloc", 1);
        }
        self.report.close(comparison);
        let events = twins.kernels[0].probe_mut().drain();
        let ours = facts::of(&twins.kernels[0], &events, outcome.as_ref().err().map(|oops| &**oops));
        self.twins = Some(twins);
        console.close();
        count(&mut self.report.masked, "console lines inside a block", u64::from(console.block_lines));
        count(&mut self.report.masked, "console lines of boot noise", u64::from(console.noise_lines));
        let theirs = self.without_the_boot(&console.facts, &lines);
        let known: Vec<Fact> = ours.iter().filter_map(known_of).collect();
        facts::compare(&mut self.report, &theirs, &known, &Place::Line(line));
        Ok(())
    }

    /// What was printed, each with its line, but for what is the boot's.
    fn without_the_boot(&mut self, facts: &[Fact], lines: &[u32]) -> Vec<(Fact, Place)> {
        let changed = facts.iter().filter(|fact| known_of(fact).as_ref() != Some(*fact)).count();
        let name = "parts of report lines that tell of the boot (who had the object, what else is free)";
        count(&mut self.report.masked, name, u64::from(crate::units::count_from(changed)));
        facts.iter().zip(lines).filter_map(|(fact, line)| Some((known_of(fact)?, Place::Line(*line)))).collect()
    }
}

/// A fact without what the boot had to do with it: who freed the object last, how many objects of its slab are in use, and which
/// come next.
fn known_of(fact: &Fact) -> Option<Fact> {
    let Fact::SlabReport(line) = fact else { return Some(fact.clone()) };
    let told = line.strip_prefix("INFO: ").unwrap_or(line);
    let cut = |at: &str| Some(Fact::SlabReport(line.split(at).next().unwrap_or(line).to_owned()));
    match told {
        freed if freed.starts_with("Freed in") => None,
        slab if slab.starts_with("Slab 0x") => cut(" used="),
        object if object.starts_with("Object 0x") => cut(" fp="),
        _ => Some(fact.clone()),
    }
}

/// Bytes that were not compared.
struct LeftOut {
    tracks: u64,
    undetermined: u64,
}

impl Twins {
    fn new(model: &Model) -> Self {
        let pages = RAM_PAGES + SPARE_PAGES;
        let first = Pfn::from_raw(0);
        let one = || {
            let bytes = Paged::new(pages, first, pages);
            let source = PageSource::Recorded(RecordedPages::default());
            let luck = Luck::Keyed(Seed(0));
            let mut kernel =
                Kernel::new(model.clone(), luck, bytes, FrameTable::new(first, pages), source, Recorder::default());
            kernel.seed_copies(0);
            kernel
        };
        let mut kernels = [one(), one()];
        // Links are hidden whether or not this kernel hides them, so that those of one show in no bit of the other's.
        for (kernel, secret) in kernels.iter_mut().zip([0x5a5a_5a5a_5a5a_5a5a, !0x5a5a_5a5a_5a5a_5a5a]) {
            for cache in kernel.caches.iter_mut() {
                cache.code = PointerCode { encoding: PointerEncoding::XorSwapped, random: secret };
            }
        }
        let spare = Pfn::from_raw(u64::from(RAM_PAGES));
        Self { kernels, spare, held: BTreeSet::new(), in_hand: None }
    }

    /// Does what the driver did; the object that it was done with.
    fn step(&mut self, theirs: &KmallocedObject, line: u32) -> Result<Result<VirtAddr, Box<Oops>>, BadFile> {
        let (n, at) = (theirs.n, theirs.va.address());
        let zeroed = Gfp { zero: true, ..Gfp::default() };
        Ok(match theirs.why.as_str() {
            "kmalloc" => self.obtain(theirs, Gfp::default(), line)?,
            "kzalloc" => self.obtain(theirs, zeroed, line)?,
            "overflowed" => {
                let object = self.obtain(theirs, Gfp::default(), line)?;
                self.fill(at.wrapping_add(n), 1, OVERFLOWED);
                object
            }
            "filled" => {
                let InHand { object, asked, .. } = self.in_hand(at, line)?;
                self.fill(object, asked, FILLED);
                Ok(object)
            }
            "krealloc-3" => {
                let InHand { object, asked, .. } = self.in_hand(at, line)?;
                self.fill(object, asked, FILLED);
                self.both(|kernel| kernel.krealloc(object, n, Gfp::default()))
            }
            "freed" => {
                let InHand { object, .. } = self.in_hand(at, line)?;
                self.in_hand = self.in_hand.map(|in_hand| InHand { is_freed: true, ..in_hand });
                self.both(|kernel| kernel.kfree(object)).map(|()| object)
            }
            other => {
                let words = "kmalloc, filled, freed, kzalloc, krealloc-3 or overflowed";
                return Err(BadFile::at(line, format!("a step `{other}`"), words));
            }
        })
    }

    fn in_hand(&self, at: VirtAddr, line: u32) -> Result<InHand, BadFile> {
        let missing = || BadFile::at(line, format!("a step with {at}"), "the object that the driver has");
        self.in_hand.filter(|in_hand| in_hand.object == at && !in_hand.is_freed).ok_or_else(missing)
    }

    /// How many bytes a step is about, by the driver's plan.
    fn size_of_step(&self, why: &str) -> u64 {
        let asked = self.in_hand.map_or(0, |in_hand| in_hand.asked);
        if why == "krealloc-3" && asked > 3 { asked - 3 } else { asked }
    }

    /// An allocation that returns the object at the recorded address: NULL where none can.
    fn obtain(
        &mut self,
        theirs: &KmallocedObject,
        gfp: Gfp,
        line: u32,
    ) -> Result<Result<VirtAddr, Box<Oops>>, BadFile> {
        let (asked, at) = (theirs.n, theirs.va.address());
        // What no record says: before the driver asks for another, it frees the one it has.
        let left = self.in_hand.take().filter(|in_hand| !in_hand.is_freed).map(|in_hand| in_hand.object);
        for object in left.into_iter().chain(self.held.take(&at)) {
            if let Err(oops) = self.both(|kernel| kernel.kfree(object)) {
                return Ok(Err(oops));
            }
        }
        let caller = self.caller_of(&theirs.cache);
        let (block, order) = self.block_of(caller, theirs, line)?;
        self.clear_pages();
        let frames = self.kernels[0].frames();
        if (0..order.pages()).all(|page| frames.slab(block.offset(page)).is_none()) {
            self.lay_out(block, order);
        }
        for _ in 0..MOST_TRIES {
            self.lay_out_spares(order);
            let object = match self.both(|kernel| kernel.kmalloc_for(caller, asked, gfp)) {
                Ok(object) if object.is_null() => break,
                Ok(object) => object,
                Err(oops) => return Ok(Err(oops)),
            };
            if object == at {
                self.in_hand = Some(InHand { object, asked, is_freed: false });
                return Ok(Ok(object));
            }
            self.held.insert(object);
        }
        Ok(Ok(VirtAddr::NULL))
    }

    /// Somebody whom the cache of this name serves: which copy that is, is luck.
    fn caller_of(&self, cache: &str) -> Caller {
        let model = self.kernels[0].model();
        if model.kmalloc_copies == KmallocCopies::None {
            return Caller::Anyone;
        }
        let copy = cache.strip_prefix(&format!("kmalloc-{}-", model.kmalloc_copy_word));
        let copy = copy.and_then(|rest| rest.split('-').next()?.parse().ok()).unwrap_or(0);
        (0..u64::from(COPIES * COPIES)).find(|site| chosen(*site, 0) == copy).map_or(Caller::Anyone, Caller::Site)
    }

    /// The pages in which the object lies.
    fn block_of(&self, caller: Caller, theirs: &KmallocedObject, line: u32) -> Result<(Pfn, Order), BadFile> {
        let bad = |expected| BadFile::at(line, format!("{} bytes at {}", theirs.n, theirs.va.address()), expected);
        let cache = self.kernels[0].kmalloc_cache_for(caller, theirs.n, Gfp::default());
        let cache = cache.ok_or_else(|| bad("a size that a kmalloc cache serves"))?;
        let order = self.kernels[0].cache(cache).layout.order;
        let base = theirs.va.0 - theirs.va.0 % order.bytes();
        let block = VirtAddr::from_raw(base).pfn();
        let block = block.filter(|block| block.raw() + order.pages() <= u64::from(RAM_PAGES));
        Ok((block.ok_or_else(|| bad("an address in RAM"))?, order))
    }

    /// Takes back the pages that nobody needed.
    fn clear_pages(&mut self) {
        for kernel in &mut self.kernels {
            let PageSource::Recorded(pages) = kernel.pages_mut() else { continue };
            let beyond = |block: &&(Pfn, Order)| block.0.raw() >= u64::from(RAM_PAGES);
            self.spare = pages.coming.iter().find(beyond).map_or(self.spare, |(block, _)| *block);
            pages.coming.clear();
        }
    }

    fn lay_out_spares(&mut self, order: Order) {
        let PageSource::Recorded(pages) = self.kernels[0].pages() else { return };
        for _ in pages.coming.len()..SLABS_AT_HAND {
            let block = Pfn::from_raw(self.spare.raw().next_multiple_of(order.pages()));
            if block.raw() + order.pages() > u64::from(RAM_PAGES + SPARE_PAGES) {
                return;
            }
            self.lay_out(block, order);
            self.spare = block.offset(order.pages());
        }
    }

    /// Pages for a slab to come, which hold what they held.
    fn lay_out(&mut self, block: Pfn, order: Order) {
        for (kernel, fresh) in self.kernels.iter_mut().zip(FRESH) {
            let filled = kernel.bytes_mut().fill(block.address(), order.bytes(), fresh);
            debug_assert!(filled.is_ok(), "the block is in RAM");
            if let PageSource::Recorded(pages) = kernel.pages_mut() {
                pages.coming.push((block, order));
            }
        }
    }

    /// The driver writes.
    fn fill(&mut self, at: VirtAddr, len: u64, byte: u8) {
        for kernel in &mut self.kernels {
            let written = kernel.bytes_mut().fill(at, len, byte);
            debug_assert!(written.is_ok(), "an object is mapped");
        }
    }

    /// Has both do the same.
    fn both<T: PartialEq>(&mut self, act: impl Fn(&mut OurKernel) -> Result<T, Box<Oops>>) -> Result<T, Box<Oops>> {
        let [one, other] = &mut self.kernels;
        let (result, again) = (act(one), act(other));
        debug_assert!(result.as_ref().ok() == again.as_ref().ok(), "what differs is never looked at");
        result
    }

    /// Compares the object, where it lies as recorded.
    fn compare(&self, comparison: &mut Comparison, theirs: &KmallocedObject) -> LeftOut {
        let mut left_out = LeftOut { tracks: 0, undetermined: 0 };
        let [one, other] = &self.kernels;
        let at = theirs.va.address();
        let Some(slab) = one.slab_at(at) else { return left_out };
        let cache = one.cache(one.slab(slab).cache);
        let layout = &cache.layout;
        comparison.same("cache", theirs.cache.as_str(), &cache.name);
        comparison.same("left_pad", theirs.left_pad, layout.red_left_pad);
        let size = index_from(u32::try_from(layout.size).unwrap_or(0));
        let start = VirtAddr::from_raw(at.raw().wrapping_sub(layout.red_left_pad));
        let (mut ours, mut others) = (vec![0; size], vec![0; size]);
        let read = one.bytes().copy_out(start, &mut ours).and(other.bytes().copy_out(start, &mut others));
        debug_assert!(read.is_ok(), "an object is mapped");
        let tracks = layout.red_left_pad + layout.track_at(Track::Alloc);
        let tracks = tracks..tracks + 2 * layout.checks.track_size;
        let is_track = (0..).map(|byte: u64| tracks.contains(&byte));
        let known: Vec<bool> =
            ours.iter().zip(&others).zip(is_track).map(|((ours, others), track)| ours == others && !track).collect();
        let unknown = comparison.same_known_bytes("bytes", &theirs.hex.0, &ours, known.into_iter());
        left_out.tracks = 2 * layout.checks.track_size;
        left_out.undetermined = unknown.saturating_sub(left_out.tracks);
        left_out
    }
}
