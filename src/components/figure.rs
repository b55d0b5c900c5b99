//! What all figures share: their frame, and what lights up in all of them at once.

use crate::scene::{Area, Frame};
use crate::text::{decimal, filled};
use yew::{AttrValue, Html, classes, html};

/// A figure's SVG: what it is called, and what is drawn in it. Coordinates are the frame's.
pub(super) fn figure(name: &'static str, title: AttrValue, area: Area, frame: Frame, inside: Html) -> Html {
    html! {
        <svg
            class={classes!("figure", name, frame_class(frame))}
            viewBox={filled("# # # #", &[area.x, area.y, area.w, area.h])}
            width={px(area.w)}
            height={px(area.h)}
            role="group"
            aria-label={title}
            data-keys="own"
        >
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

/// The class of what is lit in all figures at once.
pub(super) fn lit(is_lit: bool) -> Option<&'static str> {
    is_lit.then_some("lit")
}
