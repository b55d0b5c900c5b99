//! Who calls kmalloc, where that chooses among caches of one size: copies of the ordinary caches, so that who may
//! allocate beside whom is drawn at boot or follows from types, and callers' own buckets.
//!
//! `kmalloc_type`, `hash_64`, `kmem_buckets_create` (6.6 and later, read in 6.12 and 7.3); `init_msg_buckets`,
//! `init_user_buckets`.

use super::{Class, class_name};
use crate::allocator::{Kernel, Probe};
use crate::kernel::{KmallocCopies, Model};
use crate::layout::{CacheArgs, CacheFlags, Window};
use crate::luck::{Purpose, Seed};
use crate::memory::Bytes;
use crate::units::{count_from, index_from};
use std::rc::Rc;

/// Who calls kmalloc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Caller {
    /// Nobody in particular.
    #[default]
    Anyone,
    /// Code at this address.
    Site(u64),
    /// Who allocates a type for which the compiler has this token, below 16.
    Token(u32),
    /// Who has buckets of its own: the nth of the kernel's.
    Bucket(u32),
}

/// Bits of a copy's number: there are 16 (`RANDOM_KMALLOC_CACHES_NR` is 15).
const BITS: u32 = 4;
/// The ordinary caches and their copies.
pub const COPIES: u32 = 1 << BITS;
/// `GOLDEN_RATIO_64`.
const GOLDEN_RATIO: u64 = 0x61c8_8646_80b5_83eb;
/// Where the kernel's text lies, and how long it is taken to be.
const TEXT: u64 = 0xffff_ffff_8100_0000;
const TEXT_SIZE: u32 = 10 << 20;

impl Caller {
    /// Who is known by `name`: the buckets of that name, the place in the kernel's code that is drawn for it, or the
    /// token of a type of that name, where such things choose.
    #[must_use]
    pub fn named<P: Probe, B: Bytes>(name: &str, has_pointers: bool, kernel: &Kernel<P, B>) -> Self {
        let bucket = kernel.kmalloc_caches().buckets.iter().position(|bucket| &*bucket.name == name);
        if let Some(bucket) = bucket {
            return Self::Bucket(count_from(bucket));
        }
        // The same place in every boot.
        let drawn = |bound| Seed(0).below(Purpose::CallSite, name, 0, bound);
        match kernel.model().kmalloc_copies {
            KmallocCopies::None => Self::Anyone,
            KmallocCopies::BySite => Self::Site(TEXT + u64::from(drawn(TEXT_SIZE))),
            // Types that hold pointers and types that do not have halves of their own.
            KmallocCopies::ByType => Self::Token(drawn(COPIES / 2) + if has_pointers { COPIES / 2 } else { 0 }),
        }
    }

    /// The copy that serves this caller in a boot with this seed.
    pub(super) fn copy(self, copies: KmallocCopies, seed: u64) -> u32 {
        match (copies, self) {
            (KmallocCopies::None, _) => 0,
            (KmallocCopies::BySite, Self::Site(address)) => chosen(address, seed),
            (KmallocCopies::BySite, Self::Anyone | Self::Token(_) | Self::Bucket(_)) => chosen(0, seed),
            (KmallocCopies::ByType, Self::Token(token)) => token % COPIES,
            (KmallocCopies::ByType, Self::Anyone | Self::Site(_) | Self::Bucket(_)) => 0,
        }
    }
}

/// The copy that serves a call from `address` in a boot with this seed; 0 is the ordinary cache.
#[must_use]
pub fn chosen(address: u64, seed: u64) -> u32 {
    let hash = (address ^ seed).wrapping_mul(GOLDEN_RATIO) >> (u64::BITS - BITS);
    u32::try_from(hash).expect("4 bits")
}

/// The name of a copy of an ordinary kmalloc cache.
#[must_use]
pub fn copy_name(copy: u32, class_size: u64, model: &Model) -> String {
    let size = class_name(class_size, model);
    if copy == 0 { format!("kmalloc-{size}") } else { format!("kmalloc-{}-{copy:02}-{size}", model.kmalloc_copy_word) }
}

/// A set of caches for one caller (`kmem_buckets`).
#[derive(Clone, Debug)]
pub struct Buckets {
    /// Whose.
    pub name: Rc<str>,
    /// One of each class.
    pub(super) by_class: Class,
}

/// What `kmem_buckets_create` is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BucketArgs {
    /// `SLAB_ACCOUNT`.
    pub account: bool,
    /// What may be copied to and from user space: from where in each object, and how many bytes at most.
    pub window: Window,
}

/// The kernel's own, in order of creation. A `struct msg_msg` has 48 bytes before its text, of which at most
/// `DATALEN_MSG` are in the same object.
const OF_THE_KERNEL: [(&str, BucketArgs); 2] = [
    ("memdup_user", BucketArgs { account: false, window: Window { offset: 0, size: u64::MAX } }),
    ("msg_msg", BucketArgs { account: true, window: Window { offset: 48, size: 4048 } }),
];

