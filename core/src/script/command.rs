//! One line, one command.

use super::error::{Expected, ScriptError};
use super::parts::{GfpWords, number, place, value};
use super::verb::{Form, Verb, Vocabulary};
use super::words::{Word, Words};
use crate::command::{Command, Gfp, Name, Origin};
use crate::layout::{CacheArgs, CacheFlags};
use crate::usercopy::Direction;

/// Reads a typed line as a command. A comment after it is dropped.
///
/// # Errors
/// The first thing that is wrong, at its place; the line counts as line 1.
pub fn parse_command(line: &str) -> Result<Command, ScriptError> {
    let words = Words::of(line.trim_start_matches('\u{feff}'), 1);
    words.and_then(|words| command(words, Vocabulary::Commands)).map_err(|error| *error)
}

/// Reads the words of a line as a command. `choices` are the words that the line could have begun with.
pub(super) fn command(mut words: Words<'_>, choices: Vocabulary) -> Result<Command, Box<ScriptError>> {
    if words.peek_second().is_some_and(|word| word.text == "=") {
        return assignment(words);
    }
    let first = words.word(|| Expected::OneOf { of: choices, close: None })?;
    match first.text {
        "cache" => create_cache(words),
        "destroy" => Ok(Command::DestroyCache { cache: only_name(words, Verb::Destroy)? }),
        "validate" => Ok(Command::Validate { cache: only_name(words, Verb::Validate)? }),
        "shrink" => Ok(Command::Shrink { cache: only_name(words, Verb::Shrink)? }),
        "cpu" => cpu(words),
        "flush_cpu" => Ok(Command::FlushCpu { cache: only_name(words, Verb::FlushCpu)? }),
        "kfree_rcu" => Ok(Command::KfreeRcu { object: only_name(words, Verb::KfreeRcu)? }),
        "grace" => words.end(Verb::Grace).map(|()| Command::Grace),
        "free" => free(words),
        "kfree" => kfree(words),
        "ksize" => Ok(Command::Ksize { object: only_name(words, Verb::Ksize)? }),
        "bulk" => bulk(words),
        "bulkfree" => bulk_free(words),
        "write" => write(words),
        "copy" => copy(words),
        "overflow" => overflow(words),
        "kmalloc" | "krealloc" | "alloc" => Err(without_a_name(&words, first)),
        _ => Err(words.not_one_of(first, choices)),
    }
}

/// `kmalloc 64`: the object needs a name.
fn without_a_name(words: &Words<'_>, first: Word<'_>) -> Box<ScriptError> {
    let verb = allocator(first.text).map_or(Verb::Kmalloc, Allocator::verb);
    words.error(first, Expected::Form { form: Form::NameFirst, verb })
}

fn assignment(mut words: Words<'_>) -> Result<Command, Box<ScriptError>> {
    let object = name(&mut words, Verb::Kmalloc)?;
    words.form(Verb::Kmalloc, Form::Equals, |word| (word == "=").then_some(()))?;
    match words.one_of(Vocabulary::Allocators, allocator)? {
        Allocator::Alloc => {
            let cache = name(&mut words, Verb::Alloc)?;
            let gfp = gfp(&mut words)?;
            words.end(Verb::Alloc)?;
            Ok(Command::Alloc { object, cache, gfp })
        }
        Allocator::Krealloc => {
            let from = name(&mut words, Verb::Krealloc)?;
            let size = words.form(Verb::Krealloc, Form::Number, number)?;
            let gfp = gfp(&mut words)?;
            words.end(Verb::Krealloc)?;
            Ok(Command::Krealloc { object, from, size, gfp })
        }
        Allocator::Kmalloc => {
            let size = words.form(Verb::Kmalloc, Form::Number, number)?;
            let has_gfp = words.peek().is_some_and(|word| word.text != "from");
            let gfp = if has_gfp { gfp(&mut words)? } else { Gfp::default() };
            let from = origin(&mut words)?;
            words.end(Verb::Kmalloc)?;
            Ok(Command::Kmalloc { object, size, gfp, from })
        }
    }
}

/// `from do_msgsnd pointers`, if anything is left of the line.
fn origin(words: &mut Words<'_>) -> Result<Option<Origin>, Box<ScriptError>> {
    if words.is_empty() {
        return Ok(None);
    }
    words.form(Verb::Kmalloc, Form::From, |word| (word == "from").then_some(()))?;
    let name = name(words, Verb::Kmalloc)?;
    let has_pointers = words.peek().is_some_and(|word| word.text == "pointers");
    if has_pointers {
        words.next();
    }
    Ok(Some(Origin { name, has_pointers }))
}

