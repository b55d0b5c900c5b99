//! Properties by seed: what holds of any text, any kernel and any commands.
#![cfg(not(target_arch = "wasm32"))]

mod generators;
mod machine;
mod script;
