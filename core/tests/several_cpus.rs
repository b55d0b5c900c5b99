//! Several CPUs, sheaves and grace periods, rule by rule. The cases A1 to A8 and R1 to R4 are those of the recordings
//! s10a and s11, made small.

use slabscope_core::blast::{Struck, blast};
use slabscope_core::event::{Event, Warning};
use slabscope_core::forecast::{Ahead, forecast};
use slabscope_core::invariants;
use slabscope_core::luck::Seed;
use slabscope_core::machine::{Applied, Machine, Refusal};
use slabscope_core::script::{parse_command, parse_kernel};
use slabscope_core::snapshot::{CacheView, CpuView, ObjectState, ObjectView, SheavesView, SlabList};
use slabscope_core::units::{CpuId, SlabId, VirtAddr};
use std::rc::Rc;

/// A machine, and commands as text.
struct Bench {
    machine: Machine,
    cache: &'static str,
    done: u32,
}

impl Bench {
    fn new(kernel: &str, cache: &'static str) -> Self {
        let config = parse_kernel(kernel).expect("a kernel");
        Self { machine: Machine::boot(&config, Seed(1)).expect("such a kernel exists"), cache, done: 0 }
    }

    #[track_caller]
    fn does(&mut self, line: &str) -> Applied {
        let applied = self.tries(line).expect("carried out");
        self.done += 1;
        if self.done.is_multiple_of(16) {
            invariants::structure(self.machine.kernel()).expect("structure");
            invariants::chains(self.machine.kernel()).expect("chains");
        }
        applied
    }

    fn tries(&mut self, line: &str) -> Result<Applied, Refusal> {
        self.machine.apply(&parse_command(line).expect("a command"))
    }

    /// Allocates `from`, `from + 1` … on a CPU: objects with these numbers as names.
    fn allocs(&mut self, cpu: u32, from: u32, count: u32) {
        self.does(&format!("cpu {cpu}"));
        for number in from..from + count {
            self.does(&format!("o{number} = alloc {}", self.cache));
        }
    }

    /// Frees objects by number on a CPU, with `free` or `kfree_rcu`.
    fn frees(&mut self, cpu: u32, how: &str, numbers: impl IntoIterator<Item = u32>) {
        self.does(&format!("cpu {cpu}"));
        for number in numbers {
            self.does(&format!("{how} o{number}"));
        }
    }

    /// What the next allocations on the running CPU return, by the name that it last had; a new slab's are `None`.
    fn next(&self, count: u32) -> Vec<Option<u32>> {
        let cache = self.machine.cache_named(self.cache).expect("the cache");
        let number = |address| self.machine.last_at(address).and_then(|named| named.name.as_str()[1..].parse().ok());
        let ahead = forecast(&self.machine, None, cache, count);
        let returned = ahead.iter().map(|ahead| match ahead {
            Ahead::Returns { address, .. } => number(*address),
            Ahead::Fails | Ahead::Dies(_) => panic!("an allocation fails"),
        });
        returned.collect()
    }

    fn view(&self) -> Rc<CacheView> {
        let id = self.machine.cache_named(self.cache).expect("the cache");
        Rc::clone(self.machine.snapshot().cache(id).expect("its view"))
    }

    fn cpu(&self, cpu: u32) -> CpuView {
        let empty = self.view().cpus.iter().find(|view| view.cpu == CpuId::from_raw(cpu)).cloned();
        empty.expect("the CPU has used the cache")
    }

    fn sheaves(&self) -> SheavesView {
        self.view().sheaves.clone().expect("sheaves")
    }

    fn address(&self, number: u32) -> VirtAddr {
        let name = format!("o{number}");
        self.machine.named().find(|object| object.name.as_str() == name).expect("an object").address
    }

    fn slab_of(&self, number: u32) -> SlabId {
        self.machine.kernel().slab_at(self.address(number)).expect("a slab")
    }

    fn list_of(&self, number: u32) -> SlabList {
        self.machine.snapshot().slab(self.slab_of(number)).expect("a slab").list
    }

    fn object(&self, number: u32) -> ObjectView {
        let address = self.address(number);
        let snapshot = self.machine.snapshot();
        let slab = snapshot.slab(self.slab_of(number)).expect("a slab");
        slab.objects.iter().find(|object| object.address == address).expect("an object").clone()
    }
}

