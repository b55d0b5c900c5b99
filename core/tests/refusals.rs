//! What no kernel does, or not yet this one, is refused with the rule and the kernel that refuses it; nothing changes.

use slabscope_core::kernel::{KernelConfig, Version};
use slabscope_core::luck::Seed;
use slabscope_core::machine::Machine;
use slabscope_core::script::{parse_command, parse_kernel};

#[track_caller]
fn check(version: Version, lines: &[&str], message: &str) {
    let mut machine = Machine::boot(&KernelConfig::plain(version), Seed(1)).expect("a kernel");
    let (last, before) = lines.split_last().expect("a line");
    for line in before {
        machine.apply(&parse_command(line).expect("a command")).expect("carried out");
    }
    let digest = machine.digest();
    let refusal = machine.apply(&parse_command(last).expect("a command")).expect_err(last);
    assert_eq!(refusal.to_string(), message);
    assert_eq!(machine.digest(), digest, "nothing changed");
}

#[test]
fn a_geometry_that_no_kernel_makes() {
    let version = Version::release(6, 1);
    let sizes = "kmem_cache_create takes 1 to 4194304 bytes (4 MiB)";
    check(version, &["cache a 0"], &format!("objects of 0 bytes: {sizes}"));
    check(version, &["cache a 4194305"], &format!("objects of 4194305 bytes: {sizes}"));
    check(version, &["cache a 64 align=24"], "an alignment of 24: it must be 0 or a power of two up to 4 MiB");
    check(
        version,
        &["cache a 64 useroffset=60 usersize=8"],
        "a usercopy window of 8 bytes at 60 in an object of 64: kmem_cache_create_usercopy takes one that lies in the \
         object, and none has no offset",
    );
    check(version, &["a = kmalloc 4194305"], "kmalloc of 4194305 bytes: at most 4194304 (4 MiB, KMALLOC_MAX_SIZE)");
    check(
        version,
        &["a = kmalloc 8", "b = krealloc a 4194305"],
        "kmalloc of 4194305 bytes: at most 4194304 (4 MiB, KMALLOC_MAX_SIZE)",
    );
}

/// Of a merged cache every name is taken.
#[test]
fn a_name_that_is_taken() {
    let taken =
        |name| format!("a cache named `{name}` exists already: /sys/kernel/slab has a name once, in every SLUB");
    let lines = ["cache a 64", "cache b 60", "cache b 600"];
    check(Version::release(6, 1), &lines, &taken("b"));
    check(Version::release(6, 1), &["cache kmalloc-64 8"], &taken("kmalloc-64"));
}

#[test]
fn what_a_version_does_not_have_yet() {
    let of = |major, minor| Version::release(major, minor);
    for (version, lines, message) in [
        (
            Version::of_2_6(23),
            &["a = kmalloc 8 __GFP_RECLAIMABLE"][..],
            "Linux 2.6.23 has no __GFP_RECLAIMABLE: it came with 2.6.24",
        ),
        (Version::of_2_6(39), &["a = kmalloc 8", "kfree_rcu a"], "Linux 2.6.39 has no kfree_rcu: it came with 3.0"),
        (of(4, 2), &["bulk x 2 kmalloc-8"], "Linux 4.2 has no kmem_cache_alloc_bulk: it came with 4.3"),
        (
            of(4, 4),
            &["a = kmalloc 8 __GFP_ACCOUNT"],
            "Linux 4.4 has no SLAB_ACCOUNT and __GFP_ACCOUNT: it came with 4.5",
        ),
        (of(4, 4), &["cache a 8 flags=account"], "Linux 4.4 has no SLAB_ACCOUNT and __GFP_ACCOUNT: it came with 4.5"),
        (of(4, 5), &["bulk x 2 kmalloc-8", "bulkfree x0"], "Linux 4.5 has no kfree_bulk: it came with 4.6"),
        (
            of(4, 15),
            &["cache a 8 usersize=8"],
            "Linux 4.15 has no usercopy windows (kmem_cache_create_usercopy): it came with 4.16",
        ),
        (of(5, 0), &["cache a 8 flags=dma32"], "Linux 5.0 has no SLAB_CACHE_DMA32: it came with 5.1"),
        (of(6, 4), &["cache a 8 flags=no_merge"], "Linux 6.4 has no SLAB_NO_MERGE: it came with 6.5"),
    ] {
        check(version, lines, message);
    }
}

#[test]
fn a_kernel_that_cannot_be() {
    for (kernel, message) in [
        ("6.1 cpus=70", "70 CPUs: choose 1 to 64"),
        ("6.1 copies=on", "Linux 6.1 has no CONFIG_RANDOM_KMALLOC_CACHES: it came with 6.6"),
        ("6.12 typed=on", "Linux 6.12 has no CONFIG_KMALLOC_PARTITION_TYPED: it came with 7.2"),
        (
            "6.12 tiny=on random=on",
            "CONFIG_SLAB_FREELIST_RANDOM and CONFIG_SLUB_TINY exclude each other: no kernel is built with both",
        ),
        ("6.12 tiny=on slub_debug=FZ", "CONFIG_SLUB_TINY leaves CONFIG_SLUB_DEBUG out: slub_debug= has no effect"),
        ("4.7 usercopy=on", "Linux 4.7 has no CONFIG_HARDENED_USERCOPY: it came with 4.8"),
    ] {
        assert_eq!(parse_kernel(kernel).expect_err(kernel).message(), message);
    }
}
