//! Large pages for the measured memory. A kernel maps its own memory with pages of 2 MiB or more; over pages of 4 KiB
//! half a gigabyte would measure the host's page tables.

use crate::Ending;
use std::io;
use std::process::Command;

/// Where the host's C library hears it, and what asks it for large pages (glibc 2.35).
const VARIABLE: &str = "GLIBC_TUNABLES";
const LARGE_PAGES: &str = "glibc.malloc.hugetlb=1";

/// Runs this same command once more with large pages asked for, which only a new process can do. `None` where that
/// has been done, or where somebody set the variable to something else.
pub(super) fn run_again_with_them() -> io::Result<Option<Ending>> {
    if !cfg!(target_os = "linux") || std::env::var_os(VARIABLE).is_some() {
        return Ok(None);
    }
    let arguments = std::env::args_os().skip(1);
    let status = Command::new(std::env::current_exe()?).args(arguments).env(VARIABLE, LARGE_PAGES).status()?;
    Ok(Some(match status.code() {
        Some(0) => Ending::Well,
        _ => Ending::Told,
    }))
}
