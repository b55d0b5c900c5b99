//! `/sys/kernel/debug/slab/<cache>/alloc_traces` and `free_traces`, which were `alloc_calls` and `free_calls` in sysfs: who has
//! the objects in use, and who freed them before.
//!
//! `slab_debugfs_show` (mm/slub.c, 6.1), `list_locations` (4.19).
//!
//! Limitations: one caller, `script`, process 1, ages in commands, and no stacks, as in the tracks.

use crate::debug::{Trace, Traced};
use crate::layout::Track;
use crate::machine::Machine;
use crate::sorted::sorted_by;
use crate::units::{CacheId, count_from};

impl Machine {
    /// The files of traces of a cache, with their paths; none where tracks are not kept, or where sysfs has them.
    #[must_use]
    pub fn traces(&self, cache: CacheId) -> Vec<(String, String)> {
        if self.kernel().model().sysfs.calls || !self.keeps_tracks(cache) {
            return Vec::new();
        }
        let name = &self.kernel().cache(cache).name;
        [("alloc_traces", Track::Alloc), ("free_traces", Track::Free)]
            .map(|(file, track)| (format!("/sys/kernel/debug/slab/{name}/{file}"), self.locations(cache, track)))
            .into()
    }

    /// `alloc_calls` and `free_calls`, where sysfs has them and tracks are kept.
    pub(super) fn calls(&self, cache: CacheId) -> Vec<(&'static str, String)> {
        if !self.kernel().model().sysfs.calls || !self.keeps_tracks(cache) {
            return Vec::new();
        }
        [("alloc_calls", Track::Alloc), ("free_calls", Track::Free)]
            .map(|(file, track)| (file, self.locations(cache, track)))
            .into()
    }

    fn keeps_tracks(&self, cache: CacheId) -> bool {
        self.kernel().cache(cache).layout.checks.flags.store_user
    }

    /// A line for each caller and waste.
    fn locations(&self, cache: CacheId, track: Track) -> String {
        let group = |object: &Traced| (object.trace.map_or(0, |trace| trace.caller), object.waste);
        let traced = sorted_by(self.kernel().traced(cache, track), |one, other| group(one).cmp(&group(other)));
        if traced.is_empty() {
            return "No data\n".to_owned();
        }
        let by_caller = traced.chunk_by(|one, other| group(one) == group(other));
        let by_count = self.kernel().model().debug.traces_by_count;
        let count = |location: &[Traced]| if by_count { location.len() } else { 0 };
        let locations = sorted_by(by_caller, |one, other| count(other).cmp(&count(one)));
        let (now, cpus) = (self.kernel().log().now(), self.kernel().model().cpus);
        locations.into_iter().map(|location| line(location, now, cpus)).collect()
    }
}

/// The line of objects of one caller, as many bytes wasted in each.
fn line(objects: &[Traced], now: u64, cpus: u32) -> String {
    let Some(first) = objects.first() else { return String::new() };
    // Of what nobody is noted for, all is 0.
    let nobody = first.trace.is_none().then_some(Trace::NOBODY);
    let sorted = |of: &dyn Fn(Trace) -> u64| {
        let traces = objects.iter().filter_map(|object| object.trace).chain(nobody);
        sorted_by(traces.map(of), Ord::cmp)
    };
    let count = u64::from(count_from(objects.len()));
    let symbol = first.trace.map_or_else(|| "<not-available>".to_owned(), Trace::symbol);
    let waste = if first.waste > 0 { format!(" waste={}/{}", count * first.waste, first.waste) } else { String::new() };
    let ages = sorted(&|trace| now.wrapping_sub(trace.when));
    let (least, most) = ends(&ages);
    let sum: u64 = ages.iter().sum();
    let age = if sum == least { least.to_string() } else { format!("{least}/{}/{most}", sum / count) };
    let pids = range(ends(&sorted(&|trace| trace.pid.into())));
    let ran = if cpus > 1 { format!(" cpus={}", list(&sorted(&|trace| trace.cpu.into()))) } else { String::new() };
    format!("{count:7} {symbol}{waste} age={age} pid={pids}{ran}\n")
}

