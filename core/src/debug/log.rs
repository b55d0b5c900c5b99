//! What is state of a whole boot: taint, and what is printed only once.

/// A kernel's taint, its clock, and what it has printed already that it prints only once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KernelLog {
    clock: u64,
    /// `B`: `TAINT_BAD_PAGE`, after a report.
    pub(super) bad_page: bool,
    /// `W`: `TAINT_WARN`, after a warning.
    warned: bool,
    /// `D`: `TAINT_DIE`, after an oops.
    died: bool,
    lock_debugging_off: bool,
    wrong_cache_told: bool,
    no_slab_told: bool,
}

impl KernelLog {
    /// The time, in whatever units it is counted: what makes it pass is up to who runs the kernel.
    #[must_use]
    pub const fn now(&self) -> u64 {
        self.clock
    }

    /// A unit of time passes.
    pub(crate) const fn tick(&mut self) {
        self.clock += 1;
    }

    /// A warning was printed.
    pub(crate) const fn warned(&mut self) {
        self.warned = true;
    }

    /// A task died: lock debugging is off without a word.
    pub(crate) const fn died(&mut self) {
        self.died = true;
        self.lock_debugging_off = true;
    }

    /// A slab is corrupt: whether lock debugging goes off now, which is told.
    pub(super) const fn turn_lock_debugging_off(&mut self) -> bool {
        !core::mem::replace(&mut self.lock_debugging_off, true)
    }

    /// Whether a free to the wrong cache is told, where that is told once.
    pub(crate) const fn tells_wrong_cache(&mut self) -> bool {
        !core::mem::replace(&mut self.wrong_cache_told, true)
    }

    /// Whether a free of something in no slab is told, where that is told once.
    pub(crate) const fn tells_no_slab(&mut self) -> bool {
        !core::mem::replace(&mut self.no_slab_told, true)
    }

    /// The taint as a header has it, `letters` wide.
    #[must_use]
    pub fn taint(&self, letters: u32) -> String {
        if !(self.bad_page || self.warned || self.died) {
            return "Not tainted".to_owned();
        }
        let letter = |at: u32| match at {
            0 => 'G',
            5 if self.bad_page => 'B',
            7 if self.died => 'D',
            9 if self.warned => 'W',
            _ => ' ',
        };
        format!("Tainted: {}", (0..letters).map(letter).collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As 6.1 and 7.3 print them.
    #[test]
    fn taint_letters_have_their_places() {
        let mut log = KernelLog::default();
        assert_eq!(log.taint(19), "Not tainted");
        log.bad_page = true;
        assert_eq!(log.taint(19), "Tainted: G    B             ");
        log.warned();
        assert_eq!(log.taint(19), "Tainted: G    B   W         ");
        assert_eq!(log.taint(20), "Tainted: G    B   W          ");
    }
}
