//! How a recorded kernel ends must be how ours ends: the same kind, address and function, in the same operation.

use slabscope_core::recording::{Report, Verdict, verify};
use std::io::Read;
use std::path::Path;

fn lines_of(file: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel").join(file);
    let mut text = String::new();
    let bytes = std::fs::read(path).expect("a recording");
    flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).expect("gzipped text");
    text.lines().map(str::to_owned).collect()
}

#[track_caller]
fn report_of(lines: &[String]) -> Report {
    verify(lines.join("\n").as_bytes()).expect("a whole recording")
}

#[track_caller]
fn first_difference(lines: &[String]) -> String {
    report_of(lines).first.expect("a difference").to_string()
}

/// An object freed twice without hardening, so that the CPU's list loops; then `kmem_cache_shrink`, which walks it.
fn a_loop_that_is_shrunk(printed: &[&str]) -> Vec<String> {
    let lines = lines_of("6.1-plain/s5a.jsonl.gz");
    let twice_freed = lines.iter().position(|line| line.contains("twice freed")).expect("the state");
    let mut lines = lines[..=twice_freed].to_vec();
    lines.push("{\"t\":\"shrink?\",\"c\":0}".to_owned());
    lines.extend(printed.iter().map(|line| format!("{{\"t\":\"dmesg\",\"l\":\"{line}\"}}")));
    lines
}

const STALL: &str = "rcu: INFO: rcu_sched self-detected stall on CPU";
const DETAIL: &str = "rcu: \\t0-....: (5249 ticks this GP) idle=01ac/1/0x4000000000000000 softirq=40/40 fqs=2";

#[test]
fn a_hang_is_a_hang() {
    let place = "RIP: 0010:deactivate_slab+0x8c/0x2b0";
    let report = report_of(&a_loop_that_is_shrunk(&[STALL, DETAIL, place, STALL, DETAIL, place]));
    assert_eq!(report.verdict(), Verdict::Equal, "{report}");
    assert_eq!(report.kinds["death"].equal, 1, "{report}");
}

#[test]
fn a_hang_elsewhere_is_another() {
    let first = first_difference(&a_loop_that_is_shrunk(&[STALL, DETAIL, "RIP: 0010:kmem_cache_free+0x8c/0x2b0"]));
    assert!(first.contains("theirs stall in kmem_cache_free\n    ours   stall in deactivate_slab"), "{first}");
}

#[test]
fn a_hang_of_which_nothing_was_printed_is_counted_as_such() {
    let report = report_of(&a_loop_that_is_shrunk(&[]));
    assert_eq!((report.verdict(), report.unknowable.len()), (Verdict::Equal, 1), "{report}");
}

#[test]
fn a_fault_at_another_address_is_another() {
    let mut lines = lines_of("6.1-plain/s5d.jsonl.gz");
    assert_eq!(report_of(&lines).verdict(), Verdict::Equal);
    let fault = lines.iter_mut().find(|line| line.contains("general protection")).expect("a fault");
    *fault = fault.replace("address 0x", "address 0xa");
    assert!(first_difference(&lines).contains("death, what was printed"));
}

#[test]
fn a_bug_at_another_line_or_in_another_function_is_another() {
    for (from, to) in [("slub.c:419", "slub.c:420"), ("RIP: 0010:kmem_cache_free", "RIP: 0010:__slab_free")] {
        let lines: Vec<String> =
            lines_of("6.1-hardened/s5a.jsonl.gz").iter().map(|line| line.replace(from, to)).collect();
        assert!(first_difference(&lines).contains("death, what was printed"), "{from} to {to}");
    }
}

#[test]
fn a_kernel_that_died_where_ours_goes_on_differs() {
    let mut lines = lines_of("6.1-plain/s5i.jsonl.gz");
    let freed = lines.iter().position(|line| line.contains("\"free_wrong_cache\"")).expect("the closing record");
    lines.truncate(freed);
    lines.push("{\"t\":\"dmesg\",\"l\":\"kernel BUG at mm/slub.c:419!\"}".to_owned());
    assert!(first_difference(&lines).contains("theirs kernel BUG at mm/slub.c:419\n    ours   nothing"));
}

#[test]
fn a_warning_that_ours_does_not_give_differs_and_so_does_its_absence() {
    let lines = lines_of("6.1-hardened/s5i.jsonl.gz");
    let without: Vec<String> = lines.iter().filter(|line| !line.contains("\"dmesg\"")).cloned().collect();
    assert!(first_difference(&without).contains("theirs nothing\n    ours   warning \"cache_from_obj"));
    let other: Vec<String> = lines.iter().map(|line| line.replace("Wrong slab cache", "Right slab cache")).collect();
    assert!(first_difference(&other).contains("theirs warning \"cache_from_obj: Right slab cache"));
}

/// Which page the driver freed is luck; of which cache it was to be an object is not.
#[test]
fn an_address_that_is_luck_may_be_any_address_and_nothing_else() {
    let lines = lines_of("7.3-hardened/s5j.jsonl.gz");
    let with = |from: &str, to: &str| lines.iter().map(|line| line.replace(from, to)).collect::<Vec<_>>();
    assert_eq!(report_of(&with("ffff888002b22000", "ffff888002b23000")).verdict(), Verdict::Equal);
    for (from, to) in [("ffff888002b22000", "nowhere"), ("is not in a slab page", "is in a slab page")] {
        assert!(first_difference(&with(from, to)).contains("warning, what was printed"), "{from} to {to}");
    }
    assert!(first_difference(&with("kmem_cache_free(orc", "kmem_cache_free(other")).contains("theirs warning"));
}

#[test]
fn a_line_that_nothing_explains_differs() {
    let mut lines = lines_of("6.1-plain/s5i.jsonl.gz");
    lines.insert(6, "{\"t\":\"dmesg\",\"l\":\"slab: something is wrong\"}".to_owned());
    assert!(first_difference(&lines).contains("theirs \"slab: something is wrong\"\n    ours   nothing"));
}
