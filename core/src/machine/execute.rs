//! Carrying out a command, kind by kind.

use super::ledger::{NamedObject, Source};
use super::{Machine, Refusal, attack, parts, range_of};
use crate::blast::{Struck, blast};
use crate::command::{Base, Command, Gfp, Name, Origin, Place, Value};
use crate::event::Oops;
use crate::kmalloc::{self, Caller};
use crate::layout::CacheArgs;
use crate::machine::Landing;
use crate::outcome::{Outcome, Why};
use crate::units::{CacheId, VirtAddr, count_from};
use core::ops::Range;

impl Machine {
    /// Carries out a command: what its last allocation returned.
    pub(super) fn execute(&mut self, command: &Command) -> Result<Option<VirtAddr>, Box<Refusal>> {
        parts::has_needed(&self.config, command).map_err(Refusal::Missing)?;
        match command {
            Command::CreateCache { cache, args } => self.create(cache, args).map(|()| None),
            Command::DestroyCache { cache } => self.destroy(cache).map(|()| None),
            Command::Validate { cache } => self.validate(cache).map(|()| None),
            Command::Shrink { cache } => self.shrink(cache).map(|()| None),
            Command::Cpu { cpu } => self.run_on(*cpu).map(|()| None),
            Command::FlushCpu { cache } => self.flush_cpu(cache).map(|()| None),
            Command::KfreeRcu { object } => self.kfree_rcu(object).map(|()| None),
            Command::Grace => self.grace().map(|()| None),
            Command::Kmalloc { object, size, gfp, from } => self.kmalloc(object, *size, *gfp, from.as_ref()),
            Command::Krealloc { object, from, size, gfp } => self.krealloc(object, from, *size, *gfp),
            Command::Ksize { object } => self.ksize(object).map(|()| None),
            Command::Alloc { object, cache, gfp } => self.alloc(object, cache, *gfp),
            Command::Free { object } => self.free(object).map(|()| None),
            Command::Kfree { at } => self.kfree(at).map(|()| None),
            Command::CacheFree { at, cache } => self.cache_free(at, cache.as_ref()).map(|()| None),
            Command::BulkAlloc { prefix, count, cache } => self.bulk_alloc(prefix, *count, cache),
            Command::BulkFree { objects } => self.bulk_free(objects).map(|()| None),
            Command::Write { at, len, value } => self.write_at(at, *len, value).map(|()| None),
            Command::Copy { direction, at, len } => self.copy(*direction, at, *len).map(|()| None),
            Command::Overflow { object, len, value } => self.overflow(object, *len, value).map(|()| None),
        }
    }

    pub(super) fn cache(&self, name: &Name) -> Result<CacheId, Box<Refusal>> {
        self.cache_named(name.as_str()).ok_or_else(|| Box::new(Refusal::UnknownCache(name.clone())))
    }

    fn create(&mut self, name: &Name, args: &CacheArgs) -> Result<(), Box<Refusal>> {
        if self.cache_named(name.as_str()).is_some() {
            return Err(Box::new(Refusal::CacheExists(name.clone())));
        }
        self.kernel.create_cache(name.as_str(), args).map_err(Refusal::Layout)?;
        Ok(())
    }

    fn destroy(&mut self, name: &Name) -> Result<(), Box<Refusal>> {
        let cache = self.cache(name)?;
        let waiting = self.waiting();
        // An oops is an event, told by the kernel; so here and below.
        let _: Result<bool, Box<Oops>> = self.kernel.destroy_cache(cache, name.as_str());
        self.freed_at_last(&waiting);
        Ok(())
    }

    fn validate(&mut self, name: &Name) -> Result<(), Box<Refusal>> {
        let cache = self.cache(name)?;
        let is_checked = self.kernel.cache(cache).layout.is_checked();
        if !is_checked && self.kernel.model().debug.validates_checked_only {
            return Err(Box::new(Refusal::NotChecked(name.clone())));
        }
        let _: Result<u32, Box<Oops>> = self.kernel.validate(cache);
        Ok(())
    }

    fn shrink(&mut self, name: &Name) -> Result<(), Box<Refusal>> {
        let cache = self.cache(name)?;
        let _: Result<bool, Box<Oops>> = self.kernel.shrink(cache);
        Ok(())
    }

    fn kmalloc(
        &mut self,
        name: &Name,
        size: u64,
        gfp: Gfp,
        from: Option<&Origin>,
    ) -> Result<Option<VirtAddr>, Box<Refusal>> {
        refuse_too_large(size)?;
        let caller =
            from.map_or(Caller::Anyone, |from| Caller::named(from.name.as_str(), from.has_pointers, &self.kernel));
        let cache = self.kernel.kmalloc_cache_for(caller, size, gfp);
        self.kernel.asks_with(gfp);
        let Ok(address) = self.kernel.kmalloc_for(caller, size, gfp) else { return Ok(None) };
        let len = kmalloc::size_roundup(size, self.kernel.model());
        self.handed_out(name.clone(), address, Source::Kmalloc(cache), size, len);
        Ok(Some(address))
    }

