//! What is shown as written over: bytes that somebody wrote who had no business there, as long as they stand.

use slabscope_core::event::{Event, Warning};
use slabscope_core::script::{Scenario, play};
use slabscope_core::snapshot::Hit;

fn hits(kernel: &str, commands: &str, name: &str) -> Vec<Hit> {
    let text = format!("slabscope 1\ntitle t\nkernel {kernel}\nluck 7\n\n{}\n", commands.replace("; ", "\n"));
    let machine = play(&Scenario::parse(&text).expect("a script")).expect("a kernel").machine;
    let address = machine.named().find(|named| named.name.as_str() == name).expect("it has been there").address;
    let snapshot = machine.snapshot();
    let mut objects = snapshot.slabs.iter().flat_map(|slab| &slab.objects);
    objects.find(|object| object.address == address).expect("its slab is there").hits.clone()
}

#[test]
fn damage_goes_when_the_allocator_writes_the_bytes_anew() {
    let eight = || vec![Hit { offset: 0, len: 8 }];
    let checked = "6.1 slub_debug=FZP";
    let cases = [
        ("the next object's first bytes", "5.6", "a = kmalloc 64; b = kmalloc 64; overflow a 8 zeros", "b", eight()),
        ("a red zone", checked, "a = kmalloc 64; overflow a 1 zeros", "a", vec![Hit { offset: 64, len: 1 }]),
        ("a red zone that a free restores", checked, "a = kmalloc 64; overflow a 1 zeros; free a", "a", vec![]),
        (
            "a red zone that validate restores",
            checked,
            "cache c 64; a = alloc c; overflow a 1 zeros; validate c",
            "a",
            vec![],
        ),
        (
            "poison that an allocation restores",
            checked,
            "a = kmalloc 64; free a; write a 8 zeros; b = kmalloc 64",
            "a",
            vec![],
        ),
        (
            "a free pointer that a free writes",
            "5.6",
            "a = kmalloc 64; b = kmalloc 64; overflow a 8 zeros; free b",
            "b",
            vec![],
        ),
        (
            "what its owner writes",
            "5.6",
            "a = kmalloc 64; b = kmalloc 64; overflow a 8 zeros; write b 8 zeros",
            "b",
            vec![],
        ),
    ];
    for (what, kernel, commands, name, expected) in cases {
        assert_eq!(hits(kernel, commands, name), expected, "{what}");
    }
}

/// `kfree` of a page that is no allocation: a page in use is freed up to 6.12, and 7.3 leaves it.
#[test]
fn a_page_that_is_no_allocation_is_freed_only_where_it_is_in_use_and_unmarked() {
    let twice = "a = kmalloc 20000; free a; kfree a";
    let foreign = "kfree 0xffff888004800000";
    let cases = [("6.1", twice, false), ("6.1", foreign, true), ("6.12", foreign, true), ("7.3", foreign, false)];
    for (kernel, commands, wanted) in cases {
        let text = format!("slabscope 1\ntitle t\nkernel {kernel}\nluck 7\n\n{}\n", commands.replace("; ", "\n"));
        let report = play(&Scenario::parse(&text).expect("a script")).expect("a kernel");
        let last = report.steps.last().expect("a command").result.as_ref().expect("it is carried out");
        let told = last.events.iter().find_map(|event| match event {
            Event::Warned(Warning::NotALargeKmalloc { freed, .. }) => Some(*freed),
            _ => None,
        });
        assert_eq!(told, Some(wanted), "{kernel}: {commands}");
    }
}
