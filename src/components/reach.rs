//! Reach: bytes past an object's end that replace the next one's free pointer, size by size, on a logarithmic axis.
//! The chart is a table, so it needs no twin.

use super::button::{Button, Fill};
use crate::session::Action;
use crate::text::ReachRow;
use std::rc::Rc;
use yew::{Callback, Html, Properties, component, html};

/// What the chart needs.
#[derive(Properties, PartialEq)]
pub struct ReachProps {
    /// Its rows.
    pub rows: Rc<[ReachRow]>,
    /// The size of the object in hand: its row is marked.
    pub in_hand: u64,
    /// Whom it tells.
    pub act: Callback<Action>,
}

/// The chart.
#[component]
pub fn Reach(props: &ReachProps) -> Html {
    let in_hand = props.rows.iter().find(|row| row.size == props.in_hand);
    html! {
        <div class="reach">
            <table>
                <caption>
                    { "bytes past the end of an object that replace the whole pointer of the next one, which is free" }
                </caption>
                <thead>
                    <tr>
                        <th scope="col">{ "object" }</th>
                        <th scope="col" class="axis">{ axis() }</th>
                        <th scope="col">{ "to 5.6" }</th>
                        <th scope="col">{ "since 5.7" }</th>
                        <th scope="col">{ "" }<span class="hidden">{ "times" }</span></th>
                    </tr>
                </thead>
                <tbody>{ for props.rows.iter().map(|row| reach_row(row, row.size == props.in_hand)) }</tbody>
            </table>
            <p>
                <svg width="24" height="20" aria-hidden="true"><rect x="1" y="1" width="22" height="18" rx="2" class="old" /></svg>
                { "pointer at the start, to 5.6" }
                <svg width="24" height="20" aria-hidden="true"><rect x="1" y="1" width="22" height="18" rx="2" class="new" /></svg>
                { "pointer in the middle, since 5.7" }
                <small>{ "Each doubling of the axis is the same width. An object asked for smaller than its class adds its slack." }</small>
            </p>
            if let Some(row) = in_hand {
                <Button
                    words={format!("Try {} bytes at {}", row.after, row.size)}
                    fill={Fill::Ink}
                    action={Action::TryReach}
                    act={&props.act}
                />
            }
        </div>
    }
}

/// Width of the axis: ten doublings and a little.
const WIDTH: f64 = 880.0;
/// Px of a doubling.
const DOUBLING: f64 = 86.0;

/// Where a number of bytes stands on the axis.
#[expect(clippy::cast_precision_loss, reason = "at most 1024 bytes and a few")]
fn px_from_bytes(bytes: u64) -> f64 {
    (bytes.max(1) as f64).log2() * DOUBLING
}

fn axis() -> Html {
    let mark = |power: u32| {
        let bytes = 1u64 << power;
        html! { <text x={format!("{:.1}", px_from_bytes(bytes) + 1.0)} y="14">{ bytes }</text> }
    };
    html! {
        <svg viewBox={format!("-16 0 {} 20", WIDTH + 16.0)} width={(WIDTH + 16.0).to_string()} height="20" aria-hidden="true">
            { for (0..=10).map(mark) }
        </svg>
    }
}

fn reach_row(row: &ReachRow, in_hand: bool) -> Html {
    let factor = if row.after == row.before { "–".to_owned() } else { format!("× {}", row.after / row.before) };
    html! {
        <tr key={row.size} class={in_hand.then_some("in-hand")}>
            <th scope="row">{ row.size }</th>
            <td class="axis">{ bars(row) }</td>
            <td>{ row.before }</td>
            <td><b>{ row.after }</b></td>
            <td>{ factor }</td>
        </tr>
    }
}

/// The old place dashed, the new one full, an arrow between.
fn bars(row: &ReachRow) -> Html {
    let old = (px_from_bytes(row.before.saturating_sub(7)), px_from_bytes(row.before));
    let new = (px_from_bytes(row.after.saturating_sub(7)), px_from_bytes(row.after));
    let moved = row.after != row.before;
    let grid = (0..=10).map(|power| {
        html! { <path d={format!("M{:.1} -9V29", px_from_bytes(1 << power))} class="grid" /> }
    });
    html! {
        <svg viewBox={format!("-16 0 {} 20", WIDTH + 16.0)} width={(WIDTH + 16.0).to_string()} height="20" aria-hidden="true">
            { for grid }
            if moved {
                <rect x={format!("{:.1}", old.0 + 1.0)} y="1" width={format!("{:.1}", old.1 - old.0 - 2.0)} height="18" rx="2" class="old" />
                <path d={format!("M{:.1} 10H{:.1}", old.1 + 6.0, new.0 - 8.0)} class="way" />
                <path d={format!("M{:.1} 10l-8 -4.5v9z", new.0 - 2.0)} class="tip" />
            }
            <rect x={format!("{:.1}", new.0)} y="0" width={format!("{:.1}", (new.1 - new.0).max(8.0))} height="20" rx="2" class="new" />
        </svg>
    }
}
