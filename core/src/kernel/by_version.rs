//! What each version and configuration comes to, behaviour by behaviour: the only place that asks for a version number.

use super::config::KernelConfig;
use super::model::{
    AccountedKmalloc, AskedPointer, CpuPartialLimit, EmptySlab, KfreeRcu, KmallocAlignment, KmallocCopies, MinPartial,
    NullCache, OrderSearch, PointerEncoding, PointerPlace, PresentCpus, SheafUse, UsercopyCheck, WantedObjects,
    WrongCache,
};
use super::slub_debug::SlubDebug;
use super::stat_item::StatItem;
use super::version::Version;

/// Whether this kernel is of a release or later.
fn since(config: &KernelConfig) -> impl Fn(u8, u8) -> bool {
    let version = config.version;
    move |major, minor| version >= Version::release(major, minor)
}

pub(super) fn present_cpus(config: &KernelConfig) -> PresentCpus {
    let since = since(config);
    if since(5, 12) {
        PresentCpus::Present
    } else if since(5, 11) {
        PresentCpus::Online
    } else {
        PresentCpus::Possible
    }
}

pub(super) fn order_search(config: &KernelConfig) -> OrderSearch {
    let version = config.version;
    let since = since(config);
    match (since(6, 7), version >= Version::of_2_6(26)) {
        (true, _) => OrderSearch::MoreWaste,
        (false, true) => OrderSearch::FewerObjects,
        (false, false) => OrderSearch::HalvedObjects,
    }
}

pub(super) fn wanted_objects(config: &KernelConfig) -> WantedObjects {
    let version = config.version;
    match (version >= Version::of_2_6(26), version >= Version::of_2_6(24)) {
        (true, _) => WantedObjects::ByCpus,
        (false, true) => WantedObjects::Fixed(16),
        (false, false) => WantedObjects::Fixed(4),
    }
}

pub(super) fn empty_slab(config: &KernelConfig) -> EmptySlab {
    let since = since(config);
    match (since(3, 17), since(3, 1)) {
        (true, _) => EmptySlab::AtMinimum,
        (false, true) => EmptySlab::AboveMinimum,
        (false, false) => EmptySlab::GoesHome,
    }
}

pub(super) fn kmalloc_largest(config: &KernelConfig) -> u64 {
    let version = config.version;
    match version {
        of if of == Version::of_2_6(24) => 2048,
        of if of > Version::of_2_6(24) && of < Version::of_2_6(29) => 4096,
        _ => 8192,
    }
}

pub(super) fn asked_pointer(config: &KernelConfig) -> AskedPointer {
    let since = since(config);
    match (since(6, 10), since(7, 0)) {
        (false, _) => AskedPointer::Never,
        (true, false) => AskedPointer::ByRcu,
        (true, true) => AskedPointer::ByRcuOrConstructed,
    }
}

pub(super) fn wrong_cache(config: &KernelConfig) -> WrongCache {
    let since = since(config);
    match (config.freelist_hardened && since(5, 3), since(7, 0)) {
        (false, _) => WrongCache::Unchecked,
        (true, false) => WrongCache::FreedToOwner,
        (true, true) => WrongCache::Leaked,
    }
}

pub(super) fn null_cache(config: &KernelConfig) -> NullCache {
    let since = since(config);
    let is_hardened = config.freelist_hardened && since(5, 3);
    // The bit of consistency checks lies in the flags' second byte up to 6.8, in the first from 6.9 on.
    let flags = if since(6, 9) { 0x8 } else { 0x9 };
    let is_looked_at = config.slub_debug.as_ref().is_some_and(SlubDebug::is_looked_at);
    match (since(7, 0), is_hardened, is_looked_at) {
        (true, true, _) => NullCache::Read { at: 0x58, function: "warn_free_bad_obj" },
        (false, true, _) => NullCache::AsksPage { name_at: 0x60 },
        (_, false, true) => NullCache::Read { at: flags, function: "kmem_cache_free" },
        // The flags of the slab that is none, or the sheaves of the cache that is none.
        (true, false, false) => NullCache::Read { at: 0x0, function: "kmem_cache_free" },
        (false, false, false) => NullCache::Ignored,
    }
}

pub(super) fn sheaves(config: &KernelConfig) -> SheafUse {
    let since = since(config);
    match (since(6, 18) && !config.tiny, since(7, 0)) {
        (false, _) => SheafUse::Never,
        (true, false) => SheafUse::Asked,
        (true, true) => SheafUse::Every,
    }
}

