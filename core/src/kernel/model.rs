//! The behaviours that a chosen kernel comes to.

use super::by_version;
use super::config::{ConfigError, KernelConfig, Switch};
use super::debug::DebugModel;
use super::slub_debug::SlubDebug;
use super::stat_item::StatItem;
use super::sysfs::SysfsFiles;
use super::version::Version;

/// Where a free object keeps its free pointer, when nothing forces it out of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointerPlace {
    /// At offset 0 (up to 5.6).
    Start,
    /// `ALIGN(s / 2, 8)` of the size before a red zone is added, if that exceeds 8 (5.7; commit 89b83f282d8b).
    /// With `red_zone_counted`, of the size after it: as it first stood in 5.7-rc1 (commit 3202fa62fb43).
    MiddleUp {
        /// Whether the right red zone counts towards the size that is halved.
        red_zone_counted: bool,
    },
    /// `ALIGN_DOWN(object_size / 2, 8)` (5.13 and today).
    MiddleDown,
}

/// How a free pointer is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointerEncoding {
    /// As it is.
    Plain,
    /// `ptr ^ random ^ address` (4.14, commit 2482ddec670f).
    Xor,
    /// `ptr ^ random ^ swab64(address)` (5.7, commit 1ad53d9fa3f6).
    XorSwapped,
}

/// What bounds a CPU's partial list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CpuPartialLimit {
    /// There is none (`CONFIG_SLUB_CPU_PARTIAL=n`).
    Absent,
    /// Free objects as counted when slabs were put, against 2, 6, 13 or 30 (3.2 to 5.15).
    Objects,
    /// Slabs (5.16, commit b47291ef02b0).
    Slabs,
}

/// Which caches have sheaves in front of their slabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SheafUse {
    /// None (up to 6.17).
    Never,
    /// Those that ask for a capacity; CPUs own slabs beneath them as before (6.18, not verified).
    Asked,
    /// Every cache; CPUs own no slabs (7.0).
    Every,
}

/// How `kfree_rcu` keeps an object until its grace period has passed, where the object's cache has no sheaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KfreeRcu {
    /// There is no `kfree_rcu` (up to 2.6.39).
    Absent,
    /// Each is a callback of its own; they run in the order in which they came (3.0, commit 9ab1544eb419).
    Callbacks,
    /// A list a CPU, freed one by one, the last first (5.6, commit a35d16905efc, not verified).
    List,
    /// Pages full of pointers, the newest page first, each freed in bulk; a list where no page is at hand (5.7, commit
    /// 34c881745549, not verified).
    Pages {
        /// Pointers that a page holds.
        pointers: u32,
    },
}

/// How a CPU's freelist goes back into its slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Deactivation {
    /// Object by object, so that it ends up reversed (up to 5.11).
    Reversing,
    /// Spliced in front of the slab's own list (5.12, commit d930ff03c4d1).
    InOrder,
}

/// What `kmem_cache_free_bulk` does with entries that it has dealt with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BulkFreeScan {
    /// They become NULL and the rest stay where they are (4.5 to 5.19).
    LeavesHoles,
    /// The rest are swapped to the front (6.0).
    Swaps,
}

/// For which caches a place of the free pointer can be asked for (`freeptr_offset`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AskedPointer {
    /// None (up to 6.9).
    Never,
    /// `SLAB_TYPESAFE_BY_RCU` (6.10).
    ByRcu,
    /// Those with a constructor too (7.0, not verified; read in 7.3).
    ByRcuOrConstructed,
}

/// How many objects a slab should hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WantedObjects {
    /// So many (4 in 2.6.22 and 2.6.23; 16 in 2.6.24 and 2.6.25, where pages are grouped by mobility: both not verified).
    Fixed(u32),
    /// As many as the CPUs call for (2.6.26, commit 9b2cd506e5f2).
    ByCpus,
}

/// How many slabs the node's partial list keeps even when they are empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MinPartial {
    /// So many (2 in 2.6.22 and 2.6.23, 5 up to 2.6.28, none with `CONFIG_SLUB_TINY`: not verified).
    Fixed(u32),
    /// The logarithm of the stride, within 5 and 10 (2.6.29, not verified).
    Logarithm,
    /// Half the logarithm of the stride, within 5 and 10 (3.2, not verified; read in 6.1).
    HalfLogarithm,
}

