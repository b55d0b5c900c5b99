//! Bytes of a file to lines of text: inflating, with a bound, and telling what is wrong and where.

use crate::units::count_from;
use core::fmt;
use flate2::read::MultiGzDecoder;
use std::io::Read;

/// The most text that a file may inflate to. The longest recording known has 12 MiB.
pub const INFLATE_LIMIT: u64 = 256 << 20;
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// A file that cannot be read as what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadFile {
    /// The line at fault, counted from 1; `None` where the file as a whole is.
    pub line: Option<u32>,
    /// What is wrong.
    pub problem: String,
    /// What would be right.
    pub expected: String,
}

impl BadFile {
    /// A fault of the file as a whole.
    pub(super) fn whole(problem: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { line: None, problem: problem.into(), expected: expected.into() }
    }

    /// A fault of one line.
    pub(super) fn at(line: u32, problem: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { line: Some(line), problem: problem.into(), expected: expected.into() }
    }
}

impl fmt::Display for BadFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "{}; expected {}", self.problem, self.expected)
    }
}

impl core::error::Error for BadFile {}

/// The text of a file, plain or gzipped.
pub(super) fn text_of(bytes: &[u8]) -> Result<String, BadFile> {
    if bytes.starts_with(&GZIP_MAGIC) { inflate(bytes, INFLATE_LIMIT) } else { utf8(bytes.to_vec()) }
}

fn inflate(bytes: &[u8], limit: u64) -> Result<String, BadFile> {
    let mut text = Vec::new();
    let outcome = MultiGzDecoder::new(bytes).take(limit + 1).read_to_end(&mut text);
    let lines = line_at_end(&text);
    match outcome {
        Err(error) => Err(BadFile::at(
            lines,
            format!("the gzip data ends or breaks here, {} bytes in ({error})", text.len()),
            "a whole gzip stream: copy or record the file again",
        )),
        Ok(count) if u64::try_from(count).is_ok_and(|count| count > limit) => Err(BadFile::at(
            lines,
            format!("the text is longer than {} MiB", limit >> 20),
            "a recording of one scenario, of 12 MiB or so",
        )),
        Ok(_) => utf8(text),
    }
}

fn utf8(bytes: Vec<u8>) -> Result<String, BadFile> {
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = line_at_end(&error.as_bytes()[..good]);
        BadFile::at(
            line,
            format!("byte {good} is not text (UTF-8)"),
            "a .jsonl or geometry.json file, plain or gzipped",
        )
    })
}

/// The number of the line that the end of `text` lies in.
fn line_at_end(text: &[u8]) -> u32 {
    count_from(text.iter().filter(|byte| **byte == b'\n').count()) + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).expect("into memory");
        encoder.finish().expect("into memory")
    }

    #[test]
    fn plain_and_gzipped_text_are_the_same() {
        assert_eq!(text_of(b"{}\n").as_deref(), Ok("{}\n"));
        assert_eq!(text_of(&gzip("{}\n")).as_deref(), Ok("{}\n"));
    }

    #[test]
    fn a_truncated_stream_names_the_line_it_breaks_in() {
        let whole = gzip("one\ntwo\nthree\n");
        let error = text_of(&whole[..whole.len() - 3]).expect_err("no trailer");
        assert_eq!(error.line, Some(4));
        assert!(error.problem.contains("14 bytes in"), "{error}");
    }

    #[test]
    fn a_bomb_is_refused_at_the_limit() {
        let error = inflate(&gzip(&"x".repeat(4 << 20)), 1 << 20).expect_err("over the limit");
        assert_eq!(error.problem, "the text is longer than 1 MiB");
    }

    #[test]
    fn bytes_that_are_no_text_are_told_with_their_line() {
        assert_eq!(text_of(b"{}\n\xff\n").expect_err("not UTF-8").line, Some(2));
    }
}
