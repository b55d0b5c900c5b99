//! Results of the kernel's own tests of its heap, compared with those of the scenarios in `core/kernel_tests`.

pub(super) mod kunit;
pub(super) mod lkdtm;
mod words;

use crate::script::Scenario;

/// A scenario of `core/kernel_tests`.
macro_rules! scenario {
    ($name:literal) => {
        include_str!(concat!("../../../kernel_tests/", $name, ".slab"))
    };
}
use scenario;

/// Reads a scenario that comes with the project.
fn parsed(text: &str) -> Scenario {
    Scenario::parse(text).expect("the tests read each of them")
}