const WITH_CPU_SLABS: [&str; 2] = ["6.1 cpus=4 hidden=on random=on", "6.12 cpus=4"];
const WITH_SHEAVES: &str = "7.3 cpus=4 random=on";

fn some(numbers: impl IntoIterator<Item = u32>) -> Vec<Option<u32>> {
    numbers.into_iter().map(Some).collect()
}

/// A1, A2.
#[test]
fn what_another_cpu_frees_into_a_cpus_slab_comes_back_when_its_own_list_is_used_up_last_freed_first() {
    for kernel in WITH_CPU_SLABS {
        let mut bench = Bench::new(kernel, "kmalloc-1k");
        bench.allocs(0, 0, 14);
        let slab = bench.slab_of(0);
        bench.frees(1, "free", [3, 5, 7]);
        assert_eq!((bench.cpu(0).slab, bench.list_of(0)), (Some(slab), SlabList::CpuSlab(CpuId::from_raw(0))));
        bench.does("cpu 0");
        assert_eq!(bench.next(6), [None, None, Some(7), Some(5), Some(3), None], "{kernel}");
        bench.does("cpu 1");
        assert_eq!(bench.next(1), [None], "CPU 1 does not look at CPU 0's slab: {kernel}");
    }
}

/// A3.
#[test]
fn the_first_free_into_a_full_slab_puts_it_on_the_list_of_the_cpu_that_frees() {
    for kernel in WITH_CPU_SLABS {
        let mut bench = Bench::new(kernel, "kmalloc-1k");
        bench.allocs(0, 0, 17);
        assert_eq!(bench.list_of(0), SlabList::None, "full");
        bench.frees(1, "free", [4]);
        bench.frees(2, "free", [6]);
        assert_eq!(bench.list_of(0), SlabList::CpuPartial(CpuId::from_raw(1)), "{kernel}");
        assert_eq!((bench.next(1), bench.cpu(1).partial_count), (vec![None], 1));
        bench.does("cpu 1");
        assert_eq!(bench.next(2), some([6, 4]), "{kernel}");
    }
}

/// A4.
#[test]
fn a_slab_that_empties_on_another_cpus_list_stays_there() {
    for kernel in WITH_CPU_SLABS {
        let mut bench = Bench::new(kernel, "kmalloc-1k");
        bench.allocs(0, 0, 17);
        bench.frees(0, "free", [0]);
        bench.frees(1, "free", 1..16);
        assert_eq!(bench.list_of(0), SlabList::CpuPartial(CpuId::from_raw(0)), "{kernel}");
        let inuse = bench.machine.snapshot().slab(bench.slab_of(0)).expect("a slab").inuse;
        assert_eq!((inuse, bench.view().nr_slabs), (0, 2), "{kernel}");
    }
}

/// A5: three slabs fit the list of kmalloc-1k on four CPUs.
#[test]
fn a_cpus_full_list_goes_to_the_node_and_whoever_runs_dry_takes_from_there() {
    for kernel in WITH_CPU_SLABS {
        let mut bench = Bench::new(kernel, "kmalloc-1k");
        bench.allocs(0, 0, 16 * 6 + 1);
        bench.frees(1, "free", [0, 16, 32]);
        let slabs: Vec<SlabId> = (0..6).map(|slab| bench.slab_of(slab * 16)).collect();
        assert_eq!(bench.cpu(1).partial, [slabs[2], slabs[1], slabs[0]], "{kernel}");
        bench.frees(1, "free", [48]);
        assert_eq!(
            (bench.cpu(1).partial, bench.view().node_partial.clone()),
            (vec![slabs[3]], vec![slabs[2], slabs[1], slabs[0]])
        );
        bench.allocs(2, 200, 1);
        assert_eq!(bench.address(200), bench.address(32), "the node's first: {kernel}");
        assert_eq!((bench.cpu(2).slab, bench.cpu(2).partial), (Some(slabs[2]), vec![slabs[0], slabs[1]]), "{kernel}");
    }
}

