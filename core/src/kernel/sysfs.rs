//! Which files `/sys/kernel/slab/<cache>/` has, version by version.
//!
//! Numbers are those of Documentation/ABI/testing/sysfs-kernel-slab, where it has them; the others are not verified.

use super::config::KernelConfig;
use super::version::Version;

/// The files that not every version has. All have what says how a cache was made, and `slabs`, `partial`, `cpu_slabs` and
/// `objects`. What a build without NUMA, KFENCE, failslab and statistics lacks is never there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SysfsFiles {
    /// `total_objects`, `objects_partial`: slabs of one cache may hold different numbers of objects (2.6.26).
    pub totals: bool,
    /// `min_partial` (2.6.30).
    pub min_partial: bool,
    /// `reserved`, which reads 0 (2.6.39 to 4.17, not verified).
    pub reserved: bool,
    /// `cpu_partial`, `slabs_cpu_partial` (3.2, not verified; the ABI says August 2011).
    pub cpu_partial: bool,
    /// `usersize` (4.16).
    pub usersize: bool,
    /// `alloc_calls`, `free_calls`: traces lie in debugfs since (up to 5.13, not verified).
    pub calls: bool,
    /// `sheaf_capacity` (6.18; not in the listings of 6.12).
    pub sheaf_capacity: bool,
}

impl SysfsFiles {
    pub(super) fn of(config: &KernelConfig) -> Self {
        let version = config.version;
        let since = |major, minor| version >= Version::release(major, minor);
        Self {
            totals: version >= Version::of_2_6(26),
            min_partial: version >= Version::of_2_6(30),
            reserved: version >= Version::of_2_6(39) && !since(4, 18),
            cpu_partial: since(3, 2),
            usersize: since(4, 16),
            calls: !since(5, 14),
            sheaf_capacity: since(6, 18) && !config.tiny,
        }
    }

    /// Whether there is a file of this name, where it is one of SLUB's.
    #[must_use]
    pub fn has(&self, file: &str) -> bool {
        match file {
            "total_objects" | "objects_partial" => self.totals,
            "min_partial" => self.min_partial,
            "reserved" => self.reserved,
            "cpu_partial" | "slabs_cpu_partial" => self.cpu_partial,
            "usersize" => self.usersize,
            "alloc_calls" | "free_calls" => self.calls,
            "sheaf_capacity" => self.sheaf_capacity,
            _ => true,
        }
    }
}
