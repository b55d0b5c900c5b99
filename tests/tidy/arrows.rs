//! Arrows point one way: core knows no browser, scene and session no Yew, components no machine.

use crate::check;
use crate::rust::{code_only, names, without_test_modules};
use crate::tree::SourceFile;

const BROWSER: [&str; 4] = ["web_sys", "js_sys", "gloo", "wasm_bindgen"];

/// The code of the files below `room`, without their tests.
fn code_in<'a>(files: &'a [SourceFile], room: &'a str) -> impl Iterator<Item = (&'a str, String)> {
    files
        .iter()
        .filter(move |file| file.is_rust() && file.path.starts_with(room) && !file.path.ends_with("/tests.rs"))
        .map(|file| (file.path.as_str(), without_test_modules(&code_only(&file.text))))
}

fn forbid(files: &[SourceFile], room: &str, but: Option<&str>, words: &[&str], why: &str) -> Vec<String> {
    code_in(files, room)
        .filter(|(path, _)| !but.is_some_and(|but| path.starts_with(but)))
        .flat_map(|(path, code)| {
            let named: Vec<String> = words
                .iter()
                .filter(|word| names(&code, word))
                .map(|word| format!("{path} names {word}: {why}"))
                .collect();
            named
        })
        .collect()
}

#[test]
fn core_knows_no_browser_no_clock_no_luck_of_its_own() {
    let words: Vec<&str> = ["yew", "std::time", "std::fs", "std::net", "std::env", "std::thread", "std::process"]
        .into_iter()
        .chain(["rand", "getrandom", "RandomState"])
        .chain(BROWSER)
        .collect();
    let why = "a step is a function of kernel, luck and commands, and of nothing else";
    check(
        |files| forbid(files, "core/src/", None, &words, why),
        &[("core/src/a.rs", "use std::time::Instant;"), ("core/src/b/c.rs", "fn f() { web_sys::window(); }")],
        &[
            ("core/src/a.rs", "// yew\n#[cfg(test)]\nmod tests { use std::time::Instant; }"),
            ("src/app.rs", "use yew::*;"),
        ],
    );
}

#[test]
fn core_has_no_hash_order() {
    let why = "its order differs from run to run; a BTreeMap's does not";
    check(
        |files| forbid(files, "core/src/", None, &["HashMap", "HashSet"], why),
        &[("core/src/a.rs", "use std::collections::HashMap;")],
        &[("core/src/a.rs", "use std::collections::BTreeMap;")],
    );
}

#[test]
fn scene_knows_no_yew_and_no_browser() {
    let words: Vec<&str> = ["yew"].into_iter().chain(BROWSER).collect();
    let why = "a scene is plain data";
    check(
        |files| forbid(files, "src/scene/", None, &words, why),
        &[("src/scene/map.rs", "use yew::Html;"), ("src/scene/map.rs", "let a: web_sys::Element;")],
        &[("src/scene/map.rs", "use crate::session::Aim;")],
    );
}

#[test]
fn session_knows_no_yew_no_browser_and_no_clock() {
    let words: Vec<&str> = ["yew", "std::time"].into_iter().chain(BROWSER).collect();
    let why = "the session is plain data; the browser's side carries out its effects";
    check(
        |files| forbid(files, "src/session/", None, &words, why),
        &[("src/session/update.rs", "use gloo::timers::callback::Timeout;")],
        &[("src/session/update.rs", "use crate::session::Effect;")],
    );
}

#[test]
fn components_know_no_machine() {
    let why = "a component draws a scene and emits actions";
    check(
        |files| forbid(files, "src/components/", None, &["Machine", "slabscope_core::machine", "Timeline"], why),
        &[("src/components/map/cell.rs", "use slabscope_core::machine::Machine;")],
        &[("src/components/map/cell.rs", "use crate::scene::map::Cell;")],
    );
}

#[test]
fn only_browser_names_the_browser() {
    let why = "only src/browser holds handles of the browser";
    check(
        |files| forbid(files, "src/", Some("src/browser"), &BROWSER, why),
        &[("src/app.rs", "use web_sys::window;"), ("src/components/a.rs", "gloo::console::log!(1);")],
        &[("src/browser/keys.rs", "use web_sys::window;")],
    );
}

#[test]
fn the_command_knows_no_page() {
    let words: Vec<&str> = ["yew", "slabscope"].into_iter().chain(BROWSER).collect();
    check(
        |files| forbid(files, "cli/src/", None, &words, "the command stands on the core alone"),
        &[("cli/src/main.rs", "use slabscope::scene::View;")],
        &[("cli/src/main.rs", "use slabscope_core::machine::Machine;")],
    );
}

/// The floors of the core, from the ground up: a module names those of its own floor and below.
const FLOORS: [&[&str]; 5] = [
    &[
        "units",
        "numbered",
        "sorted",
        "kernel",
        "shuffle",
        "luck",
        "memory",
        "pages",
        "layout",
        "freelist",
        "report",
        "statistics",
        "event",
    ],
    &["slub", "debug", "kmalloc", "krealloc", "merge", "memcg", "usercopy", "allocator"],
    &["command"],
    &["machine", "outcome", "snapshot", "blast", "forecast", "digest", "invariants"],
    &["timeline", "script", "slab_test", "recording", "replay", "verify"],
];

fn floor_of(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

fn arrows_upwards(files: &[SourceFile]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, code) in code_in(files, "core/src/").filter(|(path, _)| *path != "core/src/lib.rs") {
        let module = path["core/src/".len()..].split(['/', '.']).next().unwrap_or_default();
        let Some(floor) = floor_of(module) else {
            found.push(format!("{path}: say in FLOORS on which floor {module} stands"));
            continue;
        };
        for used in code.split("crate::").skip(1) {
            let used = used.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            if floor_of(used).is_some_and(|above| above > floor) {
                found.push(format!("{path} names {used}, which stands on a floor above"));
            }
        }
    }
    found
}

#[test]
fn no_module_of_the_core_names_one_above_its_floor() {
    check(
        arrows_upwards,
        &[
            ("core/src/slub/alloc.rs", "use crate::machine::Machine;"),
            ("core/src/units.rs", "fn f() -> crate::slub::Cache {}"),
            ("core/src/attic.rs", ""),
        ],
        &[("core/src/machine/mod.rs", "use crate::slub::Cache;\nuse crate::snapshot::Snapshot;")],
    );
}
