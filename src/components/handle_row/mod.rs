//! The row under the lens: the handle's grip, what would be written, and what can be done with the object in hand.

mod value;

use super::bar::BAR_SWITCHES;
use super::button::{Fill, button};
use super::kept::kept;
use crate::scene::{Frame, Handle};
use crate::session::{Action, Aim, Invite, Toggle};
use crate::text::{counted, filled};
use slabscope_core::command::{Name, Value};
use slabscope_core::kernel::Switch;
use value::ValueChooser;
use yew::{AttrValue, Callback, Html, classes, html};

/// What the row shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<'a> {
    /// The kind of screen.
    pub frame: Frame,
    /// The object in hand, where it can be overflowed.
    pub name: Option<Name>,
    /// The handle, where the lens has one.
    pub handle: Option<&'a Handle>,
    /// The aim.
    pub aim: Option<Aim>,
    /// The length that Overflow arms.
    pub usual_length: u64,
    /// What would be written.
    pub value: Value,
    /// Objects whose addresses are offered.
    pub names: Vec<Name>,
    /// The next thing to do.
    pub invite: Invite,
    /// The call of an empty bench's first allocation: `kmalloc(64)`.
    pub call: AttrValue,
    /// Words in the row: where a free object stands, which switch to flip, how the kernel died.
    pub words: Option<AttrValue>,
    /// A second line under them.
    pub more_words: Option<AttrValue>,
}

/// The row.
pub fn handle_row(row: &Row, act: &Callback<Action>) -> Html {
    html! {
            <div class={classes!("handle-row", stands_over_the_value(row.handle).then_some("far"))}>
                if let Some(words) = &row.words {
                    <p class={classes!("words", (row.invite == Invite::StepBack).then_some("oops"))}>
                        <span>{ words.clone() }</span>
                        if let Some(more) = &row.more_words {
                            <small>{ more.clone() }</small>
                        }
                    </p>
                }
                if row.handle.is_some() && !matches!(row.frame, Frame::Presenter) {
                    { kept("value", ValueChooser { value: row.value.clone(), names: row.names.clone() }, act) }
                }
                <span class="actions" style={actions_style(row.frame, row.handle)}>{ actions(row, act) }</span>
            </div>
    }
}

/// Whether the grip stands where the value is chosen: small objects have their ends there.
fn stands_over_the_value(handle: Option<&Handle>) -> bool {
    const VALUE_ENDS: f64 = 250.0;
    handle.is_some_and(|handle| handle.grip.x < VALUE_ENDS)
}

/// The buttons stand right of the grip, or left of it where there is no room.
fn actions_style(frame: Frame, handle: Option<&Handle>) -> Option<String> {
    const LAST_WITH_ROOM: f64 = 870.0;
    let handle = handle.filter(|_| !matches!(frame, Frame::Narrow { .. }))?;
    let x = handle.grip.x;
    Some(if x <= LAST_WITH_ROOM {
        filled("position:absolute;left:#px", &[x + 36.0])
    } else {
        filled("position:absolute;right:#px", &[1280.0 - x + 36.0])
    })
}

fn actions(row: &Row, act: &Callback<Action>) -> Html {
    if row.invite == Invite::FirstAllocation {
        return button(row.call.clone(), Some("A"), Fill::Ink, Action::Allocate, act);
    }
    if let Some(aim) = &row.aim {
        let words = format!("Write {}", counted(aim.len, "byte"));
        return html! {
            <>
                if aim.armed {
                    { button(words, Some("↵"), Fill::Damage, Action::AimWrite, act) }
                }
                { button("Cancel", Some("Esc"), Fill::Plain, Action::AimCancel, act) }
            </>
        };
    }
    let flip = match row.invite {
        Invite::Flip(toggle) if !is_in_bar(toggle, row.frame) => {
            let words = format!("Flip {}", flip_words(toggle));
            Some(button(words, None, Fill::Ink, Action::Flip(toggle), act))
        }
        _ => None,
    };
    let how_far = (row.invite == Invite::HowFar)
        .then(|| button("How far would it have to go?", None, Fill::Ink, Action::HowFar, act));
    // A hall sees the next thing to do and nothing beside it.
    let is_offered = |invited: bool| invited || !matches!(row.frame, Frame::Presenter);
    let of_object = row.name.as_ref().filter(|_| row.invite != Invite::StepBack).map(|name| {
        let overflow = Fill::ink_if(row.invite == Invite::Overflow);
        let free = Fill::ink_if(row.invite == Invite::Free);
        let words = format!("Overflow {name} by {}", counted(row.usual_length, "byte"));
        html! {
            <>
                if is_offered(overflow == Fill::Ink) {
                    { button(words, Some("O"), overflow, Action::AimArm, act) }
                }
                if is_offered(free == Fill::Ink) {
                    { button(format!("Free {name}"), Some("F"), free, Action::FreeSelected, act) }
                }
            </>
        }
    });
    html! { <>{ flip }{ how_far }{ of_object }</> }
}

/// Whether a switch can be seen in the bar; else its flip is a button of the row.
#[must_use]
pub fn is_in_bar(toggle: Toggle, frame: Frame) -> bool {
    matches!(frame, Frame::Wide | Frame::Short) && BAR_SWITCHES.contains(&toggle)
}

const fn flip_words(toggle: Toggle) -> &'static str {
    match toggle {
        Toggle::Kernel(Switch::FreelistRandom) => "the random list",
        Toggle::Kernel(Switch::FreelistHardened) => "hidden pointers",
        Toggle::Kernel(switch) => switch.kernel_name(),
        Toggle::Debug => "slub_debug",
        Toggle::MiddlePointer => "the middle pointer",
    }
}
