//! Which kernel this is: version, build options and boot parameters, and the behaviours they come to.
//!
//! Versions are data. The engines never ask for a version number; they branch on fields of [`Model`],
//! each of which cites the change that brought it.

mod by_version;
mod checked;
mod config;
mod debug;
mod model;
mod parts;
mod slub_debug;
mod stat_item;
mod sysfs;
mod version;

pub use checked::Checked;
pub use config::{ConfigError, KernelConfig, Switch};
pub use debug::{DebugModel, DebugPath, Telling};
pub use model::{
    AccountedKmalloc, AskedPointer, BulkFreeScan, CpuPartialLimit, Deactivation, EmptySlab, KfreeRcu, KmallocAlignment,
    KmallocCopies, KmallocCreation, KmallocNames, KreallocRoom, MinPartial, Model, NullCache, OrderSearch,
    PointerEncoding, PointerPlace, PresentCpus, SheafUse, UsercopyCheck, WantedObjects, WrongCache,
};
pub use parts::{Missing, Part};
pub use slub_debug::{Block, DebugFlags, SlubDebug};
pub use stat_item::StatItem;
pub use sysfs::SysfsFiles;
pub use version::{RELEASES, Release, UnknownVersion, Version};
