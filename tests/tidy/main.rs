//! Hygiene of the tree, as tests: the arrows between rooms, sizes, words, colours, references.
//!
//! Each rule is a function from files to findings. [`check`] holds it against the whole tree, and first against
//! snippets that break it: a rule that cannot fail is no rule.

#![cfg(not(target_arch = "wasm32"))]

mod arrows;
mod colours;
mod references;
mod rust;
mod sizes;
mod tree;
mod words;

use tree::SourceFile;

/// Asserts that `rule` finds something in each bad snippet (path, text), nothing in the good ones, nothing in the tree.
#[track_caller]
fn check(rule: impl Fn(&[SourceFile]) -> Vec<String>, bad: &[(&str, &str)], good: &[(&str, &str)]) {
    for (path, text) in bad {
        let findings = rule(&[SourceFile::new(path, text)]);
        assert!(!findings.is_empty(), "the rule lets this pass, in {path}: {text}");
    }
    for (path, text) in good {
        let findings = rule(&[SourceFile::new(path, text)]);
        assert!(findings.is_empty(), "the rule refuses this, in {path}: {text}: {findings:?}");
    }
    let findings = rule(&tree::files());
    assert!(findings.is_empty(), "\n{}\n", findings.join("\n"));
}
