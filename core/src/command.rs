//! What a person can tell the machine to do: a closed set, each with a one-line text form.
//!
//! The text form is what scenario files, the input line, links and the README share. [`core::fmt::Display`] prints
//! it; the `script` room parses it; `parse(print(c)) == c`.
//!
//! ```text
//! cache creds 192 align=64 flags=hwcache,rcu,reclaim,dma,dma32,account,panic,no_merge ctor
//! cache checked 64 flags=red_zone,poison,store_user,consistency,trace,failslab,no_user_flags,kmalloc
//! cache crypt 512 useroffset=16 usersize=32
//! cache nodes 256 sheaf=32
//! destroy creds            shrink kmalloc-64    validate checked
//! a = kmalloc 64           b = kmalloc 100 GFP_KERNEL|__GFP_ZERO
//! c = alloc creds          d = alloc creds __GFP_ZERO
//! b = krealloc a 100       ksize b
//! a = kmalloc 64 from do_msgsnd pointers
//! free a                   kfree a+8            kfree NULL         free c to kmalloc-64   free c to NULL
//! cpu 1                    flush_cpu creds      kfree_rcu a        grace
//! bulk x 10 creds          bulkfree x0 x1 x2   kfree v-8
//! overflow a 8 target      write a+16 8 zeros   write v+32 8 0x4142434445464748
//! write v 64 "A"           write v 8 &0xffff888000001000
//! copy to a+8 16           copy from a 64
//! ```
//!
//! In a place, `-` and digits at the end are a distance: an object that is named `kmalloc-64` is the place
//! `kmalloc-64+0`.

pub use crate::kmalloc::Gfp;
use crate::layout::{CacheArgs, CacheFlags};
use crate::usercopy::Direction;
use core::fmt;
use std::rc::Rc;

/// A name that a script gives to an object or a cache: letters, digits, `_`, `-`, `.`; it does not start with a digit,
/// and is not `NULL`, which is an address.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Rc<str>);

impl Name {
    /// Takes `text` as a name, if it is one.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        let starts = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
        let goes_on = letters.all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.'));
        (starts && goes_on && text.len() <= Self::MAX_LEN && text != "NULL").then(|| Self(text.into()))
    }

    /// The longest name.
    pub const MAX_LEN: usize = 64;

    /// Its letters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where in memory: an object by name, or an address, and a distance from it in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// What the distance counts from.
    pub base: Base,
    /// Bytes from there; may be negative.
    pub delta: i64,
}

/// What a [`Place`] counts from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// The object of this name: the address that was last handed out under it.
    Object(Name),
    /// This address; `NULL` is 0.
    Address(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.base {
            Base::Object(name) => write!(f, "{name}")?,
            Base::Address(0) => f.write_str("NULL")?,
            Base::Address(address) => write!(f, "0x{address:x}")?,
        }
        match (self.delta, &self.base) {
            (0, Base::Object(name)) if ends_like_a_distance(name.as_str()) => f.write_str("+0"),
            (0, _) => Ok(()),
            (delta, _) => write!(f, "{delta:+}"),
        }
    }
}

/// Whether the end of a name reads as a distance, as in `kmalloc-64`: then a place says that it is none.
fn ends_like_a_distance(name: &str) -> bool {
    name.rsplit_once('-').is_some_and(|(_, end)| {
        let (digits, radix) = end.strip_prefix("0x").map_or((end, 10), |digits| (digits, 16));
        !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix))
    })
}

/// What is written: repeated from the start of the write until its end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The address of a place, 8 bytes in memory order.
    AddressOf(Place),
    /// Zero bytes: `zeros`.
    Zeros,
    /// One letter, as in `"A"`; `"\x0a"` where a letter has no shape.
    Letter(u8),
    /// Bytes in memory order, at least one: `0x41424344`.
    Bytes(Rc<[u8]>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AddressOf(place) => match &place.base {
                // A bare number would read as bytes.
                Base::Address(_) => write!(f, "&{place}"),
                Base::Object(name) if name.as_str() == "zeros" => write!(f, "&{place}"),
                Base::Object(_) => write!(f, "{place}"),
            },
            Self::Zeros => f.write_str("zeros"),
            Self::Letter(letter @ (b' '..=b'~')) if !matches!(letter, b'"' | b'\\') => {
                write!(f, "\"{}\"", char::from(*letter))
            }
            Self::Letter(letter) => write!(f, "\"\\x{letter:02x}\""),
            Self::Bytes(bytes) => {
                f.write_str("0x")?;
                bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
    }
}

