//! Numbers as words.

/// `1st`, `2nd`, `11th`.
#[must_use]
pub fn ordinal(number: u32) -> String {
    let end = match (number % 10, number % 100) {
        (1, rest) if rest != 11 => "st",
        (2, rest) if rest != 12 => "nd",
        (3, rest) if rest != 13 => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}

/// `first`, `second`, `third`; digits from the fourth on.
#[must_use]
pub fn ordinal_word(number: u32) -> String {
    match number {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        more => ordinal(more),
    }
}

/// `1 byte`, `8 bytes`.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_end_as_they_are_spoken() {
        let spoken = [1, 2, 3, 4, 11, 12, 13, 21, 42, 111, 113].map(ordinal);
        assert_eq!(spoken, ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "42nd", "111th", "113th"]);
        assert_eq!([1, 2, 3, 4].map(ordinal_word), ["first", "second", "third", "4th"]);
        assert_eq!((counted(1, "byte"), counted(8, "byte")), ("1 byte".to_owned(), "8 bytes".to_owned()));
    }
}
