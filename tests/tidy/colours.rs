//! Colours stand in styles/tokens.css alone: two themes, forced colours and their contrast are looked after there.

use crate::check;
use crate::tree::SourceFile;

const FUNCTIONS: [&str; 6] = ["rgb(", "rgba(", "hsl(", "hsla(", "oklch(", "color("];
const NAMED: [&str; 14] = [
    "white", "black", "red", "green", "blue", "yellow", "orange", "purple", "pink", "gray", "grey", "brown", "navy",
    "teal",
];

fn colours(files: &[SourceFile]) -> Vec<String> {
    files
        .iter()
        .filter(|file| file.path != "styles/tokens.css")
        .flat_map(|file| {
            let lines = file.text.lines().enumerate();
            let found: Vec<String> = lines
                .filter(|(_, line)| match file.path.rsplit('.').next() {
                    Some("css") => is_coloured_rule(line),
                    Some("rs") if file.path.starts_with("src/") => is_coloured_code(line),
                    _ => false,
                })
                .map(|(at, line)| format!("{}:{}: {}", file.path, at + 1, line.trim()))
                .collect();
            found
        })
        .collect()
}

/// `property: value;` with a colour for a value.
fn is_coloured_rule(line: &str) -> bool {
    let Some((_, value)) = line.split_once(':') else { return false };
    let mut words = value.split(|c: char| !c.is_alphanumeric() && c != '-');
    let hex = value.match_indices('#').any(|(at, _)| is_hex_colour(&value[at + 1..]));
    hex || FUNCTIONS.iter().any(|function| value.contains(function)) || words.any(|word| NAMED.contains(&word))
}

/// A literal that is a colour.
fn is_coloured_code(line: &str) -> bool {
    line.match_indices("\"#").any(|(at, _)| is_hex_colour(&line[at + 2..]))
        || FUNCTIONS.iter().any(|function| line.contains(&format!("\"{function}")))
}

fn is_hex_colour(text: &str) -> bool {
    let digits = text.chars().take_while(char::is_ascii_hexdigit).count();
    let ends = !text[digits..].starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_');
    ends && matches!(digits, 3 | 4 | 6 | 8)
}

#[test]
fn colours_are_tokens() {
    check(
        colours,
        &[
            ("styles/map.css", "  fill: #0072B2;"),
            ("styles/map.css", "  color: white;"),
            ("styles/map.css", "  background: rgb(0 0 0);"),
            ("src/components/a.rs", "html! { <rect fill=\"#fff\" /> }"),
        ],
        &[
            ("styles/map.css", "  fill: url(#hatch);\n  color: var(--ink);\n  white-space: nowrap;"),
            ("src/components/a.rs", "html! { <a href=\"#step\" /> }"),
            ("styles/tokens.css", "  --ink: #14181F;"),
        ],
    );
}
