//! Merging: `kmem_cache_create` gives out a cache that there is already, where one looks like what is asked for.
//!
//! `find_mergeable`, `slab_unmergeable`, `__kmem_cache_alias`, `kmem_cache_destroy` (mm/slab_common.c, 6.1, 6.12 and
//! 7.3), `create_unique_id`, `sysfs_slab_add` (mm/slub.c).
//!
//! Limitations: that the oldest match wins was read in 6.1 and later; it is taken to hold before.

use crate::allocator::{Kernel, Probe};
use crate::kernel::Model;
use crate::layout::{CacheArgs, Layout, WORD, align_up, alignment};
use crate::memory::Bytes;
use crate::slub::KmemCache;
use crate::units::CacheId;

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// The oldest cache that is so like what is asked for that no second one is made.
    #[must_use]
    pub fn find_mergeable(&self, args: &CacheArgs) -> Option<CacheId> {
        if never_merges(args, &self.model) {
            return None;
        }
        let wanted = Wanted::by(args);
        self.caches()
            .find(|(_, cache)| !is_unmergeable(cache, &self.model) && wanted.fits(cache, &self.model))
            .map(|(id, _)| id)
    }

    /// Gives a cache one more name and user. Its objects grow to what the larger of its users asked for; where the free
    /// pointer lies, its secret and its sequence stay as they are.
    pub(crate) fn merge_into(&mut self, cache: CacheId, name: &str, args: &CacheArgs) {
        let child = self.caches[cache].child();
        let cache = &mut self.caches[cache];
        cache.refcount += 1;
        cache.names.push(name.into());
        grow(&mut cache.layout, args);
        if let Some(child) = child {
            grow(&mut self.caches[child].layout, args);
        }
    }

    /// Takes a name and a user from a cache that is to be destroyed. Where others are left, that is all.
    pub(crate) fn is_used_by_others(&mut self, cache: CacheId, name: &str) -> bool {
        let cache = &mut self.caches[cache];
        cache.refcount -= 1;
        let shared = cache.refcount != 0;
        if let (true, Some(at)) = (shared, cache.names.iter().position(|known| &**known == name)) {
            cache.names.remove(at);
        }
        shared
    }
}

/// The name of a cache's directory in `/sys/kernel/slab`. One that others may merge with has a name that tells what it
/// is like; each of its users' names is a link to it.
#[must_use]
pub fn sysfs_name(cache: &KmemCache, model: &Model) -> String {
    if is_unmergeable(cache, model) {
        return cache.name.to_string();
    }
    let flags = cache.args.flags;
    let letters: String = [
        (flags.cache_dma, 'd'),
        (flags.cache_dma32, 'D'),
        (flags.reclaim_account, 'a'),
        (flags.debug.consistency, 'F'),
        (flags.account && model.account_flag, 'A'),
    ]
    .into_iter()
    .filter_map(|(is_set, letter)| is_set.then_some(letter))
    .collect();
    let dash = if letters.is_empty() { "" } else { "-" };
    format!(":{letters}{dash}{:07}", cache.layout.size)
}

fn grow(layout: &mut Layout, args: &CacheArgs) {
    layout.object_size = layout.object_size.max(args.object_size);
    layout.inuse = layout.inuse.max(align_up(args.object_size, WORD));
}

/// Whether a cache takes no others in (`slab_unmergeable`).
fn is_unmergeable(cache: &KmemCache, model: &Model) -> bool {
    cache.refcount < 0 || !cache.is_root() || never_merges(&cache.args, model)
}

/// Whether what a cache is asked to be keeps it apart from all others.
fn never_merges(args: &CacheArgs, model: &Model) -> bool {
    let has_window = args.window.size != 0 && model.window_keeps_apart;
    // One that asks for sheaves is made with SLAB_NO_MERGE (listed so by 7.3; 6.18 not verified).
    let is_apart = args.ctor || args.flags.typesafe_by_rcu || args.flags.no_merge || args.sheaf_capacity != 0;
    let checks = args.flags.debug;
    let is_checked = checks.red_zone || checks.poison || checks.store_user || checks.trace || checks.failslab;
    let is_sane = checks.consistency && model.checked_caches_stay_apart;
    !model.merges || is_apart || has_window || is_checked || is_sane
}

/// What a cache to be merged with must fit.
struct Wanted<'a> {
    args: &'a CacheArgs,
    /// The stride that the new cache would have.
    size: u64,
    align: u64,
}

impl<'a> Wanted<'a> {
    fn by(args: &'a CacheArgs) -> Self {
        let word_aligned = CacheArgs { object_size: align_up(args.object_size, WORD), ..*args };
        let align = alignment(&word_aligned);
        Self { args, size: align_up(word_aligned.object_size, align), align }
    }

    fn fits(&self, cache: &KmemCache, model: &Model) -> bool {
        let size = cache.layout.size;
        let is_of_its_size = size.checked_sub(self.size).is_some_and(|rest| rest < WORD);
        is_of_its_size && size.is_multiple_of(self.align) && self.has_the_flags_of(cache, model)
    }

