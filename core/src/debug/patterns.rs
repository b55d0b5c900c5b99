//! What the allocator writes into a slab that is checked: patterns, tracks, the size that was asked for.
//!
//! | byte | where |
//! |---|---|
//! | 5a | a new slab; padding |
//! | 6b, a5 last | a free object, and one just allocated |
//! | bb, cc | red zones while the object is free, and in use |
//!
//! `setup_slab_debug`, `setup_object_debug`, `init_object`, `set_track`, `set_orig_size` (mm/slub.c, 4.19 to 7.3).

use crate::allocator::{Kernel, Probe};
use crate::event::Oops;
use crate::layout::{Layout, Track};
use crate::memory::{Bytes, Fault};
use crate::units::{CacheId, ObjectIndex, SlabId, VirtAddr, index_from};

/// `POISON_INUSE`.
pub(super) const IN_USE: u8 = 0x5a;
/// `POISON_FREE`.
pub(super) const FREE: u8 = 0x6b;
/// `POISON_END`.
pub(super) const END: u8 = 0xa5;

/// Whether an object is in use, as its red zones tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Activity {
    /// `SLUB_RED_ACTIVE`.
    Active,
    /// `SLUB_RED_INACTIVE`.
    Inactive,
}

impl Activity {
    /// The byte of a red zone.
    pub(super) const fn byte(self) -> u8 {
        match self {
            Self::Active => 0xcc,
            Self::Inactive => 0xbb,
        }
    }
}

/// Who did something to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trace {
    /// The caller's address.
    pub(crate) caller: u64,
    /// Its CPU.
    pub(crate) cpu: u32,
    /// Its process.
    pub(crate) pid: u32,
    /// When, on the kernel's clock.
    pub(crate) when: u64,
}

impl Trace {
    /// What is read where nobody is noted.
    pub(crate) const NOBODY: Self = Self { caller: 0, cpu: 0, pid: 0, when: 0 };

    /// The caller as a symbol.
    pub(crate) fn symbol(self) -> String {
        if self.caller == CALLER { "script".to_owned() } else { format!("0x{:x}", self.caller) }
    }
}

/// The caller that tracks name; a kernel would have the address of code.
pub(super) const CALLER: u64 = 0xffff_ffff_8100_0000;
/// The process that calls.
pub(super) const PID: u32 = 1;
/// `sizeof(struct track)` with a handle of the stack depot.
const WITH_HANDLE: u64 = 32;

/// Where the fields of a track of this size lie: CPU, process, time.
const fn fields(track_size: u64) -> (u64, u64, u64) {
    if track_size == WITH_HANDLE { (12, 16, 24) } else { (track_size - 16, track_size - 12, track_size - 8) }
}

impl<P: Probe, B: Bytes> Kernel<P, B> {
    /// Prepares a new slab of a cache with checks, and each of its objects.
    #[cold]
    pub(crate) fn prepare_slab(&mut self, cache: CacheId, slab: SlabId) {
        let layout = self.caches[cache].layout;
        let (base, order, objects) = {
            let descriptor = &self.slabs[slab];
            (descriptor.base, descriptor.order, descriptor.objects)
        };
        let mut prepared = Ok(());
        if layout.checks.flags.poison {
            prepared = self.bytes.fill(base, order.bytes(), IN_USE);
        }
        for index in (0..objects).map(ObjectIndex::from_raw) {
            let object = base.wrapping_add(layout.object_offset(index));
            let of_object = self.init_object(&layout, object, Activity::Inactive).and_then(|()| {
                self.bytes.fill(object.wrapping_add(layout.track_at(Track::Alloc)), 2 * layout.checks.track_size, 0)
            });
            prepared = prepared.and(of_object);
        }
        debug_assert!(prepared.is_ok(), "a slab's objects are mapped");
    }

