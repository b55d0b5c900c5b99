//! What a comparison came to: how many of each kind are equal, what was not compared and why, and the first
//! difference.

use crate::units::count_from;
use core::fmt;
use std::collections::BTreeMap;

/// Where in a file something stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line, counted from 1.
    Line(u32),
    /// An entry of a table, by its path.
    Entry(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Entry(path) => f.write_str(path),
        }
    }
}

/// A datum that is not the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where the file has it.
    pub place: Place,
    /// The kind of record.
    pub kind: &'static str,
    /// Which datum of the record.
    pub field: String,
    /// What the real kernel had.
    pub theirs: String,
    /// What ours has.
    pub ours: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, kind, field, theirs, ours } = self;
        write!(f, "{place}, {kind}, {field}:\n    theirs {theirs}\n    ours   {ours}")
    }
}

/// Records of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Records of which every datum is equal.
    pub equal: u32,
    /// Records that were compared, or would have been had an earlier one not differed.
    pub of: u32,
}

/// What a comparison came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What the file is: kernel, scenario, CPUs.
    pub title: String,
    /// Records by kind.
    pub kinds: BTreeMap<&'static str, Tally>,
    /// Single values that were compared and are equal.
    pub values: u64,
    /// Bytes of memory that were compared and are equal.
    pub bytes: u64,
    /// The first datum that is not the same. What comes after it in a recording is not replayed.
    pub first: Option<Difference>,
    /// Records that say what was done, by kind: there is nothing in them to compare.
    pub given: BTreeMap<String, u64>,
    /// Luck: taken from the file and never compared.
    pub luck: BTreeMap<String, u64>,
    /// Masked or dropped by a written list.
    pub masked: BTreeMap<String, u64>,
    /// Data that depend on what nobody recorded.
    pub unknowable: BTreeMap<String, u64>,
    /// Records that no part of the model answers for yet, by reason.
    pub not_modelled: BTreeMap<String, u64>,
}

/// What a report comes to in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Every datum that the rules determine is equal.
    Equal,
    /// What is modelled is equal; the rest was not compared.
    NotModelled,
    /// Something differs.
    Differs,
}

impl Report {
    /// What it comes to.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if self.first.is_some() {
            Verdict::Differs
        } else if !self.not_modelled.is_empty() || self.compared() == 0 {
            Verdict::NotModelled
        } else {
            Verdict::Equal
        }
    }

    /// Records that were compared, all kinds together.
    #[must_use]
    pub fn compared(&self) -> u32 {
        self.kinds.values().map(|tally| tally.of).sum()
    }

    /// Records of which every datum is equal, all kinds together.
    #[must_use]
    pub fn equal(&self) -> u32 {
        self.kinds.values().map(|tally| tally.equal).sum()
    }

    /// A report of a file that is not compared at all.
    pub(super) fn of_nothing(title: String, why: &str, records: u64) -> Self {
        Self { title, not_modelled: BTreeMap::from([(why.to_owned(), records)]), ..Self::default() }
    }

    /// Enters a record that was compared.
    pub(super) fn close(&mut self, comparison: Comparison) {
        let Comparison { place, kind, values, bytes, first } = comparison;
        let tally = self.kinds.entry(kind).or_default();
        tally.of += 1;
        match first {
            None => {
                tally.equal += 1;
                self.values += values;
                self.bytes += bytes;
            }
            Some(Mismatch { field, theirs, ours }) => {
                self.first.get_or_insert(Difference { place, kind, field, theirs, ours });
            }
        }
    }

    /// Counts a record that was not reached because an earlier one differs.
    pub(super) fn not_reached(&mut self, kind: &'static str) {
        self.kinds.entry(kind).or_default().of += 1;
    }
}

/// Adds to a count by name.
pub(super) fn count(counts: &mut BTreeMap<String, u64>, name: &str, by: u64) {
    match counts.get_mut(name) {
        Some(count) => *count += by,
        None if by > 0 => drop(counts.insert(name.to_owned(), by)),
        None => {}
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        for (kind, tally) in &self.kinds {
            writeln!(f, "  {kind:<20} {} of {} equal", tally.equal, tally.of)?;
        }
        for (what, counts) in [
            ("given, nothing to compare", &self.given),
            ("luck, never compared", &self.luck),
            ("masked", &self.masked),
            ("unknowable", &self.unknowable),
            ("not modelled yet", &self.not_modelled),
        ] {
            if !counts.is_empty() {
                let list: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
                writeln!(f, "  {what}: {}", list.join(", "))?;
            }
        }
        if let Some(first) = &self.first {
            writeln!(f, "  first difference: {first}")?;
        }
        let (values, bytes) = (self.values, self.bytes);
        write!(f, "  {} of {} equal ({values} values, {bytes} bytes of memory)", self.equal(), self.compared())
    }
}

/// One record under comparison.
#[derive(Debug)]
pub(super) struct Comparison {
    place: Place,
    kind: &'static str,
    values: u64,
    bytes: u64,
    first: Option<Mismatch>,
}

