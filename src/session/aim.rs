//! Aiming an overflow: nothing is written, nothing is remembered, until Write.

use super::action::{Effect, FocusOn};
use super::{Notice, Session};
use crate::scene::ObjectRef;
use crate::text::as_sentence;
use slabscope_core::command::{Base, Command, Name, Place, Value};
use slabscope_core::event::Event;
use slabscope_core::layout::{Layout, WORD};
use slabscope_core::machine::Machine;
use slabscope_core::script::parse_command;
use slabscope_core::snapshot::{ObjectState, ObjectView};
use slabscope_core::units::{Step, VirtAddr, count_from};

/// An overflow that is aimed or armed, and not written: no tick, no branch, no script line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    /// Past which object.
    pub object: Name,
    /// How many bytes past its end; 0 while the handle is at home.
    pub len: u64,
    /// What would be written.
    pub value: Value,
    /// Whether the handle was let go: then Write writes.
    pub armed: bool,
}

impl Aim {
    /// The command that would carry it out.
    #[must_use]
    pub fn command(&self) -> Option<Command> {
        (self.len > 0).then(|| Command::Overflow {
            object: self.object.clone(),
            len: self.len,
            value: self.value.clone(),
        })
    }
}

/// Bytes past an object's end that replace the whole free pointer of the next one.
#[must_use]
pub const fn reach_in(layout: &Layout) -> u64 {
    layout.size - layout.object_size + layout.offset + WORD
}

impl Session {
    /// The object in hand, if it is in use and has a name: what an overflow can start from.
    #[must_use]
    pub fn overflowable(&self) -> Option<(ObjectRef, &ObjectView)> {
        let selected = self.selected?;
        let object = self.object(selected)?;
        (object.state == ObjectState::InUse && object.name.is_some()).then_some((selected, object))
    }

    /// What would be written past the object in hand.
    #[must_use]
    pub fn value_in_hand(&self) -> Value {
        self.value.clone().unwrap_or_else(|| self.usual_value())
    }

    /// The address of the target where there is one, else letters.
    fn usual_value(&self) -> Value {
        self.target().map_or(Value::Letter(b'A'), |target| {
            Value::AddressOf(Place { base: Base::Object(target.clone()), delta: 0 })
        })
    }

    pub(super) fn aim_at(&mut self, len: u64, armed: bool) {
        let Some((_, object)) = self.overflowable() else { return };
        let object = object.name.clone().expect("an overflowable object has a name");
        let len = len.min(Machine::MAX_WRITE);
        let value = self.value_in_hand();
        self.aim = (len > 0 || !armed).then_some(Aim { object, len, value, armed: armed && len > 0 });
    }

    /// Overflow was pressed, or the handle was let go.
    pub(super) fn arm(&mut self) -> Vec<Effect> {
        let len = match &self.aim {
            Some(aim) => aim.len,
            None => self.usual_length(),
        };
        self.aim_at(len, true);
        vec![Effect::Focus(FocusOn::Grip)]
    }

    /// The length that the next step of the script writes, or the first pointer's, or a word's.
    #[must_use]
    pub fn usual_length(&self) -> u64 {
        if let (Some(Command::Overflow { object, len, .. }), Some((_, in_hand))) =
            (self.next_command(), self.overflowable())
            && in_hand.name.as_ref() == Some(object)
        {
            return *len;
        }
        8
    }

    pub(super) fn aim_value(&mut self, value: Value) {
        if let Some(aim) = &mut self.aim {
            aim.value = value.clone();
        }
        self.value = Some(value);
    }

    /// The value that a text stands for; a text that stands for none is told, and changes nothing.
    pub(super) fn aim_value_text(&mut self, text: &str) {
        match parse_command(&format!("overflow a 1 {text}")) {
            Ok(Command::Overflow { value, .. }) => self.aim_value(value),
            Ok(_) => {}
            Err(error) => {
                self.notice =
                    Some(Notice { head: "This is nothing to write.".to_owned(), tail: as_sentence(&error.message()) });
            }
        }
    }

    /// Writes what is aimed at, if it is armed. Then arrows step again.
    pub(super) fn write(&mut self) -> Vec<Effect> {
        let Some(command) = self.aim.as_ref().filter(|aim| aim.armed).and_then(Aim::command) else {
            return Vec::new();
        };
        let mut effects = self.act(command);
        effects.extend(self.aim.is_none().then_some(Effect::Focus(FocusOn::Time)));
        effects
    }

    /// Goes back to before the last overflow and arms it again.
    pub(super) fn how_far(&mut self) -> Vec<Effect> {
        let Some((step, command)) = self.last_overflow() else {
            self.notice = Some(Notice {
                head: "Nothing was written past an object yet.".to_owned(),
                tail: "Select an object in use and press Overflow.".to_owned(),
            });
            return Vec::new();
        };
        let Command::Overflow { object, len, value } = command else { return Vec::new() };
        self.look_at(step);
        self.select_named(&object);
        self.aim = Some(Aim { object, len, value: value.clone(), armed: true });
        self.value = Some(value);
        self.went_back = true;
        vec![Effect::Keep, Effect::Focus(FocusOn::Grip)]
    }

    /// Goes to before the script's first overflow and arms one that reaches the next object's pointer.
    pub(super) fn try_reach(&mut self) -> Vec<Effect> {
        let before = self.timeline.commands().position(|command| matches!(command, Command::Overflow { .. }));
        if let Some(step) = before {
            self.look_at(Step::from_raw(count_from(step)));
        }
        self.selected = self.worth_a_look().or(self.selected);
        let reach = self.cache_in_hand().map_or(8, |cache| reach_in(&cache.layout));
        self.aim_at(reach, true);
        vec![Effect::Keep, Effect::Focus(FocusOn::Grip)]
    }

    /// What overflows and writes that were played wrote, the last first: the step after it, the first byte and how many.
    pub fn writes(&self) -> impl Iterator<Item = (Step, VirtAddr, u64)> {
        (1..=self.cursor().raw()).rev().map(Step::from_raw).filter_map(|step| {
            let record = self.timeline.record(step)?;
            let is_write = matches!(record.command, Command::Overflow { .. } | Command::Write { .. });
            record.result.as_ref().ok().filter(|_| is_write)?.events.iter().find_map(|event| match event {
                Event::Written { at, len } => Some((step, *at, *len)),
                _ => None,
            })
        })
    }

    /// The step before the last overflow that was played, and that overflow.
    fn last_overflow(&self) -> Option<(Step, Command)> {
        self.timeline
            .commands()
            .take(self.cursor().index())
            .enumerate()
            .filter(|(_, command)| matches!(command, Command::Overflow { .. }))
            .last()
            .map(|(step, command)| (Step::from_raw(count_from(step)), command.clone()))
    }
}
