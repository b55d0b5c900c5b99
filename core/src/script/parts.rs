//! What stands inside one word: numbers, names, places, values, gfp words.

use crate::command::{Base, Gfp, Name, Place, Value};
use winnow::Parser;
use winnow::ascii::digit1;
use winnow::combinator::{alt, preceded};
use winnow::error::EmptyError;
use winnow::token::{one_of, take_while};

/// A number, decimal or hexadecimal after `0x`; `None` for anything else.
#[must_use]
pub fn number(word: &str) -> Option<u64> {
    number_part.parse(word).ok()
}

/// A place: a name or an address, and a distance.
///
/// The last `+` or `-` that only digits follow begins the distance: `v-8` is eight bytes before `v`, and an object
/// that is itself named `v-8` is the place `v-8+0`.
pub(super) fn place(word: &str) -> Option<Place> {
    let (base, delta) =
        word.rfind(['+', '-']).and_then(|at| Some((&word[..at], distance(&word[at..])?))).unwrap_or((word, 0));
    Some(Place { base: base_of(base)?, delta })
}

/// An address: `0x…` or `NULL`.
pub(super) fn address(word: &str) -> Option<u64> {
    if word == "NULL" { Some(0) } else { word.starts_with("0x").then(|| number(word))? }
}

/// A value to write.
pub(super) fn value(word: &str) -> Option<Value> {
    if word == "zeros" {
        return Some(Value::Zeros);
    }
    if let Some(letter) = letter(word) {
        return Some(Value::Letter(letter));
    }
    if let Some(address) = word.strip_prefix('&') {
        return place(address).map(Value::AddressOf);
    }
    if let Some(digits) = word.strip_prefix("0x") {
        return bytes(digits).map(|bytes| Value::Bytes(bytes.into()));
    }
    place(word).filter(|place| matches!(place.base, Base::Object(_))).map(Value::AddressOf)
}

/// Text in quotation marks, without them.
pub(super) fn quoted(word: &str) -> Option<String> {
    let inner = word.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::new();
    let mut letters = inner.chars();
    while let Some(letter) = letters.next() {
        text.push(if letter == '\\' { letters.next()? } else { letter });
    }
    Some(text)
}

/// Gfp words as they add up.
#[derive(Default)]
pub(super) struct GfpWords {
    pub(super) gfp: Gfp,
    sleeps: bool,
}

impl GfpWords {
    /// Adds a word; `false` if it is none.
    pub(super) fn add(&mut self, word: &str) -> bool {
        match word {
            "GFP_KERNEL" => self.sleeps = true,
            "GFP_ATOMIC" => self.gfp.atomic = true,
            "GFP_KERNEL_ACCOUNT" => {
                self.sleeps = true;
                self.gfp.account = true;
            }
            "__GFP_ZERO" => self.gfp.zero = true,
            "__GFP_RECLAIMABLE" => self.gfp.reclaimable = true,
            "__GFP_DMA" | "GFP_DMA" => self.gfp.dma = true,
            "__GFP_ACCOUNT" => self.gfp.account = true,
            _ => return false,
        }
        true
    }

    /// Whether both an allocation that may sleep and one that may not were asked for.
    pub(super) const fn contradicts_itself(&self) -> bool {
        self.sleeps && self.gfp.atomic
    }
}

fn base_of(word: &str) -> Option<Base> {
    match address(word) {
        Some(address) => Some(Base::Address(address)),
        None => Name::new(word).map(Base::Object),
    }
}

/// A sign and a number.
fn distance(word: &str) -> Option<i64> {
    let (sign, size) = (one_of(['+', '-']), number_part).parse(word).ok()?;
    if sign == '-' { 0i64.checked_sub_unsigned(size) } else { 0i64.checked_add_unsigned(size) }
}

fn number_part(input: &mut &str) -> winnow::Result<u64, EmptyError> {
    let hexadecimal = preceded("0x", take_while(1.., |letter: char| letter.is_ascii_hexdigit()))
        .try_map(|digits| u64::from_str_radix(digits, 16));
    alt((hexadecimal, digit1.try_map(|digits: &str| digits.parse()))).parse_next(input)
}

/// One letter in quotation marks; `"\x0a"` is the byte 10.
fn letter(word: &str) -> Option<u8> {
    let inner = word.strip_prefix('"')?.strip_suffix('"')?;
    if let Some(digits) = inner.strip_prefix("\\x") {
        return bytes(digits).filter(|bytes| bytes.len() == 1).map(|bytes| bytes[0]);
    }
    match quoted(word)?.as_bytes() {
        [letter] => Some(*letter),
        _ => None,
    }
}

/// Two hexadecimal digits a byte, at least one byte.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    let byte = |pair: &[u8]| match pair {
        [high, low] => Some((nibble(*high)? << 4) | nibble(*low)?),
        _ => None,
    };
    pairs.map(byte).collect::<Option<Vec<u8>>>().filter(|bytes| !bytes.is_empty())
}

fn nibble(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}
