//! The kernel's own numbers, as a shell would show them.

use super::parted::parted;
use slabscope_core::machine::Machine;
use slabscope_core::units::CacheId;

/// What a shell would show, cut where the line of the cache in hand begins and ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// What stands before the line.
    pub before: String,
    /// The cache's line of `/proc/slabinfo`; empty where there is none.
    pub line: String,
    /// What stands after it.
    pub after: String,
}

/// `/proc/slabinfo`, the `slabinfo` tool's table, `/proc/buddyinfo`, and the files and traces of the cache in hand.
#[must_use]
pub fn numbers(machine: &Machine, cache: Option<CacheId>) -> Numbers {
    let mut text = format!("# cat /proc/slabinfo\n{}", machine.slabinfo());
    let line = cache.and_then(|cache| line_of(&text, &machine.kernel().cache(cache).name));
    if let Some(cache) = cache {
        text += &format!("\n# grep . {}/*\n{}", machine.sysfs_folder(cache), machine.sysfs(cache));
        for (path, traces) in machine.traces(cache) {
            text += &format!("\n# cat {path}\n{traces}");
        }
    }
    text += &format!("\n# slabinfo\n{}", machine.slabinfo_tool());
    text += &format!("\n# cat /proc/buddyinfo\n{}", machine.buddyinfo());
    let Some((start, end)) = line else { return Numbers { before: text, ..Numbers::default() } };
    let after = text.split_off(end);
    let line = text.split_off(start);
    Numbers { before: text, line, after }
}

/// Where the line that a cache's name begins starts and ends.
fn line_of(text: &str, name: &str) -> Option<(usize, usize)> {
    let (before, _) = parted(text, &format!("\n{name} "))?;
    let start = before.len() + 1;
    let length = text.get(start..)?.find('\n')?;
    Some((start, start + length))
}
