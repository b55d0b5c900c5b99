//! Listings of the caches of whole boots: sysfs attributes and slabinfo columns, compared with our layouts.
//!
//! What a cache was asked to be is taken from its own attributes (object size, alignment, flags, constructor), and from
//! its name only where no attribute shows it (a short table); what follows from it is compared. Which caches the boot merged is taken from its links: merging is
//! not modelled yet, and a merged cache is one more cache with attributes of its own.

use super::kernel_tests::{kunit, lkdtm};
use super::kmalloc_names::is_of_kmalloc;
use super::read::BadFile;
use super::report::{Comparison, Place, Report, count};
use super::subject::{self, Beyond};
use super::unshown;
use crate::kernel::{DebugFlags, Model, Version};
use crate::layout::{CacheArgs, CacheFlags, Layout, Window};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A boot and its caches.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Boot {
    release: String,
    cmdline: String,
    /// `0-3 online 0`.
    cpus: Option<String>,
    /// The same, of a live machine.
    cpus_possible: Option<String>,
    caches: BTreeMap<String, BTreeMap<String, Value>>,
    links: BTreeMap<String, String>,
    slabinfo: String,
}

/// Compares a listing, of one boot or of several by name.
pub(super) fn compare(text: &str) -> Result<Report, BadFile> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let line = u32::try_from(error.line()).unwrap_or(1);
        let text = error.to_string();
        let problem = text.split(" at line ").next().unwrap_or(&text);
        BadFile::at(line, format!("column {}: {problem}", error.column()), "a recording (.jsonl) or a geometry.json")
    })?;
    let Value::Object(top) = value else {
        return Err(BadFile::at(1, "JSON that is no object", "a recording (.jsonl) or a geometry.json"));
    };
    match kind_of(&top) {
        Kind::Lkdtm => return lkdtm::compare(top),
        Kind::Kunit => return kunit::compare(top),
        Kind::Caches => {}
    }
    let boots =
        if top.contains_key("caches") { Map::from_iter([("live".to_owned(), Value::Object(top))]) } else { top };
    let mut report = Report { title: format!("caches of {} boots", boots.len()), ..Report::default() };
    for (name, value) in boots {
        let boot: Boot = serde_json::from_value(value)
            .map_err(|error| BadFile::whole(format!("boot {name}: {error}"), "a boot with its release and caches"))?;
        compare_boot(&mut report, &name, &boot)?;
    }
    Ok(report)
}

/// What a table of boots tells.
enum Kind {
    Caches,
    Lkdtm,
    Kunit,
}

/// Results of kernel tests lie beside the listings.
fn kind_of(top: &Map<String, Value>) -> Kind {
    let entries = || top.values().filter_map(Value::as_object);
    let has_caches = top.contains_key("caches") || entries().any(|entry| entry.contains_key("caches"));
    let mut inner = entries().flat_map(Map::values);
    match inner.next() {
        Some(Value::Object(run)) if !has_caches && run.contains_key("dmesg") => Kind::Lkdtm,
        Some(Value::String(_)) if !has_caches => Kind::Kunit,
        Some(_) | None => Kind::Caches,
    }
}

