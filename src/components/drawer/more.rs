//! More: the era, every switch of the kernel, each with the version that brought it, the boot line; CPUs, luck and the
//! size in hand.

use crate::browser::text_of;
use crate::components::bar::{reason_of, switch_state};
use crate::components::kept::Piece;
use crate::components::switch::{State, kernel_switch};
use crate::session::{Action, Toggle, boot_line};
use crate::text::{era_of, eras};
use slabscope_core::kernel::{KernelConfig, Switch as KernelSwitch, Version};
use slabscope_core::luck::Seed;
use yew::{AttrValue, Callback, Event, Html, html};

/// What "More" shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The kernel.
    pub config: KernelConfig,
    /// Its luck.
    pub luck: Seed,
    /// The size in hand.
    pub size: u64,
    /// Objects in a slab of the cache in hand.
    pub objects: AttrValue,
}

const CPUS: [u32; 6] = [1, 2, 4, 8, 16, 64];
const SIZES: [u64; 13] = [8, 16, 32, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096, 8192];

/// "More": kept, so that what is typed stays while other things are drawn.
impl Piece for Chosen {
    fn draw(&self, act: &Callback<Action>) -> Html {
        let kernel = |boot: bool| {
            KernelSwitch::ALL.into_iter().filter(move |switch| switch.is_boot_parameter() == boot).map(Toggle::Kernel)
        };
        html! {
            <div class="more kernel-more">
                <section><h2>{ "Era" }{ checked(self.config.version) }</h2>{ era(self, act) }{ boot(self, act) }</section>
                <section>
                    <h2>{ "Build" }</h2>
                    <ul>{ for kernel(false).chain([Toggle::MiddlePointer]).map(|toggle| switch(self, toggle, act)) }</ul>
                </section>
                <section>
                    <h2>{ "Boot" }</h2>
                    <ul>{ for kernel(true).chain([Toggle::Debug]).map(|toggle| switch(self, toggle, act)) }</ul>
                </section>
                <section>
                    <h2>{ "Machine" }</h2>
                    { chooser("CPUs", &CPUS.map(u64::from), u64::from(self.config.cpus), &self.objects, act, |number| {
                        u32::try_from(number).ok().map(Action::ChooseCpus)
                    }) }
                    { chooser("Allocate", &SIZES, self.size, "bytes, by kmalloc", act, |size| Some(Action::ChooseSize(size))) }
                    { luck(self, act) }
                    <p>{ "Luck fixes every draw. A flip runs the same commands again and stays at this step. ?: a version that is not verified." }</p>
                </section>
            </div>
        }
    }
}

/// A switch, and the version that brought it.
fn switch(chosen: &Chosen, toggle: Toggle, act: &Callback<Action>) -> Html {
    let (on, words) = switch_state(&chosen.config, toggle);
    let reason = reason_of(&chosen.config, toggle);
    let since = match toggle {
        Toggle::Kernel(switch) if switch.is_version_verified() => switch.since().to_string(),
        Toggle::Kernel(switch) => format!("{}?", switch.since()),
        Toggle::MiddlePointer => "5.7".to_owned(),
        Toggle::Debug => String::new(),
    };
    html! {
        <li key={words}>
            { kernel_switch(State { toggle, words, on, invited: false, reason }, act) }
            <small>{ since }</small>
        </li>
    }
}

/// How what is shown of a version was checked.
fn checked(version: Version) -> Html {
    html! { <small>{ format!(" {}", version.checked()) }</small> }
}

/// The era, and what the version of it brought.
fn era(chosen: &Chosen, act: &Callback<Action>) -> Html {
    let act = act.clone();
    let choose = move |event: Event| {
        if let Ok(version) = text_of(&event).parse() {
            act.emit(Action::ChooseVersion(version));
        }
    };
    let now = era_of(chosen.config.version);
    let release = chosen.config.version.released();
    html! {
        <>
            <select aria-label="Era" onchange={choose}>
                { for eras().into_iter().rev().map(|era| html! {
                    <option value={era.shown.to_string()} selected={now == Some(era)}>
                        { format!("{}: {}", era.from, era.words) }
                    </option>
                }) }
            </select>
            { for release.map(|release| html! {
                <p>
                    <b>{ release.version.to_string() }</b>{ format!(", {}", release.date) }<br />{ release.brought }
                </p>
            }) }
        </>
    }
}

/// The boot line, typed or pasted.
fn boot(chosen: &Chosen, act: &Callback<Action>) -> Html {
    let act = act.clone();
    let choose = move |event: Event| act.emit(Action::BootLine(text_of(&event)));
    html! {
        <label class="boot-line">
            <span>{ "Boot line" }</span>
            <input
                type="text"
                spellcheck="false"
                autocapitalize="off"
                autocomplete="off"
                placeholder="init_on_free=1"
                value={boot_line(&chosen.config)}
                onchange={choose}
            />
        </label>
    }
}

fn chooser(
    name: &'static str,
    choices: &[u64],
    now: u64,
    note: &str,
    act: &Callback<Action>,
    action: fn(u64) -> Option<Action>,
) -> Html {
    let act = act.clone();
    let choose = move |event: Event| {
        if let Some(action) = text_of(&event).parse().ok().and_then(action) {
            act.emit(action);
        }
    };
    let mut choices = choices.to_vec();
    if let Err(place) = choices.binary_search(&now) {
        choices.insert(place, now);
    }
    html! {
        <label class="pick">
            <span>{ name }</span>
            <select onchange={choose}>
                { for choices.iter().map(|choice| html! {
                    <option value={choice.to_string()} selected={*choice == now}>{ choice }</option>
                }) }
            </select>
            <small>{ note.to_owned() }</small>
        </label>
    }
}

/// The luck: shown, and settable as a number.
fn luck(chosen: &Chosen, act: &Callback<Action>) -> Html {
    let act = act.clone();
    let choose = move |event: Event| act.emit(Action::ChooseLuckText(text_of(&event)));
    html! {
        <label class="pick">
            <span>{ "Luck" }</span>
            <input type="text" spellcheck="false" value={chosen.luck.to_string()} onchange={choose} />
        </label>
    }
}
