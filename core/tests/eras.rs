//! Rules of eras of which there are no recordings, each a worked example named after its rule: 2.6.22 to 4.6, and
//! `CONFIG_SLUB_TINY`.

use slabscope_core::invariants;
use slabscope_core::kernel::{DebugFlags, KernelConfig, Version};
use slabscope_core::layout::{CacheArgs, CacheFlags, Layout};
use slabscope_core::luck::Seed;
use slabscope_core::machine::Machine;
use slabscope_core::script::parse_command;
use slabscope_core::units::VirtAddr;

const V2_6_22: Version = Version::of_2_6(22);
const V2_6_24: Version = Version::of_2_6(24);
const V2_6_26: Version = Version::of_2_6(26);
const V3_0: Version = Version::release(3, 0);
const V3_1: Version = Version::release(3, 1);
const V3_2: Version = Version::release(3, 2);
const V3_17: Version = Version::release(3, 17);

/// A machine whose slabs of `kmalloc-256` are told apart by order of appearance.
struct Bench {
    machine: Machine,
}

impl Bench {
    fn of(version: Version) -> Self {
        Self { machine: Machine::boot(&KernelConfig::plain(version), Seed(1)).expect("a kernel") }
    }

    /// On two CPUs, which have no partial lists of their own.
    fn without_cpu_partial(version: Version) -> Self {
        let config = KernelConfig { cpus: 2, cpu_partial: false, ..KernelConfig::plain(version) };
        Self { machine: Machine::boot(&config, Seed(1)).expect("a kernel") }
    }

    fn run(&mut self, line: &str) {
        let applied = self.machine.apply(&parse_command(line).expect("a command"));
        applied.unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
        invariants::structure(self.machine.kernel()).expect("structure");
        invariants::chains(self.machine.kernel()).expect("chains");
    }

    /// Allocates whole slabs; the objects of slab `s` are `os_0`, `os_1` and so on.
    fn fill(&mut self, slabs: u32) {
        for slab in 0..slabs {
            for index in 0..16 {
                self.run(&format!("o{slab}_{index} = kmalloc 256"));
            }
        }
    }

    fn free_slab(&mut self, slab: u32) {
        for index in 0..16 {
            self.run(&format!("free o{slab}_{index}"));
        }
    }

    /// The slab that holds an object, by order of appearance.
    fn slab(&self, address: VirtAddr) -> Option<u32> {
        self.machine.kernel().slab_at(address).map(|slab| slab.raw())
    }

    /// The node's partial list, and how many slabs there are.
    fn node(&self) -> (Vec<u32>, usize) {
        let cache = self.machine.cache_named("kmalloc-256").expect("a cache");
        let kernel = self.machine.kernel();
        (kernel.node_partial(cache).map(|slab| slab.raw()).collect(), kernel.slabs().count())
    }

    /// The slabs and indexes that the next allocations come from.
    fn next(&mut self, count: u32) -> Vec<(u32, u64)> {
        (0..count)
            .map(|number| {
                self.run(&format!("n{number} = kmalloc 256"));
                let address = self.machine.named().last().expect("an object").address;
                let slab = self.slab(address).expect("in a slab");
                (slab, address.raw() % 4096 / 256)
            })
            .collect()
    }
}

fn layout(version: Version, cpus: u32, object_size: u64) -> Layout {
    let model = KernelConfig { cpus, ..KernelConfig::plain(version) }.model().expect("a kernel");
    Layout::of(&CacheArgs { object_size, ..CacheArgs::default() }, &model).expect("a cache")
}

#[track_caller]
fn check_slab(version: Version, cpus: u32, object_size: u64, order: u32, objects: u32) {
    let layout = layout(version, cpus, object_size);
    assert_eq!((layout.order.raw(), layout.objects), (order, objects), "{object_size} bytes on Linux {version}");
}

