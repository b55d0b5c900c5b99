//! `slub_debug=` in a scenario's `kernel` line: as on a kernel's command line.

use super::error::{Expected, ScriptError};
use super::words::{Word, Words};
use crate::kernel::{ConfigError, KernelConfig, SlubDebug, Version};

/// Whether `key` is a name of the option.
pub(super) fn is_name(key: &str) -> bool {
    matches!(key, "slub_debug" | "slab_debug")
}

/// Sets the option, as the word `key=value` says.
pub(super) fn set(kernel: &mut KernelConfig, key: &str, value: &str) -> Result<(), ConfigError> {
    let option = read(kernel.version, key, value)?;
    kernel.slub_debug = Some(option);
    Ok(())
}

fn read(version: Version, key: &str, value: &str) -> Result<SlubDebug, ConfigError> {
    if key == "slab_debug" && version < SlubDebug::RENAMED {
        return Err(ConfigError::DebugName { version });
    }
    Ok(SlubDebug::parse(value))
}

/// The letters of the option that mean nothing: a kernel says so and skips them.
pub(super) fn doubts<'a>(version: Version, words: &Words<'a>, word: Word<'a>) -> Vec<ScriptError> {
    let Some((_, value)) = word.text.split_once('=').filter(|(key, _)| is_name(key)) else { return Vec::new() };
    let mut doubts = Vec::new();
    for block in value.split(';') {
        let letters = block.split(',').next().unwrap_or_default();
        for (at, letter) in letters.char_indices() {
            let letter = &letters[at..at + letter.len_utf8()];
            if SlubDebug::parse(letter).blocks().iter().any(|block| !block.unknown.is_empty()) {
                doubts.push(*words.error(word.part(letter), Expected::DebugLetter { version }));
            }
        }
    }
    doubts
}

#[cfg(test)]
mod tests {
    use crate::script::parse_kernel;

    #[track_caller]
    fn check(line: &str, expected: Result<&str, &str>) {
        let read = parse_kernel(line).map(|kernel| kernel.slub_debug.map(|option| option.to_string()));
        let read = read.map(Option::unwrap_or_default).map_err(|error| error.to_string());
        assert_eq!(read.as_deref().map_err(String::as_str), expected, "{line}");
    }

    #[test]
    fn as_on_a_command_line() {
        check("6.1 slub_debug=FZ,kmalloc-64", Ok("FZ,kmalloc-64"));
        check("6.12 slab_debug=fzpu;-,dentry", Ok("FZPU;-,dentry"));
        check("6.12 slub_debug", Ok("FZPU"));
        check("4.19 slub_debug=P", Ok("P"));
        check("6.1 slub_debug=FxZ", Ok("FZx"));
        check("6.1 slub_debug=Q", Ok("Q"));
        check("6.1 slub_debug=-", Ok("-"));
    }

    #[test]
    fn what_a_kernel_refuses_is_told_with_its_reason() {
        check("6.1 slab_debug=F", Err("line 1, column 5: Linux 6.1 has no slab_debug=: up to 6.8 it is slub_debug="));
        check(
            "5.6 slub_debug=F;P,dentry",
            Err(
                "line 1, column 5: Linux 5.6 takes one block of slub_debug=: several, with `;` between them, came with \
                 5.9",
            ),
        );
    }
}
