//! What is given to the page as a whole: a file that is dropped on it, text that is pasted outside of a field.

use super::document;
use crate::session::Unread;
use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{ClipboardEvent, DragEvent, Element, Event, File};

/// The longest script that is read. A hundred thousand steps are shorter.
const MOST_BYTES: f64 = 1_048_576.0;

/// Listens to what is given, as long as it is held.
pub struct Given {
    _listeners: Vec<EventListener>,
}

impl Given {
    /// Calls `on_text` with the text of each, or with why there is none.
    pub fn listen(on_text: impl Fn(Result<String, Unread>) + Clone + 'static) -> Self {
        let Some(document) = document() else { return Self { _listeners: Vec::new() } };
        let listen = |name: &'static str, on_event: Box<dyn Fn(&Event)>| {
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&document, name, options, move |event| on_event(event))
        };
        let on_paste = on_text.clone();
        // A browser that is not told to leave a dropped file to the page opens it in the page's place.
        let listeners = vec![
            listen("dragover", Box::new(Event::prevent_default)),
            listen("drop", Box::new(move |event| dropped(event, on_text.clone()))),
            listen("paste", Box::new(move |event| pasted(event, &on_paste))),
        ];
        Self { _listeners: listeners }
    }
}

fn dropped(event: &Event, on_text: impl Fn(Result<String, Unread>) + 'static) {
    event.prevent_default();
    let Some(given) = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer) else { return };
    match given.files().and_then(|files| files.get(0)) {
        Some(file) => spawn_local(async move { on_text(text_of_file(&file).await) }),
        None => {
            if let Some(text) = given.get_data("text/plain").ok().filter(|text| !text.is_empty()) {
                on_text(Ok(text));
            }
        }
    }
}

async fn text_of_file(file: &File) -> Result<String, Unread> {
    if file.size() > MOST_BYTES {
        return Err(Unread::TooLong);
    }
    // A folder, or a file that has gone since.
    let bytes = JsFuture::from(file.array_buffer()).await.map_err(|_| Unread::Gone)?;
    String::from_utf8(js_sys::Uint8Array::new(&bytes).to_vec()).map_err(|_| Unread::NoText)
}

/// A field takes what is pasted into it; elsewhere it is a script.
fn pasted(event: &Event, on_text: &impl Fn(Result<String, Unread>)) {
    let into = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    if into.is_some_and(|element| element.closest("input, textarea, select").ok().flatten().is_some()) {
        return;
    }
    let given = event.dyn_ref::<ClipboardEvent>().and_then(ClipboardEvent::clipboard_data);
    let text = given.and_then(|given| given.get_data("text/plain").ok()).unwrap_or_default();
    if !text.trim().is_empty() {
        on_text(Ok(text));
    }
}
