//! The worked sequences of a CPU's slab, its partial list and the node's: rule by rule, on kmalloc-256 and others.

use slabscope_core::allocator::{FrameTable, Kernel};
use slabscope_core::event::OopsKind;
use slabscope_core::invariants::{self, Broken};
use slabscope_core::kernel::{KernelConfig, Version};
use slabscope_core::kmalloc::Gfp;
use slabscope_core::luck::{Luck, Seed};
use slabscope_core::memory::Paged;
use slabscope_core::pages::{Buddy, PageSource};
use slabscope_core::units::{CacheId, Pfn, SlabId, VirtAddr};

/// A kernel and the slabs of one cache in order of appearance.
struct Bench {
    kernel: Kernel,
    cache: CacheId,
}

impl Bench {
    fn new(version: Version, cpus: u32, size: u64) -> Self {
        Self::of(&KernelConfig { cpus, ..KernelConfig::plain(version) }, size)
    }

    fn of(config: &KernelConfig, size: u64) -> Self {
        let model = config.model().expect("a kernel");
        let first = Pfn::from_raw(0x4000);
        let kernel = Kernel::new(
            model.clone(),
            Luck::Keyed(Seed(1)),
            Paged::new(0x8000, first, 8192),
            FrameTable::new(first, 8192),
            PageSource::booted(Buddy::new(first, 8192), &model),
            (),
        );
        let cache = kernel.kmalloc_cache(size, Gfp::default()).expect("a class");
        Self { kernel, cache }
    }

    fn objects(&self) -> u32 {
        self.kernel.cache(self.cache).layout.objects
    }

    /// Allocates: (slab, index).
    fn alloc(&mut self) -> (u32, u32) {
        let object = self.kernel.alloc(self.cache, false).expect("no oops");
        let slab = self.kernel.slab_at(object).expect("an object lies in a slab");
        let offset = object.bytes_after(self.kernel.slab(slab).base).expect("in the slab");
        self.check();
        let index = offset / self.kernel.cache(self.cache).layout.size;
        (slab.raw(), u32::try_from(index).expect("small"))
    }

    fn alloc_slabs(&mut self, slabs: u32) {
        for _ in 0..slabs * self.objects() {
            self.alloc();
        }
    }

    fn address(&self, slab: u32, index: u32) -> VirtAddr {
        let size = self.kernel.cache(self.cache).layout.size;
        self.kernel.slab(SlabId::from_raw(slab)).base.wrapping_add(u64::from(index) * size)
    }

    fn free(&mut self, slab: u32, index: u32) {
        let object = self.address(slab, index);
        self.kernel.free(self.cache, object).expect("no oops");
        self.check();
    }

    fn check(&self) {
        invariants::structure(&self.kernel).expect("structure");
        invariants::chains(&self.kernel).expect("chains");
    }

    fn cpu_partial(&self) -> Vec<u32> {
        let c = &self.kernel.cache(self.cache).cpus.running;
        c.partial.iter().rev().map(|(slab, _)| slab.raw()).collect()
    }

    fn node(&self) -> Vec<u32> {
        self.kernel.node_partial(self.cache).map(SlabId::raw).collect()
    }
}

#[test]
fn a_full_slab_is_on_no_list_and_its_first_free_puts_it_on_the_cpus() {
    let mut bench = Bench::new(Version::release(6, 1), 4, 256);
    for index in 0..16 {
        assert_eq!(bench.alloc(), (0, index));
    }
    assert_eq!(bench.alloc(), (1, 0));
    assert!(bench.cpu_partial().is_empty() && bench.node().is_empty());
    bench.free(0, 3);
    bench.free(0, 7);
    assert_eq!(bench.cpu_partial(), [0]);
    for index in 1..16 {
        assert_eq!(bench.alloc(), (1, index));
    }
    assert_eq!(bench.alloc(), (0, 7));
    assert_eq!(bench.alloc(), (0, 3));
}

#[test]
fn a_full_partial_list_goes_to_the_node_newest_first() {
    let mut bench = Bench::new(Version::release(6, 1), 4, 256);
    bench.alloc_slabs(9);
    for slab in 0..7 {
        bench.free(slab, 5);
    }
    assert_eq!(bench.cpu_partial(), [6, 5, 4, 3, 2, 1, 0]);
    bench.free(7, 5);
    assert_eq!(bench.cpu_partial(), [7]);
    assert_eq!(bench.node(), [6, 5, 4, 3, 2, 1, 0]);
    let order: Vec<u32> = (0..8).map(|_| bench.alloc().0).collect();
    assert_eq!(order, [7, 6, 2, 3, 4, 5, 1, 0]);
}

