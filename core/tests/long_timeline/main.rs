//! A timeline of 100,000 commands: what a seek carries out, and what the checkpoints hold.

mod commands;

use commands::{COMMANDS, commands};
use slabscope_core::kernel::{KernelConfig, Version};
use slabscope_core::luck::Seed;
use slabscope_core::machine::Machine;
use slabscope_core::timeline::Timeline;
use slabscope_core::units::Step;
use std::collections::BTreeSet;

/// Commands that a browser carries out in well under 16 ms.
const REPLAYED_AT_MOST: u32 = 1024;
const HELD_AT_MOST: u64 = 64 << 20;

#[test]
fn a_seek_carries_out_little_and_checkpoints_hold_little() {
    let mut timeline = Timeline::new(KernelConfig::plain(Version::release(6, 1)), Seed(1)).expect("a kernel");
    commands().for_each(|command| timeline.append(command));
    timeline.seek(Step::from_raw(COMMANDS));
    let end = timeline.machine().digest();

    assert!(timeline.replays_at_most() <= REPLAYED_AT_MOST, "{} commands a seek", timeline.replays_at_most());
    let held = held_bytes(&timeline);
    assert!(held <= HELD_AT_MOST, "{held} bytes in {} checkpoints", timeline.checkpoints().len());

    let before = timeline.checkpoints().len();
    for step in [99_999, 3, 51_711, 51_200, 1, COMMANDS] {
        timeline.seek(Step::from_raw(step));
        assert_eq!(timeline.cursor().raw(), step);
    }
    assert_eq!((timeline.machine().digest(), timeline.checkpoints().len()), (end, before));
}

/// Pages that differ, once each, and what every checkpoint has of its own: tables of frames, and descriptors of slabs.
fn held_bytes(timeline: &Timeline) -> u64 {
    const TABLES: u64 = 4096 * (8 + 8 + 16);
    let mut pages = BTreeSet::new();
    let mut own = 0;
    for machine in timeline.checkpoints() {
        pages.extend(machine.kernel().bytes().written().map(|(_, page)| std::ptr::from_ref(page).addr()));
        own += TABLES + 64 * slabs_ever(machine);
    }
    own + 4096 * u64::try_from(pages.len()).expect("a count")
}

fn slabs_ever(machine: &Machine) -> u64 {
    machine.kernel().slabs().last().map_or(0, |(id, _)| u64::from(id.raw()) + 1)
}
