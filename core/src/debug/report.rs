//! Putting a report together: header, what was found, who had the object, the slab, the bytes.
//!
//! `slab_bug`, `slab_fix`, `object_err`, `slab_err`, `print_trailer`, `print_tracking`, `list_slab_objects` (mm/slub.c,
//! 4.19 to 7.3).

use super::dump::{self, Section};
use super::telling;
use crate::allocator::{Kernel, Probe};
use crate::event::Event;
use crate::layout::Track;
use crate::memory::Bytes;
use crate::report::{Bytes as Range, Finding, Line, Repair, Report, Told};
use crate::units::{CacheId, PAGE_SIZE, SlabId, VirtAddr};
use std::rc::Rc;

/// An object of a slab, and the cache on whose behalf it is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) cache: CacheId,
    pub(super) slab: SlabId,
    pub(super) object: VirtAddr,
}

const RULE_WIDTH: usize = 77;

pub(super) fn plain(text: impl Into<String>) -> Line {
    Line { text: text.into(), bytes: None }
}

pub(super) fn about(text: impl Into<String>, at: VirtAddr, len: u64) -> Line {
    Line { text: text.into(), bytes: Some(Range { at, len }) }
}

impl<P: Probe, B: Bytes> Kernel<P, B> {
    pub(super) fn tell(
        &mut self,
        cache: CacheId,
        slab: Option<SlabId>,
        object: Option<VirtAddr>,
        told: Told,
        lines: Vec<Line>,
    ) {
        self.on(|| Event::Reported(Rc::new(Report { cache, slab, object, told, lines })));
    }

    /// A report about an object.
    #[cold]
    pub(super) fn report_object(&mut self, site: Site, finding: Finding) {
        let told = self.model.debug.told;
        let name = Rc::clone(&self.caches[site.cache].name);
        let fault = self.fault_line(finding);
        let (first, second) = if told.fault_first { (fault, None) } else { (None, fault) };
        let mut lines: Vec<Line> = first.into_iter().collect();
        lines.extend(self.header(site.cache, &telling::headline(finding, &name, &told)));
        lines.extend(second);
        if self.is_object(site.cache, site.slab, site.object) && !site.object.is_null() {
            lines.extend(self.trailer(site));
        } else {
            // What lies beside no object is no metadata (6.17 and the stable releases, not verified).
            lines.push(self.slab_line(site.slab));
            lines.push(plain(format!("Invalid pointer {}", site.object)));
        }
        lines.extend(self.end_of_report("object_err"));
        self.tell(site.cache, Some(site.slab), Some(site.object), Told::Found(finding), lines);
    }

    /// A report that says no more than which bytes were overwritten: others of the object were told before.
    #[cold]
    pub(super) fn report_bytes(&mut self, site: Site, finding: Finding) {
        let lines = self.fault_line(finding).into_iter().collect();
        self.tell(site.cache, Some(site.slab), Some(site.object), Told::Found(finding), lines);
    }

    fn fault_line(&self, finding: Finding) -> Option<Line> {
        let Finding::Overwritten { zone, bytes, offset, found, expected } = finding else { return None };
        let text = telling::fault_line(zone, bytes, offset, found, expected, &self.model.debug.told);
        Some(about(text, bytes.at, bytes.len))
    }

    /// A report about a slab. `details` come between its header and the slab's line, or at the end, as a kernel has it.
    #[cold]
    pub(super) fn report_slab(
        &mut self,
        cache: CacheId,
        slab: SlabId,
        finding: Finding,
        details: Vec<Line>,
        function: &'static str,
    ) {
        let told = self.model.debug.told;
        let name = Rc::clone(&self.caches[cache].name);
        let mut text = telling::headline(finding, &name, &told);
        if let Some(most) = told.slab_text {
            text = text.chars().take(crate::units::index_from(most)).collect();
        }
        let mut lines = self.header(cache, &text);
        // This text alone ends its line itself (recorded in 6.1 and 7.3).
        if matches!(finding, Finding::TooManyFreed { .. }) {
            lines.insert(2, plain(""));
        }
        if told.fault_first {
            lines.extend(details);
            lines.push(self.slab_line(slab));
            lines.extend(self.end_of_report(function));
        } else {
            lines.push(self.slab_line(slab));
            lines.extend(self.end_of_report(function));
            lines.extend(details);
        }
        self.tell(cache, Some(slab), None, Told::Found(finding), lines);
    }

