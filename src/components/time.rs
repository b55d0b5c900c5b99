//! The time row: steps as words up to 12, as one bar beyond; futures that were left; the drawer's parts.

use super::drawing::Drawing;
use super::follow::{Follow, Move};
use super::kept::{Piece, kept};
use super::send::send;
use crate::browser::text_of;
use crate::session::{Action, Drawer, Way};
use crate::text::filled;
use slabscope_core::units::Step;
use std::ops::Range;
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, InputEvent, classes, html};

/// A future that was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OldFuture {
    /// The last step that it shares with this line.
    pub parts_at: u32,
    /// How long it is after that.
    pub len: u32,
}

/// The time row.
#[derive(PartialEq)]
pub struct Time {
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
}

/// The time row, as it stands.
pub fn time(row: Time, act: &Callback<Action>) -> Html {
    kept("time", row, act)
}

/// The id of what shows the command that was carried out last: the focus follows it.
const NOW: &str = "tick-now";

impl Piece for Time {
    fn draw(&self, act: &Callback<Action>) -> Html {
        let long = is_long(self);
        html! {
            <footer class={classes!("time", long.then_some("long"))} data-keys="timeline">
                { arrow(self, act, Way::Back, "One step back", "M15 0L0 8.25L15 16.5z") }
                { arrow(self, act, Way::Forward, "One step on", "M0 0L15 8.25L0 16.5z") }
                if self.narrow {
                    <strong class="count">{ count(self) }</strong>
                } else if self.total == 0 {
                    <span class="none">{ "no command yet" }</span>
                } else if long {
                    { bar(self, act) }
                } else {
                    { ticks(self, act) }
                }
                if !self.narrow {
                    { for self.futures.first().map(|future| old_future(*future, long, act)) }
                    if self.total > 0 {
                        <strong class="count">{ count(self) }</strong>
                    }
                }
                <nav class="parts" aria-label="Drawer">
                    { for PARTS.iter().map(|(part, words)| {
                        let open = self.drawer == Some(*part);
                        html! {
                            <button
                                type="button"
                                key={*words}
                                data-words={*words}
                                class={open.then_some("open")}
                                aria-expanded={open.to_string()}
                                onclick={send(act, Action::Drawer(Some(*part)))}
                            >
                                { *words }
                            </button>
                        }
                    }) }
                </nav>
                <Follow when={self.cursor.to_string()} id={NOW} by={Move::FocusWithin(".ticks")} />
            </footer>
        }
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
fn is_long(row: &Time) -> bool {
    let width = |caption: &AttrValue| {
        let letters = u32::try_from(caption.chars().count()).unwrap_or(ROOM);
        (letters.min(ROOM) * 843 / 100 + 24).max(56) + 10
    };
    let room = if row.futures.is_empty() { ROOM } else { ROOM - OLD_FUTURE };
    row.total > MOST_WORDS || row.captions.iter().map(width).sum::<u32>() > room
}

/// How a step stands to the cursor: the class of whatever shows it.
pub fn state_of(step: u32, cursor: u32) -> &'static str {
    match step.cmp(&cursor) {
        core::cmp::Ordering::Less => "done",
        core::cmp::Ordering::Equal => "now",
        core::cmp::Ordering::Greater => "to-come",
    }
}

fn count(row: &Time) -> String {
    if row.digits.is_empty() { format!("{} / {}", row.cursor, row.total) } else { format!("{}… G", row.digits) }
}

fn arrow(row: &Time, act: &Callback<Action>, way: Way, label: &'static str, path: &'static str) -> Html {
    let invited = row.invited && way == Way::Forward;
    html! {
        <button
            type="button"
            class={classes!("arrow", invited.then_some("filled"))}
            aria-label={label}
            onclick={send(act, Action::Step(way))}
        >
            <svg width="15" height="17" aria-hidden="true"><path d={path} /></svg>
        </button>
    }
}

/// Commands as words: one stop for the Tab key, arrows move on.
fn ticks(row: &Time, act: &Callback<Action>) -> Html {
    let now = row.cursor.saturating_sub(1);
    let tick = |(index, caption): (u32, &AttrValue)| {
        let step = index + 1;
        html! {
            <button
                type="button"
                key={step}
                id={(step == row.cursor).then_some(NOW)}
                class={state_of(step, row.cursor)}
                tabindex={if index == now { "0" } else { "-1" }}
                aria-current={(step == row.cursor).then_some("step")}
                aria-label={format!("Step {step}: {caption}")}
                onclick={send(act, Action::Seek(Step::from_raw(step)))}
            >
                { caption.clone() }
            </button>
        }
    };
    html! {
        <div class="ticks" role="toolbar" aria-label="Steps">{ for (0..).zip(row.captions.iter()).map(tick) }</div>
    }
}

/// Commands as one bar, with words for the step before, this one and the next.
fn bar(row: &Time, act: &Callback<Action>) -> Html {
    let total = u32::try_from(row.total).unwrap_or(u32::MAX);
    let word = |step: Option<u32>| {
        let index = step.and_then(|step| usize::try_from(step.checked_sub(1)?).ok()?.checked_sub(row.first));
        index.and_then(|index| row.captions.get(index)).cloned().unwrap_or_default()
    };
    let act = act.clone();
    let on_input = move |event: InputEvent| {
        if let Ok(step) = text_of(&event).parse() {
            act.emit(Action::Seek(Step::from_raw(step)));
        }
    };
    // The slider carries how far it is; its words are swapped as one.
    let share = 100.0 * f64::from(row.cursor) / f64::from(total.max(1));
    html! {
        <div class="line">
            <input
                id={NOW}
                type="range"
                min="0"
                max={total.to_string()}
                step="1"
                value={row.cursor.to_string()}
                style={filled("--done:#%", &[share])}
                aria-label="Step"
                aria-valuetext={format!("{}, {} of {total}", word(Some(row.cursor)), row.cursor)}
                oninput={on_input}
            />
            { captions(share, [row.cursor.checked_sub(1), Some(row.cursor), Some(row.cursor + 1)].map(word)) }
        </div>
    }
}

/// The step before, this one and the next, over the slider.
fn captions(share: f64, [before, now, next]: [AttrValue; 3]) -> Html {
    Drawing::of(|html| {
        html.numbers("<p style=\"--before:#fr;--after:#fr\" aria-hidden=\"true\"><span>", &[share, 100.0 - share]);
        html.text(&before);
        html.push("</span><b>");
        html.text(&now);
        html.push("</b><span>");
        html.text(&next);
        html.push("</span></p>");
    })
}

fn old_future(future: OldFuture, long: bool, act: &Callback<Action>) -> Html {
    let steps = if future.len == 1 { "step" } else { "steps" };
    html! {
        <button
            type="button"
            class={classes!("old-future", long.then_some("long"))}
            aria-label={format!("Go over to the old future: {} {steps}, parting after step {}", future.len, future.parts_at)}
            onclick={send(act, Action::SwitchBranch(0))}
        >
            <svg width="60" height="14" aria-hidden="true">
                <path d="M1 0v4q0 4 4 4h52" />
                <circle cx="20" cy="8" r="3" /><circle cx="38" cy="8" r="3" /><circle cx="56" cy="8" r="3" />
            </svg>
            <span>{ format!("old future, {} {steps}", future.len) }</span>
        </button>
    }
}
