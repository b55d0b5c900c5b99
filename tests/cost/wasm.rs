//! What the core costs in WebAssembly, built as the page is: slab_test, and seeks in a timeline of 100,000 commands.
//! `scripts/wasm-cost` builds it and runs it beside the host's.

#[path = "../../core/tests/long_timeline/commands.rs"]
mod commands;

use commands::{COMMANDS, commands};
use js_sys::{Function, Reflect};
use slabscope_core::kernel::{KernelConfig, Version};
use slabscope_core::luck::Seed;
use slabscope_core::slab_test::{Configuration, ROOMY, Reading, Row, slab_test};
use slabscope_core::timeline::Timeline;
use slabscope_core::units::Step;
use wasm_bindgen::JsCast;

const ROUNDS: u32 = 9;
const SEEKS: u64 = 200;

/// Leaves what was measured, as JSON, in a variable of the host's.
fn main() {
    let clock = Clock::new();
    let rows: Vec<String> = slab_test_rows(&clock).iter().map(json).collect();
    let seeks = seeks(&clock);
    let report = format!("{{\"slab_test\":[{}],\"seeks\":{seeks:?}}}", rows.join(","));
    let left = Reflect::set(&js_sys::global(), &"slabscopeCost".into(), &report.into());
    assert!(left.is_ok(), "the global object takes a variable");
}

/// `performance.now`, which browsers and node have.
struct Clock {
    performance: wasm_bindgen::JsValue,
    now: Function,
}

impl Clock {
    fn new() -> Self {
        let performance = Reflect::get(&js_sys::global(), &"performance".into()).expect("the host has a clock");
        let now = Reflect::get(&performance, &"now".into()).expect("it can be asked");
        Self { performance, now: now.unchecked_into() }
    }

    fn milliseconds(&self) -> f64 {
        self.now.call0(&self.performance).ok().and_then(|now| now.as_f64()).expect("a number")
    }
}

fn slab_test_rows(clock: &Clock) -> Vec<Row> {
    let mut read = || {
        let nanoseconds = (clock.milliseconds() * 1e6) as u64;
        Reading { nanoseconds, ticks: 0 }
    };
    slab_test(Version::release(5, 6), &[Configuration::Plain], ROUNDS, ROOMY, &mut read).expect("5.6 can be plain")
}

fn json(row: &Row) -> String {
    let [kmalloc, kfree, pair] =
        [row.kmalloc, row.kfree, row.pair].map(|all| all.nanoseconds as f64 / f64::from(row.calls));
    format!("{{\"size\":{},\"kmalloc\":{kmalloc:.3},\"kfree\":{kfree:.3},\"pair\":{pair:.3}}}", row.size)
}

/// Milliseconds of seeks to steps anywhere, every other one to the step that is farthest from the checkpoint before it.
fn seeks(clock: &Clock) -> Vec<f64> {
    let mut timeline = Timeline::new(KernelConfig::plain(Version::release(6, 1)), Seed(1)).expect("a kernel");
    commands().for_each(|command| timeline.append(command));
    timeline.seek(Step::from_raw(COMMANDS));
    let spacing = timeline.replays_at_most();
    (0..SEEKS)
        .map(|number| {
            let anywhere = u32::try_from(number * 2_654_435_761 % u64::from(COMMANDS)).expect("below their count");
            let step = if number % 2 == 0 { anywhere } else { (anywhere / spacing * spacing).saturating_sub(1) };
            let start = clock.milliseconds();
            timeline.seek(Step::from_raw(step));
            clock.milliseconds() - start
        })
        .collect()
}