#[test]
fn before_3_2_the_first_free_into_a_full_slab_puts_it_on_the_nodes_list_at_its_tail() {
    for version in [V2_6_22, V3_0, V3_1] {
        let mut bench = Bench::of(version);
        bench.fill(3);
        bench.run("free o1_3");
        bench.run("free o0_5");
        assert_eq!(bench.node().0, [1, 0], "Linux {version}");
        bench.run("free o1_4");
        assert_eq!(bench.node().0, [1, 0], "one that is on the list stays");
        // The third slab is full, and the CPU's: the first on the list comes next, last freed first.
        assert_eq!(bench.next(3), [(1, 4), (1, 3), (0, 5)], "Linux {version}");
    }
    let mut bench = Bench::of(V3_2);
    bench.fill(3);
    bench.run("free o1_3");
    assert_eq!(bench.node().0, [0_u32; 0], "it is on the CPU's list");
}

/// slub-semantics 3.4 and 3.5: a slab that a CPU gives back goes first where the CPU had free objects of it (up to 3.1), or where
/// nobody else had freed into it (3.2 and later).
#[test]
fn up_to_3_1_a_slab_with_free_objects_of_the_cpu_s_own_goes_first() {
    let own = ["x = kmalloc 256", "free o0_3", "flush_cpu kmalloc-256"];
    let both = ["x = kmalloc 256", "y = kmalloc 256", "cpu 1", "free y", "free o0_3", "cpu 0", "flush_cpu kmalloc-256"];
    let others = ["free o0_3", "cpu 1", "free o1_2", "cpu 0", "flush_cpu kmalloc-256"];
    for (version, way, expected) in [
        (V3_1, &own[..], [2, 0]),
        (V3_2, &own, [2, 0]),
        (V2_6_24, &both, [2, 0]),
        (V3_1, &both, [2, 0]),
        (V3_2, &both, [0, 2]),
        (V2_6_24, &others, [0, 1]),
        (V3_1, &others, [0, 1]),
        (V3_2, &others, [0, 1]),
    ] {
        let mut bench = Bench::without_cpu_partial(version);
        bench.fill(2);
        way.iter().for_each(|line| bench.run(line));
        assert_eq!(bench.node().0, expected, "{way:?} on Linux {version}");
    }
}

#[test]
fn up_to_3_0_a_slab_goes_home_with_its_last_object() {
    for version in [V2_6_24, V3_0] {
        let mut bench = Bench::of(version);
        bench.fill(2);
        bench.free_slab(0);
        assert_eq!(bench.node(), (vec![], 1), "Linux {version}");
    }
}

/// Later kernels do not test for more than that, but for as many.
#[test]
fn an_empty_slab_stays_while_the_node_has_no_more_than_min_partial_up_to_3_16() {
    for (version, kept) in [(V3_1, 8), (V3_17, 4)] {
        let config = KernelConfig { cpu_partial: false, ..KernelConfig::plain(version) };
        let mut bench = Bench { machine: Machine::boot(&config, Seed(1)).expect("a kernel") };
        bench.fill(12);
        for slab in 0..11 {
            bench.free_slab(slab);
        }
        // Both count the slab that is to go. Linux 3.1 sends it home above ilog2(256) = 8, 3.17 at half of that, or 5.
        assert_eq!(bench.node().0.len(), kept, "Linux {version}");
    }
}

#[test]
fn giving_a_cpus_slab_back_turns_its_list_round_up_to_5_11() {
    for (version, next) in [(V2_6_24, [(0, 15), (0, 14)]), (V3_1, [(0, 15), (0, 14)])] {
        let mut bench = Bench::of(version);
        bench.run("a = kmalloc 256");
        bench.run("shrink kmalloc-256");
        assert_eq!(bench.next(2), next, "Linux {version}");
    }
}

/// 2.6.22: 4 objects in an order of at most 1. 2.6.24: 16 objects in an order of at most 3, however many CPUs.
#[test]
fn before_2_6_26_a_slab_holds_a_fixed_number_of_objects() {
    check_slab(V2_6_22, 16, 256, 0, 16);
    check_slab(V2_6_22, 16, 1024, 0, 4);
    check_slab(V2_6_22, 16, 2048, 1, 4);
    check_slab(V2_6_22, 16, 4096, 1, 2);
    check_slab(V2_6_24, 1, 256, 0, 16);
    check_slab(V2_6_24, 1, 512, 1, 16);
    check_slab(V2_6_24, 64, 1024, 2, 16);
    check_slab(V2_6_24, 1, 2048, 3, 16);
    check_slab(V2_6_26, 1, 512, 0, 8);
    check_slab(V2_6_26, 64, 1024, 3, 32);
}