    /// What was done about a finding.
    #[cold]
    pub(super) fn report_repair(&mut self, cache: CacheId, slab: SlabId, repair: Repair) {
        let (text, has_gap) = telling::repair(repair, &self.model.debug.told);
        let text = format!("FIX {}: {text}", self.caches[cache].name);
        let line = match repair {
            Repair::Restored { bytes, .. } => about(text, bytes.at, bytes.len),
            Repair::NotFreed { at } => about(text, at, self.caches[cache].layout.object_size),
            Repair::AllUsed | Repair::FreelistCleared | Repair::CountAdjusted => plain(text),
        };
        let mut lines = vec![line];
        if has_gap {
            lines.push(plain(""));
        }
        self.tell(cache, Some(slab), None, Told::Repaired(repair), lines);
    }

    fn header(&self, cache: CacheId, text: &str) -> Vec<Line> {
        let taint = self.log.taint(self.model.debug.told.taint_letters);
        let name = &self.caches[cache].name;
        vec![
            plain("=".repeat(RULE_WIDTH)),
            plain(format!("BUG {name} ({taint}): {text}")),
            plain("-".repeat(RULE_WIDTH)),
            plain(""),
        ]
    }

    /// What ends a report: taint, and in later kernels a warning.
    fn end_of_report(&mut self, function: &'static str) -> Vec<Line> {
        let mut lines = Vec::new();
        self.log.bad_page = true;
        if self.log.turn_lock_debugging_off() {
            lines.push(plain(telling::LOCK_DEBUGGING));
        }
        if self.model.debug.told.fault_first {
            self.log.warned();
            lines.push(plain("------------[ cut here ]------------"));
            lines.push(plain(format!("WARNING: mm/slub.c at {function}")));
            lines.push(plain("---[ end trace 0000000000000000 ]---"));
        }
        lines
    }

    pub(super) fn slab_line(&self, slab: SlabId) -> Line {
        let told = &self.model.debug.told;
        let s = &self.slabs[slab];
        let page = s.base.pfn().map_or(VirtAddr::NULL, crate::units::Pfn::struct_page);
        let text = format!(
            "{}Slab {page} objects={} used={} fp={} flags={}",
            telling::info(told),
            s.objects,
            s.inuse,
            s.freelist,
            telling::page_flags(s.listed.is_some(), told)
        );
        about(text, s.base, s.order.bytes())
    }

    /// Who allocated and who freed an object last, as far as that is kept.
    pub(super) fn tracks(&self, cache: CacheId, object: VirtAddr) -> Vec<Line> {
        let layout = &self.caches[cache].layout;
        let line = |track: Track, word: &str| {
            let trace = self.track(layout, object, track)?;
            let caller = trace.symbol();
            let age = self.log.now().wrapping_sub(trace.when);
            let info = telling::info(&self.model.debug.told);
            let text = format!("{info}{word} in {caller} age={age} cpu={} pid={}", trace.cpu, trace.pid.cast_signed());
            Some(about(text, object.wrapping_add(layout.track_at(track)), layout.checks.track_size))
        };
        [line(Track::Alloc, "Allocated"), line(Track::Free, "Freed")].into_iter().flatten().collect()
    }