    fn alloc(&mut self, name: &Name, cache: &Name, gfp: Gfp) -> Result<Option<VirtAddr>, Box<Refusal>> {
        let cache = self.cache(cache)?;
        let cache = self.kernel.serving_accounted(cache, gfp);
        self.kernel.asks_with(gfp);
        let Ok(address) = self.kernel.alloc(cache, gfp.zero) else { return Ok(None) };
        let len = self.kernel.cache(cache).layout.object_size;
        self.handed_out(name.clone(), address, Source::Cache(cache), len, len);
        Ok(Some(address))
    }

    /// Enters an allocation in the ledger, and judges it.
    pub(super) fn handed_out(&mut self, name: Name, address: VirtAddr, source: Source, requested: u64, len: u64) {
        self.take_events();
        self.attack.allocated();
        let object = NamedObject { name, address, source, requested, len, live: !address.is_zero_or_null() };
        self.judge_allocation(&object);
        self.ledger.hand_out(object);
    }

    /// An allocator gives out starts of its own free objects; anything else is somebody's doing.
    fn judge_allocation(&mut self, object: &NamedObject) {
        let (Some(cache), address) = (object.cache(), object.address) else { return };
        if address.is_null() {
            return;
        }
        let holder = self.ledger.live_holding(address);
        let is_own = match self.landing(address) {
            Landing::Object { slab, .. } => self.kernel.slab(slab).cache == cache,
            Landing::Null
            | Landing::InsideObject { .. }
            | Landing::SlabTail { .. }
            | Landing::Ram
            | Landing::Unmapped
            | Landing::NonCanonical => false,
        };
        match (is_own, holder) {
            (true, None) => {}
            (true, Some(holder)) => {
                let object = holder.name.to_string();
                self.attack.decide(Outcome::Hijacked, Why::Twice { object });
            }
            (false, holder) => {
                let what = holder.map_or_else(|| address.to_string(), |holder| holder.name.to_string());
                let call = self.call_text(object);
                self.attack.decide(Outcome::Hijacked, Why::Returned { call, what });
            }
        }
    }

    fn call_text(&self, object: &NamedObject) -> String {
        match object.source {
            Source::Kmalloc(_) => format!("kmalloc({})", object.requested),
            Source::Cache(cache) => format!("kmem_cache_alloc({})", self.kernel.cache(cache).name),
        }
    }

    fn free(&mut self, name: &Name) -> Result<(), Box<Refusal>> {
        let object = self.object(name)?;
        let (address, source) = (object.address, object.source);
        let freed = match source {
            Source::Kmalloc(_) => self.kernel.kfree_aside(address),
            Source::Cache(cache) => self.kernel.free(cache, address),
        };
        self.given_back(address, &freed);
        Ok(())
    }

    fn kfree(&mut self, at: &Place) -> Result<(), Box<Refusal>> {
        let address = self.address_of(at)?;
        let freed = self.kernel.kfree_aside(address);
        self.given_back(address, &freed);
        Ok(())
    }

    fn cache_free(&mut self, at: &Place, cache: Option<&Name>) -> Result<(), Box<Refusal>> {
        let cache = cache.map(|cache| self.cache(cache)).transpose()?;
        let address = self.address_of(at)?;
        let Some(cache) = cache else {
            // Nothing is freed to no cache.
            let _: Result<(), Box<Oops>> = self.kernel.free_to_null(address);
            return Ok(());
        };
        let freed = self.kernel.free(cache, address);
        self.given_back(address, &freed);
        Ok(())
    }

    /// Enters a free in the ledger, unless the kernel died of it.
    pub(super) fn given_back(&mut self, address: VirtAddr, freed: &Result<(), Box<Oops>>) {
        self.take_events();
        // What a check refused to free stays allocated: nobody has it, and it does not come back.
        let is_refused = self.events.iter().any(|event| event.refuses_free_of(address));
        if freed.is_err() || is_refused {
            return;
        }
        self.ledger.give_back(address);
        self.free_pointer_written(address);
    }

    /// The allocator has written a free object's pointer, unless it keeps the object where it writes none: the word is
    /// nobody else's any more.
    pub(super) fn free_pointer_written(&mut self, address: VirtAddr) {
        if let Some(slab) = self.kernel.slab_at(address).filter(|_| !self.kernel.is_kept_aside(address)) {
            self.forget_marks_of_pointer(self.kernel.slab(slab).cache, address);
        }
    }

    pub(super) fn forget_marks_of_pointer(&mut self, cache: CacheId, object: VirtAddr) {
        let word = object.wrapping_add(self.kernel.cache(cache).layout.offset);
        self.marks.remove(&range_of(word, crate::layout::WORD));
    }

