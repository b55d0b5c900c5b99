//! Random commands on random kernels: nothing panics, the bookkeeping holds, and time and memory make no difference.

use crate::generators::{any_act, any_honest_act, any_kernel, config};
use proptest::prelude::*;
use slabscope_core::allocator::{FrameTable, Kernel};
use slabscope_core::command::{Command, Gfp};
use slabscope_core::invariants;
use slabscope_core::kernel::{KernelConfig, PointerPlace};
use slabscope_core::luck::{Luck, Seed};
use slabscope_core::machine::{Machine, Refusal};
use slabscope_core::memory::{Bytes, Flat, Paged};
use slabscope_core::pages::{Buddy, PageSource};
use slabscope_core::timeline::Timeline;
use slabscope_core::units::{Pfn, Step, VirtAddr};

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn whatever_is_done_our_own_bookkeeping_holds(
        kernel in any_kernel(),
        luck in any::<u64>(),
        acts in prop::collection::vec(any_act(), 0..80),
    ) {
        let mut machine = Machine::boot(&kernel, Seed(luck)).expect("a kernel that can be");
        for act in &acts {
            let before = machine.digest();
            let refused = machine.apply(act).is_err();
            prop_assert!(!refused || machine.digest() == before, "a refusal changes nothing: {act}");
            prop_assert_eq!(invariants::structure(machine.kernel()), Ok(()), "after {}", act);
        }
        prop_assert_eq!(machine.snapshot().slabs.len(), machine.kernel().slabs().count());
    }

    #[test]
    fn without_damage_every_list_is_whole(
        kernel in any_kernel().prop_filter("it follows pointers that its own red zone went over", keeps_pointers),
        luck in any::<u64>(),
        acts in prop::collection::vec(any_honest_act(), 0..40),
        frees in prop::collection::vec((any::<prop::sample::Index>(), 0..6_u8), 0..60),
    ) {
        let mut machine = Machine::boot(&kernel, Seed(luck)).expect("a kernel that can be");
        for act in &acts {
            let _refused = machine.apply(act);
            prop_assert_eq!(invariants::chains(machine.kernel()), Ok(()), "after {}", act);
        }
        for (free, how) in frees {
            let command = |object| match how {
                0 | 1 => Command::KfreeRcu { object },
                _ => Command::Free { object },
            };
            let live: Vec<Command> =
                machine.named().filter(|object| object.live).map(|object| command(object.name.clone())).collect();
            if !live.is_empty() {
                let between = [Command::Cpu { cpu: u32::from(how) % kernel.cpus.min(3) }, Command::Grace];
                for act in between.iter().filter(|act| how % 2 == 0 || **act != Command::Grace).chain([free.get(&live)]) {
                    // Not every version has kfree_rcu.
                    prop_assert!(matches!(machine.apply(act), Ok(_) | Err(Refusal::Missing(_))));
                }
                prop_assert_eq!(invariants::structure(machine.kernel()), Ok(()));
                prop_assert_eq!(invariants::chains(machine.kernel()), Ok(()));
            }
        }
        prop_assert!(machine.verdict().is_none(), "nothing went out of bounds");
    }

    #[test]
    fn any_order_of_seeks_comes_to_the_same(
        kernel in any_kernel(),
        luck in any::<u64>(),
        acts in prop::collection::vec(any_act(), 1..60),
        seeks in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
    ) {
        let mut timeline = Timeline::new(kernel.clone(), Seed(luck)).expect("a kernel that can be");
        let mut digests = vec![timeline.machine().digest()];
        for act in acts {
            if timeline.act(act).is_ok() {
                digests.push(timeline.machine().digest());
            }
        }
        for seek in seeks {
            let step = seek.index(digests.len());
            timeline.seek(Step::from_raw(u32::try_from(step).expect("few steps")));
            prop_assert_eq!(timeline.machine().digest(), digests[step], "at step {}", step);
        }
        let again = timeline.rerun(kernel, Seed(luck)).expect("the same kernel");
        prop_assert_eq!(again.machine().digest(), timeline.machine().digest());
    }

    #[test]
    fn flat_and_shared_memory_agree(
        kernel in any_kernel(),
        luck in any::<u64>(),
        calls in prop::collection::vec((0..9000_u64, any::<prop::sample::Index>(), 0..4_u8), 0..200),
    ) {
        let flat = trace(&kernel, luck, Flat::new(PAGES), &calls);
        let paged = trace(&kernel, luck, Paged::new(PAGES, Pfn::from_raw(0), PAGES / 2), &calls);
        prop_assert_eq!(flat, paged);
    }
}

/// 5.7-rc1 put pointers where red zones go (commit 89b83f282d8b): with checks it damages its own lists.
fn keeps_pointers(kernel: &KernelConfig) -> bool {
    let model = kernel.model().expect("a kernel that can be");
    model.pointer_place != (PointerPlace::MiddleUp { red_zone_counted: true })
}

const PAGES: u32 = 8192;

/// What calls on a kernel over such memory return, oopses included, and then every word of its slabs.
fn trace<B: Bytes>(
    config: &KernelConfig,
    luck: u64,
    memory: B,
    calls: &[(u64, prop::sample::Index, u8)],
) -> Vec<String> {
    let (first, model) = (Pfn::from_raw(0), config.model().expect("a kernel that can be"));
    let source = PageSource::booted(Buddy::new(first, PAGES), &model);
    let mut kernel = Kernel::new(model, Luck::Keyed(Seed(luck)), memory, FrameTable::new(first, PAGES), source, ());
    let mut objects: Vec<VirtAddr> = Vec::new();
    let mut told = Vec::new();
    for (size, which, kind) in calls {
        match kind {
            0 | 1 => {
                let got = kernel.kmalloc(*size, Gfp::default());
                told.push(format!("{got:?}"));
                objects.extend(got.ok());
            }
            2 if !objects.is_empty() => {
                let object = objects.swap_remove(which.index(objects.len()));
                told.push(format!("{:?}", kernel.kfree(object)));
            }
            // A stray write, which may well hit a free pointer.
            _ if !objects.is_empty() => {
                let at = which.get(&objects).wrapping_add(size % 128);
                told.push(format!("{:?}", kernel.bytes_mut().write_u64(at, *size)));
            }
            _ => {}
        }
    }
    let slabs: Vec<_> = kernel.slabs().map(|(_, slab)| (slab.base, slab.order)).collect();
    for (base, order) in slabs {
        let words = (0..order.bytes()).step_by(8).map(|offset| kernel.bytes().read_u64(base.wrapping_add(offset)));
        told.extend(words.map(|word| format!("{word:?}")));
    }
    told
}
