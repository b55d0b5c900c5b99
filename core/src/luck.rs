//! Where a kernel's randomness comes from.
//!
//! A real kernel draws from its entropy; nobody can repeat that. Here every draw is either keyed, a function of a
//! seed and of what the draw is for, or taken from a recording. Keyed draws are independent of one another, so a
//! switch that adds or removes draws leaves the others as they were: the same seed under other hardening is the same
//! luck.

use core::fmt;

/// The number from which all keyed draws follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seed(pub u64);

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:x}", self.0)
    }
}

/// What a draw is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// `s->random`: the secret of a cache's hidden pointers.
    PointerSecret,
    /// One step of the shuffle of a cache's sequence.
    Sequence,
    /// The start position in that sequence, for one slab.
    Start,
    /// The seed that chooses among the copies of kmalloc caches.
    KmallocCopies,
    /// Where in the kernel's text a caller of kmalloc is.
    CallSite,
    /// Which block of pages the page allocator's list begins with.
    FreePages,
    /// The order of the largest blocks at boot, and the end of a list that a block goes to (`page_alloc.shuffle=1`).
    PageShuffle,
}

impl Purpose {
    const fn key(self) -> u64 {
        match self {
            Self::PointerSecret => 1,
            Self::Sequence => 2,
            Self::Start => 3,
            Self::FreePages => 4,
            Self::PageShuffle => 5,
            Self::KmallocCopies => 6,
            Self::CallSite => 7,
        }
    }
}

impl Seed {
    /// 64 bits for `purpose`, for the cache named `cache`, the `ordinal`th of its slabs (or step of its shuffle).
    #[must_use]
    pub fn draw(self, purpose: Purpose, cache: &str, ordinal: u64) -> u64 {
        self.key(purpose, cache).draw(ordinal)
    }

    /// What all draws for `purpose` and the cache named `cache` have in common.
    ///
    /// SplitMix64's finalizer (Steele, Lea, Flood 2014) over the seed and each part of the key in turn.
    #[must_use]
    pub fn key(self, purpose: Purpose, cache: &str) -> Key {
        let start = mix(self.0 ^ purpose.key().wrapping_mul(GOLDEN));
        Key(cache.bytes().fold(start, |hash, byte| mix(hash ^ u64::from(byte))))
    }

    /// The shuffled sequence of a cache of `objects` a slab, a draw a step.
    fn sequence(self, cache: &str, objects: u32) -> Vec<u32> {
        let steps = self.key(Purpose::Sequence, cache);
        crate::shuffle::permutation(objects, |step, bound| steps.below(u64::from(step), bound))
    }

    /// A number in `0..bound`, uniform up to a bias of less than `bound / 2^64`.
    ///
    /// # Panics
    /// When `bound` is 0.
    #[must_use]
    pub fn below(self, purpose: Purpose, cache: &str, ordinal: u64, bound: u32) -> u32 {
        assert!(bound > 0, "a draw below 0 has no answer");
        self.key(purpose, cache).below(ordinal, bound)
    }
}

/// The draws for one purpose and one cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Key(u64);

impl Key {
    const fn draw(self, ordinal: u64) -> u64 {
        mix(self.0 ^ ordinal.wrapping_mul(GOLDEN))
    }

    fn below(self, ordinal: u64, bound: u32) -> u32 {
        let wide = u128::from(self.draw(ordinal)) * u128::from(bound);
        u32::try_from(wide >> 64).expect("less than bound")
    }
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(GOLDEN);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Where a kernel takes its randomness and its pages' order from.
#[derive(Clone, Debug)]
pub enum Luck {
    /// Keyed draws.
    Keyed(Seed),
    /// What a recording says was drawn, laid out before the operation that needs it.
    Recorded(RecordedLuck),
}

/// Draws laid out by who replays a recording.
#[derive(Clone, Debug, Default)]
pub struct RecordedLuck {
    /// `s->random` of the cache to be created next.
    pub random: Option<u64>,
    /// The shuffled sequence of that cache, in object indexes.
    pub sequence: Option<Vec<u32>>,
    /// Start positions for the slabs to come, in order.
    pub starts: Vec<u32>,
    /// A start position was wanted and none was laid out.
    pub missing: bool,
}

impl RecordedLuck {
    #[cold]
    fn next_start(&mut self) -> u32 {
        self.missing |= self.starts.is_empty();
        if self.starts.is_empty() { 0 } else { self.starts.remove(0) }
    }
}

impl Luck {
    /// The secret of a new cache.
    pub fn pointer_secret(&mut self, cache: &str) -> u64 {
        match self {
            Self::Keyed(seed) => seed.draw(Purpose::PointerSecret, cache, 0),
            Self::Recorded(recorded) => recorded.random.unwrap_or(0),
        }
    }

    /// The seed that chooses among the copies of kmalloc caches.
    pub fn copies_seed(&mut self) -> u64 {
        match self {
            Self::Keyed(seed) => seed.draw(Purpose::KmallocCopies, "", 0),
            Self::Recorded(_) => 0,
        }
    }

    /// The shuffled sequence of a cache of `objects` a slab.
    /// `from_32_bits`: all of it follows from one draw of so many.
    pub fn sequence(&mut self, cache: &str, objects: u32, from_32_bits: bool) -> Option<Vec<u32>> {
        match self {
            Self::Keyed(seed) if from_32_bits => {
                let drawn = Seed(seed.draw(Purpose::Sequence, cache, 0) >> u32::BITS);
                Some(drawn.sequence("", objects))
            }
            Self::Keyed(seed) => Some(seed.sequence(cache, objects)),
            Self::Recorded(recorded) => recorded.sequence.take(),
        }
    }

    /// What the start positions of a cache's slabs are drawn with.
    #[must_use]
    pub fn starts(&self, cache: &str) -> Key {
        match self {
            Self::Keyed(seed) => seed.key(Purpose::Start, cache),
            Self::Recorded(_) => Key::default(),
        }
    }

    /// The start position for a cache's slab of this ordinal, in a sequence of `count`.
    pub fn start(&mut self, starts: Key, ordinal: u64, count: u32) -> u32 {
        match self {
            Self::Keyed(_) => starts.below(ordinal, count),
            Self::Recorded(recorded) => recorded.next_start() % count.max(1),
        }
    }
}
