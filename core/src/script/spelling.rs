//! Words that are nearly spelt right.

/// The word of `words` that `typed` is nearly spelt like: one letter wrong in a short word, two in a longer one.
#[must_use]
pub(super) fn close_to(typed: &str, words: &'static [&'static str]) -> Option<&'static str> {
    const LONGEST: usize = 32;
    if typed.chars().count() > LONGEST {
        return None;
    }
    words
        .iter()
        .map(|word| (distance(&typed.to_ascii_lowercase(), &word.to_ascii_lowercase()), *word))
        .filter(|(distance, word)| *distance <= if word.len() <= 4 { 1 } else { 2 })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// How many letters must be put in, left out or changed, or neighbours swapped, to make one word of the other.
fn distance(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().collect();
    let to: Vec<char> = to.chars().collect();
    let mut rows = vec![(0..=to.len()).collect::<Vec<_>>()];
    for (i, letter) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, other) in to.iter().enumerate() {
            let changed = rows[i][j] + usize::from(letter != other);
            let mut least = changed.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from[i - 1] == *other && *letter == to[j - 1] {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::verb::Vocabulary;

    #[test]
    fn near_misses_are_recognised() {
        let close = |typed| close_to(typed, Vocabulary::Commands.words());
        assert_eq!(close("fre"), Some("free"));
        assert_eq!(close("overfolw"), Some("overflow"));
        assert_eq!(close("KFREE"), Some("kfree"));
        assert_eq!(close("bulk-free"), Some("bulkfree"));
        assert_eq!(close("kmalloc"), None);
        assert_eq!(close(&"free".repeat(1000)), None);
    }
}