/// slub-semantics 8.3: (class, CPUs, slabs pushed before the victim, after it): whether the victim's page goes home.
#[test]
fn a_victim_slab_goes_home_when_the_node_has_enough() {
    let rows = [
        (192, 4, 0, 12, true),
        (192, 4, 0, 11, false),
        (256, 4, 0, 7, true),
        (64, 1, 0, 4, false),
        (64, 1, 4, 4, true),
        (1024, 16, 4, 2, true),
        (2048, 16, 3, 3, true),
        (4096, 1, 6, 2, true),
        (8192, 1, 6, 3, true),
        (8, 1, 5, 1, true),
    ];
    for (size, cpus, before, after, goes_home) in rows {
        let mut bench = Bench::new(Version::release(6, 1), cpus, size);
        let objects = bench.objects();
        bench.alloc_slabs(before + after + 2);
        for slab in 0..before {
            bench.free(slab, 0);
        }
        for index in 0..objects {
            bench.free(before, index);
        }
        for slab in 0..after {
            bench.free(before + 1 + slab, 0);
        }
        let alive = bench.kernel.slab(SlabId::from_raw(before)).alive;
        assert_eq!(!alive, goes_home, "kmalloc-{size} on {cpus} CPUs, {before} before and {after} after");
    }
}

#[test]
fn before_5_16_the_limit_counts_free_objects() {
    let mut bench = Bench::new(Version::release(5, 10), 1, 256);
    assert_eq!(bench.kernel.cache(bench.cache).layout.cpu_partial, 13);
    bench.alloc_slabs(17);
    for slab in 0..14 {
        bench.free(slab, 0);
    }
    assert_eq!(bench.cpu_partial().len(), 14, "14 counted when put is over 13 only for the next");
    bench.free(14, 0);
    assert_eq!(bench.cpu_partial(), [14]);
    assert_eq!(bench.node().len(), 14);
}

#[test]
fn deactivation_turns_the_list_round_up_to_5_11() {
    for (minor, expected) in [(11, [15, 14, 13]), (12, [1, 2, 3])] {
        let mut bench = Bench::new(Version::release(5, minor), 4, 256);
        assert_eq!(bench.alloc(), (0, 0));
        bench.kernel.shrink(bench.cache).expect("no oops");
        assert_eq!(bench.node(), [0]);
        let order: Vec<u32> = (0..3).map(|_| bench.alloc().1).collect();
        assert_eq!(order, expected, "5.{minor}");
    }
}

#[test]
fn without_cpu_partial_lists_the_first_free_goes_to_the_node() {
    let config = KernelConfig { cpus: 4, cpu_partial: false, ..KernelConfig::plain(Version::release(6, 1)) };
    let mut bench = Bench::of(&config, 256);
    bench.alloc_slabs(3);
    bench.free(0, 1);
    bench.free(1, 1);
    assert_eq!(bench.node(), [0, 1]);
}

#[test]
fn from_6_8_only_the_cpus_own_slab_is_frozen() {
    for (version, frozen) in [(Version::release(6, 7), true), (Version::release(6, 8), false)] {
        let mut bench = Bench::new(version, 4, 256);
        bench.alloc_slabs(2);
        bench.free(0, 3);
        assert_eq!(bench.kernel.slab(SlabId::from_raw(0)).frozen, frozen, "{version}");
        assert_eq!(bench.cpu_partial(), [0]);
        for index in (0..16).filter(|index| *index != 3) {
            bench.free(0, index);
        }
        assert_eq!(bench.cpu_partial(), [0], "{version}: an empty slab stays on the CPU's list");
    }
}

#[test]
fn kmalloc_alignment_by_version() {
    let align = |major, minor, size| {
        let bench = Bench::new(Version::release(major, minor), 1, size);
        bench.kernel.cache(bench.cache).layout.align
    };
    assert_eq!([align(5, 3, 512), align(5, 3, 96)], [8, 8]);
    assert_eq!([align(6, 1, 512), align(6, 1, 96), align(6, 1, 192)], [512, 8, 8]);
    assert_eq!([align(6, 12, 512), align(6, 12, 96), align(6, 12, 192)], [512, 32, 64]);
}

/// slub-semantics 3.9: kmalloc-64 without randomization hands out 59 … 0 of the first slab, then what a refill makes of
/// the four that were left and 56 of the next, then of the eight left there and 52 of the third.
#[test]
fn from_7_0_addresses_descend_sheaf_by_sheaf() {
    let mut bench = Bench::new(Version::release(7, 3), 1, 64);
    let mut expected: Vec<(u32, u32)> = (0..60).rev().map(|index| (0, index)).collect();
    expected.extend((0..56).rev().map(|index| (1, index)));
    expected.extend((60..64).rev().map(|index| (0, index)));
    expected.extend((0..52).rev().map(|index| (2, index)));
    expected.extend((56..64).rev().map(|index| (1, index)));
    for place in expected {
        assert_eq!(bench.alloc(), place);
    }
}

