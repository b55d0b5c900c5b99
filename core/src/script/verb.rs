//! The words of the script language: kinds of lines, closed sets of words, and forms, each with what a message says
//! of it.

use core::fmt;

/// A kind of line, named by the word that it is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verb {
    /// `cache creds 192 …`
    Cache,
    /// `destroy creds`
    Destroy,
    /// `validate creds`
    Validate,
    /// `shrink creds`
    Shrink,
    /// `cpu 1`
    Cpu,
    /// `flush_cpu creds`
    FlushCpu,
    /// `kfree_rcu a`
    KfreeRcu,
    /// `grace`
    Grace,
    /// `a = kmalloc 64`
    Kmalloc,
    /// `b = krealloc a 100`
    Krealloc,
    /// `ksize a`
    Ksize,
    /// `c = alloc creds`
    Alloc,
    /// `free a`
    Free,
    /// `kfree a+8`
    Kfree,
    /// `bulk x 10 creds`
    Bulk,
    /// `bulkfree x0 x1`
    BulkFree,
    /// `write a+16 8 zeros`
    Write,
    /// `copy from a 64`
    Copy,
    /// `overflow a 8 target`
    Overflow,
    /// `say "…" "…"`
    Say,
    /// `expect p = v`
    Expect,
    /// `slabscope 1`
    Slabscope,
    /// `title …`
    Title,
    /// `kernel 5.6 …`
    Kernel,
    /// `luck 0x1`
    Luck,
    /// `open 5`
    Open,
    /// `target target`
    Target,
    /// `goal HIJACKED`
    Goal,
}

impl Verb {
    const ALL: [Self; 28] = [
        Self::Cache,
        Self::Destroy,
        Self::Validate,
        Self::Shrink,
        Self::Cpu,
        Self::FlushCpu,
        Self::KfreeRcu,
        Self::Grace,
        Self::Kmalloc,
        Self::Krealloc,
        Self::Ksize,
        Self::Alloc,
        Self::Free,
        Self::Kfree,
        Self::Bulk,
        Self::BulkFree,
        Self::Write,
        Self::Copy,
        Self::Overflow,
        Self::Say,
        Self::Expect,
        Self::Slabscope,
        Self::Title,
        Self::Kernel,
        Self::Luck,
        Self::Open,
        Self::Target,
        Self::Goal,
    ];

    /// The kind of line that is known by this word.
    #[must_use]
    pub(super) fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verb| verb.word() == word)
    }

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Cache => "cache",
            Self::Destroy => "destroy",
            Self::Validate => "validate",
            Self::Shrink => "shrink",
            Self::Cpu => "cpu",
            Self::FlushCpu => "flush_cpu",
            Self::KfreeRcu => "kfree_rcu",
            Self::Grace => "grace",
            Self::Kmalloc => "kmalloc",
            Self::Krealloc => "krealloc",
            Self::Ksize => "ksize",
            Self::Alloc => "alloc",
            Self::Free => "free",
            Self::Kfree => "kfree",
            Self::Bulk => "bulk",
            Self::BulkFree => "bulkfree",
            Self::Write => "write",
            Self::Copy => "copy",
            Self::Overflow => "overflow",
            Self::Say => "say",
            Self::Expect => "expect",
            Self::Slabscope => "slabscope",
            Self::Title => "title",
            Self::Kernel => "kernel",
            Self::Luck => "luck",
            Self::Open => "open",
            Self::Target => "target",
            Self::Goal => "goal",
        }
    }

    /// A line of its kind.
    #[must_use]
    pub const fn example(self) -> &'static str {
        match self {
            Self::Cache => "cache creds 192 align=64 flags=hwcache,account ctor",
            Self::Destroy => "destroy creds",
            Self::Validate => "validate kmalloc-64",
            Self::Shrink => "shrink kmalloc-64",
            Self::Cpu => "cpu 1",
            Self::FlushCpu => "flush_cpu creds",
            Self::KfreeRcu => "kfree_rcu a",
            Self::Grace => "grace",
            Self::Kmalloc => "a = kmalloc 64 GFP_KERNEL|__GFP_ZERO",
            Self::Krealloc => "b = krealloc a 100",
            Self::Ksize => "ksize a",
            Self::Alloc => "c = alloc creds",
            Self::Free => "free a",
            Self::Kfree => "kfree a+8",
            Self::Bulk => "bulk x 10 creds",
            Self::BulkFree => "bulkfree x0 x1 x2",
            Self::Write => "write a+16 8 zeros",
            Self::Copy => "copy from a 64",
            Self::Overflow => "overflow a 8 target",
            Self::Say => "say \"v is free.\" \"It comes back next.\"",
            Self::Expect => "expect p = v",
            Self::Slabscope => "slabscope 1",
            Self::Title => "title Eight bytes too many",
            Self::Kernel => "kernel 5.6 random=on",
            Self::Luck => "luck 0x1",
            Self::Open => "open 5",
            Self::Target => "target victim",
            Self::Goal => "goal HIJACKED",
        }
    }
}

