//! One line, one command.

use super::error::{Expected, ScriptError};
use super::parts::{GfpWords, number, place, value};
use super::verb::{Form, Verb, Vocabulary};
use super::words::Words;
use crate::command::{Command, Gfp, Name, Origin, flags_by_word};
use crate::layout::{CacheArgs, CacheFlags};
use crate::usercopy::Direction;

/// Reads a typed line as a command. A comment after it is dropped.
///
/// # Errors
/// The first thing that is wrong, at its place; the line counts as line 1.
pub fn parse_command(line: &str) -> Result<Command, ScriptError> {
    let words = Words::of(line.trim_start_matches('\u{feff}'), 1);
    words.and_then(|mut words| command(&mut words, Vocabulary::Commands)).map_err(|error| *error)
}

/// Reads the words of a line as a command. `choices` are the words that the line could have begun with.
pub(super) fn command(words: &mut Words<'_>, choices: Vocabulary) -> Result<Command, Box<ScriptError>> {
    let (verb, command) = if words.assigns() { assignment(words)? } else { named_by_verb(words, choices)? };
    words.end(verb)?;
    Ok(command)
}

/// A command that begins with its verb, as far as the verb asks for words.
fn named_by_verb(words: &mut Words<'_>, choices: Vocabulary) -> Result<(Verb, Command), Box<ScriptError>> {
    let first = words.word_of(choices)?;
    let Some(verb) = Verb::of(first.text) else { return Err(words.not_one_of(first, choices)) };
    let command = match verb {
        Verb::Cache => create_cache(words)?,
        Verb::Destroy => Command::DestroyCache { cache: name(words, verb)? },
        Verb::Validate => Command::Validate { cache: name(words, verb)? },
        Verb::Shrink => Command::Shrink { cache: name(words, verb)? },
        Verb::Cpu => Command::Cpu { cpu: words.number_up_to(verb, u32::MAX)? },
        Verb::FlushCpu => Command::FlushCpu { cache: name(words, verb)? },
        Verb::KfreeRcu => Command::KfreeRcu { object: name(words, verb)? },
        Verb::Grace => Command::Grace,
        Verb::Free => free(words)?,
        Verb::Kfree => Command::Kfree { at: words.form(verb, Form::Place, place)? },
        Verb::Ksize => Command::Ksize { object: name(words, verb)? },
        Verb::Bulk => Command::BulkAlloc {
            prefix: name(words, verb)?,
            count: words.number_up_to(verb, u32::MAX)?,
            cache: name(words, verb)?,
        },
        Verb::BulkFree => bulk_free(words)?,
        Verb::Write => Command::Write {
            at: words.form(verb, Form::Place, place)?,
            len: words.form(verb, Form::Number, number)?,
            value: words.form(verb, Form::Value, value)?,
        },
        Verb::Copy => Command::Copy {
            direction: words.one_of(Vocabulary::Directions, direction)?,
            at: words.form(verb, Form::Place, place)?,
            len: words.form(verb, Form::Number, number)?,
        },
        Verb::Overflow => Command::Overflow {
            object: name(words, verb)?,
            len: words.form(verb, Form::Number, number)?,
            value: words.form(verb, Form::Value, value)?,
        },
        // What it returns needs a name.
        Verb::Kmalloc | Verb::Krealloc | Verb::Alloc => {
            return Err(words.error(first, Expected::Form { form: Form::NameFirst, verb }));
        }
        Verb::Say
        | Verb::Expect
        | Verb::Slabscope
        | Verb::Title
        | Verb::Kernel
        | Verb::Luck
        | Verb::Open
        | Verb::Target
        | Verb::Goal => return Err(words.not_one_of(first, choices)),
    };
    Ok((verb, command))
}

