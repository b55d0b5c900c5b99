//! `/sys/kernel/slab/<cache>/` as text, and what the kernel's `slabinfo` tool makes of it.
//!
//! `slab_attrs`, `show_slab_objects`, `slabs_cpu_partial_show` (mm/slub.c, 4.19 to 7.3); `slabcache`, `store_size`
//! (tools/mm/slabinfo.c, 7.3).
//!
//! Limitations: one node, so that counts have no `N0=`.

use crate::kernel::{CpuPartialLimit, StatItem};
use crate::machine::Machine;
use crate::merge::sysfs_name;
use crate::slub::KmemCache;
use crate::sorted::sorted_by;
use crate::units::{CacheId, CpuId, count_from};
use core::fmt::Write as _;

impl Machine {
    /// Every file of a cache's folder, a line each, as `grep . *` prints them.
    #[must_use]
    pub fn sysfs(&self, cache: CacheId) -> String {
        let mut text = String::new();
        for (file, value) in self.sysfs_files(cache) {
            value.lines().for_each(|line| put(&mut text, &format!("{file}:{line}\n")));
        }
        text
    }

    /// The cache's folder in `/sys/kernel/slab`.
    #[must_use]
    pub fn sysfs_folder(&self, cache: CacheId) -> String {
        format!("/sys/kernel/slab/{}", sysfs_name(self.kernel().cache(cache), self.kernel().model()))
    }

    fn sysfs_files(&self, id: CacheId) -> Vec<(&'static str, String)> {
        let cache = self.kernel().cache(id);
        let (layout, flags, model) = (&cache.layout, cache.args.flags, self.kernel().model());
        let counts = self.counts(id);
        let mut files: Vec<(&'static str, String)> = vec![
            ("aliases", (cache.refcount - 1).max(0).to_string()),
            ("align", layout.align.to_string()),
            ("cache_dma", bit(flags.cache_dma)),
            ("cpu_partial", layout.cpu_partial.to_string()),
            ("cpu_slabs", counts.cpu_slabs.to_string()),
            ("ctor", if cache.args.ctor { "ctor".to_owned() } else { String::new() }),
            ("destroy_by_rcu", bit(flags.typesafe_by_rcu)),
            ("hwcache_align", bit(flags.hwcache_align)),
            ("min_partial", layout.min_partial.to_string()),
            ("object_size", layout.object_size.to_string()),
            ("objects", counts.objects.to_string()),
            ("objects_partial", counts.objects_partial.to_string()),
            ("objs_per_slab", layout.objects.to_string()),
            ("order", layout.order.raw().to_string()),
            ("partial", cache.nr_partial.to_string()),
            ("poison", bit(layout.checks.flags.poison)),
            ("reclaim_account", bit(flags.reclaim_account)),
            ("red_zone", bit(layout.checks.flags.red_zone)),
            ("sanity_checks", bit(layout.checks.flags.consistency)),
            ("slab_size", layout.size.to_string()),
            ("slabs", cache.nr_slabs.to_string()),
            ("store_user", bit(layout.checks.flags.store_user)),
            ("total_objects", cache.total_objects.to_string()),
            ("trace", bit(layout.checks.flags.trace)),
            ("usersize", cache.args.window.size.to_string()),
            ("reserved", "0".to_owned()),
            ("slabs_cpu_partial", slabs_cpu_partial(cache, model.cpu_partial)),
            ("sheaf_capacity", layout.sheaf_capacity.to_string()),
        ];
        files.extend(self.calls(id));
        files.retain(|(file, _)| model.sysfs.has(file));
        files.extend(model.counted.iter().map(|item| (item.name(), self.statistic(id, *item))));
        sorted_by(files, |(one, _), (other, _)| one.cmp(other))
    }

    /// A counter: the sum, then CPU by CPU (`show_stat`).
    fn statistic(&self, cache: CacheId, item: StatItem) -> String {
        let statistics = self.kernel().probe().statistics();
        let cpus = || statistics.into_iter().flat_map(|kept| kept.of(cache, item));
        let mut text = cpus().map(|(_, count)| u64::from(count)).sum::<u64>().to_string();
        cpus().for_each(|(cpu, count)| put(&mut text, &format!(" C{}={count}", cpu.raw())));
        text
    }

    fn counts(&self, id: CacheId) -> Counts {
        let cache = self.kernel().cache(id);
        let partial = || self.kernel().node_partial(id).map(|slab| self.kernel().slab(slab));
        let free = partial().map(|slab| slab.free_objects()).fold(0, u32::wrapping_add);
        Counts {
            cpu_slabs: count_from(cache.cpu_slabs().iter().filter(|(_, cpu)| cpu.slab.is_some()).count()),
            objects: cache.total_objects.saturating_sub(free),
            objects_partial: partial().map(|slab| u32::from(slab.inuse)).sum(),
        }
    }

