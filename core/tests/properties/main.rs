//! Properties by seed: what holds of any text, any kernel and any commands.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::disallowed_types, reason = "proptest's own macros share strategies by Arc")]

mod generators;
mod machine;
mod script;
