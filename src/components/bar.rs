//! The bar: which lesson, which kernel, its three switches, and the rest behind "More" and "⋯".

use super::kept::{Piece, kept};
use super::menu::{Entry, Menu};
use super::send::send;
use super::switch::{State, kernel_switch};
use crate::lessons::LessonId;
use crate::session::{Action, Drawer, Look, Subject, Theme, Toggle, is_middle, kernel_name, own_place_is_middle};
use slabscope_core::kernel::{ConfigError, KernelConfig, RELEASES, SlubDebug, Switch as KernelSwitch};
use yew::{AttrValue, Callback, Html, classes, html};

/// The bar.
#[derive(PartialEq)]
pub struct Bar {
    /// What is on the bench.
    pub subject: Subject,
    /// Its title.
    pub title: AttrValue,
    /// The kernel.
    pub config: KernelConfig,
    /// The switch that is the next thing to do.
    pub invited: Option<Toggle>,
    /// How the page stands.
    pub look: Look,
    /// Whether there is an act to take back, and one to do again.
    pub history: (bool, bool),
    /// Whether the screen is narrow.
    pub narrow: bool,
}

/// The bar, as it stands.
pub fn bar(bar: Bar, act: &Callback<Action>) -> Html {
    kept("bar", bar, act)
}

impl Piece for Bar {
    fn draw(&self, act: &Callback<Action>) -> Html {
        let open = self.look.drawer == Some(Drawer::More);
        html! {
            <header class="bar">
                if !self.narrow {
                    <span class="brand">{ "Slabscope" }</span>
                }
                <Menu label="Lesson" words={subject_words(self.subject)} class="lesson" entries={lessons(self)} {act} />
                <span class="spring"></span>
                <Menu label="Kernel" words={kernel_name(&self.config)} class="kernel" marks_current=true entries={versions(&self.config)} {act} />
                if !self.narrow {
                    { for BAR_SWITCHES.iter().map(|toggle| bar_switch(self, *toggle, act)) }
                    <button
                        type="button"
                        class={classes!("plain", "caret", open.then_some("open"))}
                        aria-expanded={open.to_string()}
                        data-words="More"
                        onclick={send(act, Action::Drawer(Some(Drawer::More)))}
                    >
                        { "More" }
                    </button>
                    <button type="button" class="plain" onclick={send(act, Action::Present)}>{ "Present" }</button>
                }
                <Menu label="Page" words="theme, undo, export, keys" class="page" dots=true entries={page(self)} {act} />
            </header>
        }
    }
}

/// The switches that stand in the bar itself.
pub const BAR_SWITCHES: [Toggle; 3] = [
    Toggle::Kernel(KernelSwitch::FreelistRandom),
    Toggle::Kernel(KernelSwitch::FreelistHardened),
    Toggle::MiddlePointer,
];

fn bar_switch(bar: &Bar, toggle: Toggle, act: &Callback<Action>) -> Html {
    let (on, words) = switch_state(&bar.config, toggle);
    let reason = reason_of(&bar.config, toggle);
    let invited = bar.invited == Some(toggle);
    kernel_switch(State { toggle, words, on, invited, reason }, act)
}

/// Whether a switch is on, and its name in the bar.
#[must_use]
pub fn switch_state(config: &KernelConfig, toggle: Toggle) -> (bool, &'static str) {
    match toggle {
        Toggle::Kernel(switch) => (config.is_on(switch) && config.lacks(switch).is_none(), switch_name(switch)),
        Toggle::Debug => (config.slub_debug.as_ref().is_some_and(SlubDebug::turns_on), "slub_debug"),
        Toggle::MiddlePointer => {
            let is_model_only = is_middle(config) && !own_place_is_middle(config.version);
            (is_middle(config), if is_model_only { "Middle ptr, as 5.7" } else { "Middle ptr" })
        }
    }
}

