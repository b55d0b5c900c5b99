//! Our own bugs: a panic is told on the page, with the script to take home.

use super::{document, storage};
use wasm_bindgen::JsValue;
use web_sys::Element;

/// From now on a panic says so on the page. `script_key` is where the script is kept in the tab's storage.
pub fn tell_panics(script_key: &'static str) {
    std::panic::set_hook(Box::new(move |info| tell_panic(&info.to_string(), script_key)));
}

/// Says on the page that it stopped at `place`, and offers the script.
pub fn tell_panic(place: &str, script_key: &str) {
    web_sys::console::error_1(&JsValue::from_str(place));
    // Nothing is left to tell a failure to.
    let _ = tell(place, &storage::kept(script_key).unwrap_or_default());
}

fn tell(place: &str, script: &str) -> Result<(), JsValue> {
    let document = document().ok_or("no document")?;
    let body = document.body().ok_or("no body")?;
    let note = document.create_element("div")?;
    note.set_attribute("role", "alert")?;
    note.set_class_name("panic");
    let add = |tag: &str, text: &str| -> Result<Element, JsValue> {
        let element = document.create_element(tag)?;
        element.set_text_content(Some(text));
        note.append_child(&element)?;
        Ok(element)
    };
    add("h2", "Slabscope has a bug, and stopped.")?;
    add("p", "Your script is safe: take it with you, then reload the page.")?;
    let link = add("a", "Download the script")?;
    link.set_attribute("download", "slabscope.txt")?;
    let text = js_sys::encode_uri_component(script);
    link.set_attribute("href", &format!("data:text/plain;charset=utf-8,{text}"))?;
    add("pre", place)?;
    body.append_child(&note)?;
    Ok(())
}
