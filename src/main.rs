//! Mounts the page.

use slabscope::app::{App, SCRIPT_KEY};
use slabscope::browser;

fn main() {
    browser::tell_panics(SCRIPT_KEY);
    match browser::mount_place("slabscope") {
        Some(place) => drop(yew::Renderer::<App>::with_root(place).render()),
        None => drop(yew::Renderer::<App>::new().render()),
    }
}