fn compare_boot(report: &mut Report, name: &str, boot: &Boot) -> Result<(), BadFile> {
    let (possible, online) = cpus_of(name, boot)?;
    let (version, model) = match kernel_of(boot, possible, online) {
        Ok(kernel) => kernel,
        Err(Beyond(why)) => {
            let caches = u64::from(crate::units::count_from(boot.caches.len().max(1)));
            count(&mut report.not_modelled, &format!("boot {name} ({why})"), caches);
            return Ok(());
        }
    };
    let mut layouts = BTreeMap::new();
    for (cache, attributes) in &boot.caches {
        let place = format!("{name}, {cache}");
        let attributes = Attributes { place: &place, values: attributes };
        let mut args = unshown::complete(attributes.args()?, cache, version);
        args.flags.kmalloc = is_of_kmalloc(cache, &model);
        let links = boot.links.values().filter(|target| *target == cache).count();
        let mut comparison = Comparison::new("cache attributes", Place::Entry(place.clone()));
        match Layout::at_boot(cache, &args, &model) {
            Err(error) => comparison.differ("that it was made", "a cache", error.to_string()),
            Ok((_, layout)) => {
                let layout = Layout { sheaf_capacity: unshown::sheaf_capacity(&layout, cache, version), ..layout };
                attributes.compare(&mut comparison, (&layout, &model), crate::units::count_from(links), report)?;
                layouts.insert(cache.as_str(), layout);
            }
        }
        report.close(comparison);
    }
    compare_slabinfo(report, name, boot, &layouts)
}

fn kernel_of(boot: &Boot, possible: u32, online: u32) -> Result<(Version, Model), Beyond> {
    if boot.caches.is_empty() {
        return Err(Beyond("no sysfs attributes: the SLAB allocator".to_owned()));
    }
    let config = subject::of_boot(&boot.release, &boot.cmdline, possible, online)?;
    Ok((config.version, subject::model_of(&config)?))
}

/// CPUs that are possible, and online.
fn cpus_of(name: &str, boot: &Boot) -> Result<(u32, u32), BadFile> {
    let text = boot.cpus.as_deref().or(boot.cpus_possible.as_deref()).unwrap_or_default();
    let (possible, online) = text.split_once(" online ").unwrap_or((text, text));
    match (cpu_list_len(possible), cpu_list_len(online)) {
        (Some(possible), Some(online)) => Ok((possible, online)),
        _ => Err(BadFile::whole(format!("boot {name}: cpus `{text}`"), "CPU lists such as `0-3 online 0`")),
    }
}

/// The CPUs of a list such as `0-3,8`.
fn cpu_list_len(list: &str) -> Option<u32> {
    list.trim()
        .split(',')
        .map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            last.parse::<u32>().ok()?.checked_sub(first.parse().ok()?)?.checked_add(1)
        })
        .sum()
}

/// The sysfs attributes of a cache.
struct Attributes<'a> {
    place: &'a str,
    values: &'a BTreeMap<String, Value>,
}

/// Attributes that say what the cache was asked to be.
const ASKED: [&str; 8] = [
    "object_size",
    "usersize",
    "hwcache_align",
    "reclaim_account",
    "cache_dma",
    "destroy_by_rcu",
    "skip_kfence",
    "ctor",
];

/// Attributes that a listing has where the kernel has them.
const LISTED: [&str; 19] = [
    "aliases",
    "align",
    "cache_dma",
    "cpu_partial",
    "destroy_by_rcu",
    "hwcache_align",
    "min_partial",
    "object_size",
    "objs_per_slab",
    "order",
    "poison",
    "reclaim_account",
    "red_zone",
    "sanity_checks",
    "sheaf_capacity",
    "slab_size",
    "store_user",
    "trace",
    "usersize",
];

/// Whether a cache has the check that an attribute is about; `None` where it is about none.
fn check_of(attribute: &str, flags: DebugFlags) -> Option<bool> {
    Some(match attribute {
        "sanity_checks" => flags.consistency,
        "red_zone" => flags.red_zone,
        "poison" => flags.poison,
        "store_user" => flags.store_user,
        "trace" => flags.trace,
        "failslab" => flags.failslab,
        _ => return None,
    })
}

