//! The gfp words that the allocator looks at.

use crate::kernel::Model;
use core::fmt;

/// The gfp words that change what the allocator does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Gfp {
    /// `GFP_ATOMIC` rather than `GFP_KERNEL`.
    pub atomic: bool,
    /// `__GFP_ZERO`.
    pub zero: bool,
    /// `__GFP_RECLAIMABLE`.
    pub reclaimable: bool,
    /// `__GFP_DMA`.
    pub dma: bool,
    /// `__GFP_ACCOUNT`.
    pub account: bool,
}

impl fmt::Display for Gfp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.atomic { "GFP_ATOMIC" } else { "GFP_KERNEL" })?;
        let words = [
            (self.zero, "__GFP_ZERO"),
            (self.reclaimable, "__GFP_RECLAIMABLE"),
            (self.dma, "__GFP_DMA"),
            (self.account, "__GFP_ACCOUNT"),
        ];
        words.iter().filter(|(on, _)| *on).try_for_each(|(_, word)| write!(f, "|{word}"))
    }
}

impl Gfp {
    /// Whether no word chooses another cache than `GFP_KERNEL` does.
    // Not by comparison with the default one: where code is compiled for size that is a call of memcmp.
    #[inline(always)]
    pub(super) const fn is_plain(self) -> bool {
        !(self.atomic | self.zero | self.reclaimable | self.dma | self.account)
    }

    /// As a warning prints them: the number, then the words (`%#x(%pGg)`).
    ///
    /// Limitations: the bits are those of 5.1 and later (not verified).
    #[must_use]
    pub fn told(self, model: &Model) -> String {
        const KERNEL: u32 = 0xcc0;
        let bits = [(self.dma, 0x1), (self.reclaimable, 0x10), (self.zero, 0x100), (self.account, 0x40_0000)];
        let base = if self.atomic { model.debug.told.gfp_atomic } else { KERNEL };
        let mask = bits.into_iter().fold(base, |mask, (is_set, bit)| if is_set { mask | bit } else { mask });
        let named = self.to_string();
        let words = match named.strip_prefix("GFP_KERNEL").and_then(|words| words.strip_suffix("|__GFP_ACCOUNT")) {
            Some(others) => format!("GFP_KERNEL_ACCOUNT{others}"),
            None => named,
        };
        format!("{mask:#x}({words})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{KernelConfig, Version};

    #[test]
    fn words_have_numbers() {
        let told = |version, gfp: Gfp| gfp.told(&KernelConfig::plain(version).model().expect("plain"));
        let (old, new) = (Version::release(6, 1), Version::release(6, 12));
        let none = Gfp::default();
        for (version, gfp, expected) in [
            (old, none, "0xcc0(GFP_KERNEL)"),
            (old, Gfp { zero: true, ..none }, "0xdc0(GFP_KERNEL|__GFP_ZERO)"),
            (old, Gfp { atomic: true, ..none }, "0xa20(GFP_ATOMIC)"),
            (new, Gfp { atomic: true, dma: true, ..none }, "0x821(GFP_ATOMIC|__GFP_DMA)"),
            (new, Gfp { account: true, reclaimable: true, ..none }, "0x400cd0(GFP_KERNEL_ACCOUNT|__GFP_RECLAIMABLE)"),
        ] {
            assert_eq!(told(version, gfp), expected);
        }
    }
}
