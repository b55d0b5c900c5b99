//! Searching a text for words. The texts are short, and the standard library's search is made for long ones: it would
//! bring 2 KB of program.

/// `text` before and after the first place where it says `words`.
#[must_use]
pub fn parted<'a>(text: &'a str, words: &str) -> Option<(&'a str, &'a str)> {
    text.char_indices().find_map(|(at, _)| {
        let (before, rest) = text.split_at(at);
        Some((before, rest.strip_prefix(words)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_part_where_the_words_are_said_first() {
        assert_eq!(parted("…0 = 2nd = 3rd", " = "), Some(("…0", "2nd = 3rd")));
        assert_eq!(parted("…0 == 2nd", " = "), None);
        assert_eq!(parted("", " = "), None);
    }
}
