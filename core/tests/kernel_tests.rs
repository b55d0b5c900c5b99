//! The kernel's own tests of its heap, as scenarios: each slub_kunit test with the count of errors that it expects, and
//! each LKDTM heap trigger of slab objects by boot, on every version that has it.
//!
//! Not here: test_kmalloc_nolock_* (there is no context in which an allocation must not wait for a lock), and triggers about
//! KFENCE, vmalloc, the stack and the kernel's text.

use slabscope_core::kernel::{KernelConfig, Version};
use slabscope_core::script::{Scenario, play_on};
use std::path::Path;

const V5_13: Version = Version::release(5, 13);
const V5_15: Version = Version::release(5, 15);
const V6_1: Version = Version::release(6, 1);
const V6_6: Version = Version::release(6, 6);
const V6_12: Version = Version::release(6, 12);
const V7_3: Version = Version::release(7, 3);

#[track_caller]
fn check(name: &str, versions: &[Version]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernel_tests");
    let text = std::fs::read_to_string(folder.join(format!("{name}.slab"))).expect("a scenario");
    let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(scenario.to_string(), text, "{name}: what is printed reads back");
    for version in versions {
        let kernel = KernelConfig { version: *version, ..scenario.kernel.clone() };
        let report = play_on(&scenario, &kernel).expect("a kernel that can be");
        let unmet: Vec<String> = report.unmet().map(ToString::to_string).collect();
        assert_eq!(unmet, [""; 0], "{name} on Linux {version}");
    }
}

#[test]
fn every_file_has_a_test() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernel_tests");
    let own = include_str!("kernel_tests.rs");
    for entry in std::fs::read_dir(folder).expect("the scenarios") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        assert!(own.contains(&format!("\"{name}\"")), "{name} is run by no test");
    }
}

macro_rules! kernel_tests {
    ($($test:ident: $name:literal $versions:expr;)*) => {
        $(#[test]
        fn $test() {
            check($name, &$versions);
        })*
    };
}

kernel_tests! {
    clobber_zone: "kunit-clobber-zone" [V5_13, V5_15, V6_1, V6_6, V6_12, V7_3];
    next_pointer: "kunit-next-pointer" [V5_15, V6_1, V6_6, V6_12, V7_3];
    first_word: "kunit-first-word" [V5_13, V5_15, V6_1, V6_6, V6_12, V7_3];
    clobber_50th_byte: "kunit-clobber-50th-byte" [V5_13, V5_15, V6_1, V6_6, V6_12, V7_3];
    clobber_redzone_free: "kunit-clobber-redzone-free" [V5_13, V5_15, V6_1, V6_6, V6_12, V7_3];
    kmalloc_redzone_access: "kunit-kmalloc-redzone-access" [Version::release(6, 2), V6_6, V6_12, V7_3];
    leak_destroy: "kunit-leak-destroy" [V6_12, V7_3];
    kfree_rcu: "kunit-kfree-rcu" [V6_12, V7_3];
    kfree_rcu_wq_destroy: "kunit-kfree-rcu-wq-destroy" [V7_3];
    krealloc_redzone_zeroing: "kunit-krealloc-redzone-zeroing" [V7_3];
    slab_linear_overflow: "lkdtm-slab-linear-overflow" [V5_13, V6_1, V6_12, V7_3];
    slab_linear_overflow_checked: "lkdtm-slab-linear-overflow-checked" [V5_15, V6_1, V6_12, V7_3];
    write_after_free: "lkdtm-write-after-free" [V5_13, V6_1, V6_12, V7_3];
    write_after_free_checked: "lkdtm-write-after-free-checked" [V5_13, V6_1, V6_12, V7_3];
    read_after_free: "lkdtm-read-after-free" [V5_13, V6_1, V6_12, V7_3];
    read_after_free_checked: "lkdtm-read-after-free-checked" [V5_13, V6_1, V6_12, V7_3];
    read_after_free_init: "lkdtm-read-after-free-init" [V5_13, V6_1, V6_12, V7_3];
    slab_init_on_alloc: "lkdtm-slab-init-on-alloc" [V5_13, V6_1, V6_12, V7_3];
    slab_init_on_alloc_checked: "lkdtm-slab-init-on-alloc-checked" [V5_13, V6_1, V6_12, V7_3];
    slab_init_on_alloc_init: "lkdtm-slab-init-on-alloc-init" [V5_13, V6_1, V6_12, V7_3];
    slab_free_double: "lkdtm-slab-free-double" [V5_13, V6_1, V6_12];
    slab_free_double_sheaves: "lkdtm-slab-free-double-sheaves" [V7_3];
    slab_free_double_checked: "lkdtm-slab-free-double-checked" [V6_1, V6_12, V7_3];
    slab_free_cross: "lkdtm-slab-free-cross" [V5_13, V6_1, V6_12, V7_3];
    slab_free_cross_checked: "lkdtm-slab-free-cross-checked" [V5_13, V6_1, V6_12, V7_3];
    slab_free_page: "lkdtm-slab-free-page" [V6_1, V6_12];
    slab_free_page_checked: "lkdtm-slab-free-page-checked" [V6_1, V6_6];
    slab_free_page_checked_from_6_9: "lkdtm-slab-free-page-checked-from-6.9" [V6_12, V7_3];
    slab_free_page_from_7_0: "lkdtm-slab-free-page-from-7.0" [V7_3];
    slab_free_page_hardened: "lkdtm-slab-free-page-hardened" [V6_1, V6_12];
    slab_free_page_sheaves: "lkdtm-slab-free-page-sheaves" [V7_3];
    read_buddy_after_free: "lkdtm-read-buddy-after-free" [V5_13, V6_1, V6_12, V7_3];
    read_buddy_after_free_init: "lkdtm-read-buddy-after-free-init" [V5_13, V6_1, V6_12, V7_3];
    write_buddy_after_free: "lkdtm-write-buddy-after-free" [V5_13, V6_1, V6_12, V7_3];
    buddy_init_on_alloc: "lkdtm-buddy-init-on-alloc" [V5_13, V6_1, V6_12, V7_3];
    buddy_init_on_alloc_init: "lkdtm-buddy-init-on-alloc-init" [V5_13, V6_1, V6_12, V7_3];
    usercopy_slab_size_to: "lkdtm-usercopy-slab-size-to" [V5_13, V6_1, V6_12, V7_3];
    usercopy_slab_size_from: "lkdtm-usercopy-slab-size-from" [V5_13, V6_1, V6_12, V7_3];
    usercopy_slab_whitelist_to: "lkdtm-usercopy-slab-whitelist-to" [V5_13, V6_1, V6_12, V7_3];
    usercopy_slab_whitelist_from: "lkdtm-usercopy-slab-whitelist-from" [V5_13, V6_1, V6_12, V7_3];
}