#[derive(Debug)]
struct Mismatch {
    field: String,
    theirs: String,
    ours: String,
}

impl Comparison {
    pub(super) const fn new(kind: &'static str, place: Place) -> Self {
        Self { place, kind, values: 0, bytes: 0, first: None }
    }

    /// Compares one value.
    pub(super) fn same<T: PartialEq + Show>(&mut self, field: &str, theirs: T, ours: T) {
        self.values += 1;
        if theirs != ours {
            self.differ(field, theirs.show(), ours.show());
        }
    }

    /// Whether all that was compared so far is equal.
    pub(super) const fn is_equal(&self) -> bool {
        self.first.is_none()
    }

    /// Compares memory.
    pub(super) fn same_bytes(&mut self, field: &str, theirs: &[u8], ours: &[u8]) {
        self.bytes += u64::from(count_from(theirs.len()));
        if theirs.len() != ours.len() {
            self.differ(field, format!("{} bytes", theirs.len()), format!("{} bytes", ours.len()));
            return;
        }
        let unequal = || theirs.iter().zip(ours).enumerate().filter(|(_, (theirs, ours))| theirs != ours);
        if let Some((at, _)) = unequal().next() {
            let end = theirs.len().min(at + 16);
            let rest = unequal().count() - 1;
            let field = format!("{field} from byte {at} on ({rest} more bytes differ)");
            self.differ(&field, hex(&theirs[at..end]), hex(&ours[at..end]));
        }
    }

    /// Compares those bytes of memory that are `known`. How many are not.
    pub(super) fn same_known_bytes(
        &mut self,
        field: &str,
        theirs: &[u8],
        ours: &[u8],
        known: impl Iterator<Item = bool>,
    ) -> u64 {
        let mut unknown = 0;
        let mut shown = ours.to_vec();
        for ((ours, theirs), _) in shown.iter_mut().zip(theirs).zip(known).filter(|(_, known)| !known) {
            *ours = *theirs;
            unknown += 1;
        }
        self.same_bytes(field, theirs, &shown);
        self.bytes = self.bytes.saturating_sub(unknown);
        unknown
    }

    /// Enters a difference that is no inequality of two values of one type.
    pub(super) fn differ(&mut self, field: &str, theirs: impl Into<String>, ours: impl Into<String>) {
        if self.first.is_none() {
            self.first = Some(Mismatch { field: field.to_owned(), theirs: theirs.into(), ours: ours.into() });
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// How a value is printed in a difference.
pub(super) trait Show {
    fn show(&self) -> String;
}

macro_rules! show_by_display {
    ($($of:ty),*) => {
        $(impl Show for $of {
            fn show(&self) -> String {
                self.to_string()
            }
        })*
    };
}
show_by_display!(u32, u64, i64, i128, bool, String, &str, crate::units::VirtAddr);

impl<T: Show> Show for Option<T> {
    fn show(&self) -> String {
        self.as_ref().map_or_else(|| "none".to_owned(), Show::show)
    }
}

impl<T: Show> Show for Vec<T> {
    fn show(&self) -> String {
        format!("[{}]", self.iter().map(Show::show).collect::<Vec<_>>().join(", "))
    }
}

impl<T: Show, U: Show> Show for (T, U) {
    fn show(&self) -> String {
        format!("[{}, {}]", self.0.show(), self.1.show())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_kept_and_the_rest_counted() {
        let mut report = Report { title: "a recording".to_owned(), ..Report::default() };
        let mut equal = Comparison::new("alloc", Place::Line(3));
        equal.same("i", 7_u32, 7);
        report.close(equal);
        let mut differing = Comparison::new("alloc", Place::Line(4));
        differing.same("i", 7_u32, 8);
        differing.same("cs", 0_u32, 1);
        report.close(differing);
        report.not_reached("free");
        assert_eq!((report.equal(), report.compared(), report.verdict()), (1, 3, Verdict::Differs));
        let text = report.to_string();
        assert!(text.contains("first difference: line 4, alloc, i:\n    theirs 7\n    ours   8"), "{text}");
        assert!(text.contains("1 of 2 equal"), "{text}");
    }

    #[test]
    fn bytes_differ_at_the_first_unequal_one() {
        let mut comparison = Comparison::new("snap", Place::Line(1));
        comparison.same_bytes("bytes", &[1, 2, 3, 4], &[1, 0, 3, 0]);
        let mut report = Report::default();
        report.close(comparison);
        let first = report.first.expect("they differ");
        assert_eq!(first.field, "bytes from byte 1 on (1 more bytes differ)");
        assert_eq!((first.theirs.as_str(), first.ours.as_str()), ("02 03 04", "00 03 00"));
    }

    #[test]
    fn a_report_of_nothing_is_not_equal() {
        assert_eq!(Report::default().verdict(), Verdict::NotModelled);
        assert_eq!(Report::of_nothing(String::new(), "Linux 7.3", 9).verdict(), Verdict::NotModelled);
    }
}
