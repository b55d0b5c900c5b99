//! Lines of a report without what is luck of the boot: addresses become distances from the object that it is about.

use crate::recording::console::Fact;
use crate::units::VirtAddr;

/// What the lines of one run have in common.
pub(super) struct Words<'a> {
    /// The object that they are about.
    object: Option<VirtAddr>,
    /// What copies of the ordinary kmalloc caches are called.
    copy_word: &'a str,
}

/// Digits of an address.
const DIGITS: usize = 16;

impl<'a> Words<'a> {
    /// Of these facts, in a kernel whose copies have this name.
    pub(super) fn of(facts: &[Fact], copy_word: &'a str) -> Self {
        Self { object: facts.iter().filter_map(text_of).find_map(object_of), copy_word }
    }

    /// The facts, as far as they can be compared: of a slab of the boot's own caches, what else is in use and comes next is luck.
    pub(super) fn comparable(&self, facts: &[Fact]) -> Vec<Fact> {
        let mut is_of_boot = false;
        facts
            .iter()
            .map(|fact| match fact {
                Fact::SlabReport(line) => {
                    if let Some(name) = line.strip_prefix("BUG ") {
                        is_of_boot = name.starts_with("kmalloc-");
                    }
                    Fact::SlabReport(self.line(cut(line, is_of_boot)))
                }
                Fact::Warning { text, function } => {
                    let text = text.as_deref().map(|text| self.line(text));
                    Fact::Warning { text, function: function.clone() }
                }
                Fact::Death { .. } | Fact::Unknown(_) => fact.clone(),
            })
            .collect()
    }

    /// A line with distances for addresses, without offsets in the slab, and with ordinary caches for their copies.
    fn line(&self, line: &str) -> String {
        let mut told = String::new();
        let mut rest = line;
        while let Some(letter) = rest.chars().next() {
            if let Some((address, after)) = address_at(rest) {
                told.push_str(&self.distance(address));
                rest = after;
            } else if let Some(after) = rest.strip_prefix("@offset=") {
                told.push_str("@offset=?");
                rest = after.trim_start_matches(|digit: char| digit.is_ascii_digit());
            } else if let Some(after) = self.copy_at(rest) {
                told.push_str("kmalloc-");
                rest = after;
            } else {
                told.push(letter);
                rest = &rest[letter.len_utf8()..];
            }
        }
        told
    }

    /// What follows the name of a copy up to its size.
    fn copy_at<'b>(&self, text: &'b str) -> Option<&'b str> {
        let (number, size) =
            text.strip_prefix("kmalloc-")?.strip_prefix(self.copy_word)?.strip_prefix('-')?.split_once('-')?;
        (number.len() == 2 && number.chars().all(|digit| digit.is_ascii_digit())).then_some(size)
    }

    fn distance(&self, address: VirtAddr) -> String {
        match (address.pfn(), self.object) {
            (Some(_), Some(object)) if address < object => {
                format!("object-{}", object.bytes_after(address).unwrap_or(0))
            }
            (Some(_), Some(object)) => format!("object+{}", address.bytes_after(object).unwrap_or(0)),
            (Some(_), None) => "somewhere".to_owned(),
            (None, _) if address.is_null() => "NULL".to_owned(),
            // A `struct page`.
            (None, _) => "page".to_owned(),
        }
    }
}

/// Leaves out what the boot had to do with a slab.
fn cut(line: &str, is_of_boot: bool) -> &str {
    let end = match line {
        _ if !is_of_boot => None,
        slab if slab.starts_with("Slab 0x") => slab.find(" used="),
        object if object.starts_with("Object 0x") => object.find(" fp="),
        _ => None,
    };
    end.map_or(line, |end| &line[..end])
}

fn text_of(fact: &Fact) -> Option<&str> {
    match fact {
        Fact::SlabReport(line) => Some(line),
        Fact::Warning { text, .. } => text.as_deref(),
        Fact::Death { .. } | Fact::Unknown(_) => None,
    }
}

/// The object that a line names.
fn object_of(line: &str) -> Option<VirtAddr> {
    let named = ["Object 0x", "Object at 0x"].iter().find_map(|before| line.split_once(before));
    let called = || line.strip_prefix("kmem_cache_free(").and_then(|rest| rest.split_once(", "));
    let (_, rest) = named.or_else(called)?;
    address_at(rest).map(|(address, _)| address)
}

/// The address that a text begins with, perhaps after `0x`, and what follows.
fn address_at(text: &str) -> Option<(VirtAddr, &str)> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let (number, rest) = digits.split_at_checked(DIGITS)?;
    let is_whole = number.chars().all(|digit| digit.is_ascii_hexdigit())
        && !rest.starts_with(|next: char| next.is_ascii_hexdigit());
    let address = u64::from_str_radix(number, 16).ok().filter(|_| is_whole)?;
    Some((VirtAddr::from_raw(address), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_become_distances_and_copies_the_ordinary_cache() {
        let facts = [
            "BUG kmalloc-part-13-1k (Not tainted): Object corrupt",
            "Slab 0xffffea0000089c00 objects=10 used=2 fp=0xffff888002275800",
            "Object 0xffff888002270400 @offset=1024 fp=0xffff888002275800",
            "Redzone  ffff888002270000: cc cc",
            "FIX kmalloc-part-13-1k: Restoring Right Redzone 0xffff888002270800-0xffff888002270803=0xcc",
        ]
        .map(|line| Fact::SlabReport(line.to_owned()));
        let told = Words::of(&facts, "part").comparable(&facts);
        let expected = [
            "BUG kmalloc-1k (Not tainted): Object corrupt",
            "Slab page objects=10",
            "Object object+0 @offset=?",
            "Redzone  object-1024: cc cc",
            "FIX kmalloc-1k: Restoring Right Redzone object+1024-object+1027=0xcc",
        ];
        assert_eq!(told, expected.map(|line| Fact::SlabReport(line.to_owned())));
    }

    #[test]
    fn a_cache_of_the_tests_own_is_told_whole() {
        let slab = "Slab 0xffffea00000be6c0 objects=25 used=0 fp=0xffff888002f9b828";
        let facts = [
            "BUG lkdtm-heap-double_free (Not tainted): Slab has 0 allocated objects but 1 are to be freed",
            slab,
            "FIX lkdtm-heap-double_free: Object at 0xffff888002f9b828 not freed",
        ]
        .map(|line| Fact::SlabReport(line.to_owned()));
        let told = Words::of(&facts, "part").comparable(&facts);
        assert_eq!(told[1], Fact::SlabReport("Slab page objects=25 used=0 fp=object+0".to_owned()));
    }
}