/// What may stand after `a =`.
#[derive(Clone, Copy)]
enum Allocator {
    Kmalloc,
    Krealloc,
    Alloc,
}

impl Allocator {
    const fn verb(self) -> Verb {
        match self {
            Self::Kmalloc => Verb::Kmalloc,
            Self::Krealloc => Verb::Krealloc,
            Self::Alloc => Verb::Alloc,
        }
    }
}

fn allocator(word: &str) -> Option<Allocator> {
    match word {
        "kmalloc" => Some(Allocator::Kmalloc),
        "krealloc" => Some(Allocator::Krealloc),
        "alloc" => Some(Allocator::Alloc),
        _ => None,
    }
}

fn create_cache(mut words: Words<'_>) -> Result<Command, Box<ScriptError>> {
    let cache = name(&mut words, Verb::Cache)?;
    let object_size = words.form(Verb::Cache, Form::Number, number)?;
    let mut args = CacheArgs { object_size, ..CacheArgs::default() };
    while let Some(word) = words.next() {
        let number_of =
            |digits, form| number(digits).ok_or_else(|| words.error(word, Expected::Form { form, verb: Verb::Cache }));
        if let Some(align) = word.text.strip_prefix("align=") {
            args.align = number_of(align, Form::Alignment)?;
        } else if let Some(offset) = word.text.strip_prefix("useroffset=") {
            args.window.offset = number_of(offset, Form::Window)?;
        } else if let Some(size) = word.text.strip_prefix("usersize=") {
            args.window.size = number_of(size, Form::Window)?;
        } else if let Some(flags) = word.text.strip_prefix("flags=") {
            cache_flags(&mut args.flags, flags).map_err(|flag| words.inside(word, flag, Vocabulary::CacheFlags))?;
        } else if let Some(capacity) = word.text.strip_prefix("sheaf=") {
            args.sheaf_capacity = number(capacity)
                .and_then(|capacity| u32::try_from(capacity).ok())
                .ok_or_else(|| words.error(word, Expected::Form { form: Form::SheafCapacity, verb: Verb::Cache }))?;
        } else if word.text == "ctor" {
            args.ctor = true;
        } else {
            return Err(words.not_one_of(word.key(), Vocabulary::CacheWords));
        }
    }
    Ok(Command::CreateCache { cache, args })
}

/// Turns on the flags of a list such as `hwcache,rcu`. The error is the word that is no flag.
fn cache_flags<'a>(flags: &mut CacheFlags, list: &'a str) -> Result<(), &'a str> {
    list.split(',').try_for_each(|word| {
        let flag = match word {
            "hwcache" => &mut flags.hwcache_align,
            "rcu" => &mut flags.typesafe_by_rcu,
            "reclaim" => &mut flags.reclaim_account,
            "dma" => &mut flags.cache_dma,
            "dma32" => &mut flags.cache_dma32,
            "account" => &mut flags.account,
            "panic" => &mut flags.panic,
            "kmalloc" => &mut flags.kmalloc,
            "no_user_flags" => &mut flags.no_user_flags,
            "consistency" => &mut flags.debug.consistency,
            "red_zone" => &mut flags.debug.red_zone,
            "poison" => &mut flags.debug.poison,
            "store_user" => &mut flags.debug.store_user,
            "trace" => &mut flags.debug.trace,
            "failslab" => &mut flags.debug.failslab,
            "no_merge" => &mut flags.no_merge,
            _ => return Err(word),
        };
        *flag = true;
        Ok(())
    })
}

fn free(mut words: Words<'_>) -> Result<Command, Box<ScriptError>> {
    if words.peek_second().is_none() {
        return Ok(Command::Free { object: only_name(words, Verb::Free)? });
    }
    let at = words.form(Verb::Free, Form::Place, place)?;
    words.form(Verb::Free, Form::To, |word| (word == "to").then_some(()))?;
    let cache_or_null = |word: &str| if word == "NULL" { Some(None) } else { Name::new(word).map(Some) };
    let cache = words.form(Verb::Free, Form::Name, cache_or_null)?;
    words.end(Verb::Free)?;
    Ok(Command::CacheFree { at, cache })
}

fn kfree(mut words: Words<'_>) -> Result<Command, Box<ScriptError>> {
    let at = words.form(Verb::Kfree, Form::Place, place)?;
    words.end(Verb::Kfree)?;
    Ok(Command::Kfree { at })
}

