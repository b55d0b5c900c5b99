//! Writes by kernel code: what they put down, and what of memory they have touched since the allocator wrote there.

use super::{Machine, Mark, range_of};
use crate::command::{Base, Name, Place, Value};
use crate::event::{Event, OopsKind};
use crate::machine::Refusal;
use crate::memory::{Bytes, Fault};
use crate::units::{VirtAddr, index_from};
use core::ops::Range;

impl Machine {
    /// The address that a place means now.
    pub(super) fn address_of(&self, place: &Place) -> Result<VirtAddr, Box<Refusal>> {
        let base = match &place.base {
            Base::Object(name) => self.object(name)?.address,
            Base::Address(address) => VirtAddr::from_raw(*address),
        };
        Ok(base.wrapping_add(place.delta.cast_unsigned()))
    }

    /// What `name` stands for.
    pub(super) fn object(&self, name: &Name) -> Result<&super::NamedObject, Box<Refusal>> {
        self.ledger.named(name).ok_or_else(|| Box::new(Refusal::UnknownObject(name.clone())))
    }

    /// The bytes that a value puts down, `len` of them: it repeats from the start.
    pub(super) fn bytes_of(&self, value: &Value, len: u64) -> Result<Vec<u8>, Box<Refusal>> {
        if len == 0 || len > Self::MAX_WRITE {
            return Err(Box::new(Refusal::WriteLength { len }));
        }
        let pattern = match value {
            Value::AddressOf(place) => self.address_of(place)?.raw().to_le_bytes().to_vec(),
            Value::Zeros => vec![0],
            Value::Letter(letter) => vec![*letter],
            Value::Bytes(bytes) => bytes.to_vec(),
        };
        let len = index_from(u32::try_from(len).expect("at most MAX_WRITE"));
        Ok(pattern.into_iter().cycle().take(len).collect())
    }

    /// The first of `len` bytes at `at` that is not as `value` would put it down, and what it is; `None` for the byte
    /// where there is no memory.
    ///
    /// # Errors
    /// Where a name of the place or the value stands for nothing, or the length is not one that can be written.
    pub fn first_other_byte(
        &self,
        at: &Place,
        len: u64,
        value: &Value,
    ) -> Result<Option<(VirtAddr, Option<u8>)>, Refusal> {
        let start = self.address_of(at).map_err(|refusal| *refusal)?;
        let expected = self.bytes_of(value, len).map_err(|refusal| *refusal)?;
        let there = (0..).zip(&expected).map(|(offset, expected)| {
            let (address, mut byte) = (start.wrapping_add(offset), [0]);
            let read = self.kernel.bytes().copy_out(address, &mut byte);
            (address, read.is_ok().then_some(byte[0]), *expected)
        });
        let mut others = there.filter(|(_, byte, expected)| *byte != Some(*expected));
        Ok(others.next().map(|(address, byte, _)| (address, byte)))
    }

    /// Writes, and marks what was written: as its owner's where it lies in `owned`, as damage elsewhere.
    pub(super) fn write(&mut self, at: VirtAddr, bytes: &[u8], owned: Option<Range<u64>>) {
        let len = u64::try_from(bytes.len()).expect("a length");
        let result = self.kernel.bytes_mut().copy_in(at, bytes);
        let written = match result {
            Ok(()) => len,
            Err(Fault::Unmapped(end) | Fault::NonCanonical(end)) => end.bytes_after(at).unwrap_or(0).min(len),
        };
        if written > 0 {
            let all = range_of(at, written);
            self.marks.insert(all.clone(), Mark::Damage);
            if let Some(owned) = owned {
                let inside = all.start.max(owned.start)..all.end.min(owned.end);
                if !inside.is_empty() {
                    self.marks.insert(inside, Mark::Owner);
                }
            }
            self.tell(Event::Written { at, len: written });
        }
        if let Err(fault) = result {
            self.die_of(fault, "memcpy");
        }
    }

    /// The task dies of an access to what is not mapped.
    pub(super) fn die_of(&mut self, fault: Fault, function: &'static str) {
        let kind = match fault {
            Fault::NonCanonical(address) => OopsKind::GeneralProtection { address },
            Fault::Unmapped(address) => OopsKind::PageFault { address },
        };
        self.tell(Event::Oopsed(crate::event::Oops { kind, function }));
    }
}
