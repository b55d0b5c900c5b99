//! Small pieces: files, functions and components that fit a head.

use crate::check;
use crate::rust::{body_at, code_only, without_test_modules};
use crate::tree::SourceFile;

const FILE_LINES: usize = 500;
const FUNCTION_LINES: usize = 70;
/// Most of a component is markup, a line an element.
const COMPONENT_LINES: usize = 150;

fn long_files(files: &[SourceFile]) -> Vec<String> {
    files
        .iter()
        .filter(|file| file.is_rust())
        .map(|file| (&file.path, lines_without_test_modules(&file.text)))
        .filter(|&(_, lines)| lines > FILE_LINES)
        .map(|(path, lines)| format!("{path}: {lines} lines without its tests, over {FILE_LINES}"))
        .collect()
}

/// Comments and blank lines count: they are read too.
fn lines_without_test_modules(text: &str) -> usize {
    let code = code_only(text);
    let in_tests = filled_lines(&code) - filled_lines(&without_test_modules(&code));
    text.lines().count() - in_tests
}

fn filled_lines(code: &str) -> usize {
    code.lines().filter(|line| !line.trim().is_empty()).count()
}

fn long_functions(files: &[SourceFile]) -> Vec<String> {
    files
        .iter()
        .filter(|file| file.is_rust())
        .flat_map(|file| {
            let code = code_only(&file.text);
            let long: Vec<String> = code
                .match_indices("fn ")
                .filter(|&(at, _)| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
                .filter_map(|(at, _)| too_long(&code, at))
                .map(|what| format!("{}: {what}", file.path))
                .collect();
            long
        })
        .collect()
}

/// What to say of the function whose `fn` stands at `at`, if its body is over its limit.
fn too_long(code: &str, at: usize) -> Option<String> {
    let body = body_at(code, at)?;
    // The two lines of the braces are not the body.
    let lines = filled_lines(&code[body]).saturating_sub(2);
    let limit = if is_component(&code[..at]) { COMPONENT_LINES } else { FUNCTION_LINES };
    let name = code[at + 3..].split(['(', '<']).next().unwrap_or_default();
    (lines > limit).then(|| format!("{name} has {lines} lines, over {limit}"))
}

/// Whether the attributes right before a `fn` make a component of it.
fn is_component(before: &str) -> bool {
    let item = before.rfind(['}', ';']).map_or(0, |end| end + 1);
    before[item..].contains("#[component") || before[item..].contains("#[function_component")
}

#[test]
fn files_are_short() {
    check(
        long_files,
        &[("src/a.rs", &"fn f() {}\n".repeat(FILE_LINES + 1))],
        &[
            ("src/a.rs", &"fn f() {}\n".repeat(FILE_LINES)),
            ("src/a.rs", &format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "fn f() {}\n".repeat(FILE_LINES))),
        ],
    );
}

#[test]
fn functions_are_short() {
    let function = |lines: usize| format!("fn f<T>(a: [u8; 2]) -> T\nwhere T: A,\n{{\n{}}}\n", "a();\n".repeat(lines));
    check(
        long_functions,
        &[
            ("src/a.rs", &function(FUNCTION_LINES + 1)),
            ("src/a.rs", &format!("#[component]\n{};", function(COMPONENT_LINES + 1))),
        ],
        &[
            ("src/a.rs", &function(FUNCTION_LINES)),
            ("src/a.rs", &format!("#[component]\npub {}", function(COMPONENT_LINES))),
            ("src/a.rs", &format!("trait A {{ fn f(); }}\nmod b {{\n{}}}", "a();\n".repeat(FUNCTION_LINES + 1))),
        ],
    );
}
