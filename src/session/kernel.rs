//! The kernel's switches: what the reader wants on, and what the chosen version can have.

use super::action::{Effect, Toggle};
use super::{Notice, Session};
use crate::text::as_sentence;
use slabscope_core::kernel::{ConfigError, KernelConfig, PointerPlace, SlubDebug, Switch, Version};
use slabscope_core::luck::Seed;
use slabscope_core::script::parse_number;

/// What the reader has each switch at. A version that lacks one that is on has it off; a newer one has it on again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wanted([bool; Switch::ALL.len()]);

impl Wanted {
    pub(super) fn of(config: &KernelConfig) -> Self {
        Self(Switch::ALL.map(|switch| config.is_on(switch)))
    }

    fn turn(&mut self, switch: Switch, on: bool) {
        let at = Switch::ALL.into_iter().position(|other| other == switch);
        self.0[at.expect("one of all switches")] = on;
    }

    /// `config` with what is wanted and can be had; of two that exclude each other, the first.
    fn applied_to(self, mut config: KernelConfig) -> KernelConfig {
        Switch::ALL.into_iter().for_each(|switch| config.turn(switch, false));
        for (switch, wanted) in Switch::ALL.into_iter().zip(self.0) {
            config.turn(switch, wanted && (switch.by_default() || config.lacks(switch).is_none()));
        }
        config
    }
}

/// Whether a kernel keeps its free pointers in the middle of objects.
#[must_use]
pub fn is_middle(config: &KernelConfig) -> bool {
    config.pointer_place.map_or_else(|| own_place_is_middle(config.version), |place| place != PointerPlace::Start)
}

/// Whether a version does so of itself.
#[must_use]
pub fn own_place_is_middle(version: Version) -> bool {
    version >= Version::candidate(5, 7, 1)
}

/// The kernel's name in the bar: `Linux 5.6`, or `5.6 + middle pointer` where no such kernel was released.
#[must_use]
pub fn kernel_name(config: &KernelConfig) -> String {
    match (is_middle(config), own_place_is_middle(config.version)) {
        (true, false) => format!("{} + middle pointer", config.version),
        (false, true) => format!("{} + pointer at start", config.version),
        (true, true) | (false, false) => format!("Linux {}", config.version),
    }
}

/// The same kernel with its free pointers moved; the version's own place needs no override.
fn with_middle(config: KernelConfig, middle: bool) -> KernelConfig {
    let pointer_place = match (middle, own_place_is_middle(config.version)) {
        (true, true) | (false, false) => None,
        (true, false) => Some(PointerPlace::MiddleUp { red_zone_counted: false }),
        (false, true) => Some(PointerPlace::Start),
    };
    KernelConfig { pointer_place, ..config }
}

impl Session {
    /// Whether a switch is on.
    #[must_use]
    pub fn is_on(&self, toggle: Toggle) -> bool {
        let config = self.timeline.config();
        match toggle {
            Toggle::Kernel(switch) => config.is_on(switch) && config.lacks(switch).is_none(),
            Toggle::Debug => config.slub_debug.as_ref().is_some_and(SlubDebug::turns_on),
            Toggle::MiddlePointer => is_middle(config),
        }
    }

    pub(super) fn flip(&mut self, toggle: Toggle) -> Vec<Effect> {
        let before = self.wanted;
        match self.turned(toggle) {
            Ok((config, wanted)) => {
                self.wanted = wanted;
                self.rerun(config, self.timeline.luck(), before)
            }
            Err(error) => self.refuse_kernel(error),
        }
    }

    /// The kernel with a switch turned, and what is wanted then.
    pub(super) fn turned(&self, toggle: Toggle) -> Result<(KernelConfig, Wanted), ConfigError> {
        let config = self.timeline.config().clone();
        let mut wanted = self.wanted;
        let on = !self.is_on(toggle);
        let config = match toggle {
            Toggle::Kernel(switch) => {
                if let Some(error) = config.lacks(switch) {
                    return Err(error);
                }
                wanted.turn(switch, on);
                wanted.applied_to(config)
            }
            Toggle::Debug => KernelConfig { slub_debug: on.then(|| SlubDebug::parse("FZPU")), ..config },
            Toggle::MiddlePointer => with_middle(config, on),
        };
        Ok((config, wanted))
    }

    pub(super) fn choose_version(&mut self, version: Version) -> Vec<Effect> {
        let config = self.timeline.config().clone();
        // The place of the pointer is the version's own again: a reader who picks 5.7 wants to see 5.7.
        let config = self.wanted.applied_to(KernelConfig { version, pointer_place: None, ..config });
        self.rerun(config, self.timeline.luck(), self.wanted)
    }

    pub(super) fn choose_cpus(&mut self, cpus: u32) -> Vec<Effect> {
        let config = KernelConfig { cpus, ..self.timeline.config().clone() };
        self.rerun(config, self.timeline.luck(), self.wanted)
    }

    pub(super) fn choose_luck(&mut self, luck: Seed) -> Vec<Effect> {
        self.rerun(self.timeline.config().clone(), luck, self.wanted)
    }

    pub(super) fn choose_luck_text(&mut self, text: &str) -> Vec<Effect> {
        let typed = text.trim();
        match parse_number(typed) {
            Some(number) => self.choose_luck(Seed(number)),
            None => {
                self.notice = Some(Notice {
                    head: format!("“{typed}” is no luck."),
                    tail: "Luck is a number of up to 64 bits, as 7 or 0xfeed.".to_owned(),
                });
                Vec::new()
            }
        }
    }

    /// The same commands on another kernel, at the same step. An aim stays where it was.
    pub(super) fn rerun(&mut self, config: KernelConfig, luck: Seed, wanted_before: Wanted) -> Vec<Effect> {
        let in_hand = self.name_in_hand();
        match self.timeline.rerun(config, luck) {
            Ok(timeline) => {
                let mut past = self.past();
                past.wanted = wanted_before;
                self.remember(past);
                self.timeline = timeline;
                self.look_again();
                if let Some(name) = in_hand {
                    self.select_named(&name);
                }
                vec![Effect::Keep]
            }
            Err(error) => {
                self.wanted = wanted_before;
                self.refuse_kernel(error)
            }
        }
    }

    fn refuse_kernel(&mut self, error: ConfigError) -> Vec<Effect> {
        let tail = match error {
            ConfigError::TooOld { switch, .. } => format!("Choose Linux {} or newer, then turn it on.", switch.since()),
            ConfigError::DebugNotBuilt => "Turn the other off first.".to_owned(),
            ConfigError::DebugBlocks { .. } | ConfigError::DebugName { .. } => {
                "Change the boot option: the kernel stays as it was.".to_owned()
            }
            ConfigError::Gone { switch, .. } => {
                format!("Choose a version before {}.", switch.gone().expect("it went"))
            }
            ConfigError::Excludes { other, .. } => format!("Turn {} off first.", other.kernel_name()),
            ConfigError::Cpus { .. } => "The kernel stays as it was.".to_owned(),
        };
        self.notice = Some(Notice { head: as_sentence(&error.to_string()), tail });
        Vec::new()
    }
}