/// `a = kmalloc 64`, as far as the allocation asks for words.
fn assignment(words: &mut Words<'_>) -> Result<(Verb, Command), Box<ScriptError>> {
    let object = name(words, Verb::Kmalloc)?;
    words.literal("=", Verb::Kmalloc, Form::Equals)?;
    let word = words.word_of(Vocabulary::Allocators)?;
    match word.text {
        "alloc" => {
            let cache = name(words, Verb::Alloc)?;
            Ok((Verb::Alloc, Command::Alloc { object, cache, gfp: gfp(words)? }))
        }
        "krealloc" => {
            let from = name(words, Verb::Krealloc)?;
            let size = words.form(Verb::Krealloc, Form::Number, number)?;
            Ok((Verb::Krealloc, Command::Krealloc { object, from, size, gfp: gfp(words)? }))
        }
        "kmalloc" => {
            let size = words.form(Verb::Kmalloc, Form::Number, number)?;
            let has_gfp = words.peek().is_some_and(|word| word.text != "from");
            let gfp = if has_gfp { gfp(words)? } else { Gfp::default() };
            Ok((Verb::Kmalloc, Command::Kmalloc { object, size, gfp, from: origin(words)? }))
        }
        _ => Err(words.not_one_of(word, Vocabulary::Allocators)),
    }
}

/// `from do_msgsnd pointers`, if anything is left of the line.
fn origin(words: &mut Words<'_>) -> Result<Option<Origin>, Box<ScriptError>> {
    if words.is_empty() {
        return Ok(None);
    }
    words.literal("from", Verb::Kmalloc, Form::From)?;
    let name = name(words, Verb::Kmalloc)?;
    let has_pointers = words.peek().is_some_and(|word| word.text == "pointers");
    if has_pointers {
        words.next();
    }
    Ok(Some(Origin { name, has_pointers }))
}

fn create_cache(words: &mut Words<'_>) -> Result<Command, Box<ScriptError>> {
    let cache = name(words, Verb::Cache)?;
    let object_size = words.form(Verb::Cache, Form::Number, number)?;
    let mut args = CacheArgs { object_size, ..CacheArgs::default() };
    while let Some(word) = words.next() {
        let key = word.key();
        let value = &word.text[key.text.len()..];
        let number_of =
            |form| number(value).ok_or_else(|| words.error(word, Expected::Form { form, verb: Verb::Cache }));
        match key.text {
            "align=" => args.align = number_of(Form::Alignment)?,
            "useroffset=" => args.window.offset = number_of(Form::Window)?,
            "usersize=" => args.window.size = number_of(Form::Window)?,
            "flags=" => {
                turn_on(&mut args.flags, value).map_err(|flag| words.inside(word, flag, Vocabulary::CacheFlags))?;
            }
            "sheaf=" => {
                let capacity = number(value).and_then(|capacity| u32::try_from(capacity).ok());
                let expected = Expected::Form { form: Form::SheafCapacity, verb: Verb::Cache };
                args.sheaf_capacity = capacity.ok_or_else(|| words.error(word, expected))?;
            }
            "ctor" => args.ctor = true,
            _ => return Err(words.not_one_of(key, Vocabulary::CacheWords)),
        }
    }
    Ok(Command::CreateCache { cache, args })
}

/// Turns on the flags of a list such as `hwcache,rcu`. The error is the word that is no flag.
fn turn_on<'a>(flags: &mut CacheFlags, list: &'a str) -> Result<(), &'a str> {
    let mut flags = flags_by_word(flags);
    list.split(',').try_for_each(|word| {
        let (flag, _) = flags.iter_mut().find(|(_, known)| *known == word).ok_or(word)?;
        **flag = true;
        Ok(())
    })
}

fn free(words: &mut Words<'_>) -> Result<Command, Box<ScriptError>> {
    if words.peek_second().is_none() {
        return Ok(Command::Free { object: name(words, Verb::Free)? });
    }
    let at = words.form(Verb::Free, Form::Place, place)?;
    words.literal("to", Verb::Free, Form::To)?;
    let cache_or_null = |word: &str| if word == "NULL" { Some(None) } else { Name::new(word).map(Some) };
    Ok(Command::CacheFree { at, cache: words.form(Verb::Free, Form::Name, cache_or_null)? })
}

fn bulk_free(words: &mut Words<'_>) -> Result<Command, Box<ScriptError>> {
    let mut objects = vec![name(words, Verb::BulkFree)?];
    while !words.is_empty() {
        objects.push(name(words, Verb::BulkFree)?);
    }
    Ok(Command::BulkFree { objects: objects.into() })
}

fn direction(word: &str) -> Option<Direction> {
    [Direction::To, Direction::From].into_iter().find(|direction| direction.word() == word)
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
