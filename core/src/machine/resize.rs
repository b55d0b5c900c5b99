//! krealloc and ksize of named objects.

use super::execute::refuse_too_large;
use super::ledger::Source;
use super::{Machine, Refusal};
use crate::command::{Gfp, Name};
use crate::event::{Event, Oops};
use crate::kmalloc;
use crate::units::VirtAddr;

impl Machine {
    /// Gives an object another size, and the name `name`. The first name stays with the address, which is no longer in
    /// use under it.
    pub(super) fn krealloc(
        &mut self,
        name: &Name,
        from: &Name,
        size: u64,
        gfp: Gfp,
    ) -> Result<Option<VirtAddr>, Box<Refusal>> {
        refuse_too_large(size)?;
        let old = self.object(from)?.address;
        self.kernel.asks_with(gfp);
        let moved: Result<VirtAddr, Box<Oops>> = self.kernel.krealloc(old, size, gfp);
        let Ok(address) = moved else { return Ok(None) };
        if !address.is_null() {
            self.given_back(old, &Ok(()));
        }
        let cache = self.kernel.slab_at(address).map(|slab| self.kernel.slab(slab).cache);
        let len = match cache {
            Some(cache) => self.kernel.cache(cache).layout.object_size,
            None => kmalloc::size_roundup(size, self.kernel.model()),
        };
        self.handed_out(name.clone(), address, Source::Kmalloc(cache), size, len);
        Ok(Some(address))
    }

    pub(super) fn ksize(&mut self, name: &Name) -> Result<(), Box<Refusal>> {
        let address = self.object(name)?.address;
        if let Ok(room) = self.kernel.ksize(address) {
            self.tell(Event::Sized { address, room });
        }
        Ok(())
    }
}