#[test]
fn from_7_0_a_double_free_goes_unseen_and_nothing_is_written() {
    let config = KernelConfig { freelist_hardened: true, ..KernelConfig::plain(Version::release(7, 3)) };
    let mut bench = Bench::of(&config, 64);
    let (slab, index) = bench.alloc();
    bench.free(slab, index);
    let object = bench.address(slab, index);
    bench.kernel.free(bench.cache, object).expect("no oops");
    let twice = Err(Broken::SheafObject { cache: bench.cache, object });
    assert_eq!(invariants::chains(&bench.kernel), twice, "the kernel does not look; the invariants do");
    assert_eq!([bench.alloc(), bench.alloc()], [(slab, index); 2]);
}

#[test]
fn twelve_sheaves_of_frees_pass_before_a_slab_sees_one() {
    let mut bench = Bench::new(Version::release(7, 3), 1, 64);
    let objects: Vec<_> = (0..780).map(|_| bench.alloc()).collect();
    let inuse = |bench: &Bench| bench.kernel.slabs().map(|(_, slab)| u32::from(slab.inuse)).sum::<u32>();
    let before = inuse(&bench);
    for (slab, index) in &objects[..720] {
        bench.free(*slab, *index);
    }
    assert_eq!(inuse(&bench), before);
    for (slab, index) in &objects[720..] {
        bench.free(*slab, *index);
    }
    assert_eq!(inuse(&bench), before - 60, "the spare was flushed");
}

/// `free_to_pcs_bulk` (7.3, recorded: 28 of 40 stay in the sheaf, 12 go home): a single free gets a new sheaf, a bulk
/// free what there is.
#[test]
fn a_bulk_free_makes_no_sheaf_and_passes_the_rest_to_the_slabs() {
    let mut bench = Bench::new(Version::release(7, 3), 1, 512);
    let capacity = 28;
    let objects = bench.kernel.alloc_bulk(bench.cache, 40, false).expect("no oops");
    bench.kernel.free_bulk(Some(bench.cache), &objects).expect("no oops");
    bench.check();
    let sheaves = bench.kernel.cache(bench.cache).sheaves.as_ref().expect("sheaves");
    assert_eq!(sheaves.cpus[0].main, objects[..capacity]);
    assert!(sheaves.cpus[0].spare.is_none() && sheaves.barn.full.is_empty());
    assert_eq!(bench.kernel.slabs().map(|(_, slab)| u32::from(slab.inuse)).sum::<u32>(), 28);
    assert_eq!(bench.node(), [4, 3]);
}

#[test]
fn a_bulk_free_uses_the_empty_sheaves_that_there_are() {
    let mut bench = Bench::new(Version::release(7, 3), 1, 512);
    let objects: Vec<VirtAddr> = (0..56).map(|_| bench.kernel.alloc(bench.cache, false).expect("no oops")).collect();
    bench.kernel.free_bulk(Some(bench.cache), &objects).expect("no oops");
    bench.check();
    let sheaves = bench.kernel.cache(bench.cache).sheaves.as_ref().expect("sheaves");
    assert_eq!(sheaves.cpus[0].spare.as_deref(), Some(&objects[..28]), "the first refill had left an empty spare");
    assert_eq!(sheaves.cpus[0].main, objects[28..]);
}

/// 7.3 warns and leaves the object allocated; up to 6.x it goes to its own cache.
#[test]
fn a_hardened_7_3_leaks_what_is_freed_to_the_wrong_cache() {
    for (version, leaks) in [(Version::release(6, 12), false), (Version::release(7, 3), true)] {
        let config = KernelConfig { freelist_hardened: true, ..KernelConfig::plain(version) };
        let mut bench = Bench::of(&config, 64);
        let place = bench.alloc();
        let other = bench.kernel.kmalloc_cache(128, Gfp::default()).expect("a class");
        let object = bench.address(place.0, place.1);
        bench.kernel.free(other, object).expect("a warning only");
        assert_eq!(bench.alloc() == place, !leaks, "{version}");
    }
}

/// A page that is no slab's, freed to a cache, where nobody looks: ignored up to 6.19 (recorded in 6.1); from 7.0 on the flags
/// of the slab that is none are read.
#[test]
fn a_page_freed_to_a_cache_kills_a_7_3_that_does_not_look() {
    for (version, hardened, dies) in [((6, 1), false, false), ((7, 3), false, true), ((7, 3), true, false)] {
        let config =
            KernelConfig { freelist_hardened: hardened, ..KernelConfig::plain(Version::release(version.0, version.1)) };
        let mut bench = Bench::of(&config, 64);
        let page = bench.kernel.kmalloc(16384, Gfp::default()).expect("no oops");
        let freed = bench.kernel.free(bench.cache, page);
        let fault = freed.err().map(|oops| oops.kind);
        let expected = dies.then_some(OopsKind::PageFault { address: VirtAddr::NULL });
        assert_eq!(fault, expected, "{version:?}, hardened {hardened}");
    }
}
