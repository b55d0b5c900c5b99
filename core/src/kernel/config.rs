//! What a person chooses: version, build options, boot parameters.

use super::model::{Model, PointerPlace};
use super::slub_debug::SlubDebug;
use super::version::{RELEASES, Version};
use core::fmt;

/// A kernel as chosen. [`KernelConfig::model`] turns it into behaviours, or says which kernel refuses what.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KernelConfig {
    /// The mainline version.
    pub version: Version,
    /// CPUs of the machine (1 to 64). The slab layer counts them when it chooses slab orders.
    pub cpus: u32,
    /// `CONFIG_SLAB_FREELIST_RANDOM`.
    pub freelist_random: bool,
    /// `CONFIG_SLAB_FREELIST_HARDENED`.
    pub freelist_hardened: bool,
    /// `CONFIG_SLUB_CPU_PARTIAL`.
    pub cpu_partial: bool,
    /// `CONFIG_MEMCG` with kernel memory accounting on: accounted allocations get caches of their own.
    pub memcg: bool,
    /// `init_on_alloc=`.
    pub init_on_alloc: bool,
    /// `init_on_free=`.
    pub init_on_free: bool,
    /// `CONFIG_HARDENED_USERCOPY`: copies to and from user space are checked.
    pub usercopy: bool,
    /// `slab_nomerge` (`slub_nomerge`): caches that look alike do not share slabs.
    pub nomerge: bool,
    /// `CONFIG_RANDOM_KMALLOC_CACHES` (`CONFIG_KMALLOC_PARTITION_RANDOM` from 7.2): kmalloc has 16 copies of its ordinary caches,
    /// chosen by where it is called from.
    pub random_copies: bool,
    /// `CONFIG_KMALLOC_PARTITION_TYPED`: the copy is chosen by the type of what is allocated.
    pub typed_copies: bool,
    /// `CONFIG_SLAB_BUCKETS`: some callers of kmalloc have caches of their own.
    pub buckets: bool,
    /// `CONFIG_SLUB_TINY`: the allocator of small machines.
    pub tiny: bool,
    /// `page_alloc.shuffle=1`, in a kernel built with `CONFIG_SHUFFLE_PAGE_ALLOCATOR`.
    pub page_shuffle: bool,
    /// The free pointer's place, where it is not to be the version's own. No kernel had this switch.
    pub pointer_place: Option<PointerPlace>,
    /// `CONFIG_SLUB_STATS`: each cache counts what happens to it.
    pub stats: bool,
    /// `slub_debug=`, `slab_debug=` from 6.9 on.
    pub slub_debug: Option<SlubDebug>,
}

impl KernelConfig {
    /// The version as it was built by default upstream: nothing hardened, one CPU.
    #[must_use]
    pub const fn plain(version: Version) -> Self {
        Self {
            version,
            cpus: 1,
            freelist_random: false,
            freelist_hardened: false,
            cpu_partial: true,
            memcg: false,
            init_on_alloc: false,
            init_on_free: false,
            usercopy: false,
            nomerge: false,
            random_copies: false,
            typed_copies: false,
            buckets: false,
            tiny: false,
            stats: false,
            page_shuffle: false,
            pointer_place: None,
            slub_debug: None,
        }
    }

    /// The behaviours of this kernel.
    ///
    /// # Errors
    /// Names the switch that this version does not have, or the number that no kernel takes.
    pub fn model(&self) -> Result<Model, ConfigError> {
        Model::of(self)
    }

    /// Why `switch` cannot be on in this version, or beside what is on; `None` where it can.
    #[must_use]
    pub fn lacks(&self, switch: Switch) -> Option<ConfigError> {
        let version = self.version;
        if version < switch.since() {
            return Some(ConfigError::TooOld { switch, version });
        }
        if switch.gone().is_some_and(|gone| version >= gone) {
            return Some(ConfigError::Gone { switch, version });
        }
        if switch == Switch::Tiny && self.slub_debug.is_some() {
            return Some(ConfigError::DebugNotBuilt);
        }
        let mut others = Switch::ALL.into_iter().filter(|other| self.is_on(*other));
        others.find(|other| other.shuts_out(switch)).map(|other| ConfigError::Excludes { switch, other })
    }

