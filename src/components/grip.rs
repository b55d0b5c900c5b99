//! The grip of the overflow handle: dragged by mouse or finger, moved by keys. What it looks like is the lens's; this
//! is what can be taken hold of.

use crate::browser::{capture, is_touch, stage_x};
use crate::scene::{Handle, Point};
use crate::session::Action;
use crate::text::filled;
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, KeyboardEvent, PointerEvent, Properties, classes, component, html, use_state};

/// What the grip needs.
#[derive(Properties, PartialEq)]
pub struct GripProps {
    /// Where the handle stands and sticks.
    pub handle: Rc<Handle>,
    /// The object that is overflowed.
    pub name: AttrValue,
    /// The place in the frame that its own place counts from.
    pub origin: Point,
    /// Width of the frame that the handle's px are of.
    pub frame_width: f64,
    /// Whether the handle was never touched: then it invites, twice.
    pub untouched: bool,
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// How a drag goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Drag {
    /// Nobody drags.
    None,
    /// A mouse or a pen does, or a finger, which hides what it is on.
    Under {
        /// Whether it is a finger.
        finger: bool,
        /// Whether it has moved.
        moved: bool,
    },
}

/// Within how many px the handle sticks to a stop.
const STICKS: f64 = 6.0;

/// The grip.
#[component]
pub fn Grip(props: &GripProps) -> Html {
    let drag = use_state(|| Drag::None);
    let handle = &props.handle;
    let on_down = {
        let drag = drag.clone();
        move |event: PointerEvent| {
            capture(&event, ".grip");
            drag.set(Drag::Under { finger: is_touch(&event), moved: false });
        }
    };
    let on_move = {
        let (drag, handle, act, width) = (drag.clone(), Rc::clone(handle), props.act.clone(), props.frame_width);
        move |event: PointerEvent| {
            if let Drag::Under { finger, .. } = *drag {
                let len = length_at(&handle, stage_x(&event, width), !event.alt_key());
                drag.set(Drag::Under { finger, moved: true });
                act.emit(Action::AimAt { len });
            }
        }
    };
    let on_up = {
        let (drag, act, aimed) = (drag.clone(), props.act.clone(), handle.aimed);
        move |_: PointerEvent| {
            if matches!(*drag, Drag::Under { moved: true, .. }) {
                // Home is where nothing is aimed at.
                act.emit(if aimed { Action::AimArm } else { Action::AimCancel });
            }
            drag.set(Drag::None);
        }
    };
    let on_key = {
        let (handle, act) = (Rc::clone(handle), props.act.clone());
        move |event: KeyboardEvent| {
            if let Some(action) = action_by_key(&handle, &event.key(), event.shift_key()) {
                event.prevent_default();
                act.emit(action);
            }
        }
    };
    let (x, y) = (handle.grip.x - props.origin.x, handle.grip.y - props.origin.y);
    let reads_out = matches!(*drag, Drag::Under { finger: true, .. });
    html! {
        <>
            <div
                id="grip"
                class={classes!("grip", props.untouched.then_some("inviting"))}
                role="slider"
                tabindex="0"
                aria-label={format!("Overflow {}", props.name)}
                aria-valuemin="0"
                aria-valuemax={handle.max.to_string()}
                aria-valuenow={handle.len.to_string()}
                aria-valuetext={handle.value_text.clone()}
                style={filled("left:#px;top:#px", &[x - 22.0, y - 22.0])}
                onpointerdown={on_down}
                onpointermove={on_move}
                onpointerup={on_up.clone()}
                onpointercancel={on_up}
                onkeydown={on_key}
            ></div>
            if reads_out {
                <output class="readout" style={readout_place(x, y)}>
                    { handle.value_text.clone() }
                </output>
            }
        </>
    }
}

/// The length at a place in the frame; it sticks to a stop nearby unless the reader holds Alt.
fn length_at(handle: &Handle, x: f64, sticks: bool) -> u64 {
    let home = handle.axis.px_from_byte(0);
    if x <= home {
        return 0;
    }
    let near = |stop: &&crate::scene::Stop| (handle.axis.px_from_end(stop.len) - x).abs() <= STICKS;
    match handle.stops.iter().find(near) {
        Some(stop) if sticks => stop.len,
        _ if sticks && x - home <= STICKS => 0,
        _ => handle.axis.byte_from_px(x).min(handle.max),
    }
}

/// What a key does to the handle; `None` for keys that are not the slider's.
fn action_by_key(handle: &Handle, key: &str, shift: bool) -> Option<Action> {
    let (now, by) = (handle.len, if shift { 8 } else { 1 });
    let stops = || handle.stops.iter().map(|stop| stop.len);
    let len = match key {
        "ArrowRight" | "ArrowUp" => return Some(Action::AimBy { bytes: by, most: handle.max }),
        "ArrowLeft" | "ArrowDown" => return Some(Action::AimBy { bytes: -by, most: handle.max }),
        "PageDown" => stops().find(|stop| *stop > now).unwrap_or(handle.max),
        "PageUp" => stops().rfind(|stop| *stop < now).unwrap_or(0),
        "Home" => 0,
        "End" => handle.max,
        _ => return None,
    };
    Some(Action::AimTo { len })
}

/// The read-out stands 56 px above the finger, centred on it as far as the screen's edges allow.
fn readout_place(x: f64, y: f64) -> String {
    const HALF: f64 = 136.0;
    filled("left:clamp(#px,#px,max(#px,100% - #px));top:#px", &[HALF, x, HALF, HALF, y - 56.0])
}
