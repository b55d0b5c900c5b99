//! Kernel versions, as a dated line.

use core::fmt;
use core::str::FromStr;

/// A mainline kernel version: `5.6`, `5.7-rc1`, `2.6.22`.
///
/// Its numbers in one, a byte each, so that to compare versions, which [`Model`](super::Model) does some hundred times, is to
/// compare numbers: major, minor, the third number of the 2.6 series (0 elsewhere), and which release candidate
/// (255 for the release itself, so that candidates sort before it).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(u32);

impl Version {
    const RELEASED: u8 = u8::MAX;

    /// The release `major.minor`.
    #[must_use]
    pub const fn release(major: u8, minor: u8) -> Self {
        Self::candidate(major, minor, Self::RELEASED)
    }

    /// The release `2.6.patch`.
    #[must_use]
    pub const fn of_2_6(patch: u8) -> Self {
        Self(u32::from_be_bytes([2, 6, patch, Self::RELEASED]))
    }

    /// The release candidate `major.minor-rcN`.
    #[must_use]
    pub const fn candidate(major: u8, minor: u8, candidate: u8) -> Self {
        Self(u32::from_be_bytes([major, minor, 0, candidate]))
    }

    /// Where this version stands in [`RELEASES`].
    #[must_use]
    pub fn released(self) -> Option<&'static Release> {
        RELEASES.iter().find(|release| release.version == self)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch, candidate] = self.0.to_be_bytes();
        write!(f, "{major}.{minor}")?;
        if major == 2 {
            write!(f, ".{patch}")?;
        }
        if candidate != Self::RELEASED {
            write!(f, "-rc{candidate}")?;
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

const fn of_2_6(patch: u8, date: &'static str, brought: &'static str) -> Release {
    Release { version: Version::of_2_6(patch), date, brought }
}

/// The versions that the model knows, oldest first.
pub const RELEASES: &[Release] = &[
    of_2_6(22, "2007-07-08", "SLUB"),
    of_2_6(23, "2007-10-09", ""),
    of_2_6(24, "2008-01-24", ""),
    of_2_6(25, "2008-04-16", ""),
    of_2_6(26, "2008-07-13", "slab orders follow the CPUs"),
    of_2_6(27, "2008-10-09", ""),
    of_2_6(28, "2008-12-24", ""),
    of_2_6(29, "2009-03-23", ""),
    of_2_6(30, "2009-06-09", ""),
    of_2_6(31, "2009-09-09", ""),
    of_2_6(32, "2009-12-02", ""),
    of_2_6(33, "2010-02-24", ""),
    of_2_6(34, "2010-05-16", ""),
    of_2_6(35, "2010-08-01", ""),
    of_2_6(36, "2010-10-20", ""),
    of_2_6(37, "2011-01-04", ""),
    of_2_6(38, "2011-03-14", ""),
    of_2_6(39, "2011-05-18", "lockless fast path"),
    at(3, 0, "2011-07-21", ""),
    at(3, 1, "2011-10-24", "lockless slow path"),
    at(3, 2, "2012-01-04", "CPU partial lists"),
    at(3, 3, "2012-03-18", ""),
    at(3, 4, "2012-05-20", ""),
    at(3, 5, "2012-07-21", ""),
    at(3, 6, "2012-09-30", ""),
    at(3, 7, "2012-12-10", ""),
    at(3, 8, "2013-02-18", ""),
    at(3, 9, "2013-04-28", ""),
    at(3, 10, "2013-06-30", ""),
    at(3, 11, "2013-09-02", ""),
    at(3, 12, "2013-11-03", ""),
    at(3, 13, "2014-01-19", ""),
    at(3, 14, "2014-03-30", ""),
    at(3, 15, "2014-06-08", ""),
    at(3, 16, "2014-08-03", ""),
    at(3, 17, "2014-10-05", ""),
    at(3, 18, "2014-12-07", ""),
    at(3, 19, "2015-02-08", ""),
    at(4, 0, "2015-04-12", ""),
    at(4, 1, "2015-06-21", ""),
    at(4, 2, "2015-08-30", ""),
    at(4, 3, "2015-11-01", "bulk calls"),
    at(4, 4, "2016-01-10", ""),
    at(4, 5, "2016-03-13", "accounted caches"),
    at(4, 6, "2016-05-15", "red zones on the left"),
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
