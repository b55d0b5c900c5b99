//! The time row: steps as words up to 12, as one bar beyond; futures that were left; the drawer's parts.

use super::drawing::Drawing;
use super::send::send;
use crate::browser::{focus, has_focus_within, text_of};
use crate::session::{Action, Drawer, Way};
use crate::text::filled;
use slabscope_core::units::Step;
use std::ops::Range;
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, InputEvent, Properties, classes, component, html, use_effect_with};

/// A future that was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OldFuture {
    /// The last step that it shares with this line.
    pub parts_at: u32,
    /// How long it is after that.
    pub len: u32,
}

/// What the time row needs.
#[derive(Properties, PartialEq)]
pub struct TimeProps {
    /// How many commands there are.
    pub total: usize,
    /// Captions of those that can be shown (see [`shown_captions`]).
    pub captions: Rc<[AttrValue]>,
    /// Which command the first of them is of.
    pub first: usize,
    /// How many of them are done.
    pub cursor: u32,
    /// Futures that were left.
    pub futures: Rc<[OldFuture]>,
    /// Digits typed so far for a jump.
    pub digits: AttrValue,
    /// The open part of the drawer.
    pub drawer: Option<Drawer>,
    /// Whether time plays.
    pub playing: bool,
    /// Whether one step on is the next thing to do.
    pub invited: bool,
    /// Whether the screen is narrow.
    pub narrow: bool,
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// The id of what shows the command that was carried out last: the focus follows it.
const NOW: &str = "tick-now";

/// The time row.
#[component]
pub fn Time(props: &TimeProps) -> Html {
    let long = is_long(props);
    use_effect_with(props.cursor, |_| {
        if has_focus_within(".ticks") {
            focus(NOW);
        }
    });
    html! {
        <footer class={classes!("time", long.then_some("long"))} data-keys="timeline">
            { arrow(props, Way::Back, "One step back", "M15 0L0 8.25L15 16.5z") }
            { arrow(props, Way::Forward, "One step on", "M0 0L15 8.25L0 16.5z") }
            if props.narrow {
                <strong class="count">{ count(props) }</strong>
            } else if props.total == 0 {
                <span class="none">{ "no command yet" }</span>
            } else if long {
                { bar(props) }
            } else {
                { ticks(props) }
            }
            if !props.narrow {
                { for props.futures.first().map(|future| old_future(props, *future, long)) }
                if props.total > 0 {
                    <strong class="count">{ count(props) }</strong>
                }
            }
            <nav class="parts" aria-label="Drawer">
                { for PARTS.iter().map(|(part, words)| {
                    let open = props.drawer == Some(*part);
                    html! {
                        <button
                            type="button"
                            key={*words}
                            class={open.then_some("open")}
                            aria-expanded={open.to_string()}
                            onclick={send(&props.act, Action::Drawer(Some(*part)))}
                        >
                            { *words }
                        </button>
                    }
                }) }
            </nav>
        </footer>
    }
}

/// The drawer's parts, as they are called.
pub const PARTS: [(Drawer, &str); 4] =
    [(Drawer::Script, "Script"), (Drawer::Log, "Log"), (Drawer::Numbers, "Numbers"), (Drawer::Table, "Table")];

/// Most commands that are shown as words.
const MOST_WORDS: usize = 12;
/// Px that those words may take.
const ROOM: u32 = 700;

/// Px that an old future takes of them.
const OLD_FUTURE: u32 = 150;

/// The commands whose captions can be shown: all of a few, of many the one before the cursor's, that one and the next.
#[must_use]
pub fn shown_captions(cursor: usize, total: usize) -> Range<usize> {
    if total <= MOST_WORDS { 0..total } else { cursor.saturating_sub(2)..total.min(cursor + 1) }
}

/// Whether the commands are too many or too wide for words. A letter of the captions' font is 8.43 px wide.
fn is_long(props: &TimeProps) -> bool {
    let width = |caption: &AttrValue| {
        let letters = u32::try_from(caption.chars().count()).unwrap_or(ROOM);
        (letters.min(ROOM) * 843 / 100 + 24).max(56) + 10
    };
    let room = if props.futures.is_empty() { ROOM } else { ROOM - OLD_FUTURE };
    props.total > MOST_WORDS || props.captions.iter().map(width).sum::<u32>() > room
}

/// How a step stands to the cursor: the class of whatever shows it.
pub fn state_of(step: u32, cursor: u32) -> &'static str {
    match step.cmp(&cursor) {
        core::cmp::Ordering::Less => "done",
        core::cmp::Ordering::Equal => "now",
        core::cmp::Ordering::Greater => "to-come",
    }
}