fn cpu(mut words: Words<'_>) -> Result<Command, Box<ScriptError>> {
    let cpu = words.number_up_to(Verb::Cpu, u32::MAX)?;
    words.end(Verb::Cpu)?;
    Ok(Command::Cpu { cpu })
}

fn bulk(mut words: Words<'_>) -> Result<Command, Box<ScriptError>> {
    let prefix = name(&mut words, Verb::Bulk)?;
    let count = words.number_up_to(Verb::Bulk, u32::MAX)?;
    Ok(Command::BulkAlloc { prefix, count, cache: only_name(words, Verb::Bulk)? })
}

fn bulk_free(mut words: Words<'_>) -> Result<Command, Box<ScriptError>> {
    let mut objects = vec![name(&mut words, Verb::BulkFree)?];
    while !words.is_empty() {
        objects.push(name(&mut words, Verb::BulkFree)?);
    }
    Ok(Command::BulkFree { objects: objects.into() })
}

fn write(mut words: Words<'_>) -> Result<Command, Box<ScriptError>> {
    let at = words.form(Verb::Write, Form::Place, place)?;
    let len = words.form(Verb::Write, Form::Number, number)?;
    let value = words.form(Verb::Write, Form::Value, value)?;
    words.end(Verb::Write)?;
    Ok(Command::Write { at, len, value })
}

fn copy(mut words: Words<'_>) -> Result<Command, Box<ScriptError>> {
    let direction = words.one_of(Vocabulary::Directions, |word| {
        [Direction::To, Direction::From].into_iter().find(|direction| direction.word() == word)
    })?;
    let at = words.form(Verb::Copy, Form::Place, place)?;
    let len = words.form(Verb::Copy, Form::Number, number)?;
    words.end(Verb::Copy)?;
    Ok(Command::Copy { direction, at, len })
}

fn overflow(mut words: Words<'_>) -> Result<Command, Box<ScriptError>> {
    let object = name(&mut words, Verb::Overflow)?;
    let len = words.form(Verb::Overflow, Form::Number, number)?;
    let value = words.form(Verb::Overflow, Form::Value, value)?;
    words.end(Verb::Overflow)?;
    Ok(Command::Overflow { object, len, value })
}

/// The gfp words of an allocation, if it has any: one word, its parts joined by `|`.
fn gfp(words: &mut Words<'_>) -> Result<Gfp, Box<ScriptError>> {
    let mut gfp = GfpWords::default();
    if let Some(word) = words.next() {
        for part in word.text.split('|') {
            if !gfp.add(part) {
                return Err(words.inside(word, part, Vocabulary::GfpWords));
            }
            if gfp.contradicts_itself() {
                return Err(words.error(word.part(part), Expected::OneBase));
            }
        }
    }
    Ok(gfp.gfp)
}

fn only_name(mut words: Words<'_>, verb: Verb) -> Result<Name, Box<ScriptError>> {
    let name = name(&mut words, verb)?;
    words.end(verb)?;
    Ok(name)
}