/// A6.
#[test]
fn objects_travel_between_cpus_in_whole_sheaves_and_the_last_two_stay() {
    let mut bench = Bench::new(WITH_SHEAVES, "kmalloc-64");
    bench.allocs(0, 0, 840);
    bench.frees(1, "free", 0..840);
    let sheaves = bench.sheaves();
    assert_eq!((sheaves.full.len(), sheaves.cpus[1].main.objects.len()), (10, 60));
    assert_eq!(sheaves.cpus[1].spare.as_ref().map(|spare| spare.objects.len()), Some(60));
    bench.does("cpu 0");
    // What the barn had no room for went to the slabs; of the barn the sheaf that was put last is taken first.
    let first = sheaves.full[0].objects.last().copied();
    bench.allocs(0, 1000, 720);
    assert_eq!(Some(bench.address(1000)), first);
    let sheaves = bench.sheaves();
    assert_eq!((sheaves.full.len(), sheaves.cpus[1].main.objects.len()), (0, 60), "120 of 840 stay with CPU 1");
}

/// A7.
#[test]
fn ping_pong_between_two_cpus_stays_on_one_slab_where_cpus_own_slabs() {
    for kernel in WITH_CPU_SLABS {
        let mut bench = Bench::new(kernel, "kmalloc-64");
        for number in 0..400 {
            bench.allocs(0, number, 1);
            bench.frees(1, "free", [number]);
        }
        assert_eq!(bench.view().nr_slabs, 1, "{kernel}");
    }
    let mut bench = Bench::new(WITH_SHEAVES, "kmalloc-64");
    for number in 0..400 {
        bench.allocs(0, number, 1);
        bench.frees(1, "free", [number]);
    }
    assert_eq!(bench.view().nr_slabs, 3, "the producer makes slabs until the consumer gives a sheaf to the barn");
}

/// A8.
#[test]
fn a_shrink_takes_from_every_cpu() {
    for kernel in [WITH_CPU_SLABS[0], WITH_CPU_SLABS[1], WITH_SHEAVES] {
        let mut bench = Bench::new(kernel, "kmalloc-512");
        for cpu in 0..4 {
            bench.allocs(cpu, cpu * 100, 20);
            bench.frees(cpu, "free", cpu * 100..cpu * 100 + 10);
        }
        bench.does("shrink kmalloc-512");
        let view = bench.view();
        assert!(view.cpus.iter().all(|cpu| cpu.slab.is_none() && cpu.partial.is_empty()), "{kernel}");
        let sheaves = view.sheaves.as_ref();
        assert!(sheaves.is_none_or(|sheaves| sheaves.cpus.iter().all(|cpu| cpu.main.objects.is_empty())), "{kernel}");
        for number in [10, 110, 210, 310] {
            assert_eq!(bench.object(number).state, ObjectState::InUse);
        }
    }
}

#[test]
fn a_flush_takes_from_one_cpu_only() {
    let mut bench = Bench::new(WITH_CPU_SLABS[1], "kmalloc-1k");
    bench.allocs(0, 0, 3);
    bench.allocs(1, 10, 3);
    bench.does("flush_cpu kmalloc-1k");
    assert_eq!((bench.list_of(10), bench.cpu(1).slab), (SlabList::NodePartial, None));
    assert_eq!(bench.list_of(0), SlabList::CpuSlab(CpuId::from_raw(0)));
}

/// A free goes to the sheaf of the CPU that frees, and writes nothing.
#[test]
fn with_sheaves_a_free_from_elsewhere_does_not_touch_the_slab() {
    let mut bench = Bench::new(WITH_SHEAVES, "kmalloc-64");
    bench.allocs(0, 0, 5);
    let before = bench.object(2).pointer.stored;
    bench.frees(1, "free", [2]);
    let object = bench.object(2);
    assert!(matches!(object.state, ObjectState::InSheaf { position: 1, .. }), "{:?}", object.state);
    assert_eq!(object.pointer.stored, before);
    let parts = blast(&bench.machine, object.address, 64);
    assert!(parts.iter().all(|part| matches!(part.what, Struck::Data { in_use: false, .. })), "no pointer to hit");
    assert_eq!(bench.next(1), some([2]));
}