/// Who calls kmalloc: a place in the kernel's code, by any name; a type, where the kernel goes by types; or a caller
/// with buckets of its own, such as `msg_msg`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Its name.
    pub name: Name,
    /// Whether the type that is allocated there holds pointers.
    pub has_pointers: bool,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " from {}{}", self.name, if self.has_pointers { " pointers" } else { "" })
    }
}

/// One act.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// `kmem_cache_create`.
    CreateCache {
        /// The new cache's name.
        cache: Name,
        /// What it is asked to be.
        args: CacheArgs,
    },
    /// `kmem_cache_destroy`.
    DestroyCache {
        /// Which.
        cache: Name,
    },
    /// `echo 1 > /sys/kernel/slab/CACHE/validate`: every slab on a list is checked.
    Validate {
        /// Which.
        cache: Name,
    },
    /// `kmem_cache_shrink`.
    Shrink {
        /// Which.
        cache: Name,
    },
    /// Goes on on this CPU.
    Cpu {
        /// Its number.
        cpu: u32,
    },
    /// What `kmem_cache_shrink` has each CPU do, on the CPU that runs: its part of the cache goes to the node.
    FlushCpu {
        /// Which.
        cache: Name,
    },
    /// `kfree_rcu`: a free after a grace period.
    KfreeRcu {
        /// Which object.
        object: Name,
    },
    /// A grace period passes.
    Grace,
    /// `kmalloc`.
    Kmalloc {
        /// The name that the object gets.
        object: Name,
        /// Bytes asked for.
        size: u64,
        /// How.
        gfp: Gfp,
        /// Who calls, where that may choose the cache.
        from: Option<Origin>,
    },
    /// `krealloc`.
    Krealloc {
        /// The name that the object gets.
        object: Name,
        /// The object that is to have another size.
        from: Name,
        /// Bytes asked for.
        size: u64,
        /// How.
        gfp: Gfp,
    },
    /// `ksize`.
    Ksize {
        /// Of which object.
        object: Name,
    },
    /// `kmem_cache_alloc`.
    Alloc {
        /// The name that the object gets.
        object: Name,
        /// From which cache.
        cache: Name,
        /// How.
        gfp: Gfp,
    },
    /// `kfree`, or `kmem_cache_free` to the cache that the object came from: of a named object, from its start.
    Free {
        /// Which.
        object: Name,
    },
    /// `kfree` of any address.
    Kfree {
        /// The address.
        at: Place,
    },
    /// `kmem_cache_free` to a cache of one's choice.
    CacheFree {
        /// The address.
        at: Place,
        /// The cache that is named in the call; `None` for NULL.
        cache: Option<Name>,
    },
    /// `kmem_cache_alloc_bulk`: the objects are named `prefix0`, `prefix1`, …
    BulkAlloc {
        /// What the names begin with.
        prefix: Name,
        /// How many.
        count: u32,
        /// From which cache.
        cache: Name,
    },
    /// `kfree_bulk`: the array in this order.
    BulkFree {
        /// The objects.
        objects: Rc<[Name]>,
    },
    /// A write to memory by some kernel code.
    Write {
        /// Where it starts.
        at: Place,
        /// Its length in bytes.
        len: u64,
        /// What is written.
        value: Value,
    },
    /// A copy between user space and kernel memory.
    Copy {
        /// Which way.
        direction: Direction,
        /// Where in the kernel.
        at: Place,
        /// How many bytes.
        len: u64,
    },
    /// A linear overflow: a write that starts at the end of an object (of the bytes that its cache gives it).
    Overflow {
        /// Past which object.
        object: Name,
        /// Bytes past its end.
        len: u64,
        /// What is written there.
        value: Value,
    },
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CreateCache { cache, args } => write!(f, "cache {cache} {}{}", args.object_size, ArgWords(args)),
            Self::DestroyCache { cache } => write!(f, "destroy {cache}"),
            Self::Validate { cache } => write!(f, "validate {cache}"),
            Self::Shrink { cache } => write!(f, "shrink {cache}"),
            Self::Cpu { cpu } => write!(f, "cpu {cpu}"),
            Self::FlushCpu { cache } => write!(f, "flush_cpu {cache}"),
            Self::KfreeRcu { object } => write!(f, "kfree_rcu {object}"),
            Self::Grace => f.write_str("grace"),
            Self::Kmalloc { object, size, gfp, from } => {
                write!(f, "{object} = kmalloc {size}{}", GfpWord(*gfp))?;
                from.iter().try_for_each(|from| from.fmt(f))
            }
            Self::Krealloc { object, from, size, gfp } => {
                write!(f, "{object} = krealloc {from} {size}{}", GfpWord(*gfp))
            }
            Self::Ksize { object } => write!(f, "ksize {object}"),
            Self::Alloc { object, cache, gfp } => write!(f, "{object} = alloc {cache}{}", GfpWord(*gfp)),
            Self::Free { object } => write!(f, "free {object}"),
            Self::Kfree { at } => write!(f, "kfree {at}"),
            Self::CacheFree { at, cache: Some(cache) } => write!(f, "free {at} to {cache}"),
            Self::CacheFree { at, cache: None } => write!(f, "free {at} to NULL"),
            Self::BulkAlloc { prefix, count, cache } => write!(f, "bulk {prefix} {count} {cache}"),
            Self::BulkFree { objects } => {
                f.write_str("bulkfree")?;
                objects.iter().try_for_each(|object| write!(f, " {object}"))
            }
            Self::Write { at, len, value } => write!(f, "write {at} {len} {value}"),
            Self::Copy { direction, at, len } => write!(f, "copy {} {at} {len}", direction.word()),
            Self::Overflow { object, len, value } => write!(f, "overflow {object} {len} {value}"),
        }
    }
}

