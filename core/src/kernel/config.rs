//! What a person chooses: version, build options, boot parameters.

use super::model::{Model, PointerPlace};
use super::slub_debug::SlubDebug;
use super::version::Version;
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
    /// The free pointer's place, where it is not to be the version's own. No kernel had this switch.
    pub pointer_place: Option<PointerPlace>,
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
}

impl Switch {
    /// The first version that has it.
    #[must_use]
    pub const fn since(self) -> Version {
        match self {
            Self::FreelistRandom => Version::release(4, 8),
            Self::FreelistHardened => Version::release(4, 14),
            Self::InitOnAlloc | Self::InitOnFree => Version::release(5, 3),
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
    /// The option is not named so yet.
    DebugName {
        /// The version chosen.
        version: Version,
    },
    /// A letter of `slub_debug=` that means nothing.
    DebugLetter {
        /// The version chosen.
        version: Version,
        /// The letter.
        letter: char,
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
            Self::DebugName { version } => {
                write!(f, "Linux {version} has no slab_debug=: up to 6.8 it is slub_debug=")
            }
            Self::DebugLetter { version, letter } => {
                let complaint = SlubDebug::parse(&letter.to_string()).complaints(*version).concat();
                write!(f, "Linux {version} prints \"{complaint}\": the letters are F, Z, P, U, T, A, O and -")
            }
            Self::Cpus { cpus } => write!(f, "{cpus} CPUs: choose 1 to 64"),
        }
    }
}

impl core::error::Error for ConfigError {}