    /// `print_trailer`, for an object of the slab.
    fn trailer(&self, site: Site) -> Vec<Line> {
        let Site { cache, slab, object } = site;
        let told = &self.model.debug.told;
        let s = &self.caches[cache];
        let layout = &s.layout;
        let base = self.slabs[slab].base;
        let offset = object.bytes_after(base).unwrap_or_default();
        let next = s.code.read(&self.bytes, object.wrapping_add(layout.offset)).unwrap_or(VirtAddr::NULL);
        let mut lines = self.tracks(cache, object);
        lines.push(self.slab_line(slab));
        let text = format!("{}Object {object} @offset={offset} fp={next}", telling::info(told));
        lines.push(about(text, object, layout.object_size));
        lines.push(plain(""));
        let dump = |section, at, len| dump::lines(&self.bytes, section, at, len, told);
        if layout.checks.flags.red_zone && layout.red_left_pad > 0 {
            lines.extend(dump(Section::RedZone, object.wrapping_sub(layout.red_left_pad), layout.red_left_pad));
        } else if offset > 16 {
            lines.extend(dump(Section::Before, object.wrapping_sub(16), 16));
        }
        lines.extend(dump(Section::Object, object, layout.object_size.min(PAGE_SIZE)));
        if layout.checks.flags.red_zone {
            let len = layout.inuse - layout.object_size;
            lines.extend(dump(Section::RedZone, object.wrapping_add(layout.object_size), len));
        }
        let end = layout.metadata_end();
        if end < layout.end() {
            lines.extend(dump(Section::Padding, object.wrapping_add(end), layout.end() - end));
        }
        lines
    }