    /// Writes the patterns of an object that is now in use, or free.
    pub(super) fn init_object(&mut self, layout: &Layout, object: VirtAddr, activity: Activity) -> Result<(), Fault> {
        let flags = layout.checks.flags;
        let mut poisoned = layout.object_size;
        if flags.red_zone {
            self.bytes.fill(object.wrapping_sub(layout.red_left_pad), layout.red_left_pad, activity.byte())?;
            if self.model.debug.kmalloc_red_zone && activity == Activity::Active && layout.orig_size_at().is_some() {
                // What was not asked for is a red zone of its own.
                poisoned = self.orig_size(layout, object)?.min(layout.object_size);
            }
        }
        if layout.checks.object_poison && poisoned > 0 {
            self.bytes.fill(object, poisoned - 1, FREE)?;
            self.bytes.fill(object.wrapping_add(poisoned - 1), 1, END)?;
        }
        if flags.red_zone {
            self.bytes.fill(object.wrapping_add(poisoned), layout.inuse - poisoned, activity.byte())?;
        }
        Ok(())
    }

    /// The size that was asked for; all of the object where it is not kept.
    pub(crate) fn orig_size(&self, layout: &Layout, object: VirtAddr) -> Result<u64, Fault> {
        let Some(at) = layout.orig_size_at() else { return Ok(layout.object_size) };
        let mut word = [0; 8];
        let len = index_from(u32::try_from(layout.checks.orig_size).unwrap_or(0)).min(8);
        self.bytes.copy_out(object.wrapping_add(at), &mut word[..len])?;
        Ok(u64::from_le_bytes(word))
    }

    /// Keeps the size that was asked for, where it is kept.
    pub(crate) fn set_orig_size(&mut self, layout: &Layout, object: VirtAddr, size: u64) -> Result<(), Fault> {
        let Some(at) = layout.orig_size_at() else { return Ok(()) };
        let len = index_from(u32::try_from(layout.checks.orig_size).unwrap_or(0)).min(8);
        self.bytes.copy_in(object.wrapping_add(at), &size.to_le_bytes()[..len])
    }

    /// Notes who allocates or frees, where that is kept.
    pub(super) fn set_track(&mut self, cache: CacheId, object: VirtAddr, track: Track) -> Result<(), Box<Oops>> {
        let layout = self.caches[cache].layout;
        if !layout.checks.flags.store_user {
            return Ok(());
        }
        let at = object.wrapping_add(layout.track_at(track));
        let (cpu, pid, when) = fields(layout.checks.track_size);
        let (this_cpu, now) = (self.cpu.raw(), self.log.now());
        let noted = self
            .bytes
            .fill(at, layout.checks.track_size, 0)
            .and_then(|()| self.bytes.write_u64(at, CALLER))
            .and_then(|()| self.bytes.copy_in(at.wrapping_add(cpu), &this_cpu.to_le_bytes()))
            .and_then(|()| self.bytes.copy_in(at.wrapping_add(pid), &PID.to_le_bytes()))
            .and_then(|()| self.bytes.write_u64(at.wrapping_add(when), now));
        noted.map_err(|fault| self.fault(fault, "set_track_update"))
    }

    /// Who allocated or freed an object last; `None` where nobody did, or nothing is kept.
    pub(super) fn track(&self, layout: &Layout, object: VirtAddr, track: Track) -> Option<Trace> {
        if !layout.checks.flags.store_user {
            return None;
        }
        let at = object.wrapping_add(layout.track_at(track));
        let (cpu, pid, when) = fields(layout.checks.track_size);
        let half = |offset: u64| {
            let mut word = [0; 4];
            self.bytes.copy_out(at.wrapping_add(offset), &mut word).ok().map(|()| u32::from_le_bytes(word))
        };
        let caller = self.bytes.read_u64(at).ok().filter(|caller| *caller != 0)?;
        let when = self.bytes.read_u64(at.wrapping_add(when)).ok()?;
        Some(Trace { caller, cpu: half(cpu)?, pid: half(pid)?, when })
    }
}
