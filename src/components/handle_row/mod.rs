//! The row under the lens: the handle's grip, what would be written, and what can be done with the object in hand.

mod value;

use super::bar::BAR_SWITCHES;
use super::button::{Button, Fill};
use crate::scene::{Frame, Handle};
use crate::session::{Action, Aim, Invite, Toggle};
use crate::text::{counted, filled};
use slabscope_core::command::{Name, Value};
use slabscope_core::kernel::Switch;
use std::rc::Rc;
use value::ValueChooser;
use yew::{AttrValue, Callback, Html, Properties, classes, component, html};

/// What the row needs.
#[derive(Properties, PartialEq)]
pub struct HandleRowProps {
    /// The kind of screen.
    pub frame: Frame,
    /// The object in hand, where it can be overflowed.
    pub name: Option<Name>,
    /// The handle, where the lens has one.
    pub handle: Option<Rc<Handle>>,
    /// The aim.
    pub aim: Option<Aim>,
    /// The length that Overflow arms.
    pub usual_length: u64,
    /// What would be written.
    pub value: Value,
    /// Objects whose addresses are offered.
    pub names: Rc<[Name]>,
    /// The next thing to do.
    pub invite: Invite,
    /// The call of an empty bench's first allocation: `kmalloc(64)`.
    pub call: AttrValue,
    /// Words in the row: where a free object stands, which switch to flip, how the kernel died.
    pub words: Option<AttrValue>,
    /// A second line under them.
    pub more_words: Option<AttrValue>,
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// The row.
#[component]
pub fn HandleRow(props: &HandleRowProps) -> Html {
    let handle = props.handle.as_ref();
    html! {
            <div class={classes!("handle-row", stands_over_the_value(handle).then_some("far"))}>
                if let Some(words) = &props.words {
                    <p class={classes!("words", (props.invite == Invite::StepBack).then_some("oops"))}>
                        <span>{ words.clone() }</span>
                        if let Some(more) = &props.more_words {
                            <small>{ more.clone() }</small>
                        }
                    </p>
                }
                if handle.is_some() && !matches!(props.frame, Frame::Presenter) {
                    <ValueChooser value={props.value.clone()} names={Rc::clone(&props.names)} act={&props.act} />
                }
                <span class="actions" style={actions_style(props.frame, handle)}>{ actions(props) }</span>
            </div>
    }
}

/// Whether the grip stands where the value is chosen: small objects have their ends there.
fn stands_over_the_value(handle: Option<&Rc<Handle>>) -> bool {
    const VALUE_ENDS: f64 = 250.0;
    handle.is_some_and(|handle| handle.grip.x < VALUE_ENDS)
}

/// The buttons stand right of the grip, or left of it where there is no room.
fn actions_style(frame: Frame, handle: Option<&Rc<Handle>>) -> Option<String> {
    const LAST_WITH_ROOM: f64 = 870.0;
    let handle = handle.filter(|_| !matches!(frame, Frame::Narrow { .. }))?;
    let x = handle.grip.x;
    Some(if x <= LAST_WITH_ROOM {
        filled("position:absolute;left:#px", &[x + 36.0])
    } else {
        filled("position:absolute;right:#px", &[1280.0 - x + 36.0])
    })
}

fn actions(props: &HandleRowProps) -> Html {
    let act = &props.act;
    if props.invite == Invite::FirstAllocation {
        return html! { <Button words={props.call.clone()} hint="A" fill={Fill::Ink} action={Action::Allocate} {act} /> };
    }
    if let Some(aim) = &props.aim {
        let words = format!("Write {}", counted(aim.len, "byte"));
        return html! {
            <>
                if aim.armed {
                    <Button {words} hint="↵" fill={Fill::Damage} action={Action::AimWrite} {act} />
                }
                <Button words="Cancel" hint="Esc" action={Action::AimCancel} {act} />
            </>
        };
    }
    let flip = match props.invite {
        Invite::Flip(toggle) if !is_in_bar(toggle, props.frame) => {
            let words = format!("Flip {}", flip_words(toggle));
            Some(html! { <Button {words} fill={Fill::Ink} action={Action::Flip(toggle)} {act} /> })
        }
        _ => None,
    };
    let how_far = (props.invite == Invite::HowFar).then(|| {
        html! { <Button words="How far would it have to go?" fill={Fill::Ink} action={Action::HowFar} {act} /> }
    });
    // A hall sees the next thing to do and nothing beside it.
    let is_offered = |invited: bool| invited || !matches!(props.frame, Frame::Presenter);
    let of_object = props.name.as_ref().filter(|_| props.invite != Invite::StepBack).map(|name| {
        let overflow = Fill::ink_if(props.invite == Invite::Overflow);
        let free = Fill::ink_if(props.invite == Invite::Free);
        let words = format!("Overflow {name} by {}", counted(props.usual_length, "byte"));
        html! {
            <>
                if is_offered(overflow == Fill::Ink) {
                    <Button {words} hint="O" fill={overflow} action={Action::AimArm} {act} />
                }
                if is_offered(free == Fill::Ink) {
                    <Button words={format!("Free {name}")} hint="F" fill={free} action={Action::FreeSelected} {act} />
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