pub(super) fn name(words: &mut Words<'_>, verb: Verb) -> Result<Name, Box<ScriptError>> {
    words.form(verb, Form::Name, Name::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{Base, Place, Value};

    fn name(text: &str) -> Name {
        Name::new(text).expect("a name")
    }

    #[track_caller]
    fn check_line(line: &str, printed: &str) {
        let command = parse_command(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(command.to_string(), printed);
        assert_eq!(parse_command(printed), Ok(command));
    }

    #[track_caller]
    fn check_error(line: &str, message: &str) {
        let error = parse_command(line).expect_err(line);
        assert_eq!(error.to_string(), message, "for `{line}`");
    }

    #[test]
    fn lines_as_typed_and_as_printed() {
        for line in [
            "cache creds 192 align=64 flags=hwcache,rcu,reclaim,dma,dma32,account,panic,no_merge ctor",
            "cache creds 192 flags=kmalloc,no_user_flags,consistency,red_zone,poison,store_user,trace,failslab",
            "cache crypt 512 useroffset=16 usersize=32",
            "destroy creds",
            "shrink kmalloc-64",
            "validate kmalloc-64",
            "a = kmalloc 64",
            "b = kmalloc 100 GFP_KERNEL|__GFP_ZERO",
            "b = krealloc a 100 GFP_ATOMIC",
            "ksize b",
            "a = kmalloc 64 from site3",
            "a = kmalloc 64 GFP_ATOMIC from msg_msg pointers",
            "from = kmalloc 64 from from",
            "c = alloc creds",
            "free a",
            "kfree a+8",
            "kfree a-8",
            "kfree NULL",
            "kfree NULL+16",
            "kfree kmalloc-64+0",
            "free c to kmalloc-64",
            "free 0xffff888000001000-1 to creds",
            "bulk x 10 creds",
            "bulkfree x0 x1 x2",
            "copy to a+8 16",
            "copy from a 64",
            "overflow a 8 target",
            "write a+16 8 zeros",
            "write v+32 8 0x4142434445464748",
            "write v 8 &0xffff888000001000",
            "write v 8 &zeros",
            "write v 64 \"A\"",
            "write v 64 \" \"",
            "write v 64 \"\\x0a\"",
        ] {
            check_line(line, line);
        }
        check_line("  free\ta  # the first one\r", "free a");
        check_line("\u{feff}free a", "free a");
        check_line("a=kmalloc 0x40", "a = kmalloc 64");
        check_line("a =kmalloc 64", "a = kmalloc 64");
        check_line("free = kmalloc 64", "free = kmalloc 64");
        check_line("d = alloc creds __GFP_ZERO", "d = alloc creds GFP_KERNEL|__GFP_ZERO");
        check_line("d = alloc creds GFP_KERNEL_ACCOUNT", "d = alloc creds GFP_KERNEL|__GFP_ACCOUNT");
        check_line("cache creds 192 ctor align=0x40", "cache creds 192 align=64 ctor");
        check_line("write v 8 \"\\\"\"", "write v 8 \"\\x22\"");
        check_line("free free to to", "free free to to");
    }

    #[test]
    fn a_distance_is_not_a_part_of_the_name() {
        let at = |base: &str, delta| Command::Kfree { at: Place { base: Base::Object(name(base)), delta } };
        assert_eq!(parse_command("kfree v-8"), Ok(at("v", -8)));
        assert_eq!(parse_command("kfree v-8+0"), Ok(at("v-8", 0)));
        assert_eq!(parse_command("kfree kmalloc-cg-64-0x10"), Ok(at("kmalloc-cg-64", -16)));
        assert_eq!(parse_command("kfree v-x"), Ok(at("v-x", 0)));
        let overflow = parse_command("overflow a 8 v-8").expect("a command");
        let value = Value::AddressOf(Place { base: Base::Object(name("v")), delta: -8 });
        assert_eq!(overflow, Command::Overflow { object: name("a"), len: 8, value });
    }

    #[test]
    fn what_is_wrong_is_said_where_it_is() {
        for (line, message) in [
            (
                "",
                "line 1, column 1: the line ends where a command should stand: write `a = kmalloc 64`, `a = alloc \
              CACHE`, or one of cache, destroy, shrink, validate, cpu, flush_cpu, free, kfree, kfree_rcu, grace, ksize, bulk, bulkfree, write, copy, overflow",
            ),
            ("overfolw a 8 target", "line 1, column 1: `overfolw` is no command: did you mean `overflow`?"),
            ("  FREE a", "line 1, column 3: `FREE` is no command: did you mean `free`?"),
            (
                "kmalloc 64",
                "line 1, column 1: `kmalloc` is no command by itself: name what it returns, as in `a = \
              kmalloc 64 GFP_KERNEL|__GFP_ZERO`",
            ),
            ("a = kmaloc 64", "line 1, column 5: `kmaloc` is no allocation: did you mean `kmalloc`?"),
            (
                "a = ",
                "line 1, column 5: the line ends where an allocation should stand: one of kmalloc, krealloc, alloc",
            ),
            (
                "a = kmalloc 64 GFP_KERNEL|__GFP_ZER0",
                "line 1, column 27: `__GFP_ZER0` is no gfp word: did you mean \
              `__GFP_ZERO`?",
            ),
            (
                "a = kmalloc 64 GFP_KERNEL|GFP_ATOMIC",
                "line 1, column 27: `GFP_ATOMIC` contradicts what stands before \
              it: GFP_KERNEL may sleep and GFP_ATOMIC may not",
            ),
            (
                "overflow a",
                "line 1, column 12: the line ends where a number should stand: digits, or `0x` and \
              hexadecimal digits, as in `overflow a 8 target`",
            ),
        ] {
            check_error(line, message);
        }
    }
}
