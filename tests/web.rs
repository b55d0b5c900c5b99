//! The page in a real browser: mounted, clicked through lesson 3, and equal to the host bit by bit.

#![cfg(target_arch = "wasm32")]

mod storyboard;

use slabscope::app::App;
use slabscope::browser;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Document, Element, HtmlElement};

wasm_bindgen_test_configure!(run_in_browser);

fn document() -> Document {
    web_sys::window().expect("a window").document().expect("a document")
}

/// The page, mounted on an element of its own: the harness reports through the body.
fn mounted() -> Element {
    let place = document().create_element("div").expect("a div");
    document().body().expect("a body").append_child(&place).expect("a child");
    yew::Renderer::<App>::with_root(place.clone()).render();
    place
}

async fn drawn() {
    gloo_timers::future::TimeoutFuture::new(50).await;
}

fn button(page: &Element, words: &str) -> HtmlElement {
    let all = page.query_selector_all("button").expect("a selector");
    let found = (0..all.length()).filter_map(|index| all.item(index)?.dyn_into::<HtmlElement>().ok());
    let found = found.into_iter().find(|button| button.text_content().unwrap_or_default().starts_with(words));
    found.unwrap_or_else(|| panic!("no button `{words}`"))
}

fn sentence(page: &Element) -> String {
    let status = page.query_selector("[role=status]").expect("a selector").expect("a sentence");
    status.text_content().unwrap_or_default()
}

#[wasm_bindgen_test]
async fn lesson_3_goes_from_load_to_missed_in_five_presses() {
    let page = mounted();
    drawn().await;
    for words in ["Overflow a by 8 bytes", "Write 8 bytes", "Allocate", "Allocate"] {
        button(&page, words).click();
        drawn().await;
    }
    assert!(sentence(&page).contains("kmalloc(64) returned target."), "{}", sentence(&page));
    button(&page, "Middle ptr").click();
    drawn().await;
    let stamp = page.query_selector("figure").expect("a selector").expect("a stamp");
    let stamp = stamp.text_content().unwrap_or_default();
    assert!(stamp.contains("MISSED"), "{stamp}: {}", sentence(&page));
}

#[wasm_bindgen_test]
fn every_step_has_the_digest_that_the_host_has() {
    assert_eq!(storyboard::digests(), storyboard::EXPECTED);
}

/// A panic of its own would take the harness along: what its hook does is called by hand.
#[wasm_bindgen_test]
fn a_panic_says_so_and_offers_the_script() {
    const KEY: &str = "slabscope.test";
    browser::keep(KEY, "slabscope 1\ntitle kept & safe\n").expect("the tab has storage");
    browser::tell_panic("panicked at src/here.rs:1: a bug of ours", KEY);

    let note = document().query_selector("[role=alert].panic").expect("a selector").expect("the panic is told");
    let said = note.text_content().unwrap_or_default();
    assert!(said.contains("Slabscope has a bug") && said.contains("a bug of ours"), "{said}");
    let link = note.query_selector("a[download]").expect("a selector").expect("the script is offered");
    let address = link.get_attribute("href").expect("an address");
    assert_eq!(address, "data:text/plain;charset=utf-8,slabscope%201%0Atitle%20kept%20%26%20safe%0A");
    note.remove();
}