    /// Whether a switch is on.
    #[must_use]
    pub const fn is_on(&self, switch: Switch) -> bool {
        match switch {
            Switch::FreelistRandom => self.freelist_random,
            Switch::FreelistHardened => self.freelist_hardened,
            Switch::CpuPartial => self.cpu_partial,
            Switch::Memcg => self.memcg,
            Switch::InitOnAlloc => self.init_on_alloc,
            Switch::InitOnFree => self.init_on_free,
            Switch::Usercopy => self.usercopy,
            Switch::NoMerge => self.nomerge,
            Switch::RandomCopies => self.random_copies,
            Switch::TypedCopies => self.typed_copies,
            Switch::Buckets => self.buckets,
            Switch::Tiny => self.tiny,
            Switch::Stats => self.stats,
            Switch::PageShuffle => self.page_shuffle,
        }
    }

    /// Turns a switch on or off, whether the version has it or not: [`model`](Self::model) says.
    pub const fn turn(&mut self, switch: Switch, on: bool) {
        let setting = match switch {
            Switch::FreelistRandom => &mut self.freelist_random,
            Switch::FreelistHardened => &mut self.freelist_hardened,
            Switch::CpuPartial => &mut self.cpu_partial,
            Switch::Memcg => &mut self.memcg,
            Switch::InitOnAlloc => &mut self.init_on_alloc,
            Switch::InitOnFree => &mut self.init_on_free,
            Switch::Usercopy => &mut self.usercopy,
            Switch::NoMerge => &mut self.nomerge,
            Switch::RandomCopies => &mut self.random_copies,
            Switch::TypedCopies => &mut self.typed_copies,
            Switch::Buckets => &mut self.buckets,
            Switch::Tiny => &mut self.tiny,
            Switch::Stats => &mut self.stats,
            Switch::PageShuffle => &mut self.page_shuffle,
        };
        *setting = on;
    }
}

/// A build option or boot parameter that is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Switch {
    /// `CONFIG_SLAB_FREELIST_RANDOM` for SLUB.
    FreelistRandom,
    /// `CONFIG_SLAB_FREELIST_HARDENED`.
    FreelistHardened,
    /// `CONFIG_SLUB_CPU_PARTIAL`.
    CpuPartial,
    /// `CONFIG_MEMCG` with kernel memory accounting.
    Memcg,
    /// `init_on_alloc=`.
    InitOnAlloc,
    /// `init_on_free=`.
    InitOnFree,
    /// `CONFIG_HARDENED_USERCOPY`: copies to and from user space are checked.
    Usercopy,
    /// `slab_nomerge` (`slub_nomerge`): caches that look alike do not share slabs.
    NoMerge,
    /// `CONFIG_RANDOM_KMALLOC_CACHES` (`CONFIG_KMALLOC_PARTITION_RANDOM` from 7.2): kmalloc has 16 copies of its ordinary caches,
    /// chosen by where it is called from.
    RandomCopies,
    /// `CONFIG_KMALLOC_PARTITION_TYPED`: the copy is chosen by the type of what is allocated.
    TypedCopies,
    /// `CONFIG_SLAB_BUCKETS`: some callers of kmalloc have caches of their own.
    Buckets,
    /// `CONFIG_SLUB_TINY`: the allocator of small machines.
    Tiny,
    /// `CONFIG_SLUB_STATS`: each cache counts what happens to it.
    Stats,
    /// `page_alloc.shuffle=1`.
    PageShuffle,
}

impl Switch {
    /// All of them, in the order in which a `kernel` line has them.
    pub const ALL: [Self; 14] = [
        Self::FreelistRandom,
        Self::FreelistHardened,
        Self::CpuPartial,
        Self::Memcg,
        Self::InitOnAlloc,
        Self::InitOnFree,
        Self::Usercopy,
        Self::NoMerge,
        Self::RandomCopies,
        Self::TypedCopies,
        Self::Buckets,
        Self::Tiny,
        Self::Stats,
        Self::PageShuffle,
    ];