    /// The default table of the `slabinfo` tool: caches that have slabs, by name.
    #[must_use]
    pub fn slabinfo_tool(&self) -> String {
        let mut text =
            "Name                   Objects Objsize           Space Slabs/Part/Cpu  O/S O %Fr %Ef Flg\n".to_owned();
        let caches = self.kernel().caches().filter(|(_, cache)| cache.nr_slabs > 0);
        let lower = |cache: &KmemCache| cache.name.to_ascii_lowercase();
        for (id, cache) in sorted_by(caches, |(_, one), (_, other)| lower(one).cmp(&lower(other))) {
            put(&mut text, &self.tool_line(id, cache));
        }
        text
    }

    fn tool_line(&self, id: CacheId, cache: &KmemCache) -> String {
        let layout = &cache.layout;
        let Counts { cpu_slabs, objects, .. } = self.counts(id);
        let space = u64::from(cache.nr_slabs) * layout.order.bytes();
        let slabs = format!("{}/{}/{cpu_slabs}", cache.nr_slabs.saturating_sub(cpu_slabs), cache.nr_partial);
        let with_free = cache.nr_partial * 100 / cache.nr_slabs;
        let used = u64::from(objects) * layout.object_size * 100 / space;
        format!(
            "{:<21} {objects:8} {:7} {:>15} {slabs:>14} {:4} {:1} {with_free:3} {used:3} {}\n",
            cache.name,
            layout.object_size,
            size_words(space),
            layout.objects,
            layout.order.raw(),
            letters(cache),
        )
    }
}

struct Counts {
    /// CPUs that own a slab.
    cpu_slabs: u32,
    /// Objects in use, with those that a CPU holds.
    objects: u32,
    /// Objects in use in slabs of the node's partial list.
    objects_partial: u32,
}

fn bit(is_set: bool) -> String {
    u32::from(is_set).to_string()
}

fn put(text: &mut String, what: &str) {
    let written = text.write_str(what);
    debug_assert!(written.is_ok(), "a String takes what is written to it");
}

/// Free objects and slabs on the CPUs' partial lists: all, then CPU by CPU. Where slabs are counted (5.16), each is
/// taken to be half full.
fn slabs_cpu_partial(cache: &KmemCache, limit: CpuPartialLimit) -> String {
    let of_cpu = |cpu: &crate::slub::CpuSlab| {
        let slabs = count_from(cpu.partial.len());
        let objects = match limit {
            CpuPartialLimit::Objects => cpu.partial_count(),
            CpuPartialLimit::Slabs | CpuPartialLimit::Absent => slabs * cache.layout.objects / 2,
        };
        (objects, slabs)
    };
    let cpus: Vec<(CpuId, (u32, u32))> = cache.cpu_slabs().iter().map(|(cpu, slab)| (cpu, of_cpu(slab))).collect();
    let (objects, slabs) = cpus.iter().fold((0, 0), |sum, (_, (objects, slabs))| (sum.0 + objects, sum.1 + slabs));
    let mut text = format!("{objects}({slabs})");
    for (cpu, (objects, slabs)) in cpus.into_iter().filter(|(_, (_, slabs))| *slabs > 0) {
        put(&mut text, &format!(" C{}={objects}({slabs})", cpu.raw()));
    }
    text
}

/// The tool's sizes: one digit after the point, and a letter.
fn size_words(bytes: u64) -> String {
    let tenths = |unit: u64, letter: char| format!("{}.{}{letter}", bytes / unit, bytes % unit * 10 / unit);
    match bytes {
        1_000_000_001.. => tenths(1_000_000_000, 'G'),
        1_000_001.. => tenths(1_000_000, 'M'),
        1_001.. => tenths(1_000, 'K'),
        _ => bytes.to_string(),
    }
}

