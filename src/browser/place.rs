//! The page's address.

use super::window;
use gloo_events::EventListener;
use wasm_bindgen::JsValue;

/// What stands after `#`, without it; empty where nothing does.
#[must_use]
pub fn fragment() -> String {
    let hash = window().and_then(|window| window.location().hash().ok()).unwrap_or_default();
    hash.trim_start_matches('#').to_owned()
}

/// Writes what stands after `#`, without a new entry in the history. A browser that limits how often that may be done
/// loses nothing but the newest link.
pub fn keep_fragment(text: &str) {
    let history = window().and_then(|window| window.history().ok());
    if let Some(history) = history {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("#{text}")));
    }
}

/// Whether the address asks for `word`, as in `?present`.
#[must_use]
pub fn query_has(word: &str) -> bool {
    let search = window().and_then(|window| window.location().search().ok()).unwrap_or_default();
    search.trim_start_matches('?').split('&').any(|part| part.split('=').next() == Some(word))
}

/// Listens to links that are pasted over the page's address, as long as it is held.
pub struct Hash {
    _listener: Option<EventListener>,
}

impl Hash {
    /// Calls `on_change` with what stands after `#`.
    pub fn listen(on_change: impl Fn(String) + 'static) -> Self {
        let listener = window().map(|window| EventListener::new(&window, "hashchange", move |_| on_change(fragment())));
        Self { _listener: listener }
    }
}
