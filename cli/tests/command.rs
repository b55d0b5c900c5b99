//! The command as a person meets it: exit codes and text.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn slabscope(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_slabscope")).args(args).output().expect("the command starts")
}

fn scenario(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    folder.join(name).to_string_lossy().into_owned()
}

/// A file of this test's own.
fn written(name: &str, bytes: &[u8]) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, bytes).expect("the file can be written");
    file
}

const HEADER: &str = "slabscope 1\ntitle T\nkernel 5.6\nluck 1\n\n";

#[track_caller]
fn check(args: &[&str], code: i32, said: &[&str]) -> String {
    let output = slabscope(args);
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{args:?} said: {text}");
    for part in said {
        assert!(text.contains(part), "{args:?} does not say `{part}`: {text}");
    }
    text
}

#[track_caller]
fn check_file(name: &str, text: &[u8], code: i32, said: &[&str]) {
    let file = written(name, text);
    check(&["run", &file.to_string_lossy()], code, said);
}

#[test]
fn a_lesson_runs_to_its_goal() {
    let lesson = scenario("lesson-03-eight-bytes.slab");
    let said = [
        "  8  q = kmalloc 64",
        ", also target",
        "HIJACKED: kmalloc(64) returned target",
        "the goal was reached: HIJACKED",
    ];
    check(&["run", &lesson], 0, &said);
}

#[test]
fn what_is_not_as_expected_is_said_and_exits_1() {
    let body = format!("{HEADER}a = kmalloc 64\nexpect a = NULL\nfree b\nexpect outcome MISSED\n");
    let said = [
        "unmet.slab:7:1: expected a = NULL, but 0x",
        "unmet.slab:8:6: not carried out: no object is named `b`: allocate it first, as in `b = kmalloc 64`\n         \
         free b\n              ^\n",
        "unmet.slab:9:1: expected outcome MISSED, but nothing went out of bounds",
    ];
    check_file("unmet.slab", body.as_bytes(), 1, &said);
    let goal = HEADER.replace("luck 1\n", "luck 1\ngoal HIJACKED\n");
    check_file("goal.slab", goal.as_bytes(), 1, &["the goal was missed: expected HIJACKED"]);
}

/// A refusal is told once, whether a check expects it or not.
#[test]
fn a_refusal_is_told_once() {
    for (check_line, code) in [("", 1), ("expect refused\n", 0)] {
        let file = written("refused.slab", format!("{HEADER}shrink nothing\n{check_line}").as_bytes());
        let text = check(&["run", &file.to_string_lossy()], code, &["not carried out"]);
        assert_eq!(text.matches("no cache is named `nothing`").count(), 1, "{text}");
    }
}

/// A kernel goes on, and so does a run: what is in doubt is told with its place.
#[test]
fn what_is_in_doubt_is_told_and_played() {
    let header = HEADER.replace("5.6", "6.1 slub_debug=FQ").replace("luck 1\n", "luck 1\ntarget t\n");
    let said = [
        "doubts.slab:3:24: warning: Linux 6.1 prints \"slub_debug option 'Q' unknown. skipped\": the letters are",
        "  kernel 6.1 slub_debug=FQ\n                         ^\n",
        "doubts.slab:5:8: warning: no command of the script makes `t`\n  target t\n         ^\n",
        "  1  a = kmalloc 64",
    ];
    check_file("doubts.slab", format!("{header}a = kmalloc 64\n").as_bytes(), 0, &said);
    let said =
        ["--kernel: warning: Linux 6.1 prints", "\n  6.1 slub_debug=Q\n                 ^\n", "An object of 64 bytes"];
    check(&["layout", "64", "--kernel", "6.1 slub_debug=Q"], 0, &said);
}