    fn bulk_alloc(&mut self, prefix: &Name, count: u32, cache: &Name) -> Result<Option<VirtAddr>, Box<Refusal>> {
        if count == 0 || count > Self::MAX_BULK {
            return Err(Box::new(Refusal::BulkCount { count }));
        }
        let cache = self.cache(cache)?;
        let names: Option<Vec<Name>> = (0..count).map(|number| Name::new(&format!("{prefix}{number}"))).collect();
        let names = names.ok_or(Refusal::BulkCount { count })?;
        let cache = self.kernel.serving_accounted(cache, Gfp::default());
        self.kernel.asks_with(Gfp::default());
        let Ok(objects) = self.kernel.alloc_bulk(cache, count, false) else { return Ok(None) };
        let len = self.kernel.cache(cache).layout.object_size;
        for (name, address) in names.into_iter().zip(&objects) {
            self.handed_out(name, *address, Source::Cache(cache), len, len);
        }
        Ok(objects.last().copied())
    }

    fn bulk_free(&mut self, names: &[Name]) -> Result<(), Box<Refusal>> {
        if names.is_empty() || count_from(names.len()) > Self::MAX_BULK {
            return Err(Box::new(Refusal::BulkCount { count: count_from(names.len()) }));
        }
        let objects =
            names.iter().map(|name| self.object(name).map(|object| object.address)).collect::<Result<Vec<_>, _>>()?;
        let freed = self.kernel.free_bulk(None, &objects);
        for address in objects {
            self.given_back(address, &freed);
        }
        Ok(())
    }

    fn write_at(&mut self, at: &Place, len: u64, value: &Value) -> Result<(), Box<Refusal>> {
        let address = self.address_of(at)?;
        let bytes = self.bytes_of(value, len)?;
        let owned = self.owned_by(at)?;
        self.judge_write(address, len, owned.clone());
        self.write(address, &bytes, owned);
        Ok(())
    }

    /// The bytes that who names a place owns there: the object, while it is in use.
    pub(super) fn owned_by(&self, at: &Place) -> Result<Option<Range<u64>>, Box<Refusal>> {
        let owned = match &at.base {
            Base::Object(name) => Some(self.object(name)?).filter(|object| object.live),
            Base::Address(_) => None,
        };
        Ok(owned.map(|object| range_of(object.address, object.len)))
    }

    fn overflow(&mut self, name: &Name, len: u64, value: &Value) -> Result<(), Box<Refusal>> {
        let end = self.object(name)?.end();
        let bytes = self.bytes_of(value, len)?;
        self.judge_write(end, len, None);
        self.write(end, &bytes, None);
        Ok(())
    }

    /// Judges a write by what it is about to strike.
    pub(super) fn judge_write(&mut self, at: VirtAddr, len: u64, owned: Option<Range<u64>>) {
        let strays = owned.is_none_or(|owned| at.raw() < owned.start || at.raw().saturating_add(len) > owned.end);
        if !strays {
            return;
        }
        let parts = blast(self, at, len);
        let data = parts.iter().find_map(|part| match part.what {
            Struck::Data { slab, index, in_use: true } => Some((slab, index)),
            Struck::Data { .. }
            | Struck::FreePointer { .. }
            | Struck::Padding { .. }
            | Struck::SlabTail { .. }
            | Struck::Ram
            | Struck::Unmapped => None,
        });
        let (outcome, why) = if parts.iter().any(|part| attack::is_pointer(part.what)) {
            (Outcome::Silent, Why::Waiting)
        } else if let Some((slab, index)) = data {
            let address = self.object_address(slab, index);
            let object = self.ledger.last_at(address).map_or_else(|| address.to_string(), |o| o.name.to_string());
            (Outcome::Silent, Why::Data { object })
        } else {
            (Outcome::Missed, self.how_short(at.wrapping_add(len)))
        };
        self.attack.strayed(outcome, why);
    }

    /// How far before the free pointer of the object that it ends in a write ended.
    fn how_short(&self, end: VirtAddr) -> Why {
        let (slab, index) = match self.landing(end) {
            Landing::Object { slab, index } | Landing::InsideObject { slab, index, .. } => (slab, index),
            Landing::Null | Landing::SlabTail { .. } | Landing::Ram | Landing::Unmapped | Landing::NonCanonical => {
                return Why::NoPointer;
            }
        };
        let layout = &self.kernel.cache(self.kernel.slab(slab).cache).layout;
        let word = self.object_address(slab, index).wrapping_add(layout.offset);
        match word.bytes_after(end) {
            Some(bytes) if self.holds_pointer(slab, index) => Why::Short { bytes },
            Some(_) | None => Why::NoPointer,
        }
    }

    /// Whether an object's free pointer is one that the allocator may follow: nobody has the object, and it lies in no
    /// sheaf and waits for no grace period.
    pub(crate) fn holds_pointer(&self, slab: crate::units::SlabId, index: crate::units::ObjectIndex) -> bool {
        !self.is_live(slab, index) && !self.kernel.is_kept_aside(self.object_address(slab, index))
    }

    /// Whether somebody has an object.
    pub(crate) fn is_live(&self, slab: crate::units::SlabId, index: crate::units::ObjectIndex) -> bool {
        self.ledger.is_live_at(self.object_address(slab, index))
    }
}

/// No kernel has kmalloc give more than that.
pub(super) fn refuse_too_large(size: u64) -> Result<(), Box<Refusal>> {
    if size > kmalloc::MAX_SIZE { Err(Box::new(Refusal::TooLarge { size })) } else { Ok(()) }
}
