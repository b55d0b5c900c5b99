//! `slabscope verify` as a person meets it: what it prints, and how it exits.

use std::path::PathBuf;
use std::process::{Command, Output};

fn recording(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../core/tests/kernel").join(file)
}

fn verify(files: &[PathBuf]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_slabscope")).arg("verify").args(files).output().expect("the command")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// A file of this test's own.
fn temporary(name: &str, contents: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, contents).expect("a writable folder");
    path
}

#[test]
fn all_equal_exits_0() {
    let output = verify(&[recording("6.1-hardened/s5a.jsonl.gz"), recording("6.1-plain/s2-r1.jsonl.gz")]);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert!(printed.contains("  death                1 of 1 equal\n"), "{printed}");
    assert!(printed.contains("  bulk_alloc           6 of 6 equal\n"), "{printed}");
    assert!(printed.ends_with(" equal\n") && printed.contains("\n2 files: "), "{printed}");
}

#[test]
fn what_is_not_modelled_exits_3_with_its_name() {
    let output = verify(&[temporary("older.jsonl", format!("{}{END}", header("5.10.0-plain")).as_bytes())]);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{printed}{}", text(&output.stderr));
    assert!(printed.contains("not modelled yet: recordings of Linux 5.10.0-plain"), "{printed}");
}

const END: &str = "{\"t\":\"end\",\"scenario\":\"s5i\"}\n";

/// The first line of a recording of this release.
fn header(release: &str) -> String {
    format!(
        "{{\"t\":\"header\",\"scenario\":\"s5i\",\"release\":\"{release}\",\"version\":\"#1\",\"cmdline\":\"slab_nomerge\",\"nr_cpu_ids\":1,\"num_online_cpus\":1,\"PAGE_SIZE\":4096,\"page_offset\":\"0xffff888000000000\",\"wipe_fresh_pages\":1,\"cfg\":{{\"CONFIG_SLUB\":1,\"CONFIG_SLUB_CPU_PARTIAL\":1,\"CONFIG_SLUB_DEBUG\":1,\"CONFIG_SMP\":1,\"CONFIG_ZONE_DMA\":1}}}}\n"
    )
}

#[test]
fn a_difference_exits_1_with_its_line_and_both_sides() {
    let lines = "{\"t\":\"begin\",\"scenario\":\"s5i\",\"seed_xor\":\"0x0\"}\n{\"t\":\"kmalloc\",\"gfp\":\"GFP_KERNEL\",\"n\":65,\"cache\":\"kmalloc-64\",\"object_size\":64,\"size\":64,\"ksize\":64,\"roundup\":64}\n";
    let header = header("6.1.192-plain");
    let output = verify(&[temporary("differs.jsonl", format!("{header}{lines}{END}").as_bytes())]);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{printed}{}", text(&output.stderr));
    assert!(
        printed.contains("first difference: line 3, kmalloc, cache:\n    theirs kmalloc-64\n    ours   kmalloc-96\n"),
        "{printed}"
    );
}

#[test]
fn a_bad_file_exits_2_with_its_name_and_line() {
    let whole = std::fs::read(recording("6.1-plain/s5b.jsonl.gz")).expect("a recording");
    let cut = temporary("cut.jsonl.gz", &whole[..whole.len() / 2]);
    let output = verify(&[cut, recording("6.1-plain/s5b.jsonl.gz"), PathBuf::from("no-such-file")]);
    let complaint = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(
        complaint.contains("cut.jsonl.gz: line ") && complaint.contains("the gzip data ends or breaks"),
        "{complaint}"
    );
    assert!(complaint.contains("no-such-file: No such file"), "{complaint}");
    assert!(text(&output.stdout).contains("1 files: "), "the file between them is compared all the same");
}
