//! What a person chooses: version, build options, boot parameters.

use super::model::{Model, PointerPlace};
use super::version::{RELEASES, Version};
use core::fmt;

/// A kernel as chosen. [`KernelConfig::model`] turns it into behaviours, or says which kernel refuses what.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KernelConfig {
    /// The mainline version.
    pub version: Version,
    /// CPUs that the slab layer counts when it chooses slab orders (1 to 64).
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
    /// `slab_nomerge` (`slub_nomerge`): caches that look alike do not share slabs.
    pub nomerge: bool,
    /// `CONFIG_HARDENED_USERCOPY`.
    pub usercopy: bool,
    /// The free pointer's place, where it is not to be the version's own. No kernel had this switch.
    pub pointer_place: Option<PointerPlace>,
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
            nomerge: false,
            usercopy: false,
            pointer_place: None,
        }
    }

    /// The behaviours of this kernel.
    ///
    /// # Errors
    /// Names the switch that this version does not have, or the number that no kernel takes.
    pub fn model(&self) -> Result<Model, ConfigError> {
        Model::of(self)
    }

    /// Whether `switch` is on.
    #[must_use]
    pub const fn is_on(&self, switch: Switch) -> bool {
        match switch {
            Switch::FreelistRandom => self.freelist_random,
            Switch::FreelistHardened => self.freelist_hardened,
            Switch::InitOnAlloc => self.init_on_alloc,
            Switch::InitOnFree => self.init_on_free,
            Switch::Usercopy => self.usercopy,
            Switch::NoMerge => self.nomerge,
        }
    }

    /// Turns `switch` on or off; [`KernelConfig::model`] says whether such a kernel can be.
    pub const fn set(&mut self, switch: Switch, on: bool) {
        *match switch {
            Switch::FreelistRandom => &mut self.freelist_random,
            Switch::FreelistHardened => &mut self.freelist_hardened,
            Switch::InitOnAlloc => &mut self.init_on_alloc,
            Switch::InitOnFree => &mut self.init_on_free,
            Switch::Usercopy => &mut self.usercopy,
            Switch::NoMerge => &mut self.nomerge,
        } = on;
    }

    /// Why `switch` cannot be turned on in this version; `None` where it can.
    #[must_use]
    pub fn lacks(&self, switch: Switch) -> Option<ConfigError> {
        (self.version < switch.since()).then_some(ConfigError::TooOld { switch, version: self.version })
    }
}

/// A switch that some versions lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Switch {
    /// `CONFIG_SLAB_FREELIST_RANDOM` for SLUB.
    FreelistRandom,
    /// `CONFIG_SLAB_FREELIST_HARDENED`.
    FreelistHardened,
    /// `init_on_alloc=`.
    InitOnAlloc,
    /// `init_on_free=`.
    InitOnFree,
    /// `CONFIG_HARDENED_USERCOPY`.
    Usercopy,
    /// `slab_nomerge`.
    NoMerge,
}

impl Switch {
    /// All of them, in the order in which they are printed.
    pub const ALL: [Self; 6] = [
        Self::FreelistRandom,
        Self::FreelistHardened,
        Self::InitOnAlloc,
        Self::InitOnFree,
        Self::Usercopy,
        Self::NoMerge,
    ];

    /// The first version that has it.
    #[must_use]
    pub const fn since(self) -> Version {
        match self {
            Self::FreelistRandom => Version::release(4, 8),
            Self::FreelistHardened => Version::release(4, 14),
            Self::InitOnAlloc | Self::InitOnFree => Version::release(5, 3),
            Self::Usercopy => Version::release(4, 8),
            Self::NoMerge => RELEASES[0].version,
        }
    }

    /// Its name in a scenario's `kernel` line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::FreelistRandom => "random",
            Self::FreelistHardened => "hidden",
            Self::InitOnAlloc => "init_on_alloc",
            Self::InitOnFree => "init_on_free",
            Self::Usercopy => "usercopy",
            Self::NoMerge => "nomerge",
        }
    }

    /// Its name in the kernel's configuration or on its command line.
    #[must_use]
    pub const fn kernel_name(self) -> &'static str {
        match self {
            Self::FreelistRandom => "CONFIG_SLAB_FREELIST_RANDOM",
            Self::FreelistHardened => "CONFIG_SLAB_FREELIST_HARDENED",
            Self::InitOnAlloc => "init_on_alloc",
            Self::InitOnFree => "init_on_free",
            Self::Usercopy => "CONFIG_HARDENED_USERCOPY",
            Self::NoMerge => "slab_nomerge",
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
            Self::Cpus { cpus } => write!(f, "{cpus} CPUs: choose 1 to 64"),
        }
    }
}

impl core::error::Error for ConfigError {}
