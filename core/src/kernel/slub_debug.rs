//! The boot option `slub_debug=` (`slab_debug=` from 6.9 on), as data.
//!
//! ```text
//! slub_debug[=[letters][,pattern[,pattern…]][;[letters][,patterns…]…]]
//! ```
//! A block without patterns is for every cache, the last such block counts. A block with patterns is for the caches
//! that match: the first block that matches a cache's name adds its flags to the cache's own, and what is for every
//! cache then is not added (`setup_slub_debug`, `kmem_cache_flags`, mm/slub.c, 6.1 to 7.3).

use super::version::Version;
use core::fmt;
use std::rc::Rc;

/// The `SLAB_*` flags that make a cache check itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct DebugFlags {
    /// `F`, `SLAB_CONSISTENCY_CHECKS`: pointers, counts and bytes are checked.
    pub consistency: bool,
    /// `Z`, `SLAB_RED_ZONE`: bytes before and behind each object that nobody may write.
    pub red_zone: bool,
    /// `P`, `SLAB_POISON`: objects and padding hold patterns.
    pub poison: bool,
    /// `U`, `SLAB_STORE_USER`: who allocated and who freed.
    pub store_user: bool,
    /// `T`, `SLAB_TRACE`: every allocation and free is printed.
    pub trace: bool,
    /// `A`, `SLAB_FAILSLAB`: allocations may be made to fail; nothing here makes them.
    pub failslab: bool,
}

impl DebugFlags {
    /// None of them.
    pub const NONE: Self =
        Self { consistency: false, red_zone: false, poison: false, store_user: false, trace: false, failslab: false };

    /// `F Z P U`: what the option means without letters (`DEBUG_DEFAULT_FLAGS`).
    pub const DEFAULT: Self =
        Self { consistency: true, red_zone: true, poison: true, store_user: true, trace: false, failslab: false };

    /// Whether a cache with them takes one object at a time (`kmem_cache_debug`): any of them but `A`.
    #[must_use]
    pub const fn checks(self) -> bool {
        self.consistency | self.red_zone | self.poison | self.store_user | self.trace
    }

    /// Those of either.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            consistency: self.consistency || other.consistency,
            red_zone: self.red_zone || other.red_zone,
            poison: self.poison || other.poison,
            store_user: self.store_user || other.store_user,
            trace: self.trace || other.trace,
            failslab: self.failslab || other.failslab,
        }
    }

    /// Without those that need room in the slab (`DEBUG_METADATA_FLAGS`).
    #[must_use]
    pub const fn without_metadata(self) -> Self {
        Self { red_zone: false, poison: false, store_user: false, ..self }
    }

    /// Each with its letter, in the order in which they are printed.
    #[must_use]
    pub const fn letters(self) -> [(bool, char); 6] {
        [
            (self.consistency, 'F'),
            (self.red_zone, 'Z'),
            (self.poison, 'P'),
            (self.store_user, 'U'),
            (self.trace, 'T'),
            (self.failslab, 'A'),
        ]
    }

    fn turn_on(&mut self, letter: char) -> bool {
        let flag = match letter {
            'f' => &mut self.consistency,
            'z' => &mut self.red_zone,
            'p' => &mut self.poison,
            'u' => &mut self.store_user,
            't' => &mut self.trace,
            'a' => &mut self.failslab,
            _ => return false,
        };
        *flag = true;
        true
    }
}

/// Flags, and the caches that they are for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// The flags.
    pub flags: DebugFlags,
    /// `O`: no cache gets higher orders by its checks, whichever block says so.
    pub keeps_order: bool,
    /// Letters that mean nothing, in order; the kernel says so and skips them.
    pub unknown: String,
    /// Names, or what names begin with where one ends in `*`; `None` where the block is for every cache.
    pub patterns: Option<Vec<String>>,
}

/// What was written after `slub_debug=`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SlubDebug {
    blocks: Rc<[Block]>,
}

impl SlubDebug {
    /// The version in which the option was named `slab_debug`; the old name is still taken.
    pub const RENAMED: Version = Version::release(6, 9);
    /// The version that takes several blocks (not verified).
    pub const BLOCKS: Version = Version::release(5, 9);

    /// Reads the value of the option; the option without one has the value "".
    #[must_use]
    pub fn parse(value: &str) -> Self {
        let blocks = if value.is_empty() {
            vec![block("")]
        } else {
            value.split(';').filter(|text| !text.is_empty()).map(block).collect()
        };
        Self { blocks: blocks.into() }
    }

    /// Its blocks.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The flags that it gives to a cache of this name.
    #[must_use]
    pub fn flags_of(&self, name: &str) -> DebugFlags {
        let matching = self.blocks.iter().find(|block| {
            let patterns = block.patterns.as_deref().unwrap_or_default();
            patterns.iter().any(|pattern| matches_name(pattern, name))
        });
        matching.or_else(|| self.for_every_cache()).map_or(DebugFlags::NONE, |block| block.flags)
    }

    fn for_every_cache(&self) -> Option<&Block> {
        self.blocks.iter().rev().find(|block| block.patterns.is_none())
    }

    /// Whether any cache can get a flag from it.
    #[must_use]
    pub fn turns_on(&self) -> bool {
        self.blocks.iter().any(|block| block.flags != DebugFlags::NONE)
    }

    /// Whether a kernel that is booted with it looks at its caches' flags at all (`slub_debug_enabled`): it names caches,
    /// or gives the others a flag.
    #[must_use]
    pub fn is_looked_at(&self) -> bool {
        let names_caches = self.blocks.iter().any(|block| block.patterns.is_some());
        names_caches || self.for_every_cache().is_some_and(|block| block.flags != DebugFlags::NONE)
    }

