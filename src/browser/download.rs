//! Handing out a file.

use super::document;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, HtmlAnchorElement, Url};

/// Offers `text` as a file of this name. Without a document nothing happens.
pub fn download(name: &str, text: &str) {
    if let Err(error) = offer(name, text) {
        // The browser said no: there is nobody else to tell but the reader, who sees that no file came.
        web_sys::console::warn_1(&error);
    }
}

fn offer(name: &str, text: &str) -> Result<(), JsValue> {
    let document = document().ok_or("no document")?;
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    let address = Url::create_object_url_with_blob(&Blob::new_with_str_sequence(&parts)?)?;
    let link: HtmlAnchorElement = document.create_element("a")?.dyn_into().map_err(|_| "an <a> is no anchor")?;
    link.set_href(&address);
    link.set_download(name);
    link.click();
    Url::revoke_object_url(&address)
}