    /// The first version that has it.
    #[must_use]
    pub const fn since(self) -> Version {
        match self {
            Self::CpuPartial => Version::release(3, 2),
            Self::Memcg => Version::release(3, 8),
            Self::FreelistRandom => Version::release(4, 8),
            Self::FreelistHardened => Version::release(4, 14),
            Self::PageShuffle => Version::release(5, 2),
            Self::InitOnAlloc | Self::InitOnFree => Version::release(5, 3),
            Self::Usercopy => Version::release(4, 8),
            Self::NoMerge => RELEASES[0].version,
            Self::RandomCopies => Version::release(6, 6),
            Self::TypedCopies => Version::release(7, 2),
            Self::Buckets => Version::release(6, 11),
            Self::Tiny => Version::release(6, 2),
            Self::Stats => Version::of_2_6(25),
        }
    }

    /// The first version that has it no more.
    #[must_use]
    pub const fn gone(self) -> Option<Version> {
        match self {
            Self::CpuPartial => Some(Version::release(7, 0)),
            Self::FreelistRandom
            | Self::FreelistHardened
            | Self::Memcg
            | Self::InitOnAlloc
            | Self::InitOnFree
            | Self::Usercopy
            | Self::NoMerge
            | Self::RandomCopies
            | Self::TypedCopies
            | Self::Buckets
            | Self::Tiny
            | Self::Stats
            | Self::PageShuffle => None,
        }
    }

    /// Whether it is on where nobody says otherwise. One that is on and that a version lacks has no effect there.
    #[must_use]
    pub const fn by_default(self) -> bool {
        matches!(self, Self::CpuPartial)
    }

    /// Whether it is chosen at boot rather than when the kernel is built.
    #[must_use]
    pub const fn is_boot_parameter(self) -> bool {
        matches!(self, Self::InitOnAlloc | Self::InitOnFree | Self::NoMerge | Self::PageShuffle)
    }

    /// Its name in a scenario's `kernel` line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::FreelistRandom => "random",
            Self::FreelistHardened => "hidden",
            Self::CpuPartial => "cpu_partial",
            Self::Memcg => "memcg",
            Self::InitOnAlloc => "init_on_alloc",
            Self::InitOnFree => "init_on_free",
            Self::Usercopy => "usercopy",
            Self::NoMerge => "nomerge",
            Self::RandomCopies => "copies",
            Self::TypedCopies => "typed",
            Self::Buckets => "buckets",
            Self::Tiny => "tiny",
            Self::Stats => "stats",
            Self::PageShuffle => "page_shuffle",
        }
    }

    /// Whether `other` cannot be on where this one is. One that is on of itself gives way.
    #[must_use]
    pub fn shuts_out(self, other: Self) -> bool {
        self.excludes().contains(&other) || !self.by_default() && other.excludes().contains(&self)
    }

    /// Switches that cannot be on together with this one.
    const fn excludes(self) -> &'static [Self] {
        match self {
            Self::Tiny => &[
                Self::FreelistRandom,
                Self::FreelistHardened,
                Self::CpuPartial,
                Self::RandomCopies,
                Self::TypedCopies,
                Self::Buckets,
                Self::Stats,
            ],
            Self::TypedCopies => &[Self::RandomCopies],
            Self::FreelistRandom
            | Self::FreelistHardened
            | Self::CpuPartial
            | Self::Memcg
            | Self::InitOnAlloc
            | Self::InitOnFree
            | Self::Usercopy
            | Self::NoMerge
            | Self::RandomCopies
            | Self::Buckets
            | Self::Stats
            | Self::PageShuffle => &[],
        }
    }

    /// The switch of this name.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|switch| switch.word() == word)
    }

    /// Its name in the kernel's configuration or on its command line.
    #[must_use]
    pub const fn kernel_name(self) -> &'static str {
        match self {
            Self::FreelistRandom => "CONFIG_SLAB_FREELIST_RANDOM",
            Self::FreelistHardened => "CONFIG_SLAB_FREELIST_HARDENED",
            Self::CpuPartial => "CONFIG_SLUB_CPU_PARTIAL",
            Self::Memcg => "CONFIG_MEMCG",
            Self::InitOnAlloc => "init_on_alloc",
            Self::InitOnFree => "init_on_free",
            Self::Usercopy => "CONFIG_HARDENED_USERCOPY",
            Self::NoMerge => "slab_nomerge",
            Self::RandomCopies => "CONFIG_RANDOM_KMALLOC_CACHES",
            Self::TypedCopies => "CONFIG_KMALLOC_PARTITION_TYPED",
            Self::Buckets => "CONFIG_SLAB_BUCKETS",
            Self::Tiny => "CONFIG_SLUB_TINY",
            Self::Stats => "CONFIG_SLUB_STATS",
            Self::PageShuffle => "page_alloc.shuffle",
        }
    }
}

