//! More: every switch of the kernel, each with the version that brought it; CPUs, luck and the size in hand.

use crate::browser::text_of;
use crate::components::bar::{reason_of, switch_state};
use crate::components::switch::Switch;
use crate::session::{Action, Toggle};
use slabscope_core::kernel::{KernelConfig, Switch as KernelSwitch};
use slabscope_core::luck::Seed;
use yew::{AttrValue, Callback, Event, Html, Properties, component, html};

/// What "More" needs.
#[derive(Properties, PartialEq)]
pub(super) struct MoreProps {
    /// The kernel.
    pub config: KernelConfig,
    /// Its luck.
    pub luck: Seed,
    /// The size in hand.
    pub size: u64,
    /// Objects in a slab of the cache in hand.
    pub objects: AttrValue,
    /// Whom it tells.
    pub act: Callback<Action>,
}

const BUILD: [(Toggle, &str, &str); 5] = [
    (Toggle::Kernel(KernelSwitch::FreelistRandom), "Random list", "4.8"),
    (Toggle::Kernel(KernelSwitch::FreelistHardened), "Hidden pointer", "4.14"),
    (Toggle::MiddlePointer, "Middle pointer", "5.7; else model only"),
    (Toggle::Kernel(KernelSwitch::CpuPartial), "CPU partial lists", "3.2 to 6.19"),
    (Toggle::Kernel(KernelSwitch::Memcg), "memcg", "5.14: accounted objects apart"),
];
const BOOT: [(Toggle, &str, &str); 3] = [
    (Toggle::Kernel(KernelSwitch::InitOnAlloc), "init_on_alloc", "5.3: comes out zeroed"),
    (Toggle::Kernel(KernelSwitch::InitOnFree), "init_on_free", "5.3: zeroed when freed"),
    (Toggle::Kernel(KernelSwitch::PageShuffle), "page_alloc.shuffle", "5.2: large blocks in drawn order"),
];
const CPUS: [u32; 6] = [1, 2, 4, 8, 16, 64];
const SIZES: [u64; 13] = [8, 16, 32, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096, 8192];

/// "More".
#[component]
pub(super) fn More(props: &MoreProps) -> Html {
    let act = &props.act;
    let switches = |list: &'static [(Toggle, &'static str, &'static str)]| {
        list.iter().map(move |(toggle, words, note)| {
            let (on, _) = switch_state(&props.config, *toggle);
            let reason = reason_of(&props.config, *toggle);
            html! {
                <li key={*words}>
                    <Switch toggle={*toggle} words={*words} {on} {reason} {act} />
                    <small>{ *note }</small>
                </li>
            }
        })
    };
    html! {
        <div class="more">
            <section><h2>{ "Build" }</h2><ul>{ for switches(&BUILD) }</ul></section>
            <section><h2>{ "Boot" }</h2><ul>{ for switches(&BOOT) }</ul></section>
            <section>
                <h2>{ "Machine" }</h2>
                { chooser("CPUs", &CPUS.map(u64::from), u64::from(props.config.cpus), &props.objects, act, |number| {
                    u32::try_from(number).ok().map(Action::ChooseCpus)
                }) }
                { chooser("Allocate", &SIZES, props.size, "bytes, by kmalloc", act, |size| Some(Action::ChooseSize(size))) }
                { luck(props) }
                <p>{ "A flip runs the same commands again and stays at this step." }</p>
            </section>
        </div>
    }
}

fn chooser(
    name: &'static str,
    choices: &[u64],
    now: u64,
    note: &str,
    act: &Callback<Action>,
    action: impl Fn(u64) -> Option<Action> + 'static,
) -> Html {
    let act = act.clone();
    let choose = move |event: Event| {
        if let Some(action) = text_of(&event).parse().ok().and_then(&action) {
            act.emit(action);
        }
    };
    let mut choices = choices.to_vec();
    if !choices.contains(&now) {
        choices.push(now);
        choices.sort_unstable();
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
fn luck(props: &MoreProps) -> Html {
    let act = props.act.clone();
    let choose = move |event: Event| act.emit(Action::ChooseLuckText(text_of(&event)));
    html! {
        <label class="pick">
            <span>{ "Luck" }</span>
            <input type="text" spellcheck="false" value={props.luck.to_string()} onchange={choose} />
            <small>{ "fixes every draw" }</small>
        </label>
    }
}
