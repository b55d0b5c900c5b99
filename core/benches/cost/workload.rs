//! What is counted: one act of the allocator, over and over, under one configuration.

use slabscope_core::allocator::{FrameTable, Kernel, Probe, Recorder};
use slabscope_core::kernel::Version;
use slabscope_core::kmalloc::Gfp;
use slabscope_core::luck::{Luck, Purpose, Seed};
use slabscope_core::memory::{Bytes, Flat, Paged};
use slabscope_core::pages::{Buddy, PageSource};
use slabscope_core::slab_test::Configuration;
use slabscope_core::units::{PAGE_SIZE, Pfn, VirtAddr};
use std::hint::black_box;

/// Pages of memory.
const PAGES: u32 = 8192;
/// Calls of the acts that leave the CPU's slab where it is, in batches that one slab of 64 bytes has room for.
const BATCH: u32 = 60;
const BATCHES: u32 = 40;
/// Objects of the acts that take new slabs and send them home.
const OBJECTS: u32 = 1024;

/// What the allocator does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// kmalloc from the CPU's freelist.
    AllocFast,
    /// kfree to the CPU's slab.
    FreeFast,
    /// kmalloc and at once kfree.
    Pair,
    /// kmalloc of that many bytes, from new slabs.
    AllocFresh(u64),
    /// kfree of objects of that many bytes, to slabs that no CPU owns and that go home in the end.
    FreeAway(u64),
    /// The draw of a new slab's start.
    Draw,
}

/// Where objects lie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Memory {
    Flat,
    Paged,
}

/// Something that is counted.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) act: Act,
    pub(crate) configuration: Configuration,
    pub(crate) memory: Memory,
    pub(crate) recorded: bool,
}

impl Row {
    /// Its name, in the file of counts too.
    pub(crate) fn name(self) -> String {
        let act = match self.act {
            Act::AllocFast => "kmalloc, fast path".to_owned(),
            Act::FreeFast => "kfree, fast path".to_owned(),
            Act::Pair => "kmalloc and kfree".to_owned(),
            Act::AllocFresh(size) => format!("kmalloc({size}) from new slabs"),
            Act::FreeAway(size) => format!("kfree({size}) to slabs of no CPU"),
            Act::Draw => "draw of a start".to_owned(),
        };
        let memory = if self.memory == Memory::Flat { "flat" } else { "paged" };
        let probe = if self.recorded { ", recorded" } else { "" };
        format!("{act}, {}, {memory}{probe}", self.configuration.word())
    }

    /// How many calls [`run`](Self::run) makes.
    pub(crate) const fn calls(self) -> u32 {
        match self.act {
            Act::AllocFast | Act::FreeFast | Act::Pair | Act::Draw => BATCH * BATCHES,
            Act::AllocFresh(_) | Act::FreeAway(_) => OBJECTS,
        }
    }

    /// Makes them.
    pub(crate) fn run(self) {
        match (self.memory, self.recorded) {
            (Memory::Flat, false) => self.run_on(Flat::new(PAGES), ()),
            (Memory::Flat, true) => self.run_on(Flat::new(PAGES), Recorder::default()),
            (Memory::Paged, false) => self.run_on(Paged::new(PAGES, Pfn::from_raw(0), PAGES), ()),
            (Memory::Paged, true) => self.run_on(Paged::new(PAGES, Pfn::from_raw(0), PAGES), Recorder::default()),
        }
    }

    fn run_on<B: Bytes, P: Listener>(self, mut bytes: B, probe: P) {
        let first = Pfn::from_raw(0);
        // Every page is there before anything is counted, as in a machine that has run for a while.
        bytes.fill(first.address(), u64::from(PAGES) * PAGE_SIZE, 0xa5).expect("all of it is mapped");
        let model = self.configuration.kernel(Version::release(5, 6)).model().expect("5.6 has all of them");
        let source = PageSource::booted(Buddy::new(first, PAGES), &model);
        let kernel = Kernel::new(model, Luck::Keyed(Seed(1)), bytes, FrameTable::new(first, PAGES), source, probe);
        let mut bench = Bench { kernel, objects: Vec::new() };
        match self.act {
            Act::AllocFast => bench.fast(|bench| counted(|| bench.take(BATCH, 64)), Bench::give_all),
            Act::FreeFast => bench.fast(|bench| bench.take(BATCH, 64), |bench| counted(|| bench.give_all())),
            Act::Pair => bench.fast(|bench| counted(|| bench.pairs(BATCH, 64)), |_| ()),
            Act::AllocFresh(size) => bench.away(size, |bench| counted(|| bench.take(OBJECTS, size)), Bench::give_all),
            Act::FreeAway(size) => {
                bench.away(size, |bench| bench.take(OBJECTS, size), |bench| counted(|| bench.give_all()));
            }
            Act::Draw => draw(),
        }
    }
}

/// What valgrind counts the instructions of.
#[inline(never)]
pub(crate) fn counted(work: impl FnOnce()) {
    work();
}

fn draw() {
    let seed = Seed(1);
    let mut luck = Luck::Keyed(seed);
    let key = seed.key(Purpose::Start, "kmalloc-64");
    counted(|| {
        for ordinal in 0..u64::from(BATCH * BATCHES) {
            black_box(luck.start(key, ordinal, 64));
        }
    });
}

/// A probe that can be emptied.
trait Listener: Probe {
    fn empty(&mut self);
}

impl Listener for () {
    fn empty(&mut self) {}
}

impl Listener for Recorder {
    fn empty(&mut self) {
        self.drain();
    }
}

struct Bench<P: Listener, B: Bytes> {
    kernel: Kernel<P, B>,
    objects: Vec<VirtAddr>,
}

impl<P: Listener, B: Bytes> Bench<P, B> {
    /// Batches on the CPU's slab, which is there from the first.
    fn fast(&mut self, take: impl Fn(&mut Self), give: impl Fn(&mut Self)) {
        self.objects.reserve(BATCH.try_into().expect("a batch"));
        self.pairs(1, 64);
        for _ in 0..BATCHES {
            take(self);
            give(self);
            self.kernel.probe_mut().empty();
        }
    }

    /// Objects from new slabs; the cache's sequence is drawn already.
    fn away(&mut self, size: u64, take: impl Fn(&mut Self), give: impl Fn(&mut Self)) {
        self.objects.reserve(OBJECTS.try_into().expect("a batch"));
        self.pairs(1, size);
        take(self);
        self.kernel.probe_mut().empty();
        give(self);
    }

    fn take(&mut self, count: u32, size: u64) {
        for _ in 0..count {
            let object = self.kernel.kmalloc(size, Gfp::default()).expect("nothing is damaged");
            self.objects.push(object);
        }
    }

    fn give_all(&mut self) {
        for object in self.objects.drain(..) {
            self.kernel.kfree(object).expect("an object is freed once");
        }
    }

    fn pairs(&mut self, count: u32, size: u64) {
        for _ in 0..count {
            let object = self.kernel.kmalloc(size, Gfp::default()).expect("nothing is damaged");
            self.kernel.kfree(object).expect("an object is freed once");
        }
    }
}
