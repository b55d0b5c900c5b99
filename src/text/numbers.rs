//! The kernel's own numbers, as a shell would show them.

use slabscope_core::machine::Machine;
use slabscope_core::units::CacheId;

/// `/proc/slabinfo`, the `slabinfo` tool's table, `/proc/buddyinfo`, and the files and traces of the cache in hand.
#[must_use]
pub fn numbers(machine: &Machine, cache: Option<CacheId>) -> String {
    let mut text = format!("# cat /proc/slabinfo\n{}", machine.slabinfo());
    if let Some(cache) = cache {
        text += &format!("\n# grep . {}/*\n{}", machine.sysfs_folder(cache), machine.sysfs(cache));
        for (path, traces) in machine.traces(cache) {
            text += &format!("\n# cat {path}\n{traces}");
        }
    }
    text += &format!("\n# slabinfo\n{}", machine.slabinfo_tool());
    text + &format!("\n# cat /proc/buddyinfo\n{}", machine.buddyinfo())
}
