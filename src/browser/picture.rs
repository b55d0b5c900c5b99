//! The stage as a picture that stands alone: its figures, the words beside them, and the styles that both need.

use super::{document, window};
use crate::text::{decimal, escaped};
use std::fmt::Write as _;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CssRule, CssStyleSheet, Document, DomRect, Element, HtmlElement, XmlSerializer};

/// The figures of the stage, in which the outcome's stamp is one.
const FIGURES: &str = "[data-stage] svg.figure, [data-stage] .stamp svg, [data-stage] .reach svg";
/// Words of the stage that stand beside its figures.
const WORDS: &str = "[data-stage] h1, [data-stage] .sentence p, [data-stage] .crumbs, [data-stage] figcaption";

/// An SVG of what is on the stage; `None` where there is no stage.
#[must_use]
pub fn picture(title: &str, says: &str) -> Option<String> {
    draw(title, says).ok().flatten()
}

fn draw(title: &str, says: &str) -> Result<Option<String>, JsValue> {
    let Some(document) = document() else { return Ok(None) };
    let Some(stage) = document.query_selector("[data-stage]")? else { return Ok(None) };
    let frame = stage.get_bounding_client_rect();
    let mut svg = String::new();
    let wrote = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
         role=\"img\"><title>{}</title><desc>{}</desc><style>{}</style>\
         <rect width=\"100%\" height=\"100%\" style=\"fill:var(--paper)\"/>",
        escaped(title),
        escaped(says),
        escaped(&styles(&document)?),
        w = decimal(frame.width()),
        h = decimal(frame.height()),
    );
    debug_assert!(wrote.is_ok(), "a String takes what is written to it");
    for figure in all(&document, FIGURES)? {
        svg.push_str(&figure_at(&figure, &frame)?);
    }
    for words in all(&document, WORDS)? {
        svg.push_str(&words_at(&words, &frame));
    }
    svg.push_str("</svg>\n");
    Ok(Some(svg))
}

fn all(document: &Document, selector: &str) -> Result<Vec<Element>, JsValue> {
    let found = document.query_selector_all(selector)?;
    Ok((0..found.length()).filter_map(|nth| found.item(nth)?.dyn_into().ok()).collect())
}

/// A figure where it stands on the stage. What styles it by where it is, is around it here too.
fn figure_at(figure: &Element, frame: &DomRect) -> Result<String, JsValue> {
    let place = figure.get_bounding_client_rect();
    let copy: Element = figure.clone_node_with_deep(true)?.dyn_into()?;
    let sides = [
        ("x", place.left() - frame.left()),
        ("y", place.top() - frame.top()),
        ("width", place.width()),
        ("height", place.height()),
    ];
    for (name, px) in sides {
        copy.set_attribute(name, &decimal(px))?;
    }
    let around =
        ["stamp", "reach"].into_iter().find(|class| figure.closest(&format!(".{class}")).ok().flatten().is_some());
    let text = XmlSerializer::new()?.serialize_to_string(&copy)?;
    Ok(format!("<g class=\"{}\">{text}</g>", around.unwrap_or_default()))
}

fn words_at(words: &Element, frame: &DomRect) -> String {
    let place = words.get_bounding_client_rect();
    let text = words.dyn_ref::<HtmlElement>().map(HtmlElement::inner_text).unwrap_or_default();
    let style = |name: &str| {
        let style = window().and_then(|window| window.get_computed_style(words).ok().flatten());
        style.and_then(|style| style.get_property_value(name).ok()).unwrap_or_default()
    };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!(
        "<text x=\"{}\" y=\"{}\" style=\"font:{} {} system-ui,'DejaVu Sans',sans-serif;fill:{}\">{}</text>",
        decimal(place.left() - frame.left()),
        decimal(place.top() - frame.top() + place.height() * 0.74),
        style("font-weight"),
        style("font-size"),
        style("color"),
        escaped(&text),
    )
}

/// The rules of the page that the figures need, and the colours that they name, as they are now.
fn styles(document: &Document) -> Result<String, JsValue> {
    let mut text = String::new();
    let sheets = document.style_sheets();
    for sheet in (0..sheets.length()).filter_map(|nth| sheets.item(nth)?.dyn_into::<CssStyleSheet>().ok()) {
        let rules = sheet.css_rules()?;
        for rule in (0..rules.length()).filter_map(|nth| rules.item(nth)).map(|rule: CssRule| rule.css_text()) {
            if rule.starts_with(":root") {
                text.push_str(&tokens(document, &rule)?);
            } else if [".figure", ".stamp", ".reach"].iter().any(|class| rule.starts_with(class)) {
                text.push_str(&rule);
            }
        }
    }
    Ok(text)
}

/// The tokens that a rule sets, each with the colour that it comes to in the theme that the page has.
fn tokens(document: &Document, rule: &str) -> Result<String, JsValue> {
    let probe: HtmlElement = document.create_element("i")?.dyn_into()?;
    let body = document.body().ok_or("no body")?;
    body.append_child(&probe)?;
    let mut text = String::from(":root{");
    for name in rule.split([';', '{']).filter_map(|part| part.trim().split_once(':')).map(|(name, _)| name) {
        if name.starts_with("--") {
            probe.style().set_property("color", &format!("var({name})"))?;
            let style = window().and_then(|window| window.get_computed_style(&probe).ok().flatten());
            let colour = style.and_then(|style| style.get_property_value("color").ok()).unwrap_or_default();
            text.push_str(&format!("{name}:{colour};"));
        }
    }
    probe.remove();
    text.push('}');
    Ok(text)
}