/// 16 objects of 3000 bytes fit no order of at most 3, but 8 do, at a twelfth wasted. In 2.6.22 neither 4 nor 2 fit order
/// 1 at a quarter wasted or less, so one does, in order 0.
#[test]
fn before_2_6_26_the_search_halves_the_objects() {
    check_slab(V2_6_24, 1, 3000, 3, 10);
    check_slab(V2_6_24, 1, 9000, 3, 3);
    check_slab(V2_6_22, 1, 3000, 0, 1);
}

#[test]
fn before_2_6_26_there_is_no_smaller_slab_to_fall_back_to() {
    let orders = |version| {
        let layout = layout(version, 1, 2048);
        (layout.order.raw(), layout.min_order.raw())
    };
    assert_eq!(orders(V2_6_24), (3, 3));
    assert_eq!(orders(V2_6_26), (2, 0));
}

#[test]
fn min_partial_was_fixed_then_grew_with_the_logarithm_and_then_with_half_of_it() {
    let kept = |version, size| layout(version, 1, size).min_partial;
    assert_eq!([V2_6_22, V2_6_24, Version::of_2_6(29), V3_2].map(|version| kept(version, 4096)), [2, 5, 10, 6]);
    assert_eq!([V2_6_22, V2_6_24, Version::of_2_6(29), V3_2].map(|version| kept(version, 64)), [2, 5, 6, 5]);
}

#[test]
fn what_is_larger_than_kmallocs_caches_gets_pages() {
    let served = |version, size| {
        let mut bench = Bench::of(version);
        bench.run(&format!("a = kmalloc {size}"));
        let address = bench.machine.named().last().expect("an object").address;
        bench.slab(address).is_some()
    };
    for (version, largest) in [(V2_6_24, 2048), (V2_6_26, 4096), (V3_0, 8192), (Version::release(6, 1), 8192)] {
        assert!(served(version, largest), "{largest} on Linux {version}");
        assert!(!served(version, largest + 1), "{largest} and one on Linux {version}");
    }
}

/// `CONFIG_SLUB_TINY`: small slabs, none kept empty, no lists of CPUs, reclaimable kmalloc not apart.
#[test]
fn a_tiny_kernel_keeps_nothing() {
    let config = KernelConfig { tiny: true, cpus: 16, ..KernelConfig::plain(Version::release(6, 12)) };
    let model = config.model().expect("a kernel");
    let of = |object_size| Layout::of(&CacheArgs { object_size, ..CacheArgs::default() }, &model).expect("a cache");
    assert_eq!([512, 1024, 2048].map(|size| of(size).order.raw()), [1, 1, 1]);
    assert_eq!((of(512).min_partial, of(512).cpu_partial), (0, 0));
    let mut machine = Machine::boot(&config, Seed(1)).expect("a kernel");
    assert_eq!(machine.cache_named("kmalloc-rcl-64"), None);
    for line in ["a = kmalloc 64 __GFP_RECLAIMABLE", "shrink kmalloc-64", "free a"] {
        machine.apply(&parse_command(line).expect("a command")).expect("carried out");
    }
    assert_eq!(machine.kernel().slabs().count(), 0, "the slab went home with its last object");
}