/// R1, up to 6.x: the first batch finds no page at hand.
#[test]
fn without_a_page_at_hand_what_kfree_rcu_got_last_is_freed_first() {
    for kernel in WITH_CPU_SLABS {
        let mut bench = Bench::new(kernel, "kmalloc-64");
        bench.allocs(1, 0, 10);
        bench.frees(1, "kfree_rcu", [2, 4, 6]);
        assert_eq!(bench.object(4).state, ObjectState::Waiting);
        assert_eq!(bench.next(1), [None], "{kernel}");
        bench.does("grace");
        assert_eq!(bench.next(3), some([2, 4, 6]), "{kernel}");
    }
}

/// R2: a page is freed in bulk, and the free hook turns the chain round.
#[test]
fn a_page_of_pointers_comes_back_last_in_first_out() {
    for kernel in WITH_CPU_SLABS {
        let mut bench = Bench::new(kernel, "kmalloc-64");
        bench.allocs(0, 0, 10);
        bench.frees(0, "kfree_rcu", [9]);
        bench.does("grace");
        bench.frees(0, "kfree_rcu", [2, 4, 6]);
        assert_eq!(bench.machine.snapshot().rcu.batches[0].pages.len(), 1);
        bench.does("grace");
        assert_eq!(bench.next(4), some([6, 4, 2, 9]), "{kernel}");
    }
}

/// 5.5 and 5.6, not verified.
#[test]
fn before_batches_each_object_is_a_callback_and_then_a_list() {
    for (kernel, order) in [("5.5", [6, 4, 2]), ("5.6", [2, 4, 6])] {
        let mut bench = Bench::new(kernel, "kmalloc-64");
        bench.allocs(0, 0, 10);
        bench.frees(0, "kfree_rcu", [2, 4, 6]);
        bench.does("grace");
        assert_eq!(bench.next(3), some(order), "{kernel}");
    }
}

/// R2 with sheaves: such objects come back last in first out, to whichever CPU runs dry.
#[test]
fn a_full_rcu_sheaf_becomes_a_full_one_of_the_barn() {
    let mut bench = Bench::new(WITH_SHEAVES, "kmalloc-64");
    bench.allocs(0, 0, 120);
    bench.frees(1, "kfree_rcu", 0..60);
    assert_eq!(bench.object(7).state, ObjectState::Waiting);
    assert_eq!((bench.sheaves().full.len(), bench.machine.snapshot().rcu.sheaves.len()), (0, 1));
    bench.does("grace");
    assert_eq!((bench.sheaves().full.len(), bench.machine.snapshot().rcu.sheaves.len()), (1, 0));
    bench.does("cpu 2");
    assert_eq!(bench.next(60), some((0..60).rev()));
}

/// R1 and R5 with sheaves.
#[test]
fn a_part_filled_rcu_sheaf_waits_until_its_cpu_is_flushed_and_then_goes_to_the_slabs() {
    let mut bench = Bench::new(WITH_SHEAVES, "kmalloc-64");
    bench.allocs(0, 0, 10);
    bench.frees(0, "kfree_rcu", [2, 4, 6]);
    bench.does("grace");
    assert_eq!(bench.object(4).state, ObjectState::Waiting, "a grace period does nothing for it");
    bench.does("flush_cpu kmalloc-64");
    assert_eq!(bench.object(4).state, ObjectState::Waiting, "handed over");
    bench.does("grace");
    assert!(matches!(bench.object(4).state, ObjectState::Free { .. }));
    assert!(bench.sheaves().full.is_empty(), "never to the barn");
}

/// R4.
#[test]
fn an_rcu_sheaf_that_the_barn_has_no_room_for_goes_to_the_slabs() {
    let mut bench = Bench::new(WITH_SHEAVES, "kmalloc-1k");
    bench.allocs(0, 0, 12 * 13 + 3);
    let empty = bench.sheaves().empty;
    bench.frees(0, "kfree_rcu", 0..12 * 13 + 3);
    let inuse = |bench: &Bench| bench.machine.snapshot().slabs.iter().map(|slab| slab.inuse).sum::<u32>();
    let before = inuse(&bench);
    bench.does("grace");
    assert_eq!((bench.sheaves().full.len(), bench.sheaves().empty), (10, 3), "{empty}");
    assert_eq!(inuse(&bench), before - 3 * 12);
}