pub(super) fn cpu_partial(config: &KernelConfig) -> CpuPartialLimit {
    let since = since(config);
    match (config.cpu_partial && since(3, 2) && !since(7, 0) && !config.tiny, since(5, 16)) {
        (false, _) => CpuPartialLimit::Absent,
        (true, false) => CpuPartialLimit::Objects,
        (true, true) => CpuPartialLimit::Slabs,
    }
}

pub(super) fn kmalloc_alignment(config: &KernelConfig) -> KmallocAlignment {
    let since = since(config);
    match (since(6, 11), since(5, 4)) {
        (true, _) => KmallocAlignment::LargestDivisor,
        (false, true) => KmallocAlignment::PowersOfTwo,
        (false, false) => KmallocAlignment::Word,
    }
}

pub(super) fn accounted_kmalloc(config: &KernelConfig) -> AccountedKmalloc {
    let since = since(config);
    match (config.memcg, since(5, 14), since(5, 9)) {
        (true, true, _) => AccountedKmalloc::Own,
        (true, false, false) => AccountedKmalloc::Children,
        (true, false, true) | (false, ..) => AccountedKmalloc::Ordinary,
    }
}

pub(super) fn kmalloc_copies(config: &KernelConfig) -> KmallocCopies {
    match (config.random_copies, config.typed_copies) {
        (true, _) => KmallocCopies::BySite,
        (false, true) => KmallocCopies::ByType,
        (false, false) => KmallocCopies::None,
    }
}

pub(super) fn usercopy(config: &KernelConfig) -> UsercopyCheck {
    let since = since(config);
    match (config.usercopy, since(4, 16)) {
        (false, _) => UsercopyCheck::None,
        (true, false) => UsercopyCheck::Object,
        (true, true) => UsercopyCheck::Window,
    }
}

pub(super) fn counted(config: &KernelConfig) -> Vec<StatItem> {
    let all = StatItem::ALL.iter().copied().filter(|_| config.stats);
    all.filter(|item| item.is_in(config.version)).collect()
}

pub(super) fn min_partial(config: &KernelConfig) -> MinPartial {
    let version = config.version;
    if config.tiny {
        MinPartial::Fixed(0)
    } else if version >= Version::release(3, 2) {
        MinPartial::HalfLogarithm
    } else if version >= Version::of_2_6(29) {
        MinPartial::Logarithm
    } else {
        MinPartial::Fixed(if version >= Version::of_2_6(24) { 5 } else { 2 })
    }
}

/// A page holds what its header leaves: three words of it (5.7), two (5.9), five (6.4, commit cdfa0f6fa6b7; not verified,
/// read in 6.12).
pub(super) fn kfree_rcu(version: Version) -> KfreeRcu {
    let since = |major, minor| version >= Version::release(major, minor);
    if since(6, 4) {
        KfreeRcu::Pages { pointers: 507 }
    } else if since(5, 9) {
        KfreeRcu::Pages { pointers: 510 }
    } else if since(5, 7) {
        KfreeRcu::Pages { pointers: 509 }
    } else if since(5, 6) {
        KfreeRcu::List
    } else if since(3, 0) {
        KfreeRcu::Callbacks
    } else {
        KfreeRcu::Absent
    }
}

/// The line as recorded, for the versions that were.
pub(super) fn double_free_bug_line(version: Version) -> Option<u32> {
    [(Version::release(6, 1), 419), (Version::release(6, 12), 550)]
        .into_iter()
        .find_map(|(recorded, line)| (recorded == version).then_some(line))
}

/// The place that a version gives the free pointer.
pub(super) fn pointer_place(version: Version) -> PointerPlace {
    if version >= Version::release(5, 13) {
        PointerPlace::MiddleDown
    } else if version >= Version::release(5, 7) {
        PointerPlace::MiddleUp { red_zone_counted: false }
    } else if version >= Version::candidate(5, 7, 1) {
        PointerPlace::MiddleUp { red_zone_counted: true }
    } else {
        PointerPlace::Start
    }
}

pub(super) fn pointer_encoding(config: &KernelConfig) -> PointerEncoding {
    match (config.freelist_hardened, config.version >= Version::candidate(5, 7, 1)) {
        (false, _) => PointerEncoding::Plain,
        (true, false) => PointerEncoding::Xor,
        (true, true) => PointerEncoding::XorSwapped,
    }
}
