//! Copies between user space and kernel memory.

use super::{Machine, Refusal};
use crate::command::{Place, Value};
use crate::event::{Event, Oops};
use crate::memory::Bytes;
use crate::units::index_from;
use crate::usercopy::Direction;

/// What user space has to give: the letter U, over and over.
const USERS: Value = Value::Letter(b'U');

impl Machine {
    /// Copies `len` bytes, if the kernel lets them through.
    pub(super) fn copy(&mut self, direction: Direction, at: &Place, len: u64) -> Result<(), Box<Refusal>> {
        let address = self.address_of(at)?;
        let bytes = self.bytes_of(&USERS, len)?;
        let owned = self.owned_by(at)?;
        let checked: Result<(), Box<Oops>> = self.kernel.check_usercopy(direction, address, len);
        self.take_events();
        if checked.is_err() {
            return Ok(());
        }
        match direction {
            Direction::To => {
                self.judge_write(address, len, owned.clone());
                self.write(address, &bytes, owned);
            }
            Direction::From => {
                let mut read = vec![0; index_from(u32::try_from(len).expect("at most MAX_WRITE"))];
                match self.kernel.bytes().copy_out(address, &mut read) {
                    Ok(()) => self.tell(Event::Exposed { at: address, len }),
                    Err(fault) => self.die_of(fault, "copy_to_user"),
                }
            }
        }
        Ok(())
    }
}
