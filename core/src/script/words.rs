//! A line as words, and the walk along them.

use super::error::{Expected, ScriptError};
use super::parts::number;
use super::verb::{Form, Verb, Vocabulary};
use crate::units::count_from;
use winnow::Parser;
use winnow::combinator::{alt, delimited, preceded, repeat};
use winnow::error::EmptyError;
use winnow::stream::LocatingSlice;
use winnow::token::{any, none_of, take_till, take_while};

/// A word and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    /// Its letters, quotation marks included.
    pub(super) text: &'a str,
    /// Its first letter, in characters from 1.
    pub(super) column: u32,
}

impl<'a> Word<'a> {
    /// The word up to and with its `=`; all of it where it has none.
    pub(super) fn key(self) -> Word<'a> {
        let end = self.text.find('=').map_or(self.text.len(), |at| at + 1);
        Word { text: &self.text[..end], column: self.column }
    }

    /// A part of this word as a word of its own; `part` is a slice of its text, found by where it lies.
    pub(super) fn part(self, part: &'a str) -> Word<'a> {
        let before = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        let letters = self.text.get(..before).map_or(0, |text| count_from(text.chars().count()));
        Word { text: part, column: self.column + letters }
    }
}

/// The words of a line that were not read yet.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    line: u32,
    words: std::vec::IntoIter<Word<'a>>,
    /// Where the next word would stand if there were one.
    end_column: u32,
}

impl<'a> Words<'a> {
    /// Takes a line apart. `line` is its number; a comment is dropped.
    pub(super) fn of(text: &'a str, line: u32) -> Result<Self, Box<ScriptError>> {
        Self::after(0, text, line)
    }

    /// Takes apart the rest of a line, of which `before` words are known.
    pub(super) fn after(before: usize, text: &'a str, line: u32) -> Result<Self, Box<ScriptError>> {
        let mut columns = Columns { text, byte: 0, column: 1 };
        let mut words: Vec<Word<'a>> = Vec::new();
        let mut input = LocatingSlice::new(text);
        loop {
            let mut spaced = preceded(take_while(0.., char::is_whitespace), token(before + words.len()).with_span());
            let Ok((token, place)) = spaced.parse_next(&mut input) else { break };
            match token {
                Token::Word(text) => words.push(Word { text, column: columns.of(place.start) }),
                Token::Unclosed(text) => {
                    let word = Word { text, column: columns.of(place.start) };
                    return Err(ScriptError::at(line, word, Expected::ClosingQuote));
                }
                Token::Comment => break,
            }
        }
        let end_column = words.last().map_or(1, |last| last.column + count_from(last.text.chars().count()) + 1);
        Ok(Self { line, words: words.into_iter(), end_column })
    }

    /// Whether all were read.
    pub(super) fn is_empty(&self) -> bool {
        self.words.as_slice().is_empty()
    }

