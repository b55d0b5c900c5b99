//! What lies in the tree is used: a stylesheet by the page, a scenario by the code.

use crate::check;
use crate::tree::SourceFile;

fn unlinked_stylesheets(files: &[SourceFile]) -> Vec<String> {
    let page = files.iter().find(|file| file.path == "index.html").map_or("", |page| &page.text);
    files
        .iter()
        .filter(|file| file.path.starts_with("styles/"))
        .filter(|file| !page.contains(&format!("href=\"{}\"", file.path)))
        .map(|file| format!("{} is not linked by index.html", file.path))
        .collect()
}

#[test]
fn every_stylesheet_is_linked() {
    check(unlinked_stylesheets, &[("styles/lost.css", "a {}")], &[("index.html", "<html></html>")]);
}

fn unplayed_scenarios(files: &[SourceFile]) -> Vec<String> {
    files
        .iter()
        .filter(|file| file.path.ends_with(".slab"))
        .filter(|file| {
            let name = file.path.rsplit('/').next().unwrap_or_default();
            let quoted = format!("\"{}\"", name.trim_end_matches(".slab"));
            let plays = |code: &SourceFile| code.text.contains(name) || code.text.contains(&quoted);
            !files.iter().any(|code| code.is_rust() && plays(code))
        })
        .map(|file| format!("{} is in no lesson and in no test", file.path))
        .collect()
}

#[test]
fn every_scenario_is_played() {
    check(
        unplayed_scenarios,
        &[("scenarios/lost.slab", "say nothing")],
        &[("src/lessons/mod.rs", "include_str!(\"a.slab\")")],
    );
}
