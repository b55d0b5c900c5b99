//! Luck from the browser's generator.

use slabscope_core::luck::Seed;

/// 64 bits; `None` where the browser gives none.
#[must_use]
pub fn draw() -> Option<Seed> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).ok()?;
    Some(Seed(u64::from_le_bytes(bytes)))
}
