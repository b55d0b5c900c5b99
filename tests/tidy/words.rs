//! Words that no committed file has.

use crate::check;
use crate::rust::{code_only, names};
use crate::tree::SourceFile;

/// In two halves each, so that this file does not have them.
const UNFINISHED: [&str; 4] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X"), concat!("HA", "CK")];
const HOMES: [&str; 3] = [concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/Us", "ers/")];
const UNFAILING: [&str; 3] = [concat!("#[ign", "ore"), concat!("assert!(tr", "ue"), concat!("test.sk", "ip")];

/// Files that people write; a recording of a kernel says what it says.
fn written(files: &[SourceFile]) -> impl Iterator<Item = &SourceFile> {
    files
        .iter()
        .filter(|file| !file.path.starts_with("core/tests/kernel/") && !file.path.ends_with("package-lock.json"))
}

fn unfinished(files: &[SourceFile]) -> Vec<String> {
    let marks = written(files).flat_map(|file| {
        let marks = UNFINISHED.iter().filter(|word| names(&file.text, word));
        marks.map(|word| format!("{} says {word}", file.path))
    });
    let macros = files.iter().filter(|file| file.is_rust()).flat_map(|file| {
        let code = code_only(&file.text);
        let macros = ["todo!", "unimplemented!", "dbg!"].into_iter().filter(move |word| code.contains(word));
        macros.map(|word| format!("{} has {word}", file.path))
    });
    marks.chain(macros).collect()
}

fn paths_of_a_machine(files: &[SourceFile]) -> Vec<String> {
    written(files)
        .flat_map(|file| {
            HOMES.iter().filter(|home| file.text.contains(*home)).map(|home| format!("{} names {home}", file.path))
        })
        .collect()
}

fn tests_that_cannot_fail(files: &[SourceFile]) -> Vec<String> {
    written(files)
        .flat_map(|file| {
            UNFAILING.iter().filter(|word| file.text.contains(*word)).map(|word| format!("{} has {word}", file.path))
        })
        .collect()
}

#[test]
fn nothing_is_unfinished() {
    check(
        unfinished,
        &[("a.css", &format!("/* {}: later */", UNFINISHED[0])), ("src/a.rs", "fn f() { todo!() }")],
        &[("src/a.rs", "// todo! is refused\nfn f() {}")],
    );
}

#[test]
fn no_path_of_a_machine_is_written_down() {
    check(paths_of_a_machine, &[("a.md", &format!("see {}me/notes", HOMES[1]))], &[("a.md", "see docs/fidelity.md")]);
}

#[test]
fn every_test_runs_and_can_fail() {
    check(tests_that_cannot_fail, &[("a.rs", &format!("{}]", UNFAILING[0]))], &[("a.rs", "#[test]")]);
}