#[test]
fn what_a_kernel_says_when_it_dies_is_printed() {
    let body = format!(
        "{HEADER}a = kmalloc 64\nfree a\nwrite a 8 \"A\"\nb = kmalloc 64\nc = kmalloc 64\n\
                        expect fault 0x4141414141414141\nexpect outcome CRASHED\n"
    );
    let said = ["general protection fault, probably for non-canonical address 0x4141414141414141", "CRASHED"];
    check_file("fault.slab", body.as_bytes(), 0, &said);
}

#[test]
fn bad_input_is_told_with_its_place_and_exits_2() {
    let said = ["wrong.slab:6:1: `fre` is no command: did you mean `free`?", "  fre a\n  ^^^"];
    check_file("wrong.slab", format!("{HEADER}fre a\n").as_bytes(), 2, &said);
    check_file(
        "crlf.slab",
        HEADER.replace('\n', "\r\n").replace("5.6", "5.5 hidden=maybe").as_bytes(),
        2,
        &["crlf.slab:3:19: `maybe` is no setting: one of on, off"],
    );
    check_file("bytes.slab", b"slabscope 1\ntitle \xff\n", 2, &["bytes.slab:2:7: the byte 0xff is not UTF-8 text"]);
    check_file(
        "empty.slab",
        b"",
        2,
        &["empty.slab:1:1: the line ends where the first line of a scenario should stand"],
    );
    check(&["run", "no-such-file.slab"], 2, &["no-such-file.slab: "]);
    check(&["walk"], 2, &["unrecognized subcommand"]);
}

#[test]
fn a_layout_is_drawn_and_written_as_json() {
    let said = [
        "size 64",
        "free pointer at 32 to 39, in the object",
        "64 objects",
        &format!("|{}{}{}|", "#".repeat(32), ">".repeat(8), "#".repeat(24)),
    ];
    check(&["layout", "64"], 0, &said);
    check(
        &["layout", "60", "--ctor", "--flags", "hwcache"],
        0,
        &["size 128, aligned to 64", "free pointer at 64 to 71, after the object"],
    );
    check(
        &["layout", "192", "--cpus", "16", "--json"],
        0,
        &[
            "{\"object_size\":192,\"size\":192,\"align\":8,\"inuse\":192,\"offset\":96,\"order\":1,\"objects\":42,\"tail\":128,",
            "\"min_partial\":5,\"cpu_partial\":120,\"cpu_partial_slabs\":6,\"sheaf_capacity\":0}\n",
        ],
    );
}

/// Numbers are those of scripts, and small objects are told as they are.
#[test]
fn a_layout_shows_what_checks_keep() {
    let said = [
        "|====###############=>>>>tttttttttttttttttttttttttttttttt....|",
        "-8   0              30   40                              104 112",
        "# data, > free pointer while the object is free, = red zone, t who allocated and freed it, . padding",
    ];
    check(&["layout", "30", "--kernel", "6.1 slub_debug=FZPU"], 0, &said);
    let poisoned = check(&["layout", "24", "--kernel", "6.1 slub_debug=P"], 0, &["|########################>>>>>>>>|"]);
    assert!(!poisoned.contains("red zone"), "{poisoned}");
}

#[test]
fn a_layout_takes_numbers_as_scripts_have_them() {
    for (hexadecimal, decimal) in [("0x40", "64"), ("0xc0", "192")] {
        let of = |size| check(&["layout", size, "--align", "0x10", "--cpus", "0x4"], 0, &[]);
        assert_eq!(of(hexadecimal), of(decimal));
    }
    for wrong in ["64k", "0x", "40h", "99999999999999999999"] {
        check(&["layout", wrong], 2, &["digits, or `0x` and hexadecimal digits, up to 64 bits"]);
    }
    let said = [
        "An object of 7 bytes",
        "free pointer at 0 to 7, in the object and in the padding after it",
        "\n  0        8\n",
    ];
    check(&["layout", "7"], 0, &said);
    check(&["layout", "1"], 0, &["An object of 1 byte on"]);
}

