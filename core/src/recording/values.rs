//! The values that records write in their own way: addresses, bytes and links as text.

use crate::units::VirtAddr;
use serde::Deserialize;

/// A number written `"0x1f"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Hex(pub(super) u64);

impl Hex {
    pub(super) const fn address(self) -> VirtAddr {
        VirtAddr::from_raw(self.0)
    }
}

impl TryFrom<String> for Hex {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.strip_prefix("0x")
            .and_then(|digits| u64::from_str_radix(digits, 16).ok())
            .map(Self)
            .ok_or_else(|| format!("`{text}` is no number; expected hexadecimal such as \"0xffff888002d4c000\""))
    }
}

/// A difference of two addresses, written as a number of either sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "RawDistance")]
pub(super) struct Distance(pub(super) u64);

#[derive(Deserialize)]
#[serde(untagged)]
enum RawDistance {
    Forward(u64),
    Backward(i64),
}

impl From<RawDistance> for Distance {
    fn from(raw: RawDistance) -> Self {
        match raw {
            RawDistance::Forward(bytes) => Self(bytes),
            RawDistance::Backward(bytes) => Self(bytes.cast_unsigned()),
        }
    }
}

/// Bytes written as pairs of hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct HexBytes(pub(super) Vec<u8>);

impl TryFrom<String> for HexBytes {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.as_bytes()
            .chunks(2)
            .map(|pair| match pair {
                [high, low] => Some(nibble(*high)? << 4 | nibble(*low)?),
                _ => None,
            })
            .collect::<Option<Vec<u8>>>()
            .map(Self)
            .ok_or_else(|| format!("{} characters that are not pairs of hexadecimal digits", text.len()))
    }
}

const fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// One step of a free list as recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "RawLink")]
pub(super) enum Link {
    /// An object of the slab, by index.
    Object(u32),
    /// `"bad:<address>"`: the list leaves the slab, or its object boundaries, for this address.
    Bad(VirtAddr),
    /// `"loop"`: the list does not end.
    Endless,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawLink {
    Index(u32),
    Text(String),
}

impl TryFrom<RawLink> for Link {
    type Error = String;

    fn try_from(raw: RawLink) -> Result<Self, String> {
        match raw {
            RawLink::Index(index) => Ok(Self::Object(index)),
            RawLink::Text(text) if text == "loop" => Ok(Self::Endless),
            RawLink::Text(text) => text
                .strip_prefix("bad:")
                .and_then(|digits| u64::from_str_radix(digits, 16).ok())
                .map(|raw| Self::Bad(VirtAddr::from_raw(raw)))
                .ok_or_else(|| format!("`{text}` is no link; expected an index, \"bad:<address>\" or \"loop\"")),
        }
    }
}

/// An object in a sheaf as recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "RawSheafObject")]
pub(super) enum SheafObject {
    /// `[slab, index]`.
    Object(i64, u32),
    /// `"0+948"`: an address that many (hexadecimal) bytes from a slab's start, where no object starts.
    Inside(i64, u64),
    /// `"<address>"`: in no slab of the cache.
    Outside(VirtAddr),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawSheafObject {
    Object(i64, u32),
    Text(String),
}

impl TryFrom<RawSheafObject> for SheafObject {
    type Error = String;

    fn try_from(raw: RawSheafObject) -> Result<Self, String> {
        let text = match raw {
            RawSheafObject::Object(slab, index) => return Ok(Self::Object(slab, index)),
            RawSheafObject::Text(text) => text,
        };
        let hex = |digits: &str| u64::from_str_radix(digits, 16).ok();
        let read = match text.split_once('+') {
            Some((slab, offset)) => slab.parse().ok().zip(hex(offset)).map(|(slab, offset)| Self::Inside(slab, offset)),
            None => hex(&text).map(|raw| Self::Outside(VirtAddr::from_raw(raw))),
        };
        read.ok_or_else(|| format!("`{text}` is no object of a sheaf; expected [slab, index] or \"0+948\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse<T: for<'a> Deserialize<'a>>(text: &str) -> Result<T, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn each_form_reads_and_its_neighbours_do_not() {
        assert_eq!(parse("\"0x10\""), Ok(Hex(16)));
        assert!(parse::<Hex>("\"10\"").is_err_and(|error| error.contains("`10` is no number")));
        assert_eq!(parse("-16"), Ok(Distance(0_u64.wrapping_sub(16))));
        assert_eq!(parse("\"00fF\""), Ok(HexBytes(vec![0, 255])));
        assert!(parse::<HexBytes>("\"00f\"").is_err());
        assert_eq!(
            parse("[3, \"bad:ffff888002d4efe9\", \"loop\"]"),
            Ok(vec![Link::Object(3), Link::Bad(VirtAddr::from_raw(0xffff_8880_02d4_efe9)), Link::Endless])
        );
        assert!(parse::<Link>("\"worse\"").is_err());
        assert_eq!(parse("[0, 7]"), Ok(SheafObject::Object(0, 7)));
        assert_eq!(parse("\"0+948\""), Ok(SheafObject::Inside(0, 0x948)));
        assert!(parse::<SheafObject>("\"worse\"").is_err());
    }
}
