//! Decimal numbers as attributes and styles have them: to a hundredth. The standard library writes every `f64` exactly,
//! with 12 KB of program that the page then carries.

/// `value` to a hundredth: `-0.5`, `12`, `3.25`.
#[must_use]
pub fn decimal(value: f64) -> String {
    let hundredths = hundredths(value);
    let sign = if hundredths < 0 { "-" } else { "" };
    let (whole, part) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
    match (part / 10, part % 10) {
        (0, 0) => format!("{sign}{whole}"),
        (tenths, 0) => format!("{sign}{whole}.{tenths}"),
        (tenths, hundredths) => format!("{sign}{whole}.{tenths}{hundredths}"),
    }
}

/// `template` with each `#` replaced by the next number: `filled("M# #v16", &[x, y])`.
#[must_use]
pub fn filled(template: &str, numbers: &[f64]) -> String {
    let mut text = String::new();
    fill_in(&mut text, template, numbers);
    text
}

/// Adds a filled template to a text.
pub fn fill_in(text: &mut String, template: &str, numbers: &[f64]) {
    let mut parts = template.split('#');
    text.push_str(parts.next().unwrap_or_default());
    for (part, number) in parts.zip(numbers) {
        text.push_str(&decimal(*number));
        text.push_str(part);
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a place on a screen; what is past an i64 stays at its end")]
fn hundredths(value: f64) -> i64 {
    (value * 100.0).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_to_a_hundredth_without_trailing_zeros() {
        let cases =
            [(0.0, "0"), (-0.001, "0"), (12.0, "12"), (3.25, "3.25"), (-0.5, "-0.5"), (7.054, "7.05"), (99.999, "100")];
        assert!(cases.iter().all(|(value, text)| decimal(*value) == *text));
    }

    #[test]
    fn a_template_takes_its_numbers_in_order() {
        assert_eq!(filled("M# #v16", &[1.5, -2.0]), "M1.5 -2v16");
        assert_eq!(filled("z", &[]), "z");
    }
}