/// `CONFIG_SLUB_TINY`: no CPU owns a slab, in any version that has it; an object comes from the first slab of the node's list,
/// which stays there until it is full.
#[test]
fn a_tiny_kernel_s_cpus_own_no_slabs() {
    for version in [(6, 2), (6, 12), (6, 18), (7, 3)] {
        let version = Version::release(version.0, version.1);
        let config = KernelConfig { tiny: true, cpus: 4, ..KernelConfig::plain(version) };
        let mut machine = Machine::boot(&config, Seed(1)).expect("a kernel");
        let mut apply = |line: &str| {
            machine.apply(&parse_command(line).expect(line)).expect(line);
            let id = machine.cache_named("kmalloc-1k").expect("a cache");
            let cache = machine.kernel().cache(id);
            assert!(cache.sheaves.is_none() && cache.cpu_slabs().iter().all(|(_, cpu)| cpu.slab.is_none()), "{line}");
            let listed = machine.kernel().node_partial(id).map(|slab| machine.kernel().slab(slab).inuse).collect();
            (cache.nr_slabs, listed)
        };
        let steps: [(&str, (u32, Vec<u16>)); 10] = [
            ("a = kmalloc 1024", (1, vec![1])),
            ("bulk x 7 kmalloc-1k", (1, vec![])),
            ("b = kmalloc 1024", (2, vec![1])),
            ("cpu 2", (2, vec![1])),
            ("free a", (2, vec![1, 7])),
            ("c = kmalloc 1024", (2, vec![2, 7])),
            ("free b", (2, vec![1, 7])),
            ("free c", (1, vec![7])),
            ("bulkfree x0 x1 x2", (1, vec![4])),
            ("bulkfree x3 x4 x5 x6", (0, vec![])),
        ];
        for (line, expected) in steps {
            assert_eq!(apply(line), expected, "{line} on Linux {version}");
        }
    }
}

/// Before 5.9 an accounted object comes from a child of its cache, which no other cache merges with; `/proc/slabinfo` counts it
/// with its root; a root whose child has objects cannot be destroyed (slub-semantics 7.4, and not verified).
#[test]
fn accounted_objects_lie_in_a_child_of_their_cache_up_to_5_8() {
    for (version, apart) in [((4, 5), true), ((5, 8), true), ((5, 9), false), ((6, 1), false)] {
        let version = Version::release(version.0, version.1);
        let config = KernelConfig { memcg: true, ..KernelConfig::plain(version) };
        let mut machine = Machine::boot(&config, Seed(1)).expect("a kernel");
        let mut apply = |line: &str| machine.apply(&parse_command(line).expect(line)).expect(line).returned;
        apply("cache a 200 flags=account");
        apply("cache b 328");
        let of = |machine: &Machine, at: Option<VirtAddr>| {
            let slab = machine.kernel().slab_at(at.expect("returned")).expect("a slab");
            machine.kernel().cache(machine.kernel().slab(slab).cache).name.to_string()
        };
        let [x, y, z, w] = ["x = alloc a", "y = alloc b", "z = alloc b __GFP_ACCOUNT", "w = alloc a"].map(&mut apply);
        let child = |name: &str| if apart { format!("{name}(1:user)") } else { name.to_owned() };
        let expected = [child("a"), "b".to_owned(), child("b"), child("a")];
        assert_eq!([x, y, z, w].map(|at| of(&machine, at)), expected, "Linux {version}");
        let info = machine.slabinfo();
        assert!(!info.contains("(1:user)"), "{info}");
        let line = info.lines().find(|line| line.starts_with("b ")).expect("a line");
        assert_eq!(line.split_whitespace().nth_back(1), Some(if apart { "2" } else { "1" }), "{line}");
        let mut apply = |line: &str| machine.apply(&parse_command(line).expect(line)).expect(line).events;
        apply("free x to a");
        apply("free y");
        let told = apply("destroy b");
        assert!(told.iter().any(|event| event.warning().is_some()), "an object of b remains on Linux {version}");
        apply("free w to a");
        apply("destroy a");
        let left = ["a", &child("a")].map(|name| machine.cache_named(name));
        assert_eq!(left, [None, None], "Linux {version}");
        assert_eq!(invariants::chains(machine.kernel()), Ok(()));
    }
}

/// `CONFIG_SLUB_DEBUG` is not built with `CONFIG_SLUB_TINY`: the flags of a cache that ask for checks are dropped.
#[test]
fn a_tiny_kernel_has_no_checks() {
    let config = KernelConfig { tiny: true, ..KernelConfig::plain(Version::release(6, 12)) };
    let flags = CacheFlags {
        debug: DebugFlags { red_zone: true, poison: true, ..DebugFlags::default() },
        ..CacheFlags::default()
    };
    let args = CacheArgs { object_size: 64, flags, ..CacheArgs::default() };
    let (kept, layout) = Layout::at_boot("a", &args, &config.model().expect("a kernel")).expect("a cache");
    assert_eq!((kept.flags.debug, layout.size), (DebugFlags::default(), 64));
}