/// A kernel switch's short name.
#[must_use]
pub const fn switch_name(switch: KernelSwitch) -> &'static str {
    match switch {
        KernelSwitch::FreelistRandom => "Random list",
        KernelSwitch::FreelistHardened => "Hidden ptr",
        KernelSwitch::CpuPartial => "CPU partial lists",
        KernelSwitch::Memcg => "memcg",
        KernelSwitch::PageShuffle => "Shuffled pages",
        KernelSwitch::Usercopy => "Usercopy check",
        KernelSwitch::NoMerge => "No merging",
        KernelSwitch::RandomCopies => "Random copies",
        KernelSwitch::TypedCopies => "Typed copies",
        KernelSwitch::Buckets => "Buckets",
        KernelSwitch::Tiny => "SLUB_TINY",
        KernelSwitch::Stats => "SLUB_STATS",
        KernelSwitch::InitOnAlloc | KernelSwitch::InitOnFree => switch.kernel_name(),
    }
}

/// Why a switch cannot be turned on here; empty where it can.
#[must_use]
pub fn reason_of(config: &KernelConfig, toggle: Toggle) -> String {
    match toggle {
        Toggle::Kernel(switch) => config.lacks(switch).map(|error| error.to_string()).unwrap_or_default(),
        Toggle::Debug if config.tiny => ConfigError::DebugNotBuilt.to_string(),
        Toggle::MiddlePointer | Toggle::Debug => String::new(),
    }
}

fn subject_words(subject: Subject) -> String {
    match subject {
        Subject::Lesson(lesson) => format!("Lesson {lesson}"),
        Subject::Bench => "Your bench".to_owned(),
    }
}

fn lessons(bar: &Bar) -> Vec<Entry> {
    let lessons = LessonId::ALL.into_iter().map(|lesson| Entry {
        words: format!("Lesson {lesson}").into(),
        note: lesson.title().into(),
        current: bar.subject == Subject::Lesson(lesson),
        action: Action::OpenLesson(lesson),
    });
    let bench = Entry {
        words: "Your bench".into(),
        note: "empty, with luck of its own".into(),
        current: bar.subject == Subject::Bench,
        action: Action::NewBench,
    };
    lessons.chain([bench]).collect()
}

/// The line of versions; those that brought something with their day and what that is.
fn versions(config: &KernelConfig) -> Vec<Entry> {
    let entry = |release: &slabscope_core::kernel::Release| Entry {
        words: release.version.to_string().into(),
        note: if release.brought.is_empty() {
            AttrValue::default()
        } else {
            format!("{}  {}", release.date, release.brought).into()
        },
        current: release.version == config.version,
        action: Action::ChooseVersion(release.version),
    };
    RELEASES.iter().rev().map(entry).collect()
}

fn page(bar: &Bar) -> Vec<Entry> {
    let entry = |words: &'static str, note: &'static str, current: bool, action: Action| Entry {
        words: words.into(),
        note: note.into(),
        current,
        action,
    };
    let look = bar.look;
    let mut entries = Vec::new();
    if bar.narrow {
        entries.push(entry(
            "Switches",
            "random list, hidden and middle pointer",
            false,
            Action::Drawer(Some(Drawer::More)),
        ));
        entries.push(entry("Present", "P", false, Action::Present));
    }
    if bar.history.0 {
        entries.push(entry("Undo", "Z", false, Action::Undo));
    }
    if bar.history.1 {
        entries.push(entry("Redo", "Shift Z", false, Action::Redo));
    }
    entries.extend([
        entry("Light", "T", look.theme == Theme::Light, Action::Theme(Theme::Light)),
        entry("Dark", "T", look.theme == Theme::Dark, Action::Theme(Theme::Dark)),
        entry("As the system", "", look.theme == Theme::System, Action::Theme(Theme::System)),
        entry("Whole chain", "W", look.whole_chain, Action::WholeChain),
        entry("Letter keys", "A F O W Z T P E ?", look.letter_keys, Action::LetterKeys(!look.letter_keys)),
        entry("Export", "E", false, Action::Drawer(Some(Drawer::Export))),
        entry("Keys", "?", false, Action::Drawer(Some(Drawer::Keys))),
    ]);
    entries
}
