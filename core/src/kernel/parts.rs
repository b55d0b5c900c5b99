//! Parts of the allocator's interface that not every version has.

use super::config::KernelConfig;
use super::version::Version;
use core::fmt;

/// Something that a caller can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// `__GFP_RECLAIMABLE`.
    Reclaimable,
    /// `kfree_rcu`.
    KfreeRcu,
    /// `kmem_cache_alloc_bulk`.
    AllocBulk,
    /// `SLAB_ACCOUNT` and `__GFP_ACCOUNT`.
    Account,
    /// `kfree_bulk`.
    KfreeBulk,
    /// `kmem_cache_create_usercopy`.
    Window,
    /// `SLAB_CACHE_DMA32`.
    Dma32,
    /// `SLAB_NO_MERGE`.
    NoMerge,
}

impl Part {
    /// The first version that has it. All but that of `SLAB_ACCOUNT` are not verified.
    #[must_use]
    pub const fn since(self) -> Version {
        match self {
            Self::Reclaimable => Version::of_2_6(24),
            Self::KfreeRcu => Version::release(3, 0),
            Self::AllocBulk => Version::release(4, 3),
            Self::Account => Version::release(4, 5),
            Self::KfreeBulk => Version::release(4, 6),
            Self::Window => Version::release(4, 16),
            Self::Dma32 => Version::release(5, 1),
            Self::NoMerge => Version::release(6, 5),
        }
    }

    const fn kernel_name(self) -> &'static str {
        match self {
            Self::Reclaimable => "__GFP_RECLAIMABLE",
            Self::KfreeRcu => "kfree_rcu",
            Self::AllocBulk => "kmem_cache_alloc_bulk",
            Self::Account => "SLAB_ACCOUNT and __GFP_ACCOUNT",
            Self::KfreeBulk => "kfree_bulk",
            Self::Window => "usercopy windows (kmem_cache_create_usercopy)",
            Self::Dma32 => "SLAB_CACHE_DMA32",
            Self::NoMerge => "SLAB_NO_MERGE",
        }
    }
}

/// A version that does not have a part yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// What it does not have.
    pub part: Part,
    /// The version.
    pub version: Version,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, version } = self;
        write!(f, "Linux {version} has no {}: it came with {}", part.kernel_name(), part.since())
    }
}

impl core::error::Error for Missing {}

impl KernelConfig {
    /// Whether this version has those of `parts` that are needed.
    ///
    /// # Errors
    /// The first that it does not have.
    pub fn has(&self, parts: &[(bool, Part)]) -> Result<(), Missing> {
        let version = self.version;
        let missing = parts.iter().find(|(is_needed, part)| *is_needed && version < part.since());
        missing.map_or(Ok(()), |(_, part)| Err(Missing { part: *part, version }))
    }
}
