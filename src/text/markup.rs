//! Words among markup.

/// Words as SVG and HTML have them, between tags or between quotes.
#[must_use]
pub fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_neither_tags_nor_ends_of_attributes() {
        assert_eq!(escaped("a & <b> \"c\""), "a &amp; &lt;b&gt; &quot;c&quot;");
    }
}
