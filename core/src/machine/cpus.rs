//! Commands about CPUs and grace periods.

use super::{Machine, Refusal};
use crate::command::Name;
use crate::event::Oops;
use crate::units::{CpuId, VirtAddr};

impl Machine {
    /// Goes on on another CPU.
    pub(super) fn run_on(&mut self, cpu: u32) -> Result<(), Box<Refusal>> {
        let cpus = self.kernel.model().cpus;
        if cpu >= cpus {
            return Err(Box::new(Refusal::NoSuchCpu { cpu, cpus }));
        }
        self.kernel.run_on(CpuId::from_raw(cpu));
        Ok(())
    }

    pub(super) fn flush_cpu(&mut self, cache: &Name) -> Result<(), Box<Refusal>> {
        let cache = self.cache(cache)?;
        let cpu = self.kernel.cpu();
        let _: Result<(), Box<Oops>> = self.kernel.flush_cpu(cache, cpu);
        Ok(())
    }

    /// The object is its user's no longer, and nobody else's yet.
    pub(super) fn kfree_rcu(&mut self, name: &Name) -> Result<(), Box<Refusal>> {
        let address = self.object(name)?.address;
        if self.kernel.kfree_rcu(address).is_ok() {
            self.ledger.give_back(address);
        }
        Ok(())
    }

    pub(super) fn grace(&mut self) -> Result<(), Box<Refusal>> {
        let waiting = self.waiting();
        let _: Result<(), Box<Oops>> = self.kernel.grace_period();
        self.freed_at_last(&waiting);
        Ok(())
    }

    /// Objects that wait for a grace period.
    pub(super) fn waiting(&self) -> Vec<VirtAddr> {
        self.kernel.rcu().objects().collect()
    }

    /// Of objects that waited, those that do not any more have a free pointer.
    pub(super) fn freed_at_last(&mut self, waited: &[VirtAddr]) {
        self.take_events();
        for address in waited {
            self.free_pointer_written(*address);
        }
    }
}
