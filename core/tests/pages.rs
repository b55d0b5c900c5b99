//! Pages seen from the slab layer: they go from cache to cache, come in smaller blocks, and run out.

use slabscope_core::allocator::{FrameTable, Kernel, Recorder};
use slabscope_core::command::Command;
use slabscope_core::event::{Event, Warning};
use slabscope_core::invariants;
use slabscope_core::kernel::{KernelConfig, Version};
use slabscope_core::kmalloc::Gfp;
use slabscope_core::luck::{Luck, Seed};
use slabscope_core::machine::Machine;
use slabscope_core::memory::Paged;
use slabscope_core::pages::{Buddy, PageSource};
use slabscope_core::script::parse_command;
use slabscope_core::units::{Order, Pfn, VirtAddr};

/// The smallest memory that the buddy allocator takes.
const PAGES: u32 = 1024;

fn small_kernel() -> Kernel<Recorder> {
    let model = KernelConfig::plain(Version::release(6, 1)).model().expect("plain");
    let first = Pfn::from_raw(0);
    Kernel::new(
        model.clone(),
        Luck::Keyed(Seed(1)),
        Paged::new(PAGES, first, PAGES),
        FrameTable::new(first, PAGES),
        PageSource::booted(Buddy::new(first, PAGES), &model),
        Recorder::default(),
    )
}

fn kmalloc(kernel: &mut Kernel<Recorder>, size: u64) -> VirtAddr {
    kernel.kmalloc(size, Gfp::default()).expect("no pointer is damaged")
}

/// Every object of `size` that there is room for.
fn exhaust(kernel: &mut Kernel<Recorder>, size: u64) -> Vec<VirtAddr> {
    std::iter::from_fn(|| Some(kmalloc(kernel, size)).filter(|object| !object.is_null())).collect()
}

fn command(line: &str) -> Command {
    parse_command(line).expect("a command")
}

#[test]
fn where_no_page_is_left_the_allocation_fails_and_the_kernel_says_so() {
    let mut kernel = small_kernel();
    let objects = exhaust(&mut kernel, 64);
    assert_eq!(objects.len(), 1024 * 64, "every page of memory, none kept back on a CPU's list");
    let events = kernel.probe_mut().drain();
    let cache = kernel.kmalloc_cache(64, Gfp::default());
    let told = Event::Warned(Warning::OutOfMemory { cache, order: Order::from_raw(0) });
    let at = events.iter().position(|event| *event == told).expect("the allocation that failed");
    let Some(Event::Reported(report)) = events.get(at + 1) else { panic!("its report: {:?}", &events[at..]) };
    let lines: Vec<&str> = report.lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(
        lines,
        [
            "SLUB: Unable to allocate memory on node -1, gfp=0xcc0(GFP_KERNEL)",
            "  cache: kmalloc-64, object size: 64, buffer size: 64, default order: 0, min order: 0",
            "  node 0: slabs: 1024, objs: 65536, free: 0",
        ]
    );
    assert_eq!(kmalloc(&mut kernel, 20_000), VirtAddr::NULL, "nor for a large one");
    assert_eq!(invariants::structure(&kernel), Ok(()));
    kernel.kfree(objects[7]).expect("a good pointer");
    assert_eq!(kmalloc(&mut kernel, 64), objects[7], "what is freed can be had");
}

/// slub-semantics 1.4: where the preferred order is not to be had, the least that holds an object will do.
#[test]
fn where_large_blocks_are_gone_a_slab_is_smaller_and_holds_fewer() {
    let mut kernel = small_kernel();
    let small = exhaust(&mut kernel, 64);
    // Every second page comes free, and no two of them make a block of order 1.
    let on_odd_pages = small.iter().filter(|object| object.raw() / 4096 % 2 == 1);
    for object in on_odd_pages {
        kernel.kfree(*object).expect("a good pointer");
    }
    let of_small = kernel.kmalloc_cache(64, Gfp::default()).expect("a class");
    kernel.shrink(of_small).expect("no pointer is damaged");
    let object = kmalloc(&mut kernel, 1024);
    let slab = kernel.slab(kernel.slab_at(object).expect("a slab's"));
    assert_eq!((slab.order, slab.objects), (Order::from_raw(0), 4), "order 1 with 8 objects is what it prefers");
    assert_eq!(invariants::structure(&kernel), Ok(()));
}

/// slub-semantics 8.2: what a CPU frees is what it gets next, whichever cache asks.
#[test]
fn a_page_that_goes_home_is_the_next_cache_s() {
    let mut machine = Machine::boot(&KernelConfig::plain(Version::release(6, 1)), Seed(3)).expect("plain");
    let mut apply = |line: &str| machine.apply(&command(line)).expect("carried out").returned;
    apply("cache victim 256");
    apply("cache target 128");
    let dangling = apply("v = alloc victim").expect("an object");
    apply("free v");
    apply("shrink victim");
    assert_eq!(apply("t = alloc target"), Some(dangling), "the page came back to the other cache");
    let snapshot = machine.snapshot();
    let was: Vec<_> = snapshot.slabs.iter().map(|slab| slab.page_was.as_deref()).collect();
    assert_eq!(was, [Some("victim")]);
    let caches = |name: &str| snapshot.caches.iter().find(|cache| &*cache.name == name).map(|cache| cache.nr_slabs);
    assert_eq!((caches("victim"), caches("target")), (Some(0), Some(1)));
}

/// Reclaimable slabs have pageblocks of their own, so a page does not go from one kind to the other.
#[test]
fn kinds_of_pages_are_kept_apart() {
    let mut machine = Machine::boot(&KernelConfig::plain(Version::release(6, 1)), Seed(3)).expect("plain");
    let mut apply = |line: &str| machine.apply(&command(line)).expect("carried out").returned;
    let plain = apply("a = kmalloc 64").expect("an object");
    let reclaimable = apply("b = kmalloc 64 GFP_KERNEL|__GFP_RECLAIMABLE").expect("an object");
    let pageblock = |object: VirtAddr| object.raw() >> 21;
    assert_ne!(pageblock(plain), pageblock(reclaimable));
}

#[test]
fn shuffled_pages_are_other_pages() {
    let first = |page_shuffle| {
        let config = KernelConfig { page_shuffle, ..KernelConfig::plain(Version::release(6, 1)) };
        let places = (0..8).map(|luck| {
            let mut machine = Machine::boot(&config, Seed(luck)).expect("a kernel");
            let returned = machine.apply(&command("a = kmalloc 64")).expect("carried out").returned;
            returned.expect("an object").raw() >> 22
        });
        places.collect::<std::collections::BTreeSet<u64>>().len()
    };
    assert_eq!(first(false), 1, "boot hands out from the lowest block");
    assert!(first(true) > 1, "or from any");
}

#[test]
fn buddyinfo_counts_free_blocks() {
    let machine = Machine::boot(&KernelConfig::plain(Version::release(6, 1)), Seed(3)).expect("plain");
    let text = machine.buddyinfo();
    let counts: Vec<u64> = text.split_whitespace().skip(4).map(|count| count.parse().expect("a number")).collect();
    let pages: u64 = (0..).zip(&counts).map(|(order, count)| count << order).sum();
    assert_eq!(counts.len(), 11, "{text}");
    assert!((4096 - 64 - 512..4096).contains(&pages), "{pages} pages free, all but what boot took");
}