#[test]
fn the_destruction_of_a_cache_waits_for_kfree_rcu_from_6_12_on() {
    for (kernel, waits) in [("6.11", false), ("6.12", true), ("6.18", true), ("7.3", true)] {
        let mut bench = Bench::new(kernel, "own");
        bench.does("cache own 100");
        bench.allocs(0, 0, 5);
        bench.frees(0, "free", [0, 1]);
        bench.frees(0, "kfree_rcu", [2, 3, 4]);
        let applied = bench.does("destroy own");
        let remain = applied
            .events
            .iter()
            .filter_map(Event::warning)
            .any(|warning| matches!(warning, Warning::ObjectsRemain { .. }));
        assert_eq!((remain, bench.machine.cache_named("own").is_none()), (!waits, waits), "{kernel}");
    }
}

/// Pages of a cache whose objects readers may still look at go home when the grace period says so, and not before.
#[test]
fn a_slab_of_a_typesafe_cache_waits_for_a_grace_period() {
    let mut bench = Bench::new("6.12", "own");
    bench.does("cache own 1000 flags=rcu");
    bench.allocs(0, 0, 3);
    bench.frees(0, "free", 0..3);
    bench.does("shrink own");
    assert_eq!((bench.view().nr_slabs, bench.machine.snapshot().rcu.slabs.len()), (0, 1));
    bench.does("a = kmalloc 64");
    assert_eq!(bench.machine.snapshot().rcu.slabs.len(), 1, "no command but `grace` lets it pass");
    bench.does("grace");
    assert_eq!((bench.machine.snapshot().rcu.slabs.len(), bench.machine.snapshot().slabs.len()), (0, 1));
}

/// 6.18, not verified: a sheaf is filled with what single allocations give, on this CPU's slab.
#[test]
fn in_6_18_cpus_own_slabs_beneath_the_sheaves_of_who_asks() {
    let mut bench = Bench::new("6.18 cpus=2", "nodes");
    bench.does("cache nodes 256 sheaf=10");
    bench.does("cpu 1");
    bench.does("b = alloc nodes");
    let (sheaves, cpu) = (bench.sheaves(), bench.cpu(1));
    assert_eq!((sheaves.cpus[1].main.objects.len(), cpu.freelist.links.len()), (9, 6), "of a slab of 16");
    bench.allocs(1, 0, 9);
    let first = sheaves.cpus[1].main.objects[0];
    assert_eq!(bench.address(8), first, "from the end");
    bench.frees(1, "free", 0..9);
    bench.does("flush_cpu nodes");
    let view = bench.view();
    assert_eq!((bench.cpu(1).slab, view.node_partial.len()), (None, 1));
    assert!(matches!(bench.object(3).state, ObjectState::Free { .. }));
    let plain = Bench::new("6.18", "kmalloc-64");
    assert!(plain.view().sheaves.is_none(), "nobody asked");
}

/// 3.11 of the worked sequences with the frees from another CPU: what comes next depends on who frees.
#[test]
fn a_forecast_is_that_of_the_cpu_that_runs() {
    let mut bench = Bench::new("6.1 cpus=2", "kmalloc-256");
    bench.allocs(0, 0, 17);
    bench.frees(1, "free", [3, 7]);
    assert_eq!(bench.next(3), [Some(7), Some(3), None]);
    bench.does("cpu 0");
    assert_eq!(bench.next(16), vec![None; 16], "fifteen of its own slab, then a new one");
}

#[test]
fn what_a_machine_has_not_is_refused() {
    let mut bench = Bench::new("6.12 cpus=4", "kmalloc-64");
    let before = bench.machine.digest();
    assert_eq!(bench.tries("cpu 4"), Err(Refusal::NoSuchCpu { cpu: 4, cpus: 4 }));
    assert!(bench.tries("kfree_rcu x").is_err() && bench.tries("flush_cpu x").is_err());
    assert_eq!(bench.machine.digest(), before);
    let error = parse_kernel("6.12 cpus=70").expect_err("70 CPUs");
    assert!(error.to_string().contains("70 CPUs: choose 1 to 64"), "{error}");
    let mut one = Bench::new("6.12", "kmalloc-64");
    let refusal = one.tries("cpu 1").expect_err("one CPU");
    assert_eq!(refusal.to_string(), "no CPU 1: the machine has one, CPU 0; `cpus=4` in the kernel line gives it four");
}
