//! The browser: the only code that names web-sys, gloo or wasm-bindgen. One facility a file, no decisions about what
//! is shown. What listens stops listening when its handle is dropped.

mod download;
mod focus;
mod given;
mod keys;
mod luck;
mod panic;
mod picture;
mod place;
mod pointer;
mod screen;
mod storage;
mod timer;

pub use download::download;
pub use focus::{bring_into_view, bring_to_top, focus, focus_soon, has_focus_within, leaves, mount_place};
pub use given::Given;
pub use keys::{Keys, focus_of, press_of};
pub use luck::draw;
pub use panic::{tell_panic, tell_panics};
pub use picture::picture;
pub use place::{Hash, fragment, keep_fragment, query_has};
pub use pointer::{capture, is_touch, stage_x, text_of};
pub use screen::{Fullscreen, Viewport, fill_screen, paint, prefers_dark, size};
pub use storage::{StorageError, keep, kept};
pub use timer::{Beat, PointerRest, after_drawing};

use web_sys::{Document, Window};

/// The window; `None` outside a page.
fn window() -> Option<Window> {
    web_sys::window()
}

fn document() -> Option<Document> {
    window()?.document()
}
