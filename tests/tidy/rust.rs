//! As much of Rust's grammar as the rules need: code without comments and literals, bodies, words.
//!
//! Limitations: a `'` before a letter that is followed by another `'` is taken for a character, macros for plain code.

/// The code with comments and the insides of literals made blank: same lines, same columns.
pub(crate) fn code_only(text: &str) -> String {
    let source: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while at < source.len() {
        let end = end_of_blank(&source, at);
        if end == at {
            code.push(source[at]);
            at += 1;
        } else {
            code.extend(source[at..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
            at = end;
        }
    }
    code
}

/// Where the comment or literal that starts at `at` ends, or `at` if none does.
fn end_of_blank(source: &[char], at: usize) -> usize {
    let rest = &source[at..];
    match rest {
        ['/', '/', ..] => at + rest.iter().position(|&c| c == '\n').unwrap_or(rest.len()),
        ['/', '*', ..] => end_of_block_comment(source, at),
        ['r', '"' | '#', ..] if !is_word_before(source, at) => end_of_raw_string(source, at),
        ['b', 'r', '"' | '#', ..] if !is_word_before(source, at) => end_of_raw_string(source, at + 1),
        ['"', ..] => end_of_string(source, at),
        ['\'', '\\', _, ..] => {
            source[at + 3..].iter().position(|&c| c == '\'').map_or(source.len(), |end| at + end + 4)
        }
        ['\'', _, '\'', ..] => at + 3,
        _ => at,
    }
}

fn end_of_block_comment(source: &[char], at: usize) -> usize {
    let mut depth = 0_u32;
    let mut end = at;
    while end < source.len() {
        match &source[end..] {
            ['/', '*', ..] => (depth, end) = (depth + 1, end + 2),
            ['*', '/', ..] => (depth, end) = (depth - 1, end + 2),
            _ => end += 1,
        }
        if depth == 0 {
            break;
        }
    }
    end
}

fn end_of_string(source: &[char], at: usize) -> usize {
    let mut end = at + 1;
    while end < source.len() && source[end] != '"' {
        end += if source[end] == '\\' { 2 } else { 1 };
    }
    (end + 1).min(source.len())
}

/// `at` is the `r`. A raw identifier (`r#type`) is not a literal.
fn end_of_raw_string(source: &[char], at: usize) -> usize {
    let hashes = source[at + 1..].iter().take_while(|&&c| c == '#').count();
    let open = at + 1 + hashes;
    if source.get(open) != Some(&'"') {
        return at;
    }
    let closes = |end: &usize| source[*end] == '"' && source[end + 1..].iter().take(hashes).all(|&c| c == '#');
    (open + 1..source.len()).find(closes).map_or(source.len(), |end| (end + 1 + hashes).min(source.len()))
}

fn is_word_before(source: &[char], at: usize) -> bool {
    at > 0 && is_word(source[at - 1])
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The code with the insides of `#[cfg(test)] mod … { }` made blank. Takes what [`code_only`] gave.
pub(crate) fn without_test_modules(code: &str) -> String {
    let mut kept = code.to_owned();
    let mut from = 0;
    while let Some(start) = kept[from..].find("#[cfg(test)]").map(|found| from + found) {
        let item = start + "#[cfg(test)]".len();
        let is_module = kept[item..].trim_start().starts_with("mod ");
        match body_at(&kept, item) {
            Some(body) if is_module => {
                let blank: String = kept[start..body.end].chars().filter(|&c| c == '\n').collect();
                kept.replace_range(start..body.end, &blank);
                from = start;
            }
            _ => from = item,
        }
    }
    kept
}

/// The next `{ … }` at or after `from`, with its braces, unless a `;` outside of brackets comes before it.
pub(crate) fn body_at(code: &str, from: usize) -> Option<std::ops::Range<usize>> {
    let mut depth = 0_i32;
    let mut start = None;
    for (at, c) in code[from..].char_indices() {
        match c {
            '(' | '[' | '{' => {
                if c == '{' && depth == 0 && start.is_none() {
                    start = Some(from + at);
                }
                depth += 1;
            }
            ')' | ']' | '}' => {
                depth -= 1;
                if let (0, '}', Some(start)) = (depth, c, start) {
                    return Some(start..from + at + 1);
                }
            }
            ';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Whether `word` stands in `code` as a whole path: `std::time` in `use std::time::Instant`, not in `my_std::timer`.
pub(crate) fn names(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, found)| {
        let before = code[..at].chars().next_back();
        let after = code[at + found.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

#[test]
fn comments_and_literals_are_blank_and_code_stays() {
    let cases = [
        ("a // b\nc", "a     \nc"),
        ("a /* b /* c */ */ d", "a                 d"),
        (r#"a "b \" c" d"#, "a          d"),
        ("a r#\"b\" c\"# d", "a           d"),
        ("a '{' b '\\'' c 'd e", "a     b      c 'd e"),
        ("r#type", "r#type"),
    ];
    for (text, code) in cases {
        assert_eq!(code_only(text), code, "{text}");
    }
}

#[test]
fn test_modules_are_blank_and_what_follows_stays() {
    let code = "a\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\nc\n#[cfg(test)]\nmod tests;\nd";
    assert_eq!(without_test_modules(code), "a\n\n\n\n\nc\n#[cfg(test)]\nmod tests;\nd");
}

#[test]
fn a_word_is_found_whole() {
    assert!(names("use std::time::Instant;", "std::time"));
    assert!(!names("use my_std::timer;", "std::time"));
    assert!(!names("let yewish = 1;", "yew"));
}