impl Attributes<'_> {
    fn number(&self, name: &str) -> Result<u64, BadFile> {
        let value = self.values.get(name).and_then(Value::as_u64);
        value.ok_or_else(|| BadFile::whole(format!("{}: no {name}", self.place), "the attribute, a number"))
    }

    fn is_on(&self, name: &str) -> Result<bool, BadFile> {
        Ok(self.number(name)? != 0)
    }

    fn args(&self) -> Result<CacheArgs, BadFile> {
        Ok(CacheArgs {
            object_size: self.number("object_size")?,
            align: self.number("align")?,
            flags: CacheFlags {
                hwcache_align: self.is_on("hwcache_align")?,
                reclaim_account: self.is_on("reclaim_account")?,
                cache_dma: self.is_on("cache_dma")?,
                typesafe_by_rcu: self.is_on("destroy_by_rcu")?,
                ..CacheFlags::default()
            },
            ctor: self.values.get("ctor").is_some_and(|name| name.as_str() != Some("")),
            pointer_at: None,
            window: Window { offset: 0, size: self.number("usersize")? },
            sheaf_capacity: 0,
        })
    }

    /// Compares each attribute. `links` are the names that lead to this cache.
    fn compare(
        &self,
        comparison: &mut Comparison,
        (ours, model): (&Layout, &Model),
        links: u32,
        report: &mut Report,
    ) -> Result<(), BadFile> {
        let told = |name: &&str| self.values.contains_key(*name);
        let expected = |name: &&str| model.sysfs.has(name);
        let names = |is_there: &dyn Fn(&&str) -> bool| -> Vec<String> {
            LISTED.iter().filter(|name| is_there(name)).map(|name| (*name).to_owned()).collect()
        };
        comparison.same("which attributes it has", names(&told), names(&expected));
        for name in self.values.keys().map(String::as_str) {
            let ours = match name {
                "slab_size" => ours.size,
                "align" => ours.align,
                "order" => u64::from(ours.order.raw()),
                "objs_per_slab" => u64::from(ours.objects),
                "min_partial" => u64::from(ours.min_partial),
                "sheaf_capacity" => u64::from(ours.sheaf_capacity),
                "cpu_partial" => u64::from(ours.cpu_partial),
                "aliases" => u64::from(links.saturating_sub(1)),
                "remote_node_defrag_ratio" => 100,
                check if check_of(check, ours.checks.flags).is_some() => {
                    u64::from(check_of(check, ours.checks.flags) == Some(true))
                }
                asked if ASKED.contains(&asked) => {
                    count(&mut report.given, asked, 1);
                    continue;
                }
                other => {
                    count(&mut report.not_modelled, &format!("attribute {other}"), 1);
                    continue;
                }
            };
            comparison.same(name, self.number(name)?, ours);
        }
        Ok(())
    }
}

/// Compares the columns of slabinfo that are not counts of the moment.
fn compare_slabinfo(
    report: &mut Report,
    name: &str,
    boot: &Boot,
    layouts: &BTreeMap<&str, Layout>,
) -> Result<(), BadFile> {
    for line in boot.slabinfo.lines().filter(|line| !line.starts_with("slabinfo - ") && !line.starts_with('#')) {
        let place = format!("{name}, slabinfo, {line}");
        let mut columns = line.split_whitespace();
        let cache = columns.next().unwrap_or_default();
        let numbers: Vec<u64> = columns.map_while(|column| column.parse().ok()).collect();
        let [_, _, objsize, objperslab, pagesperslab] = numbers[..] else {
            return Err(BadFile::whole(format!("`{place}`"), "a name and five numbers before the first colon"));
        };
        let directory = boot.links.get(cache).map_or(cache, String::as_str);
        let mut comparison = Comparison::new("slabinfo", Place::Entry(place));
        match layouts.get(directory) {
            None => comparison.differ("that the cache is listed", "a line", "no directory of its name"),
            Some(layout) => {
                comparison.same("objsize", objsize, layout.size);
                comparison.same("objperslab", objperslab, u64::from(layout.objects));
                comparison.same("pagesperslab", pagesperslab, layout.order.pages());
            }
        }
        count(&mut report.luck, "slabinfo counts of the moment", 2);
        report.close(comparison);
    }
    Ok(())
}