    /// The next word, without reading it.
    pub(super) fn peek(&self) -> Option<Word<'a>> {
        self.words.as_slice().first().copied()
    }

    /// The word after the next.
    pub(super) fn peek_second(&self) -> Option<Word<'a>> {
        self.words.as_slice().get(1).copied()
    }

    /// Reads the next word, if there is one.
    pub(super) fn next(&mut self) -> Option<Word<'a>> {
        self.words.next()
    }

    /// Whether the line gives a name to something, or compares: its second word is `=`.
    pub(super) fn assigns(&self) -> bool {
        self.peek_second().is_some_and(|word| word.text == "=")
    }

    /// Reads the next word, which should be of this form.
    pub(super) fn word(&mut self, verb: Verb, form: Form) -> Result<Word<'a>, Box<ScriptError>> {
        self.next().ok_or_else(|| self.error_at_end(Expected::Form { form, verb }))
    }

    /// Reads the next word, which should be of this closed set.
    pub(super) fn word_of(&mut self, of: Vocabulary) -> Result<Word<'a>, Box<ScriptError>> {
        self.next().ok_or_else(|| self.error_at_end(Expected::OneOf { of, close: None }))
    }

    /// Reads a word of this form, as `read` reads it.
    pub(super) fn form<T>(
        &mut self,
        verb: Verb,
        form: Form,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, Box<ScriptError>> {
        let word = self.word(verb, form)?;
        read(word.text).ok_or_else(|| self.not_of_form(word, verb, form))
    }

    /// Reads this very word, which is a form of its own.
    pub(super) fn literal(&mut self, text: &str, verb: Verb, form: Form) -> Result<(), Box<ScriptError>> {
        self.form(verb, form, |word| (word == text).then_some(()))
    }

    /// Reads a word of a closed set, as `read` reads it.
    pub(super) fn one_of<T>(
        &mut self,
        of: Vocabulary,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, Box<ScriptError>> {
        let word = self.word_of(of)?;
        read(word.text).ok_or_else(|| self.not_one_of(word, of))
    }

    /// Reads a number of at most `most`.
    pub(super) fn number_up_to(&mut self, verb: Verb, most: u32) -> Result<u32, Box<ScriptError>> {
        let word = self.peek();
        let too_large = Expected::Smaller { most: u64::from(most) };
        match self.form(verb, Form::Number, number) {
            Ok(value) => u32::try_from(value).ok().filter(|value| *value <= most).ok_or_else(|| {
                let word = word.expect("a number was read");
                self.error(word, too_large)
            }),
            Err(error) if error.expected == Expected::FITS => {
                Err(Box::new(ScriptError { expected: too_large, ..*error }))
            }
            Err(error) => Err(error),
        }
    }

    /// Makes sure that the line ends here.
    pub(super) fn end(&mut self, verb: Verb) -> Result<(), Box<ScriptError>> {
        match self.next() {
            Some(word) => Err(self.error(word, Expected::End { verb })),
            None => Ok(()),
        }
    }

    /// What a line may say only once was said before.
    pub(super) fn once(&self, is_again: bool, verb: Verb, word: Word<'_>) -> Result<(), Box<ScriptError>> {
        if is_again { Err(self.error(word, Expected::Once { verb })) } else { Ok(()) }
    }

    /// The error of a word that is not of a form.
    fn not_of_form(&self, word: Word<'_>, verb: Verb, form: Form) -> Box<ScriptError> {
        let is_long = is_long(word, form);
        self.error(word, if is_long { Expected::FITS } else { Expected::Form { form, verb } })
    }

    /// The error of a word that is not of a closed set.
    pub(super) fn not_one_of(&self, word: Word<'_>, of: Vocabulary) -> Box<ScriptError> {
        self.error(word, Expected::one_of(word.text, of))
    }

    /// The error of a part of a word that is not of a closed set: `part` is a slice of the word's text.
    pub(super) fn inside(&self, word: Word<'a>, part: &'a str, of: Vocabulary) -> Box<ScriptError> {
        self.not_one_of(word.part(part), of)
    }

    /// An error at a word.
    pub(super) fn error(&self, word: Word<'_>, expected: Expected) -> Box<ScriptError> {
        ScriptError::at(self.line, word, expected)
    }

    /// An error where the line ends.
    pub(super) fn error_at_end(&self, expected: Expected) -> Box<ScriptError> {
        self.error(Word { text: "", column: self.end_column }, expected)
    }
}

/// Whether a number was asked for and the word is one, of more than 64 bits.
fn is_long(word: Word<'_>, form: Form) -> bool {
    let is_digits = |text: &str, of: fn(&u8) -> bool| !text.is_empty() && text.as_bytes().iter().all(of);
    form == Form::Number
        && match word.text.strip_prefix("0x") {
            Some(digits) => is_digits(digits, u8::is_ascii_hexdigit),
            None => is_digits(word.text, u8::is_ascii_digit),
        }
}

/// Counts characters up to places that only go forward.
struct Columns<'a> {
    text: &'a str,
    byte: usize,
    column: u32,
}

impl Columns<'_> {
    fn of(&mut self, byte: usize) -> u32 {
        self.column += count_from(self.text[self.byte..byte].chars().count());
        self.byte = byte;
        self.column
    }
}

#[derive(Clone)]
enum Token<'a> {
    Word(&'a str),
    Unclosed(&'a str),
    Comment,
}

/// The next word of a line that has `before` words already. `=` is a word of its own only where an assignment or a
/// comparison has it, second or third, so that `a=kmalloc 64` reads and `random=on` stays one word.
fn token<'a>(before: usize) -> impl Parser<LocatingSlice<&'a str>, Token<'a>, EmptyError> {
    move |input: &mut LocatingSlice<&'a str>| {
        let splits = before < 2;
        let ends =
            move |letter: char| letter.is_whitespace() || letter == '#' || letter == '"' || (splits && letter == '=');
        alt((
            '#'.value(Token::Comment),
            quoted.map(Token::Word),
            ('"', repeat::<_, _, (), _, _>(0.., any)).take().map(Token::Unclosed),
            '='.take().verify(move |_: &str| before <= 2).map(Token::Word),
            take_till(1.., ends).map(Token::Word),
        ))
        .parse_next(input)
    }
}

/// Text in quotation marks; `\"` and `\\` stand for themselves.
fn quoted<'a>(input: &mut LocatingSlice<&'a str>) -> winnow::Result<&'a str, EmptyError> {
    let escaped = ('\\', any).void();
    let plain = none_of(['"', '\\']).void();
    delimited('"', repeat::<_, _, (), _, _>(0.., alt((plain, escaped))), '"').take().parse_next(input)
}
