//! Which kernel, as the command line says it.

use crate::numbers::small_number;
use crate::pointed::marked;
use clap::Args;
use slabscope_core::kernel::{KernelConfig, Model};
use slabscope_core::script::{ScriptError, read_kernel};
use std::io::{self, Write};

/// The kernel to use.
#[derive(Args)]
pub(crate) struct KernelArgs {
    /// The kernel, as a scenario's `kernel` line has it
    #[arg(long, default_value = "6.1", value_name = "VERSION [SWITCH=on]…")]
    kernel: String,
    /// CPUs of the machine, 1 to 64
    #[arg(long, value_name = "N", value_parser = small_number)]
    cpus: Option<u32>,
    /// Kernel memory is accounted: accounted allocations have caches of their own
    #[arg(long)]
    memcg: bool,
}

impl KernelArgs {
    /// The kernel and what it does, or what is wrong with the arguments. What is in doubt goes to standard error.
    pub(crate) fn chosen(&self) -> Result<(KernelConfig, Model), String> {
        let told = |kind: &str, error: &ScriptError| {
            format!("--kernel: {kind}{}{}", error.message(), marked(&self.kernel, error))
        };
        let (mut config, doubts) = read_kernel(&self.kernel).map_err(|error| told("", &error))?;
        for doubt in &doubts {
            // Where standard error is closed there is nobody to tell.
            let _ = writeln!(io::stderr().lock(), "{}", told("warning: ", doubt));
        }
        config.cpus = self.cpus.unwrap_or(config.cpus);
        config.memcg |= self.memcg;
        let model = config.model().map_err(|error| error.to_string())?;
        Ok((config, model))
    }
}