fn letters(cache: &KmemCache) -> String {
    let (flags, checks) = (cache.args.flags, cache.layout.checks.flags);
    let all = [
        (cache.refcount > 1, '*'),
        (flags.cache_dma, 'd'),
        (flags.hwcache_align, 'A'),
        (checks.poison, 'P'),
        (flags.reclaim_account, 'a'),
        (checks.red_zone, 'Z'),
        (checks.consistency, 'F'),
        (checks.store_user, 'U'),
        (checks.trace, 'T'),
    ];
    all.into_iter().filter_map(|(is_set, letter)| is_set.then_some(letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{KernelConfig, Version};
    use crate::luck::Seed;
    use crate::script::parse_command;

    fn after(config: &KernelConfig, lines: &[&str]) -> Machine {
        let mut machine = Machine::boot(config, Seed(1)).expect("a kernel");
        for line in lines {
            machine.apply(&parse_command(line).expect("a command")).expect("carried out");
        }
        machine
    }

    /// The values of some files, in the order of their names.
    #[track_caller]
    fn check(machine: &Machine, cache: &str, expected: &[&str]) {
        let text = machine.sysfs(machine.cache_named(cache).expect("a cache"));
        for line in expected {
            assert!(text.lines().any(|found| found == *line), "{line} in\n{text}");
        }
    }

    #[test]
    fn counts_follow_the_lists() {
        let plain = KernelConfig::plain(Version::release(6, 1));
        let machine = after(&plain, &["bulk x 130 kmalloc-64", "free x3", "free x70"]);
        let here = ["cpu_slabs:1", "objects:192", "partial:0", "slabs:3", "slabs_cpu_partial:64(2) C0=64(2)"];
        check(&machine, "kmalloc-64", &here);
        let machine = after(&plain, &["bulk x 130 kmalloc-64", "free x3", "free x70", "shrink kmalloc-64"]);
        let shrunk = ["cpu_slabs:0", "objects:128", "objects_partial:128", "partial:3", "slabs_cpu_partial:0(0)"];
        check(&machine, "kmalloc-64", &shrunk);
    }

    #[test]
    fn what_a_cache_is_shows() {
        let machine = after(&KernelConfig::plain(Version::release(6, 1)), &["cache a 60 flags=hwcache", "cache b 64"]);
        let own = ["aliases:1", "align:64", "hwcache_align:1", "object_size:64", "slab_size:64", "usersize:0"];
        check(&machine, "a", &own);
        assert_eq!(machine.sysfs_folder(machine.cache_named("b").expect("a cache")), "/sys/kernel/slab/:0000064");
    }

    /// slub-semantics 10.2: what CPUs keep no more reads 0, and sheaves have a file.
    #[test]
    fn from_7_0_cpus_keep_nothing_and_sheaves_have_a_size() {
        let machine = after(&KernelConfig::plain(Version::release(7, 3)), &["a = kmalloc 64"]);
        let files = ["cpu_partial:0", "cpu_slabs:0", "sheaf_capacity:60", "slabs_cpu_partial:0(0)"];
        check(&machine, "kmalloc-64", &files);
        let older = after(&KernelConfig::plain(Version::release(6, 1)), &[]);
        assert!(!older.sysfs(older.cache_named("kmalloc-64").expect("a cache")).contains("sheaf_capacity"));
    }

    /// The names of the files of a cache without a constructor, in a kernel of this version.
    fn files_of(version: Version) -> Vec<String> {
        let machine = after(&KernelConfig::plain(version), &[]);
        let text = machine.sysfs(machine.cache_named("kmalloc-64").expect("a cache"));
        text.lines().filter_map(|line| line.split(':').next()).map(str::to_owned).collect()
    }

    /// Documentation/ABI/testing/sysfs-kernel-slab.
    #[test]
    fn each_version_has_its_files() {
        let first = files_of(Version::of_2_6(22));
        for (version, new, gone) in [
            (Version::of_2_6(26), &["objects_partial", "total_objects"][..], ""),
            (Version::of_2_6(30), &["min_partial"], ""),
            (Version::of_2_6(39), &["reserved"], ""),
            (Version::release(3, 2), &["cpu_partial", "slabs_cpu_partial"], ""),
            (Version::release(4, 16), &["usersize"], ""),
            (Version::release(4, 18), &[], "reserved"),
            (Version::release(6, 18), &["sheaf_capacity"], ""),
        ] {
            let files = files_of(version);
            assert!(new.iter().all(|file| files.iter().any(|found| found == file)), "{version}: {files:?}");
            assert!(new.iter().all(|file| !first.iter().any(|found| found == file)), "2.6.22: {first:?}");
            assert!(!files.iter().any(|found| found == gone), "{version}: {files:?}");
        }
        assert!(!first.iter().any(|file| file == "ctor"), "an empty file has no line");
    }

    #[test]
    fn the_tool_s_table_has_the_caches_with_slabs() {
        let machine = after(&KernelConfig::plain(Version::release(6, 1)), &["a = kmalloc 64", "b = kmalloc 4096"]);
        let table = machine.slabinfo_tool();
        let lines: Vec<&str> = table.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "kmalloc-4k                   8    4096           32.7K          0/0/1    8 3   0 100 ",
                "kmalloc-64                  64      64            4.0K          0/0/1   64 0   0 100 ",
            ]
        );
        assert_eq!([999, 1500, 2_000_000, 3_100_000_000].map(size_words), ["999", "1.5K", "2.0M", "3.1G"]);
    }
}