/// A closed set of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Vocabulary {
    /// Words that a command may begin with.
    Commands,
    /// Words that a line of a scenario may begin with.
    Lines,
    /// What may stand after `a =`.
    Allocators,
    /// Which way a copy goes.
    Directions,
    /// Gfp words.
    GfpWords,
    /// Words after a cache's size.
    CacheWords,
    /// Words after `flags=`.
    CacheFlags,
    /// Words that a line of the header may begin with.
    HeaderLines,
    /// Switches of the kernel line.
    Switches,
    /// `on`, `off`.
    OnOff,
    /// Places of the free pointer.
    PointerPlaces,
    /// What `expect` may look at, beside an object.
    Checks,
    /// Outcomes.
    Outcomes,
    /// Outcomes, and `none`.
    OutcomesOrNone,
}

/// Words of gfp flags.
const GFP_WORDS: [&str; 6] =
    ["GFP_KERNEL", "GFP_ATOMIC", "__GFP_ZERO", "__GFP_RECLAIMABLE", "__GFP_DMA", "__GFP_ACCOUNT"];

/// The words of a scenario's `kernel` line.
const SWITCHES: [&str; 17] = [
    "random=",
    "hidden=",
    "middle=",
    "cpus=",
    "init_on_alloc=",
    "init_on_free=",
    "cpu_partial=",
    "memcg=",
    "usercopy=",
    "nomerge=",
    "copies=",
    "typed=",
    "buckets=",
    "tiny=",
    "stats=",
    "page_shuffle=",
    "slub_debug=",
];

/// What a line of a scenario begins with: commands, and then what is not one.
const LINES: [&str; 18] = [
    "cache",
    "destroy",
    "shrink",
    "validate",
    "cpu",
    "flush_cpu",
    "free",
    "kfree",
    "kfree_rcu",
    "grace",
    "ksize",
    "bulk",
    "bulkfree",
    "write",
    "copy",
    "overflow",
    "say",
    "expect",
];

/// The words of [`flags_by_word`](crate::command::flags_by_word).
const CACHE_FLAGS: [&str; 16] = [
    "hwcache",
    "rcu",
    "reclaim",
    "dma",
    "dma32",
    "account",
    "panic",
    "no_merge",
    "kmalloc",
    "no_user_flags",
    "consistency",
    "red_zone",
    "poison",
    "store_user",
    "trace",
    "failslab",
];

/// What `expect` may look at, beside an object.
const CHECKS: [&str; 13] = [
    "free", "lost", "used", "waiting", "bytes", "outcome", "fault", "bug", "hang", "report", "reports", "refused",
    "done",
];

impl Vocabulary {
    /// Its words.
    #[must_use]
    pub const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Commands => LINES.split_at(LINES.len() - 2).0,
            Self::Lines => &LINES,
            Self::Directions => &["to", "from"],
            Self::Allocators => &["kmalloc", "krealloc", "alloc"],
            Self::GfpWords => &GFP_WORDS,
            Self::CacheWords => &["align=", "flags=", "sheaf=", "ctor", "useroffset=", "usersize="],
            Self::CacheFlags => &CACHE_FLAGS,
            Self::HeaderLines => &["title", "kernel", "luck", "open", "target", "goal"],
            Self::Switches => &SWITCHES,
            Self::OnOff => &["on", "off"],
            Self::PointerPlaces => &["off", "on", "5.7-rc1", "5.13"],
            Self::Checks => &CHECKS,
            Self::Outcomes => &["HIJACKED", "CRASHED", "CAUGHT", "MISSED", "SILENT"],
            Self::OutcomesOrNone => &["HIJACKED", "CRASHED", "CAUGHT", "MISSED", "SILENT", "none"],
        }
    }

    /// What one of its words is called.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Commands | Self::Lines => "command",
            Self::Allocators => "allocation",
            Self::Directions => "direction",
            Self::GfpWords => "gfp word",
            Self::CacheWords => "word for a cache",
            Self::CacheFlags => "cache flag",
            Self::HeaderLines => "line of the header",
            Self::Switches => "switch of the kernel",
            Self::OnOff => "setting",
            Self::PointerPlaces => "place of the free pointer",
            Self::Checks => "check",
            Self::Outcomes | Self::OutcomesOrNone => "outcome",
        }
    }

    pub(super) fn with_article(self) -> impl fmt::Display {
        WithArticle(self.noun())
    }

    /// Its words in a row, as a message lists them.
    #[must_use]
    pub(super) fn listed(self) -> String {
        let words = self.words().join(", ");
        match self {
            Self::Commands | Self::Lines => format!("write `a = kmalloc 64`, `a = alloc CACHE`, or one of {words}"),
            Self::Checks => format!("write `expect p = v`, or expect one of {words}"),
            Self::Allocators
            | Self::Directions
            | Self::GfpWords
            | Self::CacheWords
            | Self::CacheFlags
            | Self::HeaderLines
            | Self::Switches
            | Self::OnOff
            | Self::PointerPlaces
            | Self::Outcomes
            | Self::OutcomesOrNone => format!("one of {words}"),
        }
    }
}

