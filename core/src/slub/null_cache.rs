//! `kmem_cache_free` with NULL for the cache, as LKDTM's SLAB_FREE_PAGE calls it.
//!
//! `kmem_cache_free`, `cache_from_obj` (mm/slub.c, mm/slab.h, 6.1), `warn_free_bad_obj` (7.3).

use crate::allocator::{Kernel, Probe};
use crate::event::{Event, Oops, OopsKind};
use crate::kernel::NullCache;
use crate::memory::Bytes;
use crate::units::VirtAddr;

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// `kmem_cache_free(NULL, object)`.
    ///
    /// # Errors
    /// An oops, where the kernel reads a field of the cache that is none.
    pub fn free_to_null(&mut self, object: VirtAddr) -> Result<(), Box<Oops>> {
        let slab = self.slab_of_object(object).map_err(|kind| self.oops(kind, "kmem_cache_free"))?;
        let (at, function) = match (self.model.null_cache, slab) {
            (NullCache::Ignored, _) => {
                self.on(|| Event::FreeIgnored { address: object });
                return Ok(());
            }
            (NullCache::AsksPage { .. }, None) => {
                self.tell_no_slab(None, object);
                return Ok(());
            }
            (NullCache::AsksPage { name_at }, Some(_)) => (name_at, "kmem_cache_free"),
            (NullCache::Read { at, function }, _) => (at, function),
        };
        Err(self.oops(OopsKind::PageFault { address: VirtAddr::from_raw(at) }, function))
    }
}
