//! The boot line: what a kernel's command line asks of the slab layer. The rest of it is somebody else's.

use super::action::Effect;
use super::kernel::Wanted;
use super::{Notice, Session};
use crate::text::as_sentence;
use slabscope_core::kernel::{KernelConfig, Switch};
use slabscope_core::script::{KernelWords, ScriptError, read_kernel};

/// The boot line that a kernel was started with, as far as slabs are concerned: `init_on_free=1 slub_debug=FZPU`.
#[must_use]
pub fn boot_line(config: &KernelConfig) -> String {
    let switches = boot_switches().filter(|switch| config.is_on(*switch)).map(|switch| {
        let name = switch.kernel_name();
        if name.ends_with("nomerge") { name.to_owned() } else { format!("{name}=1") }
    });
    let words = KernelWords(config).to_string();
    let debug = words.split(' ').filter(|word| is_debug(word)).map(str::to_owned);
    switches.chain(debug).collect::<Vec<_>>().join(" ")
}

fn boot_switches() -> impl Iterator<Item = Switch> {
    Switch::ALL.into_iter().filter(|switch| switch.is_boot_parameter())
}

fn is_debug(word: &str) -> bool {
    let key = word.split('=').next().unwrap_or_default();
    matches!(key, "slub_debug" | "slab_debug")
}

/// A boot line, read.
struct BootLine {
    /// Words for a scenario's `kernel` line.
    words: Vec<String>,
    /// What it says of other things.
    others: Vec<String>,
}

impl BootLine {
    fn read(line: &str) -> Result<Self, String> {
        let mut read = Self { words: Vec::new(), others: Vec::new() };
        for word in line.split_whitespace() {
            match kernel_word(word)? {
                Some(known) => read.words.push(known),
                None => read.others.push(word.to_owned()),
            }
        }
        Ok(read)
    }
}

/// A word of the boot line as a scenario has it; `None` for one that says nothing of slabs.
fn kernel_word(word: &str) -> Result<Option<String>, String> {
    if is_debug(word) {
        return Ok(Some(word.to_owned()));
    }
    let (key, value) = word.split_once('=').unwrap_or((word, "1"));
    let name = key.strip_prefix("slub_").map_or_else(|| key.to_owned(), |rest| format!("slab_{rest}"));
    let is_named = |switch: &Switch| switch.kernel_name() == name;
    let Some(switch) = boot_switches().find(is_named) else {
        let cpus = matches!(key, "nr_cpus" | "maxcpus" | "possible_cpus");
        return Ok(cpus.then(|| format!("cpus={value}")));
    };
    match value {
        "1" | "on" | "y" | "yes" => Ok(Some(format!("{}=on", switch.word()))),
        "0" | "off" | "n" | "no" => Ok(None),
        _ => Err(format!("`{word}`: {key} is 0 or 1")),
    }
}

/// The kernel with this boot line in place of its own, and what of it the kernel skips.
fn booted_with(config: &KernelConfig, line: &BootLine) -> Result<(KernelConfig, Vec<ScriptError>), String> {
    let mut bare = config.clone();
    boot_switches().for_each(|switch| bare.turn(switch, false));
    let words = KernelWords(&bare).to_string();
    let has_cpus = line.words.iter().any(|word| word.starts_with("cpus="));
    let kept = words.split(' ').filter(|word| !(is_debug(word) || has_cpus && word.starts_with("cpus=")));
    let all: Vec<&str> = kept.chain(line.words.iter().map(String::as_str)).collect();
    read_kernel(&all.join(" ")).map_err(|error| {
        if error.word.is_empty() { error.message() } else { format!("`{}`: {}", error.word, error.message()) }
    })
}

impl Session {
    /// Runs the same commands on a kernel that was booted with this line.
    pub(super) fn take_boot_line(&mut self, line: &str) -> Vec<Effect> {
        let read = BootLine::read(line);
        let booted = read.and_then(|read| Ok((booted_with(self.timeline.config(), &read)?, read)));
        let ((config, skipped), read) = match booted {
            Ok(read) => read,
            Err(message) => {
                self.notice = Some(Notice {
                    head: "This kernel does not boot with that line.".to_owned(),
                    tail: as_sentence(&message),
                });
                return Vec::new();
            }
        };
        let wanted = self.wanted;
        self.wanted = Wanted::of(&config);
        let luck = self.timeline.luck();
        let effects = self.rerun(config, luck, wanted);
        if let (None, Some(doubt)) = (&self.notice, skipped.first()) {
            self.notice =
                Some(Notice { head: format!("“{}” is skipped.", doubt.word), tail: as_sentence(&doubt.message()) });
        } else if self.notice.is_none() && !read.others.is_empty() {
            self.notice = Some(Notice {
                head: format!("Booted with {}.", words_or_none(&read.words)),
                tail: format!("Nothing of slabs is said by {}.", read.others.join(", ")),
            });
        }
        effects
    }
}

fn words_or_none(words: &[String]) -> String {
    if words.is_empty() { "nothing that concerns slabs".to_owned() } else { words.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Action;

    fn booted(line: &str) -> Session {
        let mut session = Session::new();
        session.update(Action::BootLine(line.to_owned()));
        session
    }

    #[test]
    fn what_a_boot_line_says_of_slabs_is_taken_and_comes_back_as_it_was() {
        let session = booted("init_on_alloc=1 init_on_free=on");
        let config = session.timeline().config();
        assert!(config.init_on_alloc && config.init_on_free);
        assert_eq!(boot_line(config), "init_on_alloc=1 init_on_free=1");
        assert_eq!((session.notice(), session.cursor().raw()), (None, 5));
    }

    #[test]
    fn a_line_takes_the_place_of_the_one_before() {
        let mut session = booted("init_on_alloc=1 nr_cpus=4");
        session.update(Action::BootLine("init_on_free=1".to_owned()));
        assert_eq!(boot_line(session.timeline().config()), "init_on_free=1");
        assert_eq!(session.timeline().config().cpus, 4);
    }

    #[test]
    fn words_of_others_are_passed_over_and_told() {
        let session = booted("root=/dev/vda1 quiet init_on_free=1");
        let notice = session.notice().expect("they are told");
        assert_eq!(notice.tail, "Nothing of slabs is said by root=/dev/vda1, quiet.");
        assert!(session.timeline().config().init_on_free);
    }

    #[test]
    fn a_letter_that_means_nothing_is_skipped_and_told() {
        let session = booted("slub_debug=FQ");
        let notice = session.notice().expect("it is told");
        assert_eq!(notice.head, "“Q” is skipped.");
        assert!(notice.tail.contains("slub_debug option 'Q' unknown. skipped"), "{}", notice.tail);
        assert_eq!(boot_line(session.timeline().config()), "slub_debug=FQ");
    }

    #[test]
    fn a_wrong_value_is_told_and_changes_nothing() {
        for line in ["init_on_free=maybe", "nr_cpus=70", "nr_cpus=many"] {
            let session = booted(line);
            let notice = session.notice().unwrap_or_else(|| panic!("{line}"));
            assert!(!notice.tail.is_empty(), "{line}");
            assert_eq!(session.timeline().config(), &session.story().scenario.kernel, "{line}");
        }
    }
}
