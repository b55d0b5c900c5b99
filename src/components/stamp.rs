//! The outcome stamp: each outcome has an outline of its own, so that it is known without colour.

use crate::text::{decimal, filled};
use slabscope_core::outcome::Outcome;
use yew::{Html, html};

/// The stamp: the outcome, and one line of why.
pub fn stamp(outcome: Outcome, why: &str) -> Html {
    let word = outcome.word();
    let width = width_of(outcome);
    html! {
        <figure class="stamp" aria-label={format!("{word}: {why}")}>
            <svg viewBox={filled("0 0 # 60", &[width])} width={decimal(width)} height="60" aria-hidden="true">
                <path d={outline(outcome, width)} class={class_of(outcome)} />
                <text x={decimal(middle(outcome, width))} y="44.4" class={class_of(outcome)}>{ word }</text>
            </svg>
            <figcaption>{ why }</figcaption>
        </figure>
    }
}

const fn class_of(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Hijacked => "hijacked",
        Outcome::Crashed => "crashed",
        Outcome::Caught => "caught",
        Outcome::Missed => "missed",
        Outcome::Silent => "silent",
    }
}

/// Widths that hold the word at 40 px in the widest of the usual system fonts.
const fn width_of(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Hijacked => 264.0,
        Outcome::Crashed => 262.0,
        Outcome::Caught => 246.0,
        Outcome::Missed => 220.0,
        Outcome::Silent => 206.0,
    }
}

/// Where the word's middle stands: the flag's tip is no place for letters.
fn middle(outcome: Outcome, width: f64) -> f64 {
    if outcome == Outcome::Hijacked { (width - 9.6) / 2.0 } else { width / 2.0 }
}

/// Flag: it leads elsewhere. Stop sign. Shield. Bar.
fn outline(outcome: Outcome, width: f64) -> String {
    const HEIGHT: f64 = 60.0;
    const CUT: f64 = 16.0;
    let (across, half, down) = (width - 2.0 * CUT, HEIGHT / 2.0, HEIGHT - 2.0 * CUT);
    match outcome {
        Outcome::Hijacked => filled("M0 0h#l16 #l-16 #h#z", &[width - CUT, half, half, CUT - width]),
        Outcome::Crashed => filled("M16 0h#l16 16v#l-16 16h#l-16 -16v#z", &[across, down, -across, -down]),
        Outcome::Caught => {
            let (side, r) = (HEIGHT * 0.62, HEIGHT * 0.38);
            let flat = width - 2.0 * r;
            filled("M0 0h#v#q0 # # #h#q# 0 # #z", &[width, side, r, -r, r, -flat, -r, -r, -r])
        }
        Outcome::Missed | Outcome::Silent => filled("M1 1h#v#h#z", &[width - 2.0, HEIGHT - 2.0, 2.0 - width]),
    }
}
