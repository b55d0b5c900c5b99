//! How what the model says of a version was checked. `docs/fidelity.md` has it rule by rule.

use super::config::Switch;
use super::version::Version;
use core::fmt;

/// How a version was checked, at its weakest point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Checked {
    /// Recordings of a real kernel were replayed.
    Recorded,
    /// Worked examples, from rules that were read; in which version some of them came was not looked up.
    Worked,
    /// Worked examples, from rules whose version was not looked up.
    NotVerified,
    /// It is taken to be as another version.
    TakenFrom(Version),
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Recorded => f.write_str("recorded"),
            Self::Worked => f.write_str("worked, partly verified"),
            Self::NotVerified => f.write_str("not verified"),
            Self::TakenFrom(version) => write!(f, "not verified: as {version}"),
        }
    }
}

impl Version {
    /// How this version was checked.
    #[must_use]
    pub fn checked(self) -> Checked {
        let of = Version::release;
        if [of(6, 1), of(6, 12), of(7, 3)].contains(&self) {
            Checked::Recorded
        } else if self >= of(7, 0) {
            Checked::TakenFrom(of(7, 3))
        } else if self >= of(6, 19) {
            Checked::TakenFrom(of(6, 18))
        } else if self >= of(6, 18) {
            Checked::NotVerified
        } else if self >= of(6, 13) {
            Checked::TakenFrom(of(6, 12))
        } else if self >= of(4, 7) || [Version::of_2_6(24), of(3, 0), of(3, 1)].contains(&self) {
            Checked::Worked
        } else {
            Checked::NotVerified
        }
    }
}

impl Switch {
    /// Whether the first version that has it was looked up.
    #[must_use]
    pub const fn is_version_verified(self) -> bool {
        match self {
            Self::FreelistRandom
            | Self::FreelistHardened
            | Self::InitOnAlloc
            | Self::InitOnFree
            | Self::NoMerge
            | Self::TypedCopies => true,
            Self::CpuPartial
            | Self::Memcg
            | Self::Usercopy
            | Self::RandomCopies
            | Self::Buckets
            | Self::Tiny
            | Self::Stats
            | Self::PageShuffle => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_says_how_it_was_checked() {
        for (version, told) in [
            (Version::of_2_6(22), "not verified"),
            (Version::release(3, 1), "worked, partly verified"),
            (Version::release(4, 6), "not verified"),
            (Version::release(5, 6), "worked, partly verified"),
            (Version::release(6, 1), "recorded"),
            (Version::release(6, 17), "not verified: as 6.12"),
            (Version::release(6, 19), "not verified: as 6.18"),
            (Version::release(7, 2), "not verified: as 7.3"),
            (Version::release(7, 3), "recorded"),
        ] {
            assert_eq!(version.checked().to_string(), told, "Linux {version}");
        }
    }
}
