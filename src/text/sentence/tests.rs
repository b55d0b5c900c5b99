//! The sentence of each kind of step.

use super::*;
use crate::session::{Action as Do, Toggle, Way};
use slabscope_core::kernel::{Switch, Version};
use slabscope_core::luck::Seed;

fn said(actions: &[Do]) -> Sentence {
    let mut session = Session::new();
    actions.iter().for_each(|action| drop(session.update(action.clone())));
    sentence(&session)
}

fn flip() -> Do {
    Do::Flip(Toggle::MiddlePointer)
}

#[test]
fn the_storyboard_is_told() {
    let press = [Do::AimArm, Do::AimWrite, Do::Allocate, Do::Allocate, flip()];
    let armed = said(&press[..1]);
    assert_eq!(armed.head, "8 bytes too many replace v’s pointer.");
    assert_eq!(armed.tail, "v comes back first. The allocation after it returns target.");
    assert_eq!(said(&press[..4]).head, "kmalloc(64) returned target.");
    let missed = said(&press);
    assert_eq!(missed.head, "The same 8 bytes hit v’s data, not its pointer.");
    assert_eq!(missed.tail, "Both allocations returned objects of this slab. Nobody noticed the write.");
    let far = [press.to_vec(), vec![Do::HowFar]].concat();
    assert_eq!(said(&far).head, "8 bytes hit v’s data, not its pointer.");
    let further = [far, vec![Do::AimTo { len: 40 }]].concat();
    assert_eq!(said(&further).tail, "v comes back first. The allocation after it returns target.");
}

#[test]
fn another_kernel_is_told_by_what_it_does() {
    let free = said(&[Do::ChooseVersion(Version::release(6, 1)), Do::Step(Way::Back)]);
    assert_ne!(free, said(&[Do::ChooseVersion(Version::release(6, 1))]));
    let hidden = [Do::Flip(Toggle::Kernel(Switch::FreelistHardened))];
    assert_eq!(said(&hidden).head, "v is free: its first 8 bytes are hidden.");
    let end = [&hidden[..], &[Do::Seek(slabscope_core::units::Step::from_raw(8))]].concat();
    assert_eq!(said(&end).head, "The second allocation read an address that cannot exist.");
}

/// What is said follows from where the bytes are, not from the ordinary case.
#[test]
fn what_is_told_is_so() {
    let typed = |line: &str| Do::TypedLine(line.to_owned());
    let bench = |version, lines: &[&str]| -> Vec<Do> {
        let start = [Do::StartBench(Seed(3)), Do::ChooseVersion(version)];
        start.into_iter().chain(lines.iter().map(|line| typed(line))).collect()
    };
    let checked = |lines: &[&str]| [&[Do::BootLine("slub_debug=FZPU".to_owned())], lines_of(lines).as_slice()].concat();
    let (old, new) = (Version::release(5, 6), Version::release(7, 3));
    let pair = ["a = kmalloc 64", "b = kmalloc 64"];
    for (actions, head) in [
        (bench(new, &["a = kmalloc 64", "free a"]), "a lies in a sheaf: nothing is written to it."),
        (bench(old, &["a = kmalloc 64", "destroy kmalloc-64"]), "kmalloc-64 has objects, so it stays."),
        (
            [bench(old, &[]), checked(&["a = kmalloc 64", "free a"])].concat(),
            "a is free: the pointer behind it names the next.",
        ),
        (
            [bench(old, &[]), checked(&["a = kmalloc 64", "overflow a 8 0x41", "free a"])].concat(),
            "A check refuses to free a.",
        ),
    ] {
        assert_eq!(said(&actions).head, head);
    }
    let aim = [bench(old, &[]), checked(&pair), vec![Do::AimTo { len: 1 }]].concat();
    assert!(said(&aim).head.ends_with("too many end in the right red zone."), "{}", said(&aim).head);
    let partial = ["a = kmalloc 64", "b = kmalloc 64", "free b", "overflow a 3 0x414141"];
    let tail = said(&bench(old, &partial)).tail;
    assert!(tail.starts_with("b comes back first. The allocation after it returns"), "{tail}");
}

fn lines_of(lines: &[&str]) -> Vec<Do> {
    lines.iter().map(|line| Do::TypedLine((*line).to_owned())).collect()
}

/// Every sentence of a walk through kernels, steps, aims and a bench.
#[test]
fn sentences_are_short() {
    let mut walk = vec![Do::StartBench(Seed(3)), Do::Allocate, Do::Allocate, Do::Allocate];
    walk.extend([Do::FreeSelected, Do::Undo, Do::AimTo { len: 8 }, Do::AimTo { len: 64 }, Do::AimWrite]);
    for version in [Version::release(4, 7), Version::release(5, 6), Version::release(6, 1)] {
        walk.extend([Do::OpenLesson(crate::lessons::LessonId::EightBytes), Do::ChooseVersion(version)]);
        walk.extend([0, 1, 3, 40, 64, 120].map(|len| Do::AimTo { len }));
        walk.extend((0..9).map(|step| Do::Seek(slabscope_core::units::Step::from_raw(step))));
        walk.extend([
            flip(),
            Do::HowFar,
            Do::Flip(Toggle::Kernel(Switch::FreelistHardened)),
            Do::AimWrite,
            Do::Allocate,
            Do::Allocate,
        ]);
    }
    let mut session = Session::new();
    for action in walk {
        session.update(action.clone());
        let said = sentence(&session);
        assert!(!said.head.is_empty(), "{action:?}");
        for sentence in said.head.split(". ").chain(said.tail.split(". ")) {
            let words = sentence.split_whitespace().count();
            let is_narrated = session.is_as_told() || session.notice().is_some();
            assert!(is_narrated || words <= 13, "{words} words after {action:?}: {sentence}");
        }
    }
}