/// When a slab that becomes empty goes home.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EmptySlab {
    /// When its last object is freed; only one that a CPU gives back is kept where the node has few (up to 3.0).
    GoesHome,
    /// Where the node has more than `min_partial` (3.1 to 3.16).
    AboveMinimum,
    /// Where it has that many (3.17, commit 8a5b20aebaa3, not verified).
    AtMinimum,
}

/// How the order of a cache's slabs is found where none wastes little.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OrderSearch {
    /// With half the objects and again half, each at no more than a quarter wasted, none at less than an eighth (up to
    /// 2.6.25).
    HalvedObjects,
    /// With fewer and fewer objects, each at no more than a quarter wasted; then with one object at any waste.
    FewerObjects,
    /// With the same objects at up to half wasted; then the order of one object (6.7, not verified; read in 6.12).
    MoreWaste,
}

/// How kmalloc caches are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KmallocAlignment {
    /// To 8 bytes (up to 5.3).
    Word,
    /// Powers of two to their size, 96 and 192 to 8 (5.4, commit 59bb47985c1d).
    PowersOfTwo,
    /// Each to the largest power of two that divides it: 96 to 32, 192 to 64 (6.11, commit ad59baa31695).
    LargestDivisor,
}

/// How kmalloc caches are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KmallocNames {
    /// `kmalloc-1024` (up to 5.3).
    Decimal,
    /// `kmalloc-1k` (5.4).
    Short,
}

/// What chooses among copies of the ordinary kmalloc caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KmallocCopies {
    /// There are none.
    None,
    /// Where kmalloc is called from (6.6, `CONFIG_RANDOM_KMALLOC_CACHES`).
    BySite,
    /// The type of what is allocated, as a token of the compiler's (7.2, `CONFIG_KMALLOC_PARTITION_TYPED`).
    ByType,
}

/// Where accounted kmalloc is served from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccountedKmalloc {
    /// The ordinary caches (without memory control groups, and from 5.9 on, commit 10befea91b61).
    Ordinary,
    /// Children of the ordinary caches, one set for each group (3.8 to 5.8); here there is one group.
    Children,
    /// Caches of its own, `kmalloc-cg-*` (5.14, commit 494c1dfe855e).
    Own,
}

/// The order in which kmalloc caches are made, which is that of slabinfo from its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KmallocCreation {
    /// By size; accounted ones after the ordinary ones (listed so by 6.1).
    BySize,
    /// 96 and 192 first; accounted ones last (listed so by 6.12 and 7.3; the release is not verified).
    OddFirst,
}

/// What copies to and from user space are checked against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UsercopyCheck {
    /// They are not (builds without `CONFIG_HARDENED_USERCOPY`).
    None,
    /// The object, with what its cache pads it with (4.8).
    Object,
    /// Its window (4.16).
    Window,
}

/// How many bytes krealloc takes an object to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KreallocRoom {
    /// What `ksize` says (up to 6.12).
    Ksize,
    /// What its cache asked for (6.13, not verified; read in 7.3).
    ObjectSize,
}

/// What `kmem_cache_free` does with an object of another cache than the one it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WrongCache {
    /// It does not look (builds that are not hardened, and all before 5.3).
    Unchecked,
    /// It warns, and frees to the object's own cache (hardened builds; 5.3, commit 598a0717a816).
    FreedToOwner,
    /// It warns, and leaves the object allocated (hardened builds, 7.3).
    Leaked,
}

/// What `kmem_cache_free` does where it is given NULL for a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NullCache {
    /// Nothing: it takes the cache as it is, and NULL has no objects (not hardened, up to 6.19; recorded in 6.1).
    Ignored,
    /// It goes by the page first, and warns (hardened, 5.3 to 6.19; recorded in 6.1). Of an object it finds that the caches differ,
    /// and dies of reading the name of NULL (not verified).
    AsksPage {
        /// Where the name lies in `struct kmem_cache`.
        name_at: u64,
    },
    /// It dies of reading a field of what is none: the cache's flags, where the boot has checks (recorded in 6.1; 6.9 and later not
    /// verified), its name, for the warning (7.0, hardened; recorded in 7.3), or its sheaves (7.0, not hardened, not verified).
    Read {
        /// Where that field lies in `struct kmem_cache`.
        at: u64,
        /// Who reads it.
        function: &'static str,
    },
}