#[test]
fn the_kmalloc_classes_are_those_of_the_kernel() {
    let old = check(&["layout", "--kernel", "5.3"], 0, &["kmalloc-1024"]);
    assert!(!old.contains("kmalloc-1k"), "short names came with 5.4");
    check(&["layout", "--kernel", "5.6"], 0, &["from byte 1, all of it with 8"]);
    check(&["layout", "--kernel", "2.6.24"], 0, &["Linux 2.6.24, 1 CPU", "kmalloc-2048"]);
    let copies = check(
        &["layout", "--kernel", "6.6 copies=on cpus=4"],
        0,
        &["Linux 6.6 cpus=4 copies=on\n", "kmalloc-rnd-15-8k"],
    );
    assert_eq!(copies.matches("CPU").count(), 0, "the CPUs are told once");
    check(&["layout", "--kernel", "6.1 slub_debug=FZPU,kmalloc-64"], 0, &["kmalloc-64           256     64"]);
    check(&["layout", "64", "--kernel", "6.1 slub_debug=FZPU"], 0, &["size 160, aligned to 8, metadata from 72"]);
    let new = check(
        &["layout", "--memcg", "--json"],
        0,
        &["\"name\":\"kmalloc-cg-8k\"", "\"name\":\"kmalloc-64\",\"object_size\":64"],
    );
    assert!(new.lines().all(|line| line.starts_with('{') && line.ends_with('}')));
}

#[test]
fn a_layout_that_cannot_be_is_refused() {
    check(&["layout", "64", "--align", "24"], 2, &["an alignment of 24"]);
    check(&["layout", "0"], 2, &["0"]);
    check(&["layout", "64", "--window", "60", "8"], 2, &["a usercopy window of 8 bytes at 60 in an object of 64"]);
    check(&["layout", "64", "--kernel", "4.15", "--window", "0", "8"], 2, &["Linux 4.15 has no usercopy windows"]);
    check(&["layout", "64", "--kernel", "6.4", "--flags", "no_merge"], 2, &["Linux 6.4 has no SLAB_NO_MERGE"]);
    check(&["layout", "64", "--kernel", "6.12 tiny=on random=on"], 2, &["CONFIG_SLUB_TINY", "exclude each other"]);
    check(&["layout", "64", "--flags", "hwcash"], 2, &["--flags: `hwcash` is no cache flag: did you mean `hwcache`?"]);
    check(&["layout", "64", "--kernel", "5.66"], 2, &["no kernel `5.66` here"]);
    check(&["layout", "64", "--kernel", "4.7 random=on"], 2, &["Linux 4.7 has no CONFIG_SLAB_FREELIST_RANDOM"]);
    check(&["layout", "64", "--cpus", "65"], 2, &["65 CPUs"]);
}

#[test]
fn the_bench_has_a_row_for_each_size_and_configuration() {
    let text = check(&["bench", "--json", "--rounds", "1", "--memory", "64"], 0, &["10000 objects rather than 100000"]);
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('{')).collect();
    assert_eq!(rows.len(), 40);
    for configuration in ["plain", "random", "hardened", "hardened-random"] {
        for size in [8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096] {
            let start = format!("{{\"config\":\"{configuration}\",\"size\":{size},\"kmalloc\":{{\"ns\":");
            let row = rows.iter().find(|row| row.starts_with(&start)).unwrap_or_else(|| panic!("no row {start}"));
            assert!(row.contains("},\"kfree\":{\"ns\":") && row.contains("},\"pair\":{\"ns\":") && row.ends_with("}}"));
        }
    }
    check(&["bench", "--kernel", "4.8"], 2, &["Linux 4.8 has no CONFIG_SLAB_FREELIST_HARDENED"]);
    check(
        &["bench", "--config", "plain", "--rounds", "1", "--memory", "64"],
        0,
        &["2016, after against before", "+3.0"],
    );
}

/// Who reads the output may stop reading.
#[test]
fn a_broken_pipe_ends_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_slabscope"))
        .args(["layout", "--memcg"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}