    /// `SLAB_MERGE_SAME`.
    fn has_the_flags_of(&self, cache: &KmemCache, model: &Model) -> bool {
        let (ours, theirs) = (self.args.flags, cache.args.flags);
        ours.reclaim_account == theirs.reclaim_account
            && ours.cache_dma == theirs.cache_dma
            && ours.cache_dma32 == theirs.cache_dma32
            && (ours.account == theirs.account || !model.account_flag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{KernelConfig, Version};
    use crate::layout::{CacheFlags, Window};
    use crate::luck::Seed;
    use crate::machine::Machine;
    use crate::script::parse_command;

    fn machine(config: &KernelConfig) -> Machine {
        Machine::boot(config, Seed(1)).expect("a kernel")
    }

    fn plain(major: u8, minor: u8) -> KernelConfig {
        KernelConfig::plain(Version::release(major, minor))
    }

    /// Makes caches named `a`, `b`, … as the words say, and tells for each the name that it was first made under.
    #[track_caller]
    fn check(config: &KernelConfig, words: &[&str], firsts: &[&str]) {
        let mut machine = machine(config);
        let found: Vec<String> = words
            .iter()
            .zip('a'..)
            .map(|(words, name)| {
                let command = parse_command(&format!("cache {name} {words}")).expect("a command");
                machine.apply(&command).expect("carried out");
                let cache = machine.cache_named(&name.to_string()).expect("a cache");
                machine.kernel().cache(cache).name.to_string()
            })
            .collect();
        assert_eq!(found, firsts);
    }

    #[test]
    fn sizes_within_a_word_of_each_other_share_slabs() {
        check(&plain(6, 1), &["64", "60", "57", "56", "65", "40 flags=hwcache"], &["a", "a", "a", "d", "e", "a"]);
    }

    #[test]
    fn what_keeps_a_cache_apart() {
        let apart = ["64 ctor", "64 ctor", "64 flags=rcu", "64 flags=dma", "64 flags=reclaim", "64 usersize=8", "64"];
        check(&plain(6, 1), &apart, &["a", "b", "c", "d", "e", "f", "g"]);
        check(&plain(6, 5), &["64 usersize=8 flags=no_merge", "64 flags=no_merge"], &["a", "b"]);
    }

    /// Before 4.16 a kmalloc cache had no window; from 6.2 on one counts only where copies are checked.
    #[test]
    fn a_cache_merges_with_kmalloc_where_windows_do_not_count() {
        check(&plain(4, 15), &["192"], &["kmalloc-192"]);
        check(&plain(4, 16), &["192"], &["a"]);
        check(&plain(6, 1), &["192"], &["a"]);
        check(&plain(6, 2), &["192"], &["kmalloc-192"]);
        check(&KernelConfig { usercopy: true, ..plain(6, 2) }, &["192"], &["a"]);
    }

    #[test]
    fn accounted_kmalloc_leaves_the_ordinary_one_unmerged() {
        for version in [Version::release(6, 3), Version::release(6, 5)] {
            let config = KernelConfig { memcg: true, ..KernelConfig::plain(version) };
            check(&config, &["192", "192 flags=account"], &["a", "kmalloc-cg-192"]);
        }
    }

    #[test]
    fn nomerge_keeps_all_apart() {
        check(&KernelConfig { nomerge: true, ..plain(6, 1) }, &["64", "64"], &["a", "b"]);
    }

    /// As recorded in 6.1: the objects of a cache grow to the larger of its users' and never shrink; its free pointer stays.
    #[test]
    fn an_alias_grows_the_objects_and_destroying_one_only_counts_down() {
        let model = plain(6, 1).model().expect("a kernel");
        let mut machine = machine(&plain(6, 1));
        let mut run = |line: &str| {
            machine.apply(&parse_command(line).expect("a command")).expect("carried out");
            let known = machine.cache_named("b").or_else(|| machine.cache_named("a"))?;
            let cache = machine.kernel().cache(known);
            let names = cache.names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            let (layout, name) = (cache.layout, sysfs_name(cache, &model));
            Some((names, cache.refcount, layout.object_size, layout.inuse, layout.offset, name))
        };
        let found = |names: &str, refcount, object_size, inuse| {
            Some((names.to_owned(), refcount, object_size, inuse, 8, ":0000032".to_owned()))
        };
        assert_eq!(run("cache a 20 flags=hwcache"), found("a", 1, 20, 24));
        assert_eq!(run("cache b 32"), found("a b", 2, 32, 32));
        assert_eq!(run("destroy a"), found("b", 1, 32, 32));
        assert_eq!(run("destroy b"), None);
    }

    #[test]
    fn slabinfo_and_snapshots_show_one_cache_with_all_its_names() {
        let mut machine = machine(&plain(6, 1));
        for line in ["cache a 60", "cache b 64"] {
            machine.apply(&parse_command(line).expect("a command")).expect("carried out");
        }
        let info = machine.slabinfo();
        assert!(
            info.lines().any(|line| line.starts_with("a   ")) && !info.lines().any(|line| line.starts_with("b   "))
        );
        let snapshot = machine.snapshot();
        let view = snapshot.caches.last().expect("the newest");
        let names: Vec<&str> = view.names.iter().map(|name| &**name).collect();
        assert_eq!((names, &*view.sysfs), (vec!["a", "b"], ":0000064"));
    }

    #[test]
    fn sysfs_names_tell_what_a_cache_is_like() {
        let config = KernelConfig { memcg: true, ..plain(6, 1) };
        let name = |args: &CacheArgs| {
            let mut kernel = machine(&config).kernel().clone();
            let id = kernel.create_cache("own", args).expect("a cache");
            sysfs_name(kernel.cache(id), kernel.model())
        };
        let args = CacheArgs { object_size: 600, ..CacheArgs::default() };
        let flagged = |flags| name(&CacheArgs { flags, ..args });
        let none = CacheFlags::default();
        assert_eq!(name(&args), ":0000600");
        assert_eq!(flagged(CacheFlags { cache_dma: true, account: true, ..none }), ":dA-0000600");
        assert_eq!(flagged(CacheFlags { cache_dma32: true, reclaim_account: true, ..none }), ":Da-0000600");
        assert_eq!(flagged(CacheFlags { typesafe_by_rcu: true, ..none }), "own");
        assert_eq!(name(&CacheArgs { window: Window { offset: 8, size: 8 }, ..args }), "own");
    }
}
