//! What caches of a boot were asked to be and sysfs does not show.

use crate::kernel::Version;
use crate::layout::{CacheArgs, Layout};

/// The version whose boots were listed with such caches.
const LISTED: Version = Version::release(7, 3);

enum Unshown {
    /// The free pointer has a place in the object, although it is looked at while it is free, or constructed.
    PointerInside,
    /// At least so many objects in a sheaf.
    SheavesOf(u32),
    /// No sheaves.
    NoSheaves,
}

const CACHES: [(&str, Unshown); 8] = [
    // `vm_freeptr`.
    ("vm_area_struct", Unshown::PointerInside),
    // `f_freeptr`.
    ("filp", Unshown::PointerInside),
    // `sk_freeptr`.
    ("TCP", Unshown::PointerInside),
    ("TCPv6", Unshown::PointerInside),
    // A field that its constructor does not set.
    ("ext4_inode_cache", Unshown::PointerInside),
    // Nodes are taken in advance.
    ("maple_node", Unshown::SheavesOf(32)),
    // The boot's own, made before sheaves can be.
    ("kmem_cache", Unshown::NoSheaves),
    ("kmem_cache_node", Unshown::NoSheaves),
];

fn of(cache: &str, version: Version) -> Option<&'static Unshown> {
    CACHES.iter().find(|(name, _)| version == LISTED && *name == cache).map(|(_, unshown)| unshown)
}

/// Completes what a cache's attributes say that it was asked to be. Where in the object the pointer lies shows nowhere.
pub(super) fn complete(args: CacheArgs, cache: &str, version: Version) -> CacheArgs {
    match of(cache, version) {
        Some(Unshown::PointerInside) => CacheArgs { pointer_at: Some(0), ..args },
        Some(Unshown::SheavesOf(_) | Unshown::NoSheaves) | None => args,
    }
}

/// The capacity of a cache's sheaves: what its size comes to, or what was asked for if that is more.
pub(super) fn sheaf_capacity(layout: &Layout, cache: &str, version: Version) -> u32 {
    match of(cache, version) {
        // A cache with checks has none, whatever was asked for.
        Some(Unshown::SheavesOf(asked)) if !layout.is_checked() => layout.sheaf_capacity.max(*asked),
        Some(Unshown::NoSheaves) => 0,
        Some(Unshown::SheavesOf(_) | Unshown::PointerInside) | None => layout.sheaf_capacity,
    }
}
