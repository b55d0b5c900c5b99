//! Drawings as SVG text. The browser reads a group in one go, so what changed is one group out and one in, and what did
//! not change is known by comparing two texts.
//!
//! Text from links and files must not become markup. So this is the one place that makes any, and what it writes is
//! either part of the program (`&'static str`), a number, or escaped.

use crate::scene::{Area, Face, Point, Text, Tone};
use crate::text::{escaped, fill_in};
use yew::{AttrValue, Html};

/// What is drawn so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Drawing(String);

impl Drawing {
    /// A drawing that something else speaks for.
    pub(super) fn mute(class: &'static str, draw: impl FnOnce(&mut Self)) -> Html {
        Self::of(|svg| {
            svg.open(class);
            svg.push("\" aria-hidden=\"true\">");
            svg.close(draw);
        })
    }

    /// A drawing with a name of its own.
    pub(super) fn image(class: &'static str, label: &str, draw: impl FnOnce(&mut Self)) -> Html {
        Self::of(|svg| {
            svg.open(class);
            svg.push("\" role=\"img");
            svg.label(label);
            svg.close(draw);
        })
    }

    /// The drawing over a button, which takes its name from it by this id.
    pub(super) fn over_button(id: &str, label: &str, class: &'static str, draw: impl FnOnce(&mut Self)) -> Html {
        Self::of(|svg| {
            svg.open(class);
            svg.push("\" aria-hidden=\"true\" id=\"");
            svg.text(id);
            svg.label(label);
            svg.close(draw);
        })
    }

    /// What `draw` draws, as it goes into the page.
    #[expect(clippy::disallowed_methods, reason = "what is in a drawing is the program's own, or escaped")]
    pub(super) fn of(draw: impl FnOnce(&mut Self)) -> Html {
        let mut svg = Self::default();
        draw(&mut svg);
        Html::from_html_unchecked(AttrValue::from(svg.0))
    }

    fn open(&mut self, class: &'static str) {
        self.push("<g class=\"");
        self.push(class);
    }

    fn label(&mut self, words: &str) {
        self.push("\" aria-label=\"");
        self.text(words);
        self.push("\">");
    }

    fn close(&mut self, draw: impl FnOnce(&mut Self)) {
        draw(self);
        self.push("</g>");
    }

    /// SVG as it is.
    pub(super) fn push(&mut self, svg: &'static str) {
        self.0.push_str(svg);
    }

    /// Words, between tags or between quotes.
    pub(super) fn text(&mut self, words: &str) {
        self.0.push_str(&escaped(words));
    }

    /// SVG, each `#` of which is the next of the numbers.
    pub(super) fn numbers(&mut self, svg: &'static str, numbers: &[f64]) {
        fill_in(&mut self.0, svg, numbers);
    }

    /// An element up to its class, each `#` of which is the next of the numbers; its class, and its end.
    pub(super) fn shape(&mut self, start: &'static str, numbers: &[f64], class: &'static str) {
        self.numbers(start, numbers);
        self.push("\" class=\"");
        self.push(class);
        self.push("\"/>");
    }

    /// A rectangle with classes of the figures' stylesheet.
    pub(super) fn rect(&mut self, area: Area, radius: f64, class: &'static str) {
        let numbers = [area.x, area.y, area.w, area.h, radius];
        self.shape("<rect x=\"#\" y=\"#\" width=\"#\" height=\"#\" rx=\"#", &numbers, class);
    }

    /// A path as it runs.
    pub(super) fn outline(&mut self, d: &str, class: &'static str) {
        self.push("<path d=\"");
        self.text(d);
        self.shape("", &[], class);
    }

    /// A path: each `#` of its shape is the next of the numbers.
    pub(super) fn path(&mut self, shape: &'static str, numbers: &[f64], class: &'static str) {
        self.push("<path d=\"");
        self.shape(shape, numbers, class);
    }

    /// A dot or a ring.
    pub(super) fn circle(&mut self, at: Point, radius: f64, class: &'static str) {
        self.shape("<circle cx=\"#\" cy=\"#\" r=\"#", &[at.x, at.y, radius], class);
    }

    /// A rectangle filled with one of the patterns of a figure.
    pub(super) fn patterned(&mut self, area: Area, figure: &'static str, pattern: &'static str, class: &'static str) {
        let numbers = [area.x, area.y, area.w, area.h];
        self.numbers("<rect x=\"#\" y=\"#\" width=\"#\" height=\"#\" fill=\"url(", &numbers);
        for part in ["#", figure, "-", pattern, ")"] {
            self.push(part);
        }
        self.shape("", &[], class);
    }

    /// A word of a figure's own.
    pub(super) fn word(&mut self, at: Point, size: f64, class: &'static str, words: &str) {
        self.numbers("<text x=\"#\" y=\"#\" font-size=\"#\" class=\"", &[at.x, at.y, size]);
        self.push(class);
        self.push("\">");
        self.text(words);
        self.push("</text>");
    }

    /// A line of text.
    pub(super) fn words(&mut self, text: &Text) {
        self.numbers("<text x=\"#\" y=\"#\" font-size=\"#\" class=\"", &[text.at.x, text.at.y, text.size]);
        self.push(match text.tone {
            Tone::Ink => "t-ink",
            Tone::Quiet => "t-quiet",
            Tone::Damage => "t-damage",
            Tone::Target => "t-target",
            Tone::OnAlloc => "t-on-alloc",
            Tone::OnPointer => "t-on-pointer",
        });
        self.push(match text.face {
            Face::Plain => "",
            Face::Bold => " bold",
            Face::Mono => " mono",
            Face::MonoBold => " mono bold",
        });
        self.push(if text.centred { " centred\">" } else { "\">" });
        self.text(&text.words);
        self.push("</text>");
    }

    /// Lines of text.
    pub(super) fn texts<'a>(&mut self, texts: impl IntoIterator<Item = &'a Text>) {
        texts.into_iter().for_each(|text| self.words(text));
    }
}