fn count(props: &TimeProps) -> String {
    if props.digits.is_empty() {
        format!("{} / {}", props.cursor, props.total)
    } else {
        format!("{}… G", props.digits)
    }
}

fn arrow(props: &TimeProps, way: Way, label: &'static str, path: &'static str) -> Html {
    let invited = props.invited && way == Way::Forward;
    html! {
        <button
            type="button"
            class={classes!("arrow", invited.then_some("filled"))}
            aria-label={label}
            onclick={send(&props.act, Action::Step(way))}
        >
            <svg width="15" height="17" aria-hidden="true"><path d={path} /></svg>
        </button>
    }
}

/// Commands as words: one stop for the Tab key, arrows move on.
fn ticks(props: &TimeProps) -> Html {
    let now = props.cursor.saturating_sub(1);
    let tick = |(index, caption): (u32, &AttrValue)| {
        let step = index + 1;
        html! {
            <button
                type="button"
                key={step}
                id={(step == props.cursor).then_some(NOW)}
                class={state_of(step, props.cursor)}
                tabindex={if index == now { "0" } else { "-1" }}
                aria-current={(step == props.cursor).then_some("step")}
                aria-label={format!("Step {step}: {caption}")}
                onclick={send(&props.act, Action::Seek(Step::from_raw(step)))}
            >
                { caption.clone() }
            </button>
        }
    };
    html! {
        <div class="ticks" role="toolbar" aria-label="Steps">{ for (0..).zip(props.captions.iter()).map(tick) }</div>
    }
}

/// Commands as one bar, with words for the step before, this one and the next.
fn bar(props: &TimeProps) -> Html {
    let total = u32::try_from(props.total).unwrap_or(u32::MAX);
    let word = |step: Option<u32>| {
        let index = step.and_then(|step| usize::try_from(step.checked_sub(1)?).ok()?.checked_sub(props.first));
        index.and_then(|index| props.captions.get(index)).cloned().unwrap_or_default()
    };
    let act = props.act.clone();
    let on_input = move |event: InputEvent| {
        if let Ok(step) = text_of(&event).parse() {
            act.emit(Action::Seek(Step::from_raw(step)));
        }
    };
    // The slider carries how far it is; its words are swapped as one.
    let share = 100.0 * f64::from(props.cursor) / f64::from(total.max(1));
    html! {
        <div class="line">
            <input
                id={NOW}
                type="range"
                min="0"
                max={total.to_string()}
                step="1"
                value={props.cursor.to_string()}
                style={filled("--done:#%", &[share])}
                aria-label="Step"
                aria-valuetext={format!("{}, {} of {total}", word(Some(props.cursor)), props.cursor)}
                oninput={on_input}
            />
            { captions(share, [props.cursor.checked_sub(1), Some(props.cursor), Some(props.cursor + 1)].map(word)) }
        </div>
    }
}

/// The step before, this one and the next, over the slider.
fn captions(share: f64, [before, now, next]: [AttrValue; 3]) -> Html {
    Drawing::of(|html| {
        html.numbers("<p style=\"left:#%\" aria-hidden=\"true\"><span>", &[share]);
        html.text(&before);
        html.push("</span><b>");
        html.text(&now);
        html.push("</b><span>");
        html.text(&next);
        html.push("</span></p>");
    })
}

fn old_future(props: &TimeProps, future: OldFuture, long: bool) -> Html {
    let steps = if future.len == 1 { "step" } else { "steps" };
    html! {
        <button
            type="button"
            class={classes!("old-future", long.then_some("long"))}
            aria-label={format!("Go over to the old future: {} {steps}, parting after step {}", future.len, future.parts_at)}
            onclick={send(&props.act, Action::SwitchBranch(0))}
        >
            <svg width="60" height="14" aria-hidden="true">
                <path d="M1 0v4q0 4 4 4h52" />
                <circle cx="20" cy="8" r="3" /><circle cx="38" cy="8" r="3" /><circle cx="56" cy="8" r="3" />
            </svg>
            <span>{ format!("old future, {} {steps}", future.len) }</span>
        </button>
    }
}
