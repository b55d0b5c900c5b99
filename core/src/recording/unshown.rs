//! What caches of a boot were asked to be and sysfs does not show.

use crate::kernel::Version;
use crate::layout::{CacheArgs, Layout};

const V6_18: Version = Version::release(6, 18);
const V7_3: Version = Version::release(7, 3);

enum Unshown {
    /// The free pointer has a place in the object, although it is looked at while it is free, or constructed.
    PointerInside,
    /// At least so many objects in a sheaf.
    SheavesOf(u32),
    /// No sheaves.
    NoSheaves,
}

/// By cache, and by the versions whose boots were listed with it.
const CACHES: [(&str, &[Version], Unshown); 9] = [
    // `vm_freeptr`.
    ("vm_area_struct", &[V6_18, V7_3], Unshown::PointerInside),
    ("vm_area_struct", &[V6_18], Unshown::SheavesOf(32)),
    // `f_freeptr`.
    ("filp", &[V7_3], Unshown::PointerInside),
    // `sk_freeptr`.
    ("TCP", &[V7_3], Unshown::PointerInside),
    ("TCPv6", &[V7_3], Unshown::PointerInside),
    // A field that its constructor does not set.
    ("ext4_inode_cache", &[V7_3], Unshown::PointerInside),
    // Nodes are taken in advance.
    ("maple_node", &[V6_18, V7_3], Unshown::SheavesOf(32)),
    // The boot's own, made before sheaves can be.
    ("kmem_cache", &[V7_3], Unshown::NoSheaves),
    ("kmem_cache_node", &[V7_3], Unshown::NoSheaves),
];

fn of(cache: &str, version: Version) -> impl Iterator<Item = &'static Unshown> {
    let is_meant = move |name: &str, versions: &[Version]| name == cache && versions.contains(&version);
    CACHES.iter().filter(move |(name, versions, _)| is_meant(name, versions)).map(|(_, _, unshown)| unshown)
}

/// Completes what a cache's attributes say that it was asked to be. Where in the object the pointer lies shows nowhere.
pub(super) fn complete(args: CacheArgs, cache: &str, version: Version) -> CacheArgs {
    of(cache, version).fold(args, |args, unshown| match unshown {
        Unshown::PointerInside => CacheArgs { pointer_at: Some(0), ..args },
        Unshown::SheavesOf(sheaf_capacity) => CacheArgs { sheaf_capacity: *sheaf_capacity, ..args },
        Unshown::NoSheaves => args,
    })
}

/// The capacity of a cache's sheaves.
pub(super) fn sheaf_capacity(layout: &Layout, cache: &str, version: Version) -> u32 {
    let has_none = of(cache, version).any(|unshown| matches!(unshown, Unshown::NoSheaves));
    if has_none { 0 } else { layout.sheaf_capacity }
}
