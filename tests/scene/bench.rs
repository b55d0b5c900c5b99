//! A machine played from a few lines, and a view of it.

use slabscope::scene::{self, Frame, ObjectRef, View};
use slabscope::session::Aim;
use slabscope_core::command::{Base, Name, Place, Value};
use slabscope_core::machine::Machine;
use slabscope_core::script::Scenario;
use slabscope_core::snapshot::Snapshot;

/// A machine after some commands, with what a person does to it.
pub(crate) struct Bench {
    pub(crate) machine: Machine,
    pub(crate) snapshot: Snapshot,
    before: Option<Snapshot>,
    after: Option<Snapshot>,
    aim: Option<Aim>,
    selected: Option<ObjectRef>,
    target: Name,
}

impl Bench {
    /// Plays the lines on a kernel, as a scenario's `kernel` line words it.
    pub(crate) fn play(kernel: &str, luck: u64, lines: &[&str]) -> Self {
        let text = format!("slabscope 1\ntitle bench\nkernel {kernel}\nluck {luck:#x}\n\n{}\n", lines.join("\n"));
        let scenario = Scenario::parse(&text).expect("the lines are a scenario");
        let mut machine = Machine::boot(&scenario.kernel, scenario.luck).expect("such a kernel exists");
        let mut before = None;
        for command in scenario.commands() {
            before = Some(machine.snapshot());
            machine.apply(command).expect("no command is refused");
        }
        let snapshot = machine.snapshot();
        let target = Name::new("target").expect("a name");
        Self { machine, snapshot, before, after: None, aim: None, selected: None, target }
    }

    /// Takes an object in hand.
    pub(crate) fn select(mut self, name: &str) -> Self {
        let found = self.snapshot.slabs.iter().find_map(|slab| {
            let object =
                slab.objects.iter().find(|object| object.name.as_ref().is_some_and(|own| own.as_str() == name));
            object.map(|object| ObjectRef { slab: slab.id, index: object.index })
        });
        self.selected = Some(found.expect("the object is there"));
        self
    }

    /// Aims the address of the target past an object.
    pub(crate) fn aim(mut self, name: &str, len: u64) -> Self {
        let object = Name::new(name).expect("a name");
        let value = Value::AddressOf(Place { base: Base::Object(self.target.clone()), delta: 0 });
        let aim = Aim { object, len, value, armed: true };
        self.after = scene::after(&self.machine, &aim);
        self.aim = Some(aim);
        self
    }

    /// What scenes are made from.
    pub(crate) fn view(&self, frame: Frame, whole_chain: bool) -> View<'_> {
        let has_target = self.snapshot.named.iter().any(|named| named.name == self.target);
        View {
            machine: &self.machine,
            snapshot: &self.snapshot,
            after: self.after.as_ref(),
            before: self.before.as_ref(),
            cache: self.machine.cache_named("kmalloc-64"),
            selected: self.selected,
            aim: self.aim.as_ref(),
            lit: None,
            target: has_target.then_some(&self.target),
            whole_chain,
            frame,
        }
    }
}

/// Lesson 3 up to the step before the write.
pub(crate) const LESSON_3: [&str; 5] =
    ["target = kmalloc 192 GFP_KERNEL|__GFP_ZERO", "a = kmalloc 64", "v = kmalloc 64", "w = kmalloc 64", "free v"];

/// The rest of it.
pub(crate) const WRITE_AND_ALLOCATE: [&str; 3] = ["overflow a 8 target", "p = kmalloc 64", "q = kmalloc 64"];
