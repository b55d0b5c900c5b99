//! Numbers as scripts have them: decimal, or hexadecimal after `0x`.

use slabscope_core::script::parse_number;

pub(crate) fn number(text: &str) -> Result<u64, String> {
    parse_number(text).ok_or_else(|| "digits, or `0x` and hexadecimal digits, up to 64 bits".to_owned())
}

pub(crate) fn small_number(text: &str) -> Result<u32, String> {
    u32::try_from(number(text)?).map_err(|_| format!("at most {}", u32::MAX))
}