/// A kernel that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// The version does not have the switch yet.
    TooOld {
        /// The switch.
        switch: Switch,
        /// The version chosen.
        version: Version,
    },
    /// The version takes one block of `slub_debug=` only.
    DebugBlocks {
        /// The version chosen.
        version: Version,
    },
    /// `slub_debug=` in a build without the checks.
    DebugNotBuilt,
    /// The option is not named so yet.
    DebugName {
        /// The version chosen.
        version: Version,
    },
    /// The version does not have the switch any more.
    Gone {
        /// The switch.
        switch: Switch,
        /// The version chosen.
        version: Version,
    },
    /// Two switches exclude each other.
    Excludes {
        /// The one.
        switch: Switch,
        /// The other.
        other: Switch,
    },
    /// The number of CPUs is not one that the model runs.
    Cpus {
        /// The number chosen.
        cpus: u32,
    },
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooOld { switch, version } => {
                write!(f, "Linux {version} has no {}: it came with {}", switch.kernel_name(), switch.since())
            }
            Self::DebugBlocks { version } => write!(
                f,
                "Linux {version} takes one block of slub_debug=: several, with `;` between them, came with {}",
                SlubDebug::BLOCKS
            ),
            Self::DebugNotBuilt => {
                write!(f, "{} leaves CONFIG_SLUB_DEBUG out: slub_debug= has no effect", Switch::Tiny.kernel_name())
            }
            Self::DebugName { version } => {
                write!(f, "Linux {version} has no slab_debug=: up to 6.8 it is slub_debug=")
            }
            Self::Gone { switch, version } => {
                let gone = switch.gone().unwrap_or(*version);
                write!(f, "Linux {version} has no {}: it went with {gone}", switch.kernel_name())
            }
            Self::Excludes { switch, other } => {
                write!(
                    f,
                    "{} and {} exclude each other: no kernel is built with both",
                    switch.kernel_name(),
                    other.kernel_name()
                )
            }
            Self::Cpus { cpus } => write!(f, "{cpus} CPUs: choose 1 to 64"),
        }
    }
}

impl core::error::Error for ConfigError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is shown as one that can be had is one that can be turned on, beside every other.
    #[test]
    fn a_kernel_lacks_what_shuts_out_or_is_shut_out() {
        let version = Version::release(7, 3);
        for on in Switch::ALL {
            let mut config = KernelConfig::plain(version);
            config.turn(on, true);
            if config.lacks(on).is_some() {
                continue;
            }
            for other in Switch::ALL {
                let mut both = config.clone();
                both.turn(other, true);
                let can_be = config.lacks(other).is_none();
                let is_built = both.model().is_ok() && both.lacks(other).is_none();
                assert_eq!(can_be, is_built, "{other:?} beside {on:?}");
            }
        }
    }

    #[test]
    fn a_tiny_kernel_has_neither_partial_lists_of_its_cpus_nor_checks() {
        let tiny = KernelConfig { tiny: true, ..KernelConfig::plain(Version::release(6, 12)) };
        let excludes = ConfigError::Excludes { switch: Switch::CpuPartial, other: Switch::Tiny };
        assert_eq!(tiny.lacks(Switch::CpuPartial), Some(excludes));
        assert!(tiny.model().is_ok(), "it is without them, though they are on of themselves");
        let plain = KernelConfig { tiny: false, ..tiny };
        assert_eq!(plain.lacks(Switch::Tiny), None, "what is on of itself gives way");
        let checked = KernelConfig { slub_debug: Some(SlubDebug::parse("F")), ..plain };
        assert_eq!(checked.lacks(Switch::Tiny), Some(ConfigError::DebugNotBuilt));
    }
}
