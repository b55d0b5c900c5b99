//! What SLUB's own checks are like, version by version.
//!
//! Where only a later state was read, the version that brought it is marked "not verified".

use super::config::KernelConfig;
use super::slub_debug::SlubDebug;
use super::version::Version;

/// How an allocation from a cache with checks takes its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DebugPath {
    /// It takes a slab from the node, an object from the slab, and gives the slab back (up to 5.19).
    WholeSlab,
    /// It takes one object from a slab, which stays where it is (6.0, not verified; read in 6.1).
    SingleObject,
}

/// The parts of the model that have to do with checks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DebugModel {
    /// Whether the checks are built at all (`CONFIG_SLUB_DEBUG`; not with `CONFIG_SLUB_TINY`, 6.2).
    pub is_built: bool,
    /// The boot option, where there is one.
    pub option: Option<SlubDebug>,
    /// `sizeof(struct track)`: 24 up to 3.0, 152 with the stack in it, 32 with a handle of the stack depot (5.18, not
    /// verified).
    pub track_size: u64,
    /// Bytes of the size that was asked for of kmalloc; 0 before 6.1.
    pub orig_size: u64,
    /// Whether the bytes of a kmalloc object that were not asked for are a red zone (6.2, not verified).
    pub kmalloc_red_zone: bool,
    /// Whether a red zone has bytes before the object (4.6, not verified).
    pub left_red_zone: bool,
    /// Whether the free pointer of a red-zoned object of less than a word lies behind it (5.13).
    pub small_red_zoned_outside: bool,
    /// How an allocation takes its object.
    pub path: DebugPath,
    /// Whether checks run at all without `F` (up to 4.5, not verified).
    pub always_checks: bool,
    /// Whether an object's check goes on after its first failure (recorded in 6.12.117 and 7.3; the mainline release
    /// was not verified).
    pub checks_go_on: bool,
    /// Whether a slab that failed is marked, and every later check of it says so (recorded in 6.1.192 and later; the
    /// mainline release was not verified).
    pub disables_slab: bool,
    /// Whether a free of more objects than a slab has in use is refused (6.0, not verified; read in 6.1).
    pub counts_freed: bool,
    /// Whether only caches with checks are validated (6.1).
    pub validates_checked_only: bool,
    /// Whether a walk that finds more links than objects says that the list loops (7.3).
    pub finds_cycles: bool,
    /// Whether who has the objects is listed by how many they have, the most first, rather than by address (5.18, not verified).
    pub traces_by_count: bool,
    /// Whether that list tells the bytes that were not asked for (6.2, not verified).
    pub traces_tell_waste: bool,
    /// How it is told.
    pub told: Telling,
}

/// How a report reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Telling {
    /// `INFO: ` begins what follows the header (up to 5.13, not verified; not in 6.1), and flags are a number.
    pub says_info: bool,
    /// What is restored is named, and repairs end without a full stop or an empty line (5.14, not verified).
    pub names_restored: bool,
    /// The fault line says how far into the slab (5.5, not verified; in 5.10).
    pub fault_offset: bool,
    /// Labels are nine letters wide (5.10).
    pub wide_labels: bool,
    /// `Left Redzone`, `Right Redzone`, `End Poison` are told apart (5.13).
    pub tells_sides: bool,
    /// A chain of another length is told in words (6.0, not verified).
    pub bulk_in_words: bool,
    /// The overwritten bytes come first, the header says `Object corrupt`, and a warning ends the report (recorded in
    /// 6.12.117 and 7.3; 6.15 in mainline, not verified).
    pub fault_first: bool,
    /// A slab's report is cut after so many letters, if at all (up to 6.1: 99).
    pub slab_text: Option<u32>,
    /// `GFP_ATOMIC` as a number: with a bit of its own up to 6.2 (not verified).
    pub gfp_atomic: u32,
    /// Letters of a taint: 19 in 6.1 and 6.12, 20 in 7.3 as recorded; 18 before 6.0, not verified.
    pub taint_letters: u32,
    /// `page` flags of a slab are told by name, and `slab` is no longer one of them (recorded in 6.12).
    pub slab_is_a_type: bool,
    /// The boot option's name in messages.
    pub option_name: &'static str,
}

impl DebugModel {
    pub(super) fn of(config: &KernelConfig) -> Self {
        let version = config.version;
        let since = |major, minor| version >= Version::release(major, minor);
        Self {
            is_built: !config.tiny,
            option: config.slub_debug.clone(),
            track_size: match (since(5, 18), since(3, 1)) {
                (true, _) => 32,
                (false, true) => 152,
                (false, false) => 24,
            },
            orig_size: match (since(6, 12), since(6, 1)) {
                (true, _) => 8,
                (false, true) => 4,
                (false, false) => 0,
            },
            kmalloc_red_zone: since(6, 2),
            left_red_zone: since(4, 6),
            small_red_zoned_outside: since(5, 13),
            path: if since(6, 0) { DebugPath::SingleObject } else { DebugPath::WholeSlab },
            always_checks: !since(4, 6),
            checks_go_on: since(6, 12),
            disables_slab: since(6, 1),
            counts_freed: since(6, 0),
            validates_checked_only: since(6, 1),
            finds_cycles: since(7, 0),
            traces_by_count: since(5, 18),
            traces_tell_waste: since(6, 2),
            told: Telling {
                says_info: !since(5, 14),
                names_restored: since(5, 14),
                fault_offset: since(5, 5),
                wide_labels: since(5, 10),
                tells_sides: since(5, 13),
                bulk_in_words: since(6, 0),
                fault_first: since(6, 12),
                slab_text: (!since(6, 2)).then_some(99),
                gfp_atomic: if since(6, 3) { 0x820 } else { 0xa20 },
                taint_letters: match (since(7, 0), since(6, 0)) {
                    (true, _) => 20,
                    (false, true) => 19,
                    (false, false) => 18,
                },
                slab_is_a_type: since(6, 12),
                option_name: if version >= SlubDebug::RENAMED { "slab_debug" } else { "slub_debug" },
            },
        }
    }
}
