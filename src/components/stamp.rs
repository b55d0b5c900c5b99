//! The outcome stamp: each outcome has an outline of its own, so that it is known without colour.

use slabscope_core::outcome::Outcome;
use yew::{AttrValue, Html, Properties, component, html};

/// What the stamp needs.
#[derive(Properties, PartialEq)]
pub struct StampProps {
    /// The outcome.
    pub outcome: Outcome,
    /// One line of why.
    pub why: AttrValue,
}

/// The stamp.
#[component]
pub fn Stamp(props: &StampProps) -> Html {
    let word = props.outcome.word();
    let width = width_of(props.outcome);
    html! {
        <figure class="stamp" aria-label={format!("{word}: {}", props.why)}>
            <svg viewBox={format!("0 0 {width} 60")} width={width.to_string()} height="60" aria-hidden="true">
                <path d={outline(props.outcome, width)} class={class_of(props.outcome)} />
                <text x={(middle(props.outcome, width)).to_string()} y="44.4" class={class_of(props.outcome)}>{ word }</text>
            </svg>
            <figcaption>{ props.why.clone() }</figcaption>
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
        Outcome::Hijacked => format!("M0 0h{}l{CUT} {half}l-{CUT} {half}h-{}z", width - CUT, width - CUT),
        Outcome::Crashed => {
            format!("M{CUT} 0h{across}l{CUT} {CUT}v{down}l-{CUT} {CUT}h-{across}l-{CUT} -{CUT}v-{down}z")
        }
        Outcome::Caught => {
            let (side, round) = (HEIGHT * 0.62, HEIGHT * 0.38);
            let flat = width - 2.0 * round;
            format!("M0 0h{width}v{side}q0 {round} -{round} {round}h-{flat}q-{round} 0 -{round} -{round}z")
        }
        Outcome::Missed | Outcome::Silent => format!("M1 1h{}v{}h-{}z", width - 2.0, HEIGHT - 2.0, width - 2.0),
    }
}
