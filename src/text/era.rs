//! Eras: runs of versions whose allocator has the same lists.

use slabscope_core::kernel::Version;

/// An era.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Era {
    /// Its first version.
    pub from: Version,
    /// The version that stands for it.
    pub shown: Version,
    /// What its CPUs have.
    pub words: &'static str,
}

/// From, shown, words; oldest first.
const ERAS: [(&str, &str, &str); 7] = [
    ("2.6.22", "2.6.32", "a slab a CPU"),
    ("3.2", "5.6", "CPU partial lists"),
    ("5.7", "5.7", "middle pointer"),
    ("5.12", "6.1", "lists keep order"),
    ("6.8", "6.12", "active slab frozen"),
    ("6.18", "6.18", "sheaves if asked"),
    ("7.0", "7.3", "sheaves for all"),
];

/// The eras of the version line, oldest first.
#[must_use]
pub fn eras() -> Vec<Era> {
    let era = |(from, shown, words): (&str, &str, &'static str)| {
        let shown = shown.parse().ok()?;
        Some(Era { from: from.parse().unwrap_or(shown), shown, words })
    };
    ERAS.into_iter().filter_map(era).collect()
}

/// The era of a version.
#[must_use]
pub fn era_of(version: Version) -> Option<Era> {
    eras().into_iter().rfind(|era| era.from <= version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_era_holds_the_version_that_stands_for_it() {
        for era in eras() {
            assert_eq!(era_of(era.shown), Some(era));
        }
        assert!(eras().len() >= 5);
    }
}
