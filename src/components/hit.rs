//! Buttons of the figures: an empty rectangle under each drawing, which brings its name. What changes is swapped with
//! its words, and the button keeps the focus.

use super::figure::{lit, px};
use super::send::{send, send_on_press};
use crate::browser;
use crate::scene::{Area, ObjectRef};
use crate::session::Action;
use yew::{Callback, Html, KeyboardEvent, MouseEvent, classes, hook, html, use_callback, use_state};

/// A button that leads somewhere, and whether that is where one is.
pub(super) fn leading(hit: Area, says: String, here: bool, action: Action, act: &Callback<Action>) -> Html {
    html! {
        <rect
            class="hit"
            x={px(hit.x)} y={px(hit.y)} width={px(hit.w)} height={px(hit.h)}
            role="button"
            tabindex="0"
            aria-labelledby={says}
            aria-current={here.then_some("true")}
            onclick={send(act, action.clone())}
            onkeydown={send_on_press(act, action)}
        />
    }
}

/// A button that takes an object in hand.
pub(super) struct Selecting<'a> {
    /// The class of it and its drawing.
    pub class: &'static str,
    /// The id by which it takes the focus.
    pub id: String,
    /// Its rectangle.
    pub hit: Area,
    /// The object.
    pub object: ObjectRef,
    /// Whether Tab leads to it.
    pub tab: bool,
    /// Whether the pointer or the focus is on its object, in whichever figure.
    pub is_lit: bool,
    /// On the map, where it also frees its object: whether it is the one in hand.
    pub pressed: Option<bool>,
    /// Who moves the focus.
    pub on_key: &'a Callback<(ObjectRef, String)>,
}

impl Selecting<'_> {
    /// The button under its drawing.
    pub(super) fn under(self, drawn: Html, act: &Callback<Action>) -> Html {
        let Self { class, id, hit, object, tab, is_lit, pressed, on_key } = self;
        let (hover, leave) = (Action::Hover(Some(object)), Action::Hover(None));
        let frees = pressed.is_some();
        let free = {
            let act = act.clone();
            move || {
                act.emit(Action::Select(object));
                act.emit(Action::FreeSelected);
            }
        };
        let on_key = {
            let (act, free, on_key) = (act.clone(), free.clone(), on_key.clone());
            let select = move || act.emit(Action::Select(object));
            move |event: KeyboardEvent| {
                match event.key().as_str() {
                    // Enter writes what is armed, so it is left to who knows that.
                    " " => select(),
                    "Enter" => return select(),
                    "Delete" if frees => free(),
                    "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" | "Home" | "End" => {
                        on_key.emit((object, event.key()))
                    }
                    _ => return,
                }
                event.prevent_default();
            }
        };
        html! {
            <g class={classes!(class, lit(is_lit))}>
                <rect
                    id={id.clone()}
                    class="hit"
                    x={px(hit.x)} y={px(hit.y)} width={px(hit.w)} height={px(hit.h)}
                    role="button"
                    tabindex={if tab { "0" } else { "-1" }}
                    aria-labelledby={id + "-says"}
                    aria-pressed={pressed.map(|pressed| pressed.to_string())}
                    onclick={send(act, Action::Select(object))}
                    ondblclick={frees.then_some(move |_: MouseEvent| free())}
                    onkeydown={on_key}
                    onfocus={send(act, hover.clone())}
                    onblur={send(act, leave.clone())}
                    onpointerenter={send(act, hover)}
                    onpointerleave={send(act, leave)}
                />
                { drawn }
            </g>
        }
    }
}

/// Which of a figure's objects had the focus last, and who moves it: the same as long as the objects are, so that none is
/// drawn for it.
#[hook]
pub(super) fn use_focus(
    objects: Vec<ObjectRef>,
    columns: usize,
    id_of: fn(ObjectRef) -> String,
) -> (Option<ObjectRef>, Callback<(ObjectRef, String)>) {
    let focused = use_state(|| None);
    let on_key = {
        let focused = focused.clone();
        use_callback((objects, columns), move |(object, key): (ObjectRef, String), (objects, columns)| {
            if let Some(next) = neighbour(objects, *columns, object, &key) {
                focused.set(Some(next));
                browser::focus(&id_of(next));
            }
        })
    };
    (*focused, on_key)
}

/// The object that a key leads to.
fn neighbour(objects: &[ObjectRef], columns: usize, object: ObjectRef, key: &str) -> Option<ObjectRef> {
    let here = objects.iter().position(|one| *one == object)?;
    let next = match key {
        "ArrowRight" => here.checked_add(1),
        "ArrowLeft" => here.checked_sub(1),
        "ArrowDown" => here.checked_add(columns),
        "ArrowUp" => here.checked_sub(columns),
        "Home" => Some(0),
        "End" => objects.len().checked_sub(1),
        _ => None,
    }?;
    objects.get(next).copied()
}
