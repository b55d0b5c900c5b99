//! The first minute has the same digests on every host. `tests/web.rs` holds the browser to them.
//!
//! `SLABSCOPE_BLESS=1 cargo test -p slabscope --test digests` writes them anew.

#![cfg(not(target_arch = "wasm32"))]

mod storyboard;

#[test]
fn the_first_minute_has_its_digests() {
    let digests = storyboard::digests();
    if std::env::var_os("SLABSCOPE_BLESS").is_some() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/storyboard/digests.txt");
        std::fs::write(file, &digests).expect("the golden can be written");
    } else {
        assert_eq!(digests, storyboard::EXPECTED);
    }
}
