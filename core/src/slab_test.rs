//! `slab_test`: what kmalloc and kfree cost, measured as the module of that name does, whose numbers came with the
//! freelist randomization patch of 2016.
//!
//! 1. Repeatedly allocate then free: `n` times kmalloc, the first word touched; then `n` times kfree in the same order.
//!    This takes new slabs and sends them home.
//! 2. alloc/free: `n` times kmalloc and at once kfree. This never leaves the CPU's freelist.
//!
//! One run boots a kernel and takes all sizes through test 1, then through test 2. Configurations take turns, and of
//! the rounds the least counts, cell by cell, so that what else the host did falls away. The clock is the caller's.

use crate::allocator::{FrameTable, Kernel};
use crate::event::Oops;
use crate::kernel::{ConfigError, KernelConfig, Model, Version};
use crate::kmalloc::Gfp;
use crate::luck::{Luck, Seed};
use crate::memory::{Bytes, Flat};
use crate::pages::{Buddy, PageSource};
use crate::units::{PAGE_SIZE, Pfn, VirtAddr, index_from};

/// The sizes of the published table, in bytes.
pub const SIZES: [u64; 10] = [8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096];
/// How many objects where memory allows it.
pub const MANY: u32 = 100_000;
/// How many where it does not.
pub const FEWER: u32 = 10_000;
/// Pages of memory in which [`MANY`] objects of the largest size find room: 512 MiB.
pub const ROOMY: u32 = 131_072;

/// Which hardening is built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Configuration {
    /// None.
    Plain,
    /// `CONFIG_SLAB_FREELIST_RANDOM`.
    Random,
    /// `CONFIG_SLAB_FREELIST_HARDENED`.
    Hardened,
    /// Both.
    HardenedRandom,
}

impl Configuration {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Random, Self::Hardened, Self::HardenedRandom];

    /// Its name.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Random => "random",
            Self::Hardened => "hardened",
            Self::HardenedRandom => "hardened-random",
        }
    }

    /// The kernel of `version` with this hardening.
    #[must_use]
    pub fn kernel(self, version: Version) -> KernelConfig {
        KernelConfig {
            freelist_random: matches!(self, Self::Random | Self::HardenedRandom),
            freelist_hardened: matches!(self, Self::Hardened | Self::HardenedRandom),
            ..KernelConfig::plain(version)
        }
    }
}

/// What a clock shows, or what passed between two looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Nanoseconds.
    pub nanoseconds: u64,
    /// Ticks of the processor's time-stamp counter.
    pub ticks: u64,
}

impl Reading {
    const MOST: Self = Self { nanoseconds: u64::MAX, ticks: u64::MAX };

    fn since(self, start: Self) -> Self {
        Self {
            nanoseconds: self.nanoseconds.saturating_sub(start.nanoseconds),
            ticks: self.ticks.saturating_sub(start.ticks),
        }
    }

    fn min(self, other: Self) -> Self {
        Self { nanoseconds: self.nanoseconds.min(other.nanoseconds), ticks: self.ticks.min(other.ticks) }
    }
}

/// What all calls of a size cost together under a configuration: the least of the rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The configuration.
    pub configuration: Configuration,
    /// The size asked for, in bytes.
    pub size: u64,
    /// How many calls of each kind.
    pub calls: u32,
    /// Test 1, kmalloc.
    pub kmalloc: Reading,
    /// Test 1, kfree.
    pub kfree: Reading,
    /// Test 2: kmalloc and kfree.
    pub pair: Reading,
}

/// How many objects of `size` bytes the test takes where there are `pages` pages.
#[must_use]
pub fn calls_for(size: u64, pages: u32) -> u32 {
    // A tenth is left for slabs that caches keep.
    let room = PAGE_SIZE * u64::from(pages) / 10 * 9;
    if size * u64::from(MANY) <= room { MANY } else { FEWER }
}

/// Measures `configurations` of the kernel `version` in turns, `rounds` times, in `pages` pages of flat memory.
/// Rows come configuration by configuration, size by size.
///
/// # Errors
/// Where the version lacks one of the configurations.
///
/// # Panics
/// When the memory is too small for [`FEWER`] objects of the largest size.
pub fn slab_test(
    version: Version,
    configurations: &[Configuration],
    rounds: u32,
    pages: u32,
    clock: &mut dyn FnMut() -> Reading,
) -> Result<Vec<Row>, ConfigError> {
    let mut rows = Vec::new();
    let mut models = Vec::new();
    for configuration in configurations {
        models.push(configuration.kernel(version).model()?);
        rows.extend(SIZES.map(|size| Row {
            configuration: *configuration,
            size,
            calls: calls_for(size, pages),
            kmalloc: Reading::MOST,
            kfree: Reading::MOST,
            pair: Reading::MOST,
        }));
    }
    let mut memory = Flat::new(pages);
    for round in 0..rounds {
        for (model, rows) in models.iter().zip(rows.chunks_mut(SIZES.len())) {
            let mut run = Run::boot(model, Seed(u64::from(round)), memory, pages);
            rows.iter_mut().for_each(|row| run.repeatedly(row, clock));
            rows.iter_mut().for_each(|row| run.pairs(row, clock));
            memory = run.kernel.bytes;
        }
    }
    Ok(rows)
}

/// A booted kernel and the objects that the test holds.
struct Run<B: Bytes> {
    kernel: Kernel<(), B>,
    objects: Vec<VirtAddr>,
}

impl<B: Bytes> Run<B> {
    fn boot(model: &Model, luck: Seed, memory: B, pages: u32) -> Self {
        let first = Pfn::from_raw(0);
        let frames = FrameTable::new(first, pages);
        let source = PageSource::booted(Buddy::new(first, pages), model);
        let kernel = Kernel::new(model.clone(), Luck::Keyed(luck), memory, frames, source, ());
        Self { kernel, objects: vec![VirtAddr::NULL; index_from(MANY)] }
    }

    /// Test 1. Called anew for each row: a browser compiles a function well once it was called a few times, and never while
    /// it runs.
    #[inline(never)]
    fn repeatedly(&mut self, row: &mut Row, clock: &mut dyn FnMut() -> Reading) {
        let objects = &mut self.objects[..index_from(row.calls)];
        let start = clock();
        for object in objects.iter_mut() {
            *object = allocated(self.kernel.kmalloc(row.size, Gfp::default()));
            let written = self.kernel.bytes.write_u64(*object, 22).is_ok();
            assert!(written, "every allocation returned an object");
        }
        let filled = clock();
        for object in objects.iter() {
            freed(self.kernel.kfree(*object));
        }
        row.kmalloc = row.kmalloc.min(filled.since(start));
        row.kfree = row.kfree.min(clock().since(filled));
    }

    /// Test 2, called anew too.
    #[inline(never)]
    fn pairs(&mut self, row: &mut Row, clock: &mut dyn FnMut() -> Reading) {
        let start = clock();
        for _ in 0..row.calls {
            let object = allocated(self.kernel.kmalloc(row.size, Gfp::default()));
            freed(self.kernel.kfree(object));
        }
        row.pair = row.pair.min(clock().since(start));
    }
}

/// Nothing is damaged here. In the loop itself, as `expect` is not where code is compiled for size.
#[inline(always)]
fn allocated(object: Result<VirtAddr, Oops>) -> VirtAddr {
    match object {
        Ok(object) => object,
        Err(oops) => panic!("nothing is damaged: {}", oops.kind),
    }
}

/// Each object is freed once.
#[inline(always)]
fn freed(object: Result<(), Box<Oops>>) {
    if let Err(oops) = object {
        panic!("an object is freed once: {}", oops.kind);
    }
}
