//! Contrast of every pair of tokens that is drawn, in both themes, computed from styles/tokens.css as WCAG 2.2 says.

#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;

const TOKENS: &str = include_str!("../styles/tokens.css");

/// Sentences, which a hall reads: WCAG's enhanced level (1.4.6).
const HALL: f64 = 7.0;
/// Text of any size (1.4.3).
const TEXT: f64 = 4.5;
/// Edges, rings and marks: above the 3:1 of 1.4.11, for a projector takes some away.
const EDGE: f64 = 3.7;
/// A mark on a fill that is itself edged.
const MARK: f64 = 3.0;

/// Foreground, background, least contrast.
const PAIRS: [(&str, &str, f64); 25] = [
    ("ink", "paper", HALL),
    ("ink", "panel", HALL),
    ("ink2", "paper", HALL),
    ("ink2", "panel", HALL),
    ("on-ptr", "ptr", HALL),
    ("ink", "faint", TEXT),
    ("ink2", "faint", TEXT),
    ("alloc", "paper", TEXT),
    ("alloc", "panel", TEXT),
    ("dmg", "paper", TEXT),
    ("dmg", "panel", TEXT),
    ("tgt", "paper", TEXT),
    ("tgt", "panel", TEXT),
    ("ok", "paper", TEXT),
    ("ok", "panel", TEXT),
    ("on-alloc", "alloc", TEXT),
    // What stands on a filled control or a stamp is paper-coloured.
    ("paper", "ink", TEXT),
    ("paper", "dmg", TEXT),
    ("paper", "tgt", TEXT),
    ("paper", "ok", TEXT),
    ("line", "paper", EDGE),
    ("line", "panel", EDGE),
    ("chg", "paper", EDGE),
    ("dmg-on-ptr", "ptr", EDGE),
    ("line", "faint", MARK),
];

/// Each token's colour in the light theme and in the dark one.
type Themes = BTreeMap<String, [String; 2]>;

#[test]
fn every_pair_that_is_drawn_has_its_contrast() {
    assert_eq!(too_faint(&themes(TOKENS), &PAIRS), Vec::<String>::new());
}

#[test]
fn every_token_has_a_pair() {
    for token in themes(TOKENS).keys() {
        assert!(PAIRS.iter().any(|(front, back, _)| token == front || token == back), "{token} is in no pair");
    }
}

#[test]
fn forced_colours_map_every_token() {
    let forced = TOKENS.split_once("@media (forced-colors: active)").map(|(_, forced)| forced).unwrap_or_default();
    for token in themes(TOKENS).keys() {
        assert!(forced.contains(&format!("--{token}: ")), "{token} is not mapped for forced colours");
    }
}

#[test]
fn a_pair_that_is_too_faint_is_told_by_theme() {
    let tokens = themes("--a: light-dark(#FFFFFF, #000000);\n--b: light-dark(#FFFFFF, #FFFFFF);");
    assert_eq!(too_faint(&tokens, &[("a", "b", TEXT)]), ["a on b is 1.00:1 in light, under 4.5"]);
    assert_eq!(
        too_faint(&tokens, &[("a", "c", TEXT)]),
        ["a on c: no such token in light", "a on c: no such token in dark"]
    );
}

#[test]
fn contrast_is_what_wcag_computes() {
    for (front, back, want) in
        [("#000000", "#FFFFFF", 21.0), ("#777777", "#FFFFFF", 4.48), ("#0072B2", "#FFFFFF", 5.19)]
    {
        let got = contrast(front, back);
        assert!((got - want).abs() < 0.01, "{front} on {back}: {got}, not {want}");
    }
}

fn themes(css: &str) -> Themes {
    css.lines()
        .filter_map(|line| {
            let (name, value) = line.trim().strip_prefix("--")?.split_once(": light-dark(")?;
            let (light, dark) = value.strip_suffix(");")?.split_once(", ")?;
            Some((name.to_owned(), [light.to_owned(), dark.to_owned()]))
        })
        .collect()
}

fn too_faint(tokens: &Themes, pairs: &[(&str, &str, f64)]) -> Vec<String> {
    let mut found = Vec::new();
    for &(front, back, least) in pairs {
        for (theme, name) in ["light", "dark"].into_iter().enumerate() {
            let Some((front_colours, back_colours)) = tokens.get(front).zip(tokens.get(back)) else {
                found.push(format!("{front} on {back}: no such token in {name}"));
                continue;
            };
            let ratio = contrast(&front_colours[theme], &back_colours[theme]);
            if ratio < least {
                found.push(format!("{front} on {back} is {ratio:.2}:1 in {name}, under {least}"));
            }
        }
    }
    found
}

fn contrast(a: &str, b: &str) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Relative luminance of `#RRGGBB`.
fn luminance(colour: &str) -> f64 {
    let linear = |at: usize| {
        let part = u8::from_str_radix(&colour[at..at + 2], 16).expect("a colour is #RRGGBB");
        let part = f64::from(part) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(1) + 0.7152 * linear(3) + 0.0722 * linear(5)
}