    /// `print_tracking`, by itself.
    pub(crate) fn report_tracks(&mut self, cache: CacheId, object: VirtAddr) {
        let lines = self.tracks(cache, object);
        if !lines.is_empty() {
            self.tell(cache, self.slab_at(object), Some(object), Told::Tracks, lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::event::Event;
    use crate::kernel::{KernelConfig, SlubDebug, Version};
    use crate::luck::Seed;
    use crate::machine::Machine;
    use crate::script::parse_command;

    /// What the last of these commands has a kernel with `slub_debug=FZPU,kmalloc-*` print, with `b…` for the first
    /// digits of the slab's addresses and `P` for its page's.
    fn printed(version: Version, commands: &[&str]) -> Vec<String> {
        let slub_debug = Some(SlubDebug::parse("FZPU,kmalloc-*"));
        let config = KernelConfig { slub_debug, ..KernelConfig::plain(version) };
        let mut machine = Machine::boot(&config, Seed(1)).expect("a kernel");
        let mut events = Vec::new();
        for command in commands {
            events = machine.apply(&parse_command(command).expect("a command")).expect("carried out").events;
        }
        let (_, slab) = machine.kernel().slabs().next().expect("a slab");
        let page = slab.base.pfn().expect("in the direct map").struct_page().to_string();
        let digits = format!("{:016x}", slab.base.raw());
        let lines = events.iter().filter_map(Event::report).flat_map(|report| report.lines.clone());
        lines.map(|line| line.text.replace(&page, "P").replace(&digits[..13], "b")).collect()
    }

    /// slub-semantics 6.5, example 1: a NUL behind 64 letters. A single free has linked the object to NULL before it is
    /// looked at, as recorded.
    #[test]
    fn example_1_in_6_1_and_7_3() {
        let commands = ["a = kmalloc 64", "b = kmalloc 64", "write b 64 \"A\"", "write b+64 1 zeros", "free b"];
        let rule = "=".repeat(77);
        let told = printed(Version::release(6, 1), &commands);
        let start = [
            rule.as_str(),
            "BUG kmalloc-64 (Not tainted): Right Redzone overwritten",
            &"-".repeat(77),
            "",
            "0xb180-0xb180 @offset=384. First byte 0x0 instead of 0xcc",
            "Allocated in script age=3 cpu=0 pid=1",
            "Slab P objects=16 used=2 fp=0xb240 flags=0x4000000000000200(slab|zone=1)",
            "Object 0xb140 @offset=320 fp=0x0000000000000000",
            "",
            "Redzone  b100: cc cc cc cc cc cc cc cc cc cc cc cc cc cc cc cc  ................",
        ];
        assert_eq!(told[..10], start);
        let end = [
            "Redzone  b180: 00 cc cc cc cc cc cc cc                          ........",
            "Padding  b1d4: 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a  ZZZZZZZZZZZZZZZZ",
            "Padding  b1e4: 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a  ZZZZZZZZZZZZZZZZ",
            "Padding  b1f4: 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a              ZZZZZZZZZZZZ",
            "Disabling lock debugging due to kernel taint",
            "FIX kmalloc-64: Restoring Right Redzone 0xb180-0xb180=0xcc",
            "FIX kmalloc-64: Object at 0xb140 not freed",
        ];
        assert_eq!(told[17..], end);
        let told = printed(Version::release(7, 3), &commands);
        let start = [
            "[Right Redzone overwritten] 0xb180-0xb180 @offset=384. First byte 0x0 instead of 0xcc",
            rule.as_str(),
            "BUG kmalloc-64 (Not tainted): Object corrupt",
        ];
        assert_eq!(told[..3], start);
        assert_eq!(told[told.len() - 2..], end[5..]);
    }

    /// Examples 2 and 3: a write after free found by the next allocation, and a second free.
    #[test]
    fn examples_2_and_3() {
        let commands = ["a = kmalloc 64", "b = kmalloc 64", "free b", "write b+8 1 0x41", "c = kmalloc 64"];
        let told = printed(Version::release(7, 3), &commands);
        assert_eq!(told[0], "[Poison overwritten] 0xb148-0xb148 @offset=328. First byte 0x41 instead of 0x6b");
        assert_eq!(told[2], "BUG kmalloc-64 (Not tainted): Object corrupt");
        assert_eq!(told[7], "Slab P objects=16 used=2 fp=0xb240 flags=0x4000000000000200(workingset|zone=1)");
        let end = ["FIX kmalloc-64: Restoring Poison 0xb148-0xb148=0x6b", "FIX kmalloc-64: Marking all objects used"];
        assert_eq!(told[told.len() - 2..], end);
        let told = printed(Version::release(6, 1), &["a = kmalloc 64", "b = kmalloc 64", "free b", "kfree b"]);
        assert_eq!(told[1], "BUG kmalloc-64 (Not tainted): Object already free");
        assert_eq!(told[6], "Slab P objects=16 used=1 fp=0xb140 flags=0x4000000000000200(slab|zone=1)");
        assert_eq!(told[told.len() - 1], "FIX kmalloc-64: Object at 0xb140 not freed");
    }

    /// Example 4: the end of a slab of kmalloc-96.
    #[test]
    fn example_4_in_6_1() {
        let commands = ["a = kmalloc 96", "write a+3992 1 zeros", "b = kmalloc 96"];
        let told = printed(Version::release(6, 1), &commands);
        assert_eq!(told[1], "BUG kmalloc-96 (Not tainted): Padding overwritten. 0xbfa0-0xbfa0 @offset=4000");
        assert!(told[4].starts_with("Slab P objects=20 used=2 "), "{}", told[4]);
        assert_eq!(told[6], "Padding bfa0: 00 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a 5a  .ZZZZZZZZZZZZZZZ");
        assert_eq!(told[12], "FIX kmalloc-96: Restoring slab padding 0xbfa0-0xbfa0=0x5a");
        assert_eq!(told.len(), 13);
    }

    /// Example 5: example 1 in 4.19, where each allocation turns the slab's list round: the third has object 1.
    #[test]
    fn example_5_in_4_19() {
        let commands =
            ["a = kmalloc 64", "b = kmalloc 64", "c = kmalloc 64", "write c 64 \"A\"", "write c+64 1 zeros", "free c"];
        let told = printed(Version::release(4, 19), &commands);
        let expected = [
            "BUG kmalloc-64 (Not tainted): Redzone overwritten",
            &"-".repeat(77),
            "",
            "INFO: 0xb1d8-0xb1d8. First byte 0x0 instead of 0xcc",
            "INFO: Allocated in script age=3 cpu=0 pid=1",
            "INFO: Slab P objects=10 used=3 fp=0xbc88 flags=0x100000000000200",
            "INFO: Object 0xb198 @offset=408 fp=0xb328",
            "",
            "Redzone b190: cc cc cc cc cc cc cc cc                          ........",
            "Object b198: 41 41 41 41 41 41 41 41 41 41 41 41 41 41 41 41  AAAAAAAAAAAAAAAA",
        ];
        assert_eq!(told[1..11], expected);
        let end = [
            "Padding b318: 5a 5a 5a 5a 5a 5a 5a 5a                          ZZZZZZZZ",
            "Disabling lock debugging due to kernel taint",
            "FIX kmalloc-64: Restoring 0xb1d8-0xb1d8=0xcc",
            "",
            "FIX kmalloc-64: Object at 0xb198 not freed",
        ];
        assert_eq!(told[15..], end);
    }
}