impl BucketArgs {
    /// What the cache of a class is asked to be: always one of its own.
    #[must_use]
    pub fn cache_args(self, class_size: u64) -> CacheArgs {
        let Window { offset, size } = self.window;
        let window = match class_size.checked_sub(offset) {
            Some(room @ 1..) => Window { offset, size: size.min(room) },
            Some(0) | None => Window::default(),
        };
        let flags = CacheFlags { account: self.account, no_merge: true, ..CacheFlags::default() };
        CacheArgs { object_size: class_size, flags, window, ..CacheArgs::default() }
    }
}

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// Makes the buckets of the kernel's own callers, where it has any.
    pub(super) fn create_own_buckets(&mut self) {
        if self.model.kmalloc_buckets {
            for (name, args) in OF_THE_KERNEL {
                self.create_buckets(name, args);
            }
        }
    }

    /// `kmem_buckets_create`: caches of all classes for one caller.
    pub fn create_buckets(&mut self, name: &str, args: BucketArgs) -> Caller {
        let model = Rc::clone(&self.model);
        let by_class =
            self.create_classes(&|size| (format!("{name}-{}", class_name(size, &model)), args.cache_args(size)));
        self.kmalloc.buckets.push(Buckets { name: name.into(), by_class });
        Caller::Bucket(count_from(self.kmalloc.buckets.len() - 1))
    }

    /// Draws anew which copy serves whom.
    pub(crate) fn seed_copies(&mut self, seed: u64) {
        self.kmalloc.seed = seed;
        self.kmalloc.serve_anyone_from(Caller::Anyone.copy(self.model.kmalloc_copies, seed));
    }
}

impl super::KmallocCaches {
    /// The caches that serve a caller's ordinary kmalloc.
    pub(super) fn serving_caller(&self, caller: Caller, copies: KmallocCopies) -> Option<&Class> {
        match caller {
            Caller::Bucket(bucket) => self.buckets.get(index_from(bucket)).map(|bucket| &bucket.by_class),
            Caller::Anyone | Caller::Site(_) | Caller::Token(_) => {
                self.copies.get(index_from(caller.copy(copies, self.seed)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{KernelConfig, Switch, Version};
    use crate::machine::Machine;
    use crate::script::parse_command;

    /// As 6.12 drew them with this seed.
    #[test]
    fn recorded_choices() {
        let choose = |caller| chosen(caller, 0x8d1a_d1fd_fda8_e501);
        let callers = [0xffff_ffff_8100_0000, 0xffff_ffff_8100_1357, 0xffff_ffff_8100_26ae, 0xffff_ffff_8100_3a05];
        assert_eq!(callers.map(choose), [4, 1, 2, 11]);
    }

    /// The names of the caches that serve `kmalloc 64` as the lines have it.
    #[track_caller]
    fn served(version: Version, switches: &[Switch], ends: &[&str]) -> Vec<String> {
        let mut config = KernelConfig::plain(version);
        switches.iter().for_each(|switch| config.turn(*switch, true));
        let mut machine = Machine::boot(&config, Seed(3)).expect("a kernel");
        ends.iter()
            .map(|end| {
                let line = format!("a = kmalloc 64{end}");
                machine.apply(&parse_command(&line).expect("a command")).expect("carried out");
                let cache = machine.named().last().and_then(crate::snapshot::NamedObject::cache).expect("a cache");
                machine.kernel().cache(cache).name.to_string()
            })
            .collect()
    }

    #[test]
    fn one_site_has_one_copy_and_only_ordinary_kmalloc_has_copies() {
        let random = [Switch::RandomCopies];
        let ends = [" from a", " from a", " from b", " __GFP_RECLAIMABLE from a", ""];
        let names = served(Version::release(6, 6), &random, &ends);
        assert_eq!(names[0], names[1]);
        assert_ne!(names[0], names[2], "drawn apart with this seed");
        assert!(names[0].starts_with("kmalloc-rnd-"), "{}", names[0]);
        assert_eq!(names[3], "kmalloc-rcl-64");
        assert!(served(Version::release(7, 2), &random, &ends)[0].starts_with("kmalloc-part-"));
        assert_eq!(served(Version::release(6, 6), &[], &ends[..3]), ["kmalloc-64"; 3]);
    }

    #[test]
    fn types_with_pointers_and_types_without_have_halves_of_their_own() {
        let copy = |end: &str| {
            let name = served(Version::release(7, 2), &[Switch::TypedCopies], &[end]).remove(0);
            let number = name.strip_prefix("kmalloc-part-").and_then(|rest| rest.split('-').next());
            number.map_or(0, |number| number.parse::<u32>().expect("a number"))
        };
        for name in ["cred", "file", "msg", "skb", "inode"] {
            assert!(copy(&format!(" from {name}")) < 8);
            assert!(copy(&format!(" from {name} pointers")) >= 8);
        }
    }

    /// Windows as Debian's 6.12 lists them.
    #[test]
    fn msg_msg_has_buckets_with_windows() {
        let names = served(Version::release(6, 11), &[Switch::Buckets], &[" from msg_msg", " from memdup_user", ""]);
        assert_eq!(names, ["msg_msg-64", "memdup_user-64", "kmalloc-64"]);
        assert_eq!(served(Version::release(6, 11), &[], &[" from msg_msg"]), ["kmalloc-64"]);
        let sizes = [32, 64, 96, 4096, 8192].map(|size| OF_THE_KERNEL[1].1.cache_args(size).window.size);
        assert_eq!(sizes, [0, 16, 48, 4048, 4048]);
    }
}