/// Which CPUs decide how many objects a slab should hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PresentCpus {
    /// `nr_cpu_ids` (up to 5.10).
    Possible,
    /// Online CPUs (5.11).
    Online,
    /// Present CPUs, or `nr_cpu_ids` where only one is present (5.12).
    Present,
}

/// What the engines branch on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Model {
    /// CPUs of the machine.
    pub cpus: u32,
    /// Which CPUs count for slab orders.
    pub present_cpus: PresentCpus,
    /// How slab orders are found.
    pub order_search: OrderSearch,
    /// How many objects a slab should hold.
    pub wanted_objects: WantedObjects,
    /// The largest order that a slab takes for that (1 in 2.6.22 and 2.6.23 and with `CONFIG_SLUB_TINY`, else
    /// `PAGE_ALLOC_COSTLY_ORDER`).
    pub max_slab_order: u32,
    /// Whether a smaller slab will do where one of that order is not to be had (2.6.26).
    pub order_fallback: bool,
    /// How many slabs the node keeps even when they are empty.
    pub min_partial: MinPartial,
    /// When a slab that becomes empty goes home.
    pub empty_slab: EmptySlab,
    /// Whether a slab that a CPU gives back goes first on the node's list where the CPU had free objects of it (up to
    /// 3.1), rather than where nobody else had.
    pub hot_slab_first: bool,
    /// The largest size that kmalloc has a cache for: half a page in 2.6.24, a page up to 2.6.28, then two (not verified;
    /// 2.6.22 and 2.6.23 had caches for larger ones too).
    pub kmalloc_largest: u64,
    /// Whether `kmalloc_size_roundup` returns what is too large as it is, rather than rounded up (6.7,
    /// not verified; recorded in 6.12).
    pub roundup_keeps_too_large: bool,
    /// Where a free pointer's place can be asked for.
    pub asked_pointer: AskedPointer,
    /// Where the free pointer lies.
    pub pointer_place: PointerPlace,
    /// How it is stored.
    pub pointer_encoding: PointerEncoding,
    /// Whether a freed object that is the head of the list it goes onto is a BUG (4.14, commit ce6fa91b9363).
    pub double_free_bug: bool,
    /// The line of that BUG in mm/slub.c, where a recording shows it.
    pub double_free_bug_line: Option<u32>,
    /// What `kmem_cache_free` does with an object of another cache.
    pub wrong_cache: WrongCache,
    /// The same where the cache that it is given has consistency checks, which are made in every build.
    pub checked_wrong_cache: WrongCache,
    /// Whether a free of what is in no slab, where nobody looks, dies of reading the flags of the slab that is none (7.0; told of
    /// 7.3, not verified here).
    pub reads_no_slab: bool,
    /// What it does where it is given none.
    pub null_cache: NullCache,
    /// Whether new slabs are shuffled (4.8).
    pub freelist_random: bool,
    /// Whether a cache's sequence follows from 32 bits, so that there are no more of them (4.8 to 6.3, not verified; 6.4
    /// draws each step).
    pub shuffles_from_32_bits: bool,
    /// Which caches have sheaves in front of their slabs.
    pub sheaves: SheafUse,
    /// How `kfree_rcu` keeps objects.
    pub kfree_rcu: KfreeRcu,
    /// Whether the destruction of a cache waits for the objects that `kfree_rcu` keeps (6.12, commit 6c6c47b063b5).
    pub destroy_waits_for_kfree_rcu: bool,
    /// Whether CPUs own slabs, or sheaves, of any cache; where not, each allocation takes one object from the node's slabs
    /// (`CONFIG_SLUB_TINY`, 6.2; not verified).
    pub keeps_on_cpus: bool,
    /// What bounds a CPU's partial list.
    pub cpu_partial: CpuPartialLimit,
    /// Whether slabs on a CPU's partial list are frozen like its own (up to 6.7; commit 8cd3fa428b56 froze only the
    /// CPU's own in 6.8).
    pub freezes_partial: bool,
    /// How a CPU's freelist goes back.
    pub deactivation: Deactivation,
    /// How bulk free scans its array.
    pub bulk_free_scan: BulkFreeScan,
    /// Whether the free hook takes a chain apart and links it anew, which turns it round (5.3, when the hook came to
    /// run in every build).
    pub free_hook_relinks: bool,
    /// Whether a single free goes through that hook too, which links its object to NULL (5.3 to 6.7).
    pub single_free_relinks: bool,
    /// Whether kfree of a page that is no block of its own is a BUG; later kernels warn, and free the page (5.17).
    pub bad_kfree_bug: bool,
    /// Whether pages of large allocations are marked as such (`PGTY_large_kmalloc`), so that `kfree` of any other page
    /// frees nothing (`free_large_kmalloc`; 7.3 does so, 6.12 does not; in which version it came is not verified).
    pub large_kmalloc_is_marked: bool,
    /// How kmalloc caches are aligned.
    pub kmalloc_alignment: KmallocAlignment,
    /// How they are named.
    pub kmalloc_names: KmallocNames,
    /// Whether reclaimable kmalloc has caches of its own, `kmalloc-rcl-*` (4.20, commit 1291523f2c1d; not with
    /// `CONFIG_SLUB_TINY`, not verified).
    pub kmalloc_reclaim: bool,
    /// Where accounted kmalloc is served from.
    pub accounted_kmalloc: AccountedKmalloc,
    /// What chooses among copies of the ordinary caches.
    pub kmalloc_copies: KmallocCopies,
    /// The word in the copies' names: `rnd`, or `part` (7.2).
    pub kmalloc_copy_word: &'static str,
    /// Whether some callers have caches of their own (6.11).
    pub kmalloc_buckets: bool,
    /// In which order the caches are made.
    pub kmalloc_creation: KmallocCreation,
    /// How many bytes krealloc takes an object to have.
    pub krealloc_room: KreallocRoom,
    /// Whether krealloc with `__GFP_ZERO` zeroes what it leaves unused in place (6.11, commit 1a83a716ec23, not verified;
    /// the stable 6.1 that was recorded does too).
    pub krealloc_zeroes_rest: bool,
    /// What copies to and from user space are checked against.
    pub usercopy: UsercopyCheck,
    /// Whether caches that look alike are merged.
    pub merges: bool,
    /// Whether a cache with a usercopy window is not (4.16; from 6.2, commit 346907ceb9d1, only with
    /// `CONFIG_HARDENED_USERCOPY`: not verified).
    pub window_keeps_apart: bool,
    /// Whether consistency checks alone keep a cache apart too (7.0, not verified; recorded in 7.3, and not in 6.12).
    pub checked_caches_stay_apart: bool,
    /// Whether there is `SLAB_NO_MERGE` (6.5, not verified).
    pub no_merge_flag: bool,
    /// Whether `SLAB_ACCOUNT` is a flag at all (4.5, with memory control groups; it is 0 without).
    pub account_flag: bool,
    /// Whether allocations are zeroed.
    pub init_on_alloc: bool,
    /// Whether frees are zeroed.
    pub init_on_free: bool,
    /// Whether each CPU's page lists hold blocks of up to 8 pages, not single pages alone (5.13, commit 44042b449872).
    pub pcp_high_orders: bool,
    /// Whether the page allocator's largest blocks are shuffled (5.2).
    pub page_shuffle: bool,
    /// What is counted (`CONFIG_SLUB_STATS`, 2.6.25, not verified); nothing in other builds.
    pub counted: Vec<StatItem>,
    /// Whether a slab from the CPU's partial list is looked at as if it had been the CPU's all along, and counted so (up to 6.8).
    pub refills_from_cpu_partial: bool,
    /// Whether each object of a bulk call is counted (6.8, not verified).
    pub counts_each_of_bulk: bool,
    /// Which files a cache has in sysfs.
    pub sysfs: SysfsFiles,
    /// SLUB's own checks.
    pub debug: DebugModel,
}

