//! The counters of `CONFIG_SLUB_STATS`: what each way of an object counts, by version.

use slabscope_core::kernel::{KernelConfig, Version};
use slabscope_core::luck::Seed;
use slabscope_core::machine::Machine;
use slabscope_core::script::parse_command;

fn machine(version: Version, lines: &[&str]) -> Machine {
    let config = KernelConfig { stats: true, cpus: 2, ..KernelConfig::plain(version) };
    let mut machine = Machine::boot(&config, Seed(1)).expect("a kernel");
    for line in lines {
        machine.apply(&parse_command(line).expect(line)).expect(line);
    }
    machine
}

/// The counters of a cache that are not 0, as its files say, in one line.
fn counted(machine: &Machine, cache: &str) -> String {
    let text = machine.sysfs(machine.cache_named(cache).expect("a cache"));
    let names: Vec<&str> = machine.kernel().model().counted.iter().map(|item| item.name()).collect();
    let counters = text.lines().filter(|line| {
        let (name, value) = line.split_once(':').expect("a file and its value");
        names.contains(&name) && value != "0"
    });
    counters.collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn check(version: (u8, u8), lines: &[&str], expected: &str) {
    let machine = machine(Version::release(version.0, version.1), lines);
    assert_eq!(counted(&machine, "kmalloc-512"), expected);
}

/// slub-semantics 3.11, 1 to 3, with slabs of 16 objects of 512 bytes.
const WORKED: &[&str] =
    &["bulk x 16 kmalloc-512", "a = kmalloc 512", "free x3", "free x7", "bulk y 15 kmalloc-512", "b = kmalloc 512"];

#[test]
fn the_ways_of_cpu_slabs() {
    // Of bulk calls only what is not on the CPU's freelist counts up to 6.7.
    check(
        (6, 1),
        WORKED,
        "alloc_refill:1 C0=1, alloc_slab:2 C0=2, alloc_slowpath:3 C0=3, cpu_partial_alloc:1 C0=1, cpu_partial_free:1 C0=1, \
         deactivate_bypass:2 C0=2, free_frozen:1 C0=1, free_slowpath:2 C0=2",
    );
    check(
        (6, 12),
        WORKED,
        "alloc_fastpath:30 C0=30, alloc_slab:2 C0=2, alloc_slowpath:3 C0=3, cpu_partial_alloc:1 C0=1, cpu_partial_free:1 C0=1, \
         deactivate_bypass:2 C0=2, free_slowpath:2 C0=2",
    );
}

#[test]
fn each_cpu_counts_its_own() {
    let lines = ["a = kmalloc 512", "b = kmalloc 512", "cpu 1", "free a", "c = kmalloc 512", "free c"];
    check(
        (6, 1),
        &lines,
        "alloc_fastpath:1 C0=1, alloc_slab:2 C0=1 C1=1, alloc_slowpath:2 C0=1 C1=1, free_fastpath:1 C1=1, free_frozen:1 C1=1, \
         free_slowpath:1 C1=1",
    );
}

#[test]
fn flushing_and_shrinking() {
    let lines = ["a = kmalloc 512", "b = kmalloc 512", "cpu 1", "free a", "shrink kmalloc-512"];
    check(
        (6, 1),
        &lines,
        "alloc_fastpath:1 C0=1, alloc_slab:1 C0=1, alloc_slowpath:1 C0=1, cpuslab_flush:1 C0=1, deactivate_remote_frees:1 C0=1, \
         deactivate_to_tail:1 C0=1, free_frozen:1 C1=1, free_slowpath:1 C1=1",
    );
}

#[test]
fn the_ways_of_sheaves() {
    let lines = ["a = kmalloc 512", "b = kmalloc 512", "free a", "kfree_rcu b", "shrink kmalloc-512", "grace"];
    check(
        (7, 3),
        &lines,
        "alloc_fastpath:2 C0=2, alloc_slab:2 C0=2, barn_get_fail:1 C0=1, free_add_partial:1 C0=1, free_fastpath:1 C0=1, \
         free_rcu_sheaf:1 C0=1, free_slowpath:3 C0=3, sheaf_alloc:1 C0=1, sheaf_flush:28 C0=28, sheaf_free:1 C0=1, sheaf_refill:28 C0=28",
    );
}

/// A cache with checks has no fast path.
#[test]
fn caches_with_checks() {
    let config = KernelConfig { stats: true, ..KernelConfig::plain(Version::release(6, 12)) };
    let mut machine = Machine::boot(&config, Seed(1)).expect("a kernel");
    for line in ["cache a 1000 flags=poison", "x = alloc a", "y = alloc a", "free x", "free y"] {
        machine.apply(&parse_command(line).expect(line)).expect(line);
    }
    assert_eq!(counted(&machine, "a"), "alloc_slab:1 C0=1, alloc_slowpath:2 C0=2, free_slowpath:2 C0=2");
}

#[test]
fn other_builds_have_no_such_files() {
    let machine = Machine::boot(&KernelConfig::plain(Version::release(6, 1)), Seed(1)).expect("a kernel");
    assert!(!machine.sysfs(machine.cache_named("kmalloc-64").expect("a cache")).contains("alloc_fastpath"));
}
