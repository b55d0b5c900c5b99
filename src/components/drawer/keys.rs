//! Which key does what.

use yew::{Html, html};

const ALONG_TIME: &[(&str, &str)] = &[
    ("← →", "one step back, one on"),
    ("Home End", "to the first step, to the last"),
    ("5 G", "to step 5"),
    ("Space", "play, stop"),
    ("PageUp/Down", "steps in the presenter"),
    ("Z, Shift Z", "undo, redo"),
];
const ON_THE_BENCH: &[(&str, &str)] = &[
    ("A", "allocate"),
    ("F", "free what is in hand"),
    ("O", "aim an overflow; ← → 1, Shift 8"),
    ("Enter", "write what is armed"),
    ("W", "draw the whole chain"),
];
const THE_PAGE: &[(&str, &str)] = &[
    ("P", "present; there B blanks"),
    ("T", "light, dark"),
    ("E", "export"),
    ("?", "these keys"),
    ("Esc", "close what is open, go down"),
];

/// The keys.
pub(super) fn keys() -> Html {
    let group = |name: &'static str, keys: &'static [(&'static str, &'static str)]| {
        html! {
            <section>
                <h2>{ name }</h2>
                <dl>{ for keys.iter().map(|(key, words)| html! {
                    <div key={*key}><dt><kbd>{ *key }</kbd></dt><dd>{ *words }</dd></div>
                }) }</dl>
            </section>
        }
    };
    html! {
        <div class="more keys" tabindex="0" role="group" aria-label="All keys">
            { group("Along time", ALONG_TIME) }
            { group("On the bench", ON_THE_BENCH) }
            { group("The page", THE_PAGE) }
        </div>
    }
}
