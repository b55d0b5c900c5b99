//! What a command costs in components: with 4,096 objects in view those are rendered that show what changed. Yew opens
//! a span for each rendering, which is what is counted.

#![cfg(target_arch = "wasm32")]

use core::sync::atomic::{AtomicU32, Ordering};
use slabscope::app::App;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Renderings since the page was loaded.
static RENDERED: AtomicU32 = AtomicU32::new(0);

/// Counts Yew's spans of this name.
struct Counter;

impl Subscriber for Counter {
    fn enabled(&self, metadata: &Metadata) -> bool {
        metadata.is_span() && metadata.name() == "render" && metadata.target().starts_with("yew")
    }

    fn new_span(&self, _: &Attributes) -> Id {
        RENDERED.fetch_add(1, Ordering::Relaxed);
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

fn run(script: &str) -> JsValue {
    js_sys::eval(script).unwrap_or_else(|error| panic!("{error:?} in {script}"))
}

async fn drawn() {
    gloo_timers::future::TimeoutFuture::new(50).await;
}

/// Renderings once there are no more: Yew leaves some of them to a later turn.
async fn all_rendered() -> u32 {
    loop {
        let so_far = RENDERED.load(Ordering::Relaxed);
        drawn().await;
        drawn().await;
        if RENDERED.load(Ordering::Relaxed) == so_far {
            return so_far;
        }
    }
}

/// 64 slabs of 64 objects, all but the last four in use.
async fn open_full_bench() {
    let lines: String = (0..4092).map(|nth| format!("n{nth} = kmalloc 64\\n")).collect();
    run(&format!(
        "const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', 'slabscope 1\\ntitle Full\\nkernel 5.6\\nluck 7\\nopen 4092\\n\\n{lines}');
        document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData, bubbles: true, cancelable: true }}));"
    ));
    for _ in 0..100 {
        all_rendered().await;
        if text_of(".count") == "4092 / 4092" {
            return;
        }
    }
    panic!("the script is not on the bench: {}", text_of(".sentence"));
}

fn text_of(selector: &str) -> String {
    run(&format!("document.querySelector('{selector}').textContent")).as_string().unwrap_or_default()
}

/// What is said of each object of the map.
fn labels() -> Vec<String> {
    let all = run("[...document.querySelectorAll('.map .cells .drawn')].map((cell) => cell.ariaLabel).join('|')");
    all.as_string().unwrap_or_default().split('|').map(str::to_owned).collect()
}

#[wasm_bindgen_test]
async fn a_command_renders_what_it_changed_and_no_more() {
    tracing::subscriber::set_global_default(Counter).expect("no other subscriber");
    // On an element of its own: the harness reports through the body.
    let document = web_sys::window().expect("a window").document().expect("a document");
    let place = document.create_element("div").expect("a div");
    document.body().expect("a body").append_child(&place).expect("a child");
    yew::Renderer::<App>::with_root(place).render();
    drawn().await;
    open_full_bench().await;
    for key in ["a", "a", "a", "a", "ArrowLeft", "ArrowRight", "f", "z"] {
        let (before, rendered) = (labels(), RENDERED.load(Ordering::Relaxed));
        run(&format!(
            "document.getElementById('stage').dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }}))"
        ));
        let rendered = all_rendered().await - rendered;
        let changed = labels().iter().zip(&before).filter(|(now, before)| now != before).count();
        let changed = u32::try_from(changed).expect("at most 64");
        web_sys::console::log_1(&format!("{key}: {rendered} components rendered, {changed} objects changed").into());
        assert!(changed > 0, "{key} changes an object");
        assert!((1..=8 + 2 * changed).contains(&rendered), "{key}: {rendered} rendered for {changed} objects");
    }
}
