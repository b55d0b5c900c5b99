//! Reach: bytes past an object's end that replace the next one's free pointer, size by size, on a logarithmic axis.
//! The chart is a table, so it needs no twin.

use super::button::{Fill, button};
use super::drawing::Drawing;
use crate::scene::Area;
use crate::session::Action;
use crate::text::{ReachRow, decimal, filled};
use yew::{Callback, Html, html};

/// The chart; the row of the size in hand is marked.
pub fn reach(rows: &[ReachRow], size: u64, act: &Callback<Action>) -> Html {
    let in_hand = rows.iter().find(|row| row.size == size);
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
                <tbody>{ for rows.iter().map(|row| reach_row(row, row.size == size)) }</tbody>
            </table>
            <p>
                { key("old") }
                { "pointer at the start, to 5.6" }
                { key("new") }
                { "pointer in the middle, since 5.7" }
                <small>{ "Each doubling of the axis is the same width. An object asked for smaller than its class adds its slack." }</small>
            </p>
            if let Some(row) = in_hand {
                { button(format!("Try {} bytes at {}", row.after, row.size), None, Fill::Ink, Action::TryReach, act) }
            }
        </div>
    }
}

/// A bar as it looks, beside what it means.
fn key(class: &'static str) -> Html {
    html! { <svg width="24" height="20" aria-hidden="true">{ Drawing::of(|svg| bar(svg, (1.0, 23.0), class)) }</svg> }
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
    along_axis(|svg| {
        for power in 0..=10 {
            let bytes = 1u64 << power;
            svg.numbers("<text x=\"#\" y=\"14\">", &[px_from_bytes(bytes) + 1.0]);
            svg.text(&bytes.to_string());
            svg.push("</text>");
        }
    })
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
    let grid: String = (0..=10).map(|power| filled("M# -9V29", &[px_from_bytes(1 << power)])).collect();
    along_axis(|svg| {
        svg.outline(&grid, "grid");
        if moved {
            bar(svg, (old.0 + 1.0, old.1 - 1.0), "old");
            svg.path("M# 10H#", &[old.1 + 6.0, new.0 - 8.0], "way");
            svg.path("M# 10l-8 -4.5v9z", &[new.0 - 2.0], "tip");
        }
        bar(svg, (new.0, new.1.max(new.0 + 8.0)), "new");
    })
}

fn bar(svg: &mut Drawing, (from, to): (f64, f64), class: &'static str) {
    svg.rect(Area::new(from, 1.0, to - from, 18.0), 2.0, class);
}

/// What is drawn along the axis.
fn along_axis(draw: impl FnOnce(&mut Drawing)) -> Html {
    let inside = Drawing::of(draw);
    html! {
        <svg viewBox={filled("-16 0 # 20", &[WIDTH + 16.0])} width={decimal(WIDTH + 16.0)} height="20" aria-hidden="true">{ inside }</svg>
    }
}