    /// Whether caches whose slabs would be of a higher order do without what needs room (`O`).
    #[must_use]
    pub fn keeps_order(&self) -> bool {
        self.blocks.iter().any(|block| block.keeps_order)
    }

    /// What a kernel of this version prints at boot about letters that mean nothing.
    #[must_use]
    pub fn complaints(&self, version: Version) -> Vec<String> {
        let option = if version >= Self::RENAMED { "slab_debug" } else { "slub_debug" };
        let letters = self.blocks.iter().flat_map(|block| block.unknown.chars());
        letters.map(|letter| format!("{option} option '{letter}' unknown. skipped")).collect()
    }
}

/// A `*` and what follows it match any end of a name.
fn matches_name(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, _)) => name.starts_with(start),
        None => name == pattern,
    }
}

fn block(text: &str) -> Block {
    let (letters, patterns) =
        text.split_once(',').map_or((text, None), |(letters, patterns)| (letters, Some(patterns)));
    let mut block = Block {
        flags: if letters.is_empty() { DebugFlags::DEFAULT } else { DebugFlags::NONE },
        keeps_order: false,
        unknown: String::new(),
        patterns: patterns.map(|list| list.split(',').map(str::to_owned).collect()),
    };
    for letter in letters.chars() {
        match letter.to_ascii_lowercase() {
            '-' => block.flags = DebugFlags::NONE,
            'o' => block.keeps_order = true,
            lower => {
                if !block.flags.turn_on(lower) {
                    block.unknown.push(letter);
                }
            }
        }
    }
    block
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // No letter at all would mean those of the default.
        if self.flags == DebugFlags::NONE && !self.keeps_order && self.unknown.is_empty() {
            f.write_str("-")?;
        }
        self.flags.letters().iter().filter(|(on, _)| *on).try_for_each(|(_, letter)| write!(f, "{letter}"))?;
        if self.keeps_order {
            f.write_str("O")?;
        }
        f.write_str(&self.unknown)?;
        self.patterns.iter().flatten().try_for_each(|pattern| write!(f, ",{pattern}"))
    }
}

impl fmt::Display for SlubDebug {
    /// As it can be written after `slub_debug=`: `parse` reads the same from it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.blocks.is_empty() {
            return f.write_str(";");
        }
        self.blocks.iter().enumerate().try_for_each(|(at, block)| {
            if at > 0 {
                f.write_str(";")?;
            }
            write!(f, "{block}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(value: &str, name: &str) -> String {
        let flags = SlubDebug::parse(value).flags_of(name);
        flags.letters().iter().filter(|(on, _)| *on).map(|(_, letter)| *letter).collect()
    }

    /// The examples of slub-semantics 6.1.
    #[test]
    fn blocks_and_patterns() {
        assert_eq!(flags("FZ,kmalloc-64", "kmalloc-64"), "FZ");
        assert_eq!(flags("FZ,kmalloc-64", "kmalloc-640"), "");
        assert_eq!(flags("FZ,kmalloc-64", "kmalloc-6"), "");
        for (name, expected) in [("kmalloc-8k", "P"), ("dentry", "P"), ("dentry2", ""), ("inode", "")] {
            assert_eq!(flags("P,kmalloc-*,dentry", name), expected, "{name}");
        }
        for (name, expected) in [("zs_handle", ""), ("zspage", ""), ("other", "FZ")] {
            assert_eq!(flags("FZ;-,zs_handle,zspage", name), expected, "{name}");
        }
    }

    #[test]
    fn letters() {
        for (value, expected) in [
            ("", "FZPU"),
            (",dentry", "FZPU"),
            (";,dentry", "FZPU"),
            ("fzput", "FZPUT"),
            ("FZ-P", "P"),
            ("-", ""),
            ("O", ""),
            ("ZO", "Z"),
            ("P;U", "U"),
            ("F;P,dentry;U,den*", "P"),
            (";", ""),
            ("F,", ""),
        ] {
            assert_eq!(flags(value, "dentry"), expected, "`{value}`");
        }
        assert!(SlubDebug::parse("F,dentry;O,none").keeps_order());
        let wrong = SlubDebug::parse("FxZ?");
        assert_eq!(wrong.flags_of("a"), DebugFlags { consistency: true, red_zone: true, ..DebugFlags::NONE });
        let told = ["slub_debug option 'x' unknown. skipped", "slub_debug option '?' unknown. skipped"];
        assert_eq!(wrong.complaints(Version::release(6, 1)), told);
        assert_eq!(wrong.complaints(Version::release(6, 12))[0], "slab_debug option 'x' unknown. skipped");
    }

    /// A kernel skips what it does not know: with no letter left nothing is turned on.
    #[test]
    fn no_letter_that_is_known_is_as_no_option() {
        for (value, is) in
            [("", true), ("FQ", true), ("-,a", true), ("Q", false), ("-", false), ("F;-", false), (";", false)]
        {
            assert_eq!(SlubDebug::parse(value).is_looked_at(), is, "`{value}`");
        }
    }

    #[test]
    fn letters_alone_turn_checks_on() {
        for (value, on) in
            [("", true), ("F", true), ("FQ", true), ("-,a;P", true), ("Q", false), ("-", false), ("O", false)]
        {
            assert_eq!(SlubDebug::parse(value).turns_on(), on, "`{value}`");
        }
    }

    #[test]
    fn it_prints_as_it_reads() {
        for value in [
            "", "Q", "Q,a", "QO", "FZPU", "fz,a,b*", ",a", "-,a;P", "O", "-O,x", "FxZ", ";", ";;F;", "F,", "F,,a",
            "a-f,*",
        ] {
            let read = SlubDebug::parse(value);
            assert_eq!(SlubDebug::parse(&read.to_string()), read, "`{value}` prints as `{read}`");
        }
    }
}