/// Prints ` GFP_…` unless it is plain `GFP_KERNEL`.
struct GfpWord(Gfp);

impl fmt::Display for GfpWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == Gfp::default() { Ok(()) } else { write!(f, " {}", self.0) }
    }
}

/// Prints what a cache asks for beside its size.
struct ArgWords<'a>(&'a CacheArgs);

impl fmt::Display for ArgWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.align != 0 {
            write!(f, " align={}", self.0.align)?;
        }
        let mut before = " flags=";
        for (_, word) in flags_by_word(&mut { self.0.flags }).iter().filter(|(on, _)| **on) {
            write!(f, "{before}{word}")?;
            before = ",";
        }
        if self.0.sheaf_capacity != 0 {
            write!(f, " sheaf={}", self.0.sheaf_capacity)?;
        }
        if self.0.ctor {
            f.write_str(" ctor")?;
        }
        let window = [("useroffset", self.0.window.offset), ("usersize", self.0.window.size)];
        window.iter().filter(|(_, bytes)| *bytes != 0).try_for_each(|(word, bytes)| write!(f, " {word}={bytes}"))
    }
}

/// The flags of a cache with their words in the text form, in the order in which they are printed.
pub(crate) const fn flags_by_word(flags: &mut CacheFlags) -> [(&mut bool, &'static str); 16] {
    [
        (&mut flags.hwcache_align, "hwcache"),
        (&mut flags.typesafe_by_rcu, "rcu"),
        (&mut flags.reclaim_account, "reclaim"),
        (&mut flags.cache_dma, "dma"),
        (&mut flags.cache_dma32, "dma32"),
        (&mut flags.account, "account"),
        (&mut flags.panic, "panic"),
        (&mut flags.no_merge, "no_merge"),
        (&mut flags.kmalloc, "kmalloc"),
        (&mut flags.no_user_flags, "no_user_flags"),
        (&mut flags.debug.consistency, "consistency"),
        (&mut flags.debug.red_zone, "red_zone"),
        (&mut flags.debug.poison, "poison"),
        (&mut flags.debug.store_user, "store_user"),
        (&mut flags.debug.trace, "trace"),
        (&mut flags.debug.failslab, "failslab"),
    ]
}
