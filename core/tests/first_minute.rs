//! The storyboard's eight commands on the kernels that tell it apart.

use slabscope_core::command::{Base, Command, Gfp, Name, Place, Value};
use slabscope_core::kernel::{KernelConfig, PointerPlace, Version};
use slabscope_core::luck::Seed;
use slabscope_core::machine::Status;
use slabscope_core::outcome::Outcome;
use slabscope_core::timeline::Timeline;
use slabscope_core::units::Step;

fn name(text: &str) -> Name {
    Name::new(text).expect("a name")
}

fn kmalloc(object: &str, size: u64) -> Command {
    Command::Kmalloc { object: name(object), size, gfp: Gfp::default(), from: None }
}

fn storyboard() -> Vec<Command> {
    let target = Place { base: Base::Object(name("target")), delta: 0 };
    vec![
        Command::Kmalloc { object: name("target"), size: 192, gfp: Gfp { zero: true, ..Gfp::default() }, from: None },
        kmalloc("a", 64),
        kmalloc("v", 64),
        kmalloc("w", 64),
        Command::Free { object: name("v") },
        Command::Overflow { object: name("a"), len: 8, value: Value::AddressOf(target) },
        kmalloc("p", 64),
        kmalloc("q", 64),
    ]
}

fn played(config: KernelConfig) -> Timeline {
    let mut timeline = Timeline::new(config, Seed(1)).expect("a kernel");
    for command in storyboard() {
        timeline.act(command).expect("carried out");
    }
    timeline
}

#[track_caller]
fn check(config: KernelConfig, outcome: Outcome, why: &str) -> Timeline {
    let timeline = played(config);
    let verdict = timeline.machine().verdict().expect("a verdict");
    assert_eq!((verdict.outcome, verdict.why.to_string().as_str()), (outcome, why));
    timeline
}

#[test]
fn eight_bytes_too_many() {
    let plain = KernelConfig::plain(Version::release(5, 6));
    check(plain.clone(), Outcome::Hijacked, "kmalloc(64) returned target");
    let middle = KernelConfig { pointer_place: Some(PointerPlace::MiddleDown), ..plain.clone() };
    check(middle, Outcome::Missed, "the write ended 24 bytes before the pointer");
    let newer = KernelConfig::plain(Version::release(5, 7));
    check(newer, Outcome::Missed, "the write ended 24 bytes before the pointer");
    let hidden = played(KernelConfig { freelist_hardened: true, ..plain });
    assert_eq!(hidden.machine().verdict().map(|verdict| verdict.outcome), Some(Outcome::Crashed));
    assert_eq!(hidden.machine().status(), Status::TaskKilled);
}

#[test]
fn rewinding_and_re_running_come_to_the_same() {
    let plain = KernelConfig::plain(Version::release(5, 6));
    let mut timeline = check(plain.clone(), Outcome::Hijacked, "kmalloc(64) returned target");
    let end = timeline.machine().digest();
    timeline.seek(Step::from_raw(3));
    assert_ne!(timeline.machine().digest(), end);
    let branched = timeline.act(kmalloc("other", 64)).expect("carried out");
    assert!(branched.result.is_ok());
    assert_eq!(timeline.branches().len(), 1);
    timeline.switch_to(0);
    timeline.seek(Step::from_raw(8));
    assert_eq!(timeline.machine().digest(), end);
    let again = timeline.rerun(plain, Seed(1)).expect("a kernel");
    assert_eq!(again.machine().digest(), end);
}
