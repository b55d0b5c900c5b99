//! Which kernel a file was recorded from, as the model can build it; or what of it the model cannot.

use super::flags::Numbering;
use super::records::Header;
use crate::kernel::{KernelConfig, Model, PresentCpus, SlubDebug, Version};
use crate::units::{PAGE_OFFSET, PAGE_SIZE};
use std::collections::BTreeMap;

/// Boot parameters that make the allocator another one, and that the model does not have.
const PARAMETERS_BEYOND: [&str; 10] = [
    "slub_min_order",
    "slab_min_order",
    "slub_max_order",
    "slab_max_order",
    "slub_min_objects",
    "slab_min_objects",
    "debug_guardpage_minorder",
    "page_poison",
    "slab_merge",
    "slub_merge",
];

/// Build options that the model has in its one form only: the name, and the value it needs.
const OPTIONS_NEEDED: [(&str, u64); 6] = [
    ("CONFIG_SLAB", 0),
    ("CONFIG_SLUB", 1),
    ("CONFIG_SMP", 1),
    ("CONFIG_NUMA", 0),
    ("CONFIG_SLUB_DEBUG", 1),
    ("CONFIG_ZONE_DMA", 1),
];

/// Build options that the model turns on and off, or that change nothing it shows.
const OPTIONS_TAKEN: [&str; 9] = [
    RANDOM_COPIES,
    PARTITIONS,
    BUCKETS,
    "CONFIG_SLAB_FREELIST_RANDOM",
    "CONFIG_SLAB_FREELIST_HARDENED",
    "CONFIG_SLUB_CPU_PARTIAL",
    "CONFIG_SLAB_MERGE_DEFAULT",
    "CONFIG_MEMCG",
    "CONFIG_HARDENED_USERCOPY",
];

/// Build options that are numbers; they change nothing that is shown.
const OPTIONS_NUMBERED: [&str; 2] = ["NR_CPUS", "HZ"];

/// Ordinary kmalloc has copies of its caches: since 6.6, and under the second name since 7.2.
const RANDOM_COPIES: &str = "CONFIG_RANDOM_KMALLOC_CACHES";
const PARTITIONS: &str = "CONFIG_KMALLOC_PARTITION_CACHES";
/// Some callers have caches of their own: since 6.11.
const BUCKETS: &str = "CONFIG_SLAB_BUCKETS";

/// Build options that not every recorded version has: the first that does, and the first that does not again.
const OPTIONS_OF: [(&str, Version, Option<Version>); 4] = [
    ("CONFIG_SLUB_CPU_PARTIAL", Version::release(3, 12), Some(Version::release(7, 0))),
    (RANDOM_COPIES, Version::release(6, 6), Some(Version::release(7, 2))),
    (BUCKETS, Version::release(6, 11), None),
    (PARTITIONS, Version::release(7, 2), None),
];

/// The versions whose flag bits and records are read.
pub(super) const RECORDED: [Version; 3] = [Version::release(6, 1), Version::release(6, 12), Version::release(7, 3)];

/// What the model has no answer for yet, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Beyond(pub(super) String);

/// The kernel of a recording.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) config: KernelConfig,
    pub(super) model: Model,
    pub(super) flags: Numbering,
}

/// The kernel of a recording.
pub(super) fn of_recording(header: &Header) -> Result<Subject, Beyond> {
    let config = config_of(header)?;
    Ok(Subject { model: model_of(&config)?, flags: Numbering::of(config.version), config })
}