impl Model {
    pub(super) fn of(config: &KernelConfig) -> Result<Self, ConfigError> {
        refuse_what_is_missing(config)?;
        let version = config.version;
        let since = |major, minor| version >= Version::release(major, minor);
        Ok(Self {
            cpus: config.cpus,
            present_cpus: by_version::present_cpus(config),
            order_search: by_version::order_search(config),
            wanted_objects: by_version::wanted_objects(config),
            max_slab_order: if config.tiny || version < Version::of_2_6(24) { 1 } else { 3 },
            order_fallback: version >= Version::of_2_6(26),
            min_partial: by_version::min_partial(config),
            empty_slab: by_version::empty_slab(config),
            hot_slab_first: !since(3, 2),
            kmalloc_largest: by_version::kmalloc_largest(config),
            roundup_keeps_too_large: since(6, 7),
            asked_pointer: by_version::asked_pointer(config),
            pointer_place: config.pointer_place.unwrap_or_else(|| by_version::pointer_place(version)),
            pointer_encoding: by_version::pointer_encoding(config),
            double_free_bug: config.freelist_hardened,
            double_free_bug_line: by_version::double_free_bug_line(version),
            wrong_cache: by_version::wrong_cache(config),
            checked_wrong_cache: if since(7, 0) { WrongCache::Leaked } else { WrongCache::FreedToOwner },
            reads_no_slab: since(7, 0),
            null_cache: by_version::null_cache(config),
            freelist_random: config.freelist_random,
            shuffles_from_32_bits: !since(6, 4),
            sheaves: by_version::sheaves(config),
            kfree_rcu: by_version::kfree_rcu(version),
            destroy_waits_for_kfree_rcu: since(6, 12),
            keeps_on_cpus: !config.tiny,
            cpu_partial: by_version::cpu_partial(config),
            freezes_partial: !since(6, 8),
            deactivation: if since(5, 12) { Deactivation::InOrder } else { Deactivation::Reversing },
            bulk_free_scan: if since(6, 0) { BulkFreeScan::Swaps } else { BulkFreeScan::LeavesHoles },
            free_hook_relinks: since(5, 3),
            single_free_relinks: since(5, 3) && !since(6, 8),
            bad_kfree_bug: !since(5, 17),
            large_kmalloc_is_marked: since(7, 0),
            kmalloc_alignment: by_version::kmalloc_alignment(config),
            kmalloc_names: if since(5, 4) { KmallocNames::Short } else { KmallocNames::Decimal },
            kmalloc_reclaim: since(4, 20) && !config.tiny,
            accounted_kmalloc: by_version::accounted_kmalloc(config),
            kmalloc_copies: by_version::kmalloc_copies(config),
            kmalloc_copy_word: if since(7, 2) { "part" } else { "rnd" },
            kmalloc_buckets: config.buckets,
            kmalloc_creation: if since(6, 12) { KmallocCreation::OddFirst } else { KmallocCreation::BySize },
            krealloc_room: if since(6, 13) { KreallocRoom::ObjectSize } else { KreallocRoom::Ksize },
            krealloc_zeroes_rest: since(6, 11) || version == Version::release(6, 1),
            usercopy: by_version::usercopy(config),
            merges: !config.nomerge,
            window_keeps_apart: since(4, 16) && (config.usercopy || !since(6, 2)),
            checked_caches_stay_apart: since(7, 0),
            no_merge_flag: since(6, 5),
            account_flag: config.memcg && since(4, 5),
            init_on_alloc: config.init_on_alloc,
            init_on_free: config.init_on_free,
            pcp_high_orders: since(5, 13),
            page_shuffle: config.page_shuffle,
            sysfs: SysfsFiles::of(config),
            counted: by_version::counted(config),
            refills_from_cpu_partial: !since(6, 9),
            counts_each_of_bulk: since(6, 8),
            debug: DebugModel::of(config),
        })
    }
}

fn refuse_what_is_missing(config: &KernelConfig) -> Result<(), ConfigError> {
    // One that is on of itself is without effect where it does not exist.
    let mut asked = Switch::ALL.into_iter().filter(|switch| config.is_on(*switch) && !switch.by_default());
    if let Some(error) = asked.find_map(|switch| config.lacks(switch)) {
        return Err(error);
    }
    if config.version < SlubDebug::BLOCKS && config.slub_debug.as_ref().is_some_and(|option| option.blocks().len() > 1)
    {
        return Err(ConfigError::DebugBlocks { version: config.version });
    }
    match config.cpus {
        1..=64 => Ok(()),
        cpus => Err(ConfigError::Cpus { cpus }),
    }
}