/// A form that a word has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A name.
    Name,
    /// A number.
    Number,
    /// A place in memory.
    Place,
    /// A value to write.
    Value,
    /// `to`, before a cache.
    To,
    /// `from`, before a caller.
    From,
    /// `=`.
    Equals,
    /// `1st`, `2nd`.
    Ordinal,
    /// A sentence in quotation marks.
    Sentence,
    /// Words in quotation marks.
    Words,
    /// The number of the file's format.
    FormatNumber,
    /// The first line of a file.
    FirstLine,
    /// A title.
    Title,
    /// An address.
    Address,
    /// A kernel version.
    Version,
    /// A power of two.
    Alignment,
    /// A part of an object.
    Window,
    /// How many objects a sheaf holds.
    SheafCapacity,
    /// A command that begins with the name that the object gets.
    NameFirst,
}

impl Form {
    /// What it is called.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Number => "number",
            Self::Place => "place in memory",
            Self::Value => "value to write",
            Self::To => "`to`",
            Self::From => "`from`",
            Self::Equals => "`=`",
            Self::Ordinal => "place in a list",
            Self::Sentence => "sentence",
            Self::Words => "text of a report",
            Self::FormatNumber => "format that this program reads",
            Self::FirstLine => "first line of a scenario",
            Self::Title => "title",
            Self::Address => "address",
            Self::Version => "kernel version",
            Self::Alignment => "alignment",
            Self::Window => "part of an object",
            Self::SheafCapacity => "capacity of a sheaf",
            Self::NameFirst => "command by itself",
        }
    }

    pub(super) fn with_article(self) -> impl fmt::Display {
        WithArticle(self.noun())
    }

    /// What makes it one.
    #[must_use]
    pub(super) const fn rule(self) -> &'static str {
        match self {
            Self::Name => "letters, digits, `_`, `-` and `.`, not a digit first, 64 at most, and not NULL",
            Self::Number => "digits, or `0x` and hexadecimal digits",
            Self::Place => "an object's name or an address such as 0xffff888000001000 or NULL, and `+8` or `-8`",
            Self::Value => {
                "an object's name with or without `+8`, `&` and an address, `zeros`, one letter in quotes, or `0x` and \
                 two digits a byte in memory order"
            }
            Self::From => "`from` and who calls: a place, a type or a caller with buckets",
            Self::To => "`to` and the cache that the call names",
            Self::Equals => "the two things to compare stand on its two sides",
            Self::Ordinal => "1st, 2nd, 3rd, 4th and so on",
            Self::Words => "words between quotation marks",
            Self::Sentence => "text between quotation marks",
            Self::FormatNumber => "there is only format 1",
            Self::FirstLine => "it says which format the file has",
            Self::Title => "some words",
            Self::Address => "`0x` and hexadecimal digits",
            Self::Version => "2.6.22 to 7.3, or 5.7-rc1",
            Self::Alignment => "`align=` and a power of two",
            Self::SheafCapacity => "`sheaf=` and a number of objects",
            Self::Window => "`useroffset=` and `usersize=` in bytes",
            Self::NameFirst => "name what it returns",
        }
    }
}

/// Prints `a name`, `an address`, `the first line`; leaves alone what is quoted.
struct WithArticle(&'static str);

impl fmt::Display for WithArticle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let article = match self.0.chars().next() {
            Some('a' | 'e' | 'i' | 'o' | 'u') => "an ",
            Some('`') | None => "",
            Some(_) if self.0.starts_with("first ") => "the ",
            Some(_) => "a ",
        };
        write!(f, "{article}{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Switch;

    #[test]
    fn every_switch_is_among_the_words_that_would_be_right() {
        for switch in Switch::ALL {
            assert!(Vocabulary::Switches.words().contains(&&*format!("{}=", switch.word())), "{switch:?}");
        }
    }
}