fn config_of(header: &Header) -> Result<KernelConfig, Beyond> {
    let version = version_of(&header.release)?;
    if !RECORDED.contains(&version) {
        return Err(Beyond(format!("recordings of Linux {}", header.release)));
    }
    refuse_machine(header)?;
    refuse_options(&header.cfg, version)?;
    let parameters = Parameters::read(&header.cmdline);
    parameters.refuse_what_is_beyond()?;
    let option = |name| header.cfg.get(name).is_some_and(|value| *value != 0);
    let nomerge = parameters.has("slab_nomerge") || parameters.has("slub_nomerge");
    Ok(KernelConfig {
        cpus: counted_cpus(version, header.nr_cpu_ids, header.num_online_cpus)?,
        freelist_random: option("CONFIG_SLAB_FREELIST_RANDOM"),
        freelist_hardened: option("CONFIG_SLAB_FREELIST_HARDENED"),
        cpu_partial: option("CONFIG_SLUB_CPU_PARTIAL"),
        memcg: option("CONFIG_MEMCG"),
        init_on_alloc: parameters.is_on("init_on_alloc"),
        init_on_free: parameters.is_on("init_on_free"),
        slub_debug: parameters.slub_debug(version),
        nomerge: !option("CONFIG_SLAB_MERGE_DEFAULT") || nomerge,
        usercopy: option("CONFIG_HARDENED_USERCOPY"),
        // The partitions that were recorded are chosen by place, as the copies before them.
        random_copies: option(RANDOM_COPIES) || option(PARTITIONS),
        buckets: option(BUCKETS),
        ..KernelConfig::plain(version)
    })
}

/// The kernel that a release of the oracle's own builds is: its last word says with which options it was built.
pub(super) fn of_build(release: &str) -> Result<KernelConfig, Beyond> {
    let version = version_of(release)?;
    let plain = KernelConfig::plain(version);
    let build = release.rsplit('-').next().unwrap_or_default();
    let has = |option: &str| OPTIONS_OF.iter().any(|(name, since, _)| *name == option && version >= *since);
    match build {
        "plain" => Ok(plain),
        "hardened" => Ok(KernelConfig {
            freelist_random: true,
            freelist_hardened: true,
            random_copies: has(RANDOM_COPIES),
            buckets: has(BUCKETS),
            ..plain
        }),
        _ => Err(Beyond(format!("Linux {release}, a build with other options than plain and hardened"))),
    }
}

/// The kernel of a boot whose caches were listed.
pub(super) fn of_boot(release: &str, cmdline: &str, possible: u32, online: u32) -> Result<KernelConfig, Beyond> {
    let version = version_of(release)?;
    let parameters = Parameters::read(cmdline);
    parameters.refuse_what_is_beyond()?;
    let slub_debug = parameters.slub_debug(version);
    Ok(KernelConfig { cpus: counted_cpus(version, possible, online)?, slub_debug, ..KernelConfig::plain(version) })
}

/// The behaviours of `config`.
pub(super) fn model_of(config: &KernelConfig) -> Result<Model, Beyond> {
    config.model().map_err(|error| Beyond(error.to_string()))
}

/// `6.1.192-hardened` is Linux 6.1.
fn version_of(release: &str) -> Result<Version, Beyond> {
    let beyond = || Beyond(format!("Linux {release}"));
    let mut numbers = release.split(['.', '-']).map(str::parse::<u8>);
    let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else { return Err(beyond()) };
    let version = Version::release(major, minor);
    version.released().map(|_| version).ok_or_else(beyond)
}

/// The CPUs that slab orders depend on (`calculate_order`).
fn counted_cpus(version: Version, possible: u32, online: u32) -> Result<u32, Beyond> {
    let present = model_of(&KernelConfig::plain(version))?.present_cpus;
    let cpus = match present {
        PresentCpus::Possible => possible,
        PresentCpus::Online => online,
        PresentCpus::Present if online > 1 => online,
        PresentCpus::Present => possible,
    };
    if (1..=64).contains(&cpus) { Ok(cpus) } else { Err(Beyond(format!("{cpus} CPUs"))) }
}

fn refuse_machine(header: &Header) -> Result<(), Beyond> {
    if header.page_size != PAGE_SIZE {
        return Err(Beyond(format!("pages of {} bytes", header.page_size)));
    }
    if header.page_offset.0 != PAGE_OFFSET {
        return Err(Beyond(format!("a direct map at {}", header.page_offset.address())));
    }
    if header.wipe_fresh_pages != 1 {
        return Err(Beyond("fresh pages that were not wiped".to_owned()));
    }
    Ok(())
}

