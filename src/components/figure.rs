//! What all figures share: their frame, their texts, their classes.

use crate::scene::{Area, Face, Frame, Point, Text, Tone};
use crate::text::{decimal, filled};
use yew::{AttrValue, Html, classes, html};

/// A figure's SVG: its name, a sentence on what it shows, and what is drawn in it. Coordinates are the frame's.
pub(super) fn figure(name: &'static str, title: &str, summary: &str, area: Area, frame: Frame, inside: Html) -> Html {
    let summary_id = format!("{name}-summary");
    html! {
        <svg
            class={classes!("figure", name, frame_class(frame))}
            viewBox={filled("# # # #", &[area.x, area.y, area.w, area.h])}
            width={px(area.w)}
            height={px(area.h)}
            role="group"
            aria-label={title.to_owned()}
            aria-describedby={summary_id.clone()}
            data-keys="own"
        >
            <desc id={summary_id}>{ summary }</desc>
            { inside }
        </svg>
    }
}

const fn frame_class(frame: Frame) -> &'static str {
    match frame {
        Frame::Wide => "wide",
        Frame::Short => "short",
        Frame::Narrow { .. } => "narrow",
        Frame::Presenter => "presenter",
    }
}

/// A number of px as an attribute: to a hundredth.
pub(super) fn px(value: f64) -> AttrValue {
    decimal(value).into()
}

/// A rectangle with classes of the figures' stylesheet.
pub(super) fn rect(area: Area, radius: f64, class: &'static str) -> Html {
    html! {
        <rect x={px(area.x)} y={px(area.y)} width={px(area.w)} height={px(area.h)} rx={px(radius)} {class} />
    }
}

/// A path: each `#` of its shape is the next of the numbers.
pub(super) fn path(shape: &str, numbers: &[f64], class: &'static str) -> Html {
    html! { <path d={filled(shape, numbers)} {class} /> }
}

/// A dot or a ring.
pub(super) fn circle(at: Point, radius: f64, class: &'static str) -> Html {
    html! { <circle cx={px(at.x)} cy={px(at.y)} r={px(radius)} {class} /> }
}

/// A word of a figure's own.
pub(super) fn word(at: Point, size: f64, class: &'static str, words: &str) -> Html {
    html! { <text x={px(at.x)} y={px(at.y)} font-size={px(size)} {class}>{ words }</text> }
}

/// A rectangle filled with one of the figure's patterns.
pub(super) fn patterned(area: Area, figure: &str, pattern: &str, class: &'static str) -> Html {
    let fill = format!("url(#{figure}-{pattern})");
    html! { <rect x={px(area.x)} y={px(area.y)} width={px(area.w)} height={px(area.h)} {fill} {class} /> }
}

/// A line of text.
pub(super) fn words(text: &Text) -> Html {
    let face = match text.face {
        Face::Plain => None,
        Face::Bold => Some("bold"),
        Face::Mono => Some("mono"),
        Face::MonoBold => Some("mono bold"),
    };
    let tone = match text.tone {
        Tone::Ink => "t-ink",
        Tone::Quiet => "t-quiet",
        Tone::Damage => "t-damage",
        Tone::Target => "t-target",
        Tone::OnAlloc => "t-on-alloc",
        Tone::OnPointer => "t-on-pointer",
    };
    let class = classes!(tone, face, text.centred.then_some("centred"));
    html! { <text x={px(text.at.x)} y={px(text.at.y)} font-size={px(text.size)} {class}>{ &text.words }</text> }
}

/// Lines of text.
pub(super) fn texts(texts: &[Text]) -> Html {
    texts.iter().map(words).collect()
}

/// The class of what is lit in all figures at once.
pub(super) fn lit(is_lit: bool) -> Option<&'static str> {
    is_lit.then_some("lit")
}
