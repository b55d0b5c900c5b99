//! Kernel versions, as a dated line.

use core::fmt;
use core::str::FromStr;

/// A mainline kernel version: `5.6`, `5.7-rc1`, `2.6.22`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    major: u8,
    minor: u8,
    /// The third number of the 2.6 series; 0 elsewhere.
    patch: u8,
    /// Which release candidate; [`Version::RELEASED`] for the release itself, so that candidates sort before it.
    candidate: u8,
}

impl Version {
    const RELEASED: u8 = u8::MAX;

    /// The release `major.minor`.
    #[must_use]
    pub const fn release(major: u8, minor: u8) -> Self {
        Self { major, minor, patch: 0, candidate: Self::RELEASED }
    }

    /// The release candidate `major.minor-rcN`.
    #[must_use]
    pub const fn candidate(major: u8, minor: u8, candidate: u8) -> Self {
        Self { major, minor, patch: 0, candidate }
    }

    /// Where this version stands in [`RELEASES`].
    #[must_use]
    pub fn released(self) -> Option<&'static Release> {
        RELEASES.iter().find(|release| release.version == self)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)?;
        if self.major == 2 {
            write!(f, ".{}", self.patch)?;
        }
        if self.candidate != Self::RELEASED {
            write!(f, "-rc{}", self.candidate)?;
        }
        Ok(())
    }
}

/// A text that is not a version on the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownVersion(pub String);

impl fmt::Display for UnknownVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = RELEASES[0].version;
        let last = RELEASES[RELEASES.len() - 1].version;
        write!(f, "no kernel `{}` here: the line runs from {first} to {last}, for example 5.6 or 5.7-rc1", self.0)
    }
}

impl core::error::Error for UnknownVersion {}

impl FromStr for Version {
    type Err = UnknownVersion;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        RELEASES
            .iter()
            .map(|release| release.version)
            .find(|version| version.to_string() == text)
            .ok_or_else(|| UnknownVersion(text.to_owned()))
    }
}

/// A version and the day it was tagged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// The version.
    pub version: Version,
    /// The day of its tag, `YYYY-MM-DD`, or as much of it as is known.
    pub date: &'static str,
    /// What it brought to the heap's hardening, in a few words; empty where nothing.
    pub brought: &'static str,
}

const fn at(major: u8, minor: u8, date: &'static str, brought: &'static str) -> Release {
    Release { version: Version::release(major, minor), date, brought }
}

/// The versions that the model knows, oldest first.
pub const RELEASES: &[Release] = &[
    at(4, 7, "2016-07-24", "freelist randomization for SLAB"),
    at(4, 8, "2016-10-02", "freelist randomization for SLUB"),
    at(4, 9, "2016-12-11", ""),
    at(4, 10, "2017-02-19", ""),
    at(4, 11, "2017-04-30", ""),
    at(4, 12, "2017-07-02", ""),
    at(4, 13, "2017-09-03", ""),
    at(4, 14, "2017-11-12", "hidden free pointers, double-free check"),
    at(4, 15, "2018-01-28", ""),
    at(4, 16, "2018-04-01", "usercopy windows"),
    at(4, 17, "2018-06-03", ""),
    at(4, 18, "2018-08-12", ""),
    at(4, 19, "2018-10-22", ""),
    at(4, 20, "2018-12-23", ""),
    at(5, 0, "2019-03-03", ""),
    at(5, 1, "2019-05-05", ""),
    at(5, 2, "2019-07-07", ""),
    at(5, 3, "2019-09-15", "init_on_alloc, init_on_free"),
    at(5, 4, "2019-11-24", "kmalloc aligned to its size"),
    at(5, 5, "2020-01-26", ""),
    at(5, 6, "2020-03-29", ""),
    Release {
        version: Version::candidate(5, 7, 1),
        date: "2020-04-12",
        brought: "free pointer in the middle, first formula",
    },
    at(5, 7, "2020-05-31", "free pointer in the middle; hidden pointers byte-swapped"),
    at(5, 8, "2020-08-02", ""),
    at(5, 9, "2020-10-11", ""),
    at(5, 10, "2020-12-13", ""),
    at(5, 11, "2021-02-14", ""),
    at(5, 12, "2021-04-25", "deactivation keeps the list's order"),
    at(5, 13, "2021-06-27", "free pointer at half the object, rounded down"),
    at(5, 14, "2021-08-29", "kmalloc-cg caches"),
    at(5, 15, "2021-10-31", ""),
    at(5, 16, "2022-01-09", "CPU partial lists counted in slabs"),
    at(5, 17, "2022-03-20", ""),
    at(5, 18, "2022-05-22", ""),
    at(5, 19, "2022-07-31", ""),
    at(6, 0, "2022-10-02", ""),
    at(6, 1, "2022-12-11", ""),
    at(6, 2, "2023-02-19", ""),
    at(6, 3, "2023-04-23", ""),
    at(6, 4, "2023-06-25", "shuffles drawn from the kernel's own generator"),
    at(6, 5, "2023-08-27", ""),
    at(6, 6, "2023-10-29", "random kmalloc copies"),
    at(6, 7, "2024-01-07", ""),
    at(6, 8, "2024-03-10", "only a CPU's own slab is frozen"),
    at(6, 9, "2024-05-12", ""),
    at(6, 10, "2024-07-14", ""),
    at(6, 11, "2024-09-15", "buckets for msg_msg and memdup_user"),
    at(6, 12, "2024-11-17", ""),
    at(6, 13, "2025-01-19", ""),
    at(6, 14, "2025-03-24", ""),
    at(6, 15, "2025-05-25", ""),
    at(6, 16, "2025-07-27", ""),
    at(6, 17, "2025-09-28", ""),
    at(6, 18, "2025-11-30", "sheaves, for caches that ask"),
    at(6, 19, "2026-02-08", ""),
    at(7, 0, "2026-04-12", "sheaves for every cache; CPUs own no slabs"),
    at(7, 1, "2026-06-14", ""),
    at(7, 2, "2026", "kmalloc partitions by type"),
    at(7, 3, "2026", ""),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_in_order_and_reads_back() {
        for pair in RELEASES.windows(2) {
            assert!(pair[0].version < pair[1].version, "{} before {}", pair[0].version, pair[1].version);
            let known = pair[0].date.len().min(pair[1].date.len());
            assert!(pair[0].date[..known] <= pair[1].date[..known]);
            assert!(known == 4 || pair[0].date < pair[1].date);
        }
        for release in RELEASES {
            assert_eq!(release.version.to_string().parse(), Ok(release.version));
        }
    }

    #[test]
    fn a_candidate_sorts_before_its_release() {
        assert!(Version::candidate(5, 7, 1) < Version::release(5, 7));
        assert!(Version::release(5, 6) < Version::candidate(5, 7, 1));
    }
}