fn refuse_options(options: &BTreeMap<String, u64>, version: Version) -> Result<(), Beyond> {
    let is = |name: &str| options.get(name).copied().unwrap_or(0);
    let lacks = |since: Version, until: Option<Version>| version < since || until.is_some_and(|until| version >= until);
    if let Some((name, ..)) = OPTIONS_OF.iter().find(|(name, since, until)| is(name) != 0 && lacks(*since, *until)) {
        return Err(Beyond(format!("{name} in Linux {version}")));
    }
    if let Some((name, _)) = OPTIONS_NEEDED.iter().find(|(name, needed)| is(name) != *needed) {
        return Err(Beyond(format!("{name}={}", is(name))));
    }
    let known = |name: &str| OPTIONS_TAKEN.contains(&name) || OPTIONS_NEEDED.iter().any(|(needed, _)| *needed == name);
    let is_number = |name: &str| OPTIONS_NUMBERED.contains(&name);
    let sane = |name: &str, value: u64| value == 0 || is_number(name) || (known(name) && value == 1);
    match options.iter().find(|(name, value)| !sane(name, **value)) {
        Some((name, value)) => Err(Beyond(format!("{name}={value}"))),
        None => Ok(()),
    }
}

/// A kernel's command line.
struct Parameters<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Parameters<'a> {
    fn read(cmdline: &'a str) -> Self {
        Self(cmdline.split_whitespace().map(|word| word.split_once('=').unwrap_or((word, ""))).collect())
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(key, _)| *key == name)
    }

    /// As `kstrtobool` reads it; the last one counts.
    fn is_on(&self, name: &str) -> bool {
        let last = self.0.iter().rev().find(|(key, _)| *key == name);
        last.is_some_and(|(_, value)| matches!(*value, "1" | "y" | "Y" | "t" | "T" | "on" | "ON" | "On"))
    }

    /// The last one that this version knows counts. Letters that mean nothing are skipped, as the kernel did.
    fn slub_debug(&self, version: Version) -> Option<SlubDebug> {
        let knows = |key: &str| key == "slub_debug" || (key == "slab_debug" && version >= SlubDebug::RENAMED);
        let last = self.0.iter().rev().find(|(key, _)| knows(key));
        last.map(|(_, value)| SlubDebug::parse(value))
    }

    fn refuse_what_is_beyond(&self) -> Result<(), Beyond> {
        match self.0.iter().find(|(key, _)| PARAMETERS_BEYOND.contains(key)) {
            Some((key, "")) => Err(Beyond((*key).to_owned())),
            Some((key, value)) => Err(Beyond(format!("{key}={value}"))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_cpus_count() {
        let cpus = |possible, online| of_boot("6.1.192-plain", "quiet", possible, online).map(|config| config.cpus);
        assert_eq!((cpus(1, 1), cpus(4, 4)), (Ok(1), Ok(4)));
        assert_eq!(cpus(16, 1), Ok(16), "one CPU present: those that might come count");
        assert_eq!(cpus(16, 2), Ok(2));
        assert_eq!(cpus(128, 1), Err(Beyond("128 CPUs".to_owned())));
    }

    #[test]
    fn the_last_name_that_the_version_knows_counts() {
        let option = |release, cmdline| {
            let config = of_boot(release, cmdline, 1, 1).expect("a boot that is modelled");
            config.slub_debug.map(|option| option.to_string())
        };
        assert_eq!(option("6.1.192-plain", "slub_debug=F slab_debug=Z").as_deref(), Some("F"));
        assert_eq!(option("6.12.117-plain", "slub_debug=F slab_debug=Z").as_deref(), Some("Z"));
        assert_eq!(option("6.1.192-plain", "quiet slub_debug").as_deref(), Some("FZPU"));
        assert_eq!(option("6.1.192-plain", "quiet"), None);
    }

    #[test]
    fn what_is_beyond_is_named() {
        let boot = |release, cmdline| of_boot(release, cmdline, 1, 1).expect_err("beyond").0;
        assert_eq!(boot("8.0.13-plain", ""), "Linux 8.0.13-plain");
        assert_eq!(boot("next", ""), "Linux next");
        assert_eq!(boot("6.1.192-plain", "quiet slub_max_order=0"), "slub_max_order=0");
    }
}