/// The first and the last.
fn ends(sorted: &[u64]) -> (u64, u64) {
    let end = |number: Option<&u64>| number.copied().unwrap_or(0);
    (end(sorted.first()), end(sorted.last()))
}

fn range((first, last): (u64, u64)) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

/// A list of ranges: `0-2,5`.
fn list(sorted: &[u64]) -> String {
    let runs = sorted.chunk_by(|one, next| next - one <= 1);
    runs.map(|run| range(ends(run))).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{KernelConfig, SlubDebug, Version};
    use crate::luck::Seed;
    use crate::script::parse_command;

    fn after(version: Version, cpus: u32, lines: &[&str]) -> Machine {
        let config =
            KernelConfig { cpus, slub_debug: Some(SlubDebug::parse("U,kmalloc-64")), ..KernelConfig::plain(version) };
        let mut machine = Machine::boot(&config, Seed(1)).expect("a kernel");
        for line in lines {
            machine.apply(&parse_command(line).expect("a command")).expect("carried out");
        }
        machine
    }

    #[track_caller]
    fn check(machine: &Machine, allocated: &str, freed: &str) {
        let files = machine.traces(machine.cache_named("kmalloc-64").expect("a cache"));
        let path = |file: &str| format!("/sys/kernel/debug/slab/kmalloc-64/{file}");
        let expected =
            [("alloc_traces", allocated), ("free_traces", freed)].map(|(file, text)| (path(file), text.into()));
        assert_eq!(files, expected);
    }

    /// slub-semantics 6.6: by caller and waste, the most objects first; what was never freed has no caller.
    #[test]
    fn objects_in_use_are_told_by_waste() {
        let lines = ["a = kmalloc 40", "b = kmalloc 64", "c = kmalloc 40"];
        let allocated = "      2 script waste=48/24 age=1/2/3 pid=1\n      1 script age=2 pid=1\n";
        check(&after(Version::release(6, 12), 1, &lines), allocated, "      3 <not-available> age=3 pid=0\n");
        let lines = ["a = kmalloc 64", "free a", "b = kmalloc 64"];
        check(
            &after(Version::release(6, 12), 1, &lines),
            "      1 script age=1 pid=1\n",
            "      1 script age=2 pid=1\n",
        );
    }

    #[test]
    fn several_cpus_are_listed() {
        let lines = ["a = kmalloc 64", "cpu 1", "b = kmalloc 64", "cpu 3", "c = kmalloc 64"];
        let allocated = "      3 script age=1/3/5 pid=1 cpus=0-1,3\n";
        check(&after(Version::release(6, 1), 4, &lines), allocated, "      3 <not-available> age=5 pid=0 cpus=0\n");
    }

    #[test]
    fn nothing_in_use_is_no_data_and_a_cache_without_tracks_has_no_files() {
        let machine = after(Version::release(6, 1), 1, &["a = kmalloc 64", "free a"]);
        check(&machine, "No data\n", "No data\n");
        assert!(machine.traces(machine.cache_named("kmalloc-32").expect("a cache")).is_empty());
    }

    /// Up to 5.13 (not verified) the files lie in sysfs.
    #[test]
    fn before_5_14_sysfs_has_them() {
        let machine = after(Version::release(5, 10), 1, &["a = kmalloc 64"]);
        let cache = machine.cache_named("kmalloc-64").expect("a cache");
        assert!(machine.traces(cache).is_empty());
        let text = machine.sysfs(cache);
        let lines: Vec<&str> = text.lines().filter(|line| line.contains("_calls")).collect();
        assert_eq!(lines, ["alloc_calls:      1 script age=1 pid=1", "free_calls:      1 <not-available> age=1 pid=0"]);
    }
}
