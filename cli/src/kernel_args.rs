//! Which kernel, as the command line says it.

use clap::Args;
use slabscope_core::kernel::{KernelConfig, Model};
use slabscope_core::script::parse_kernel;

/// The kernel to use.
#[derive(Args)]
pub(crate) struct KernelArgs {
    /// The kernel, as a scenario's `kernel` line has it
    #[arg(long, default_value = "6.1", value_name = "VERSION [SWITCH=on]…")]
    kernel: String,
    /// CPUs of the machine, 1 to 64
    #[arg(long, value_name = "N")]
    cpus: Option<u32>,
    /// Kernel memory is accounted: accounted allocations have caches of their own
    #[arg(long)]
    memcg: bool,
}

impl KernelArgs {
    /// The kernel and what it does, or what is wrong with the arguments.
    pub(crate) fn chosen(&self) -> Result<(KernelConfig, Model), String> {
        let mut config = parse_kernel(&self.kernel).map_err(|error| format!("--kernel: {}", error.message()))?;
        config.cpus = self.cpus.unwrap_or(config.cpus);
        config.memcg |= self.memcg;
        let model = config.model().map_err(|error| error.to_string())?;
        Ok((config, model))
    }
}
