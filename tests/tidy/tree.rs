//! The text files of the project.

use std::fs;
use std::path::Path;

/// What a build, a test run or git leaves in a clone.
const NOT_OURS: [&str; 5] = ["target", "dist", "node_modules", "test-results", ".git"];

/// A text file.
pub(crate) struct SourceFile {
    /// From the top of the tree, with `/`.
    pub(crate) path: String,
    /// All of it.
    pub(crate) text: String,
}

impl SourceFile {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }
}

/// Every text file of the tree, in the order of their paths.
pub(crate) fn files() -> Vec<SourceFile> {
    let mut found = Vec::new();
    collect(Path::new(env!("CARGO_MANIFEST_DIR")), "", &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.iter().any(|file| file.path == "src/lib.rs"), "the walk does not reach the tree");
    found
}

fn collect(folder: &Path, prefix: &str, found: &mut Vec<SourceFile>) {
    for entry in fs::read_dir(folder).expect("a folder of the tree can be listed") {
        let entry = entry.expect("a folder of the tree can be listed");
        let name = entry.file_name().to_string_lossy().into_owned();
        if NOT_OURS.contains(&name.as_str()) {
            continue;
        }
        let path = format!("{prefix}{name}");
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{path}/"), found);
        } else if let Ok(text) = fs::read_to_string(entry.path()) {
            // What is not UTF-8 is a picture or a compressed recording.
            found.push(SourceFile { path, text });
        }
    }
}
