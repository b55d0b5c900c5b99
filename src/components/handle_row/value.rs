//! The value chooser beside the handle: an address, letters, zeros, bytes.

use crate::browser::text_of;
use crate::components::kept::Piece;
use crate::session::Action;
use crate::text::value_words;
use slabscope_core::command::{Base, Name, Place, Value};
use yew::{Callback, Event, Html, html};

/// The bytes that "hex" starts from.
const FIRST_BYTES: &str = "0x4142434445464748";

/// The chooser: kept, so that what is typed stays while other things are drawn.
#[derive(PartialEq)]
pub(super) struct ValueChooser {
    /// What would be written.
    pub value: Value,
    /// Objects whose addresses are offered.
    pub names: Vec<Name>,
}

impl Piece for ValueChooser {
    fn draw(&self, act: &Callback<Action>) -> Html {
        let Self { value: now, names } = self;
        let addresses = names.iter().map(|name| Value::AddressOf(Place { base: Base::Object(name.clone()), delta: 0 }));
        let mut choices: Vec<Value> = addresses.chain([Value::Letter(b'A'), Value::Zeros]).collect();
        let is_bytes = matches!(now, Value::Bytes(_));
        if !is_bytes && !choices.contains(now) {
            choices.insert(0, now.clone());
        }
        let choose = {
            let act = act.clone();
            Callback::from(move |event: Event| act.emit(Action::AimValueText(text_of(&event))))
        };
        let bytes_text = if is_bytes { now.to_string() } else { FIRST_BYTES.to_owned() };
        html! {
            <span class="value">
                <label>
                    <span>{ "value: " }</span>
                    <select onchange={choose.clone()}>
                        { for choices.iter().map(|value| html! {
                            <option value={value.to_string()} selected={value == now}>{ value_words(value) }</option>
                        }) }
                        <option value={bytes_text.clone()} selected={is_bytes}>{ "hex" }</option>
                    </select>
                </label>
                if is_bytes {
                    <input type="text" class="hex" aria-label="Bytes in memory order" value={bytes_text} onchange={choose} />
                }
            </span>
        }
    }
}
