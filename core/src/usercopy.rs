//! Copies between user space and objects, checked where `CONFIG_HARDENED_USERCOPY` is built.
//!
//! `check_object_size`, `check_bogus_address`, `__check_heap_object`, `usercopy_abort` (mm/usercopy.c, mm/slub.c, 6.1
//! and 7.3); `report_usercopy` (4.8 to 4.15, not verified).
//!
//! Limitations: stacks, the kernel's text and vmalloc are not there to be copied; whole pages are not checked.
//! `CONFIG_HARDENED_USERCOPY_FALLBACK` (4.16 to 5.15), which only warned of caches without a window, is off.

pub use crate::event::{Direction, RefusedCopy};

use crate::allocator::{Kernel, Probe};
use crate::event::{Event, Oops, OopsKind};
use crate::kernel::UsercopyCheck;
use crate::layout::Window;
use crate::memory::Bytes;
use crate::slub::KmemCache;
use crate::units::VirtAddr;
use std::rc::Rc;

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// `check_object_size`: whether `len` bytes at `address` may be copied.
    ///
    /// # Errors
    /// The BUG that a refused copy is.
    pub fn check_usercopy(&mut self, direction: Direction, address: VirtAddr, len: u64) -> Result<(), Box<Oops>> {
        if self.model.usercopy == UsercopyCheck::None || len == 0 {
            return Ok(());
        }
        let object = match self.slab_at(address) {
            _ if address.is_zero_or_null() => None,
            None => return Ok(()),
            Some(slab) => {
                let slab = self.slab(slab);
                let cache = self.cache(slab.cache);
                let into = address.bytes_after(slab.base).unwrap_or_default() % cache.layout.size;
                if is_in_window(window(cache, self.model.usercopy), into, len) {
                    return Ok(());
                }
                Some((Rc::clone(&cache.name), into))
            }
        };
        let told = self.model.usercopy;
        self.on(|| Event::CopyRefused(Rc::new(RefusedCopy { direction, address, len, object, told })));
        let function = match told {
            UsercopyCheck::Object => "report_usercopy",
            UsercopyCheck::Window | UsercopyCheck::None => "usercopy_abort",
        };
        Err(self.oops(OopsKind::Usercopy, function))
    }
}

/// What of an object may be copied.
fn window(cache: &KmemCache, check: UsercopyCheck) -> Window {
    match check {
        UsercopyCheck::Window => cache.args.window,
        UsercopyCheck::Object | UsercopyCheck::None => Window { offset: 0, size: cache.layout.size },
    }
}

fn is_in_window(window: Window, into: u64, len: u64) -> bool {
    let room = into.checked_sub(window.offset).and_then(|into| window.size.checked_sub(into));
    room.is_some_and(|room| len <= room)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{KernelConfig, Version};
    use crate::luck::Seed;
    use crate::machine::Machine;
    use crate::outcome::Outcome;
    use crate::script::parse_command;

    /// What the last line comes to: the kernel's line, and the outcome.
    fn copied(version: Version, usercopy: bool, lines: &[&str]) -> (Option<String>, Option<Outcome>) {
        let config = KernelConfig { usercopy, ..KernelConfig::plain(version) };
        let mut machine = Machine::boot(&config, Seed(1)).expect("a kernel");
        let mut told = None;
        for line in lines {
            let applied = machine.apply(&parse_command(line).expect("a command")).expect("carried out");
            told = applied.events.iter().find_map(|event| {
                if let Event::CopyRefused(refused) = event { Some(refused.to_string()) } else { None }
            });
        }
        (told, machine.verdict().map(|verdict| verdict.outcome))
    }

    #[track_caller]
    fn check_refused(version: Version, lines: &[&str], text: &str) {
        assert_eq!(copied(version, true, lines), (Some(text.to_owned()), Some(Outcome::Caught)));
        assert_eq!(copied(version, false, lines).0, None, "nothing looks");
    }

    #[track_caller]
    fn check_done(version: Version, lines: &[&str]) {
        assert_eq!(copied(version, true, lines), (None, None));
    }

    #[test]
    fn a_copy_stays_in_the_window_of_its_cache() {
        let version = Version::release(6, 1);
        let cache = ["cache crypt 512 useroffset=16 usersize=32", "a = alloc crypt"];
        check_done(version, &[cache[0], cache[1], "copy to a+16 32", "copy from a+47 1"]);
        check_refused(
            version,
            &[cache[0], cache[1], "copy from a+40 9"],
            "usercopy: Kernel memory exposure attempt detected from SLUB object 'crypt' (offset 40, size 9)!",
        );
        check_refused(
            version,
            &[cache[0], cache[1], "copy to a+8 16"],
            "usercopy: Kernel memory overwrite attempt detected to SLUB object 'crypt' (offset 8, size 16)!",
        );
    }

    #[test]
    fn a_cache_without_a_window_lets_nothing_through_from_4_16_on() {
        let lines = ["cache creds 200", "a = alloc creds", "copy from a 8"];
        check_done(Version::release(4, 15), &lines);
        check_refused(
            Version::release(4, 16),
            &lines,
            "usercopy: Kernel memory exposure attempt detected from SLUB object 'creds' (offset 0, size 8)!",
        );
    }

    #[test]
    fn a_copy_past_the_end_of_a_kmalloc_object_is_refused() {
        let lines = ["a = kmalloc 60", "copy to a 65"];
        check_done(Version::release(6, 12), &[lines[0], "copy to a 64"]);
        check_refused(
            Version::release(6, 12),
            &lines,
            "usercopy: Kernel memory overwrite attempt detected to SLUB object 'kmalloc-64' (offset 0, size 65)!",
        );
        let (told, outcome) = copied(Version::release(4, 8), true, &lines);
        let told = told.expect("refused");
        assert!(told.starts_with("usercopy: kernel memory overwrite attempt detected to 0xffff8880"), "{told}");
        assert!(told.ends_with(" (kmalloc-64) (65 bytes)"), "{told}");
        assert_eq!(outcome, Some(Outcome::Caught));
    }

    #[test]
    fn null_is_refused_and_whole_pages_are_not_looked_at() {
        let version = Version::release(6, 1);
        check_done(version, &["a = kmalloc 10000", "copy to a 16384"]);
        check_refused(
            version,
            &["a = kmalloc 0", "copy from a 4"],
            "usercopy: Kernel memory exposure attempt detected from null address (offset 16, size 4)!",
        );
    }
}
