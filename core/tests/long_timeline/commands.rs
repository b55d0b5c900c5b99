//! The commands of a long timeline.

use slabscope_core::command::{Command, Gfp, Name, Value};

/// How many there are.
pub(crate) const COMMANDS: u32 = 100_000;

/// As in a lesson: objects of a few sizes come and go, and some are written beyond their end.
pub(crate) fn commands() -> impl Iterator<Item = Command> {
    let name = |number: u32| Name::new(&format!("o{}", number % 96)).expect("a name");
    (0..COMMANDS).map(move |step| match step % 8 {
        0 | 2 | 4 | 6 => {
            let size = [64, 96, 192, 512][usize::try_from(step / 2 % 4).expect("under 4")];
            Command::Kmalloc { object: name(step / 2), size, gfp: Gfp::default(), from: None }
        }
        7 => Command::Overflow { object: name(step / 2), len: 4, value: Value::Letter(b'A') },
        _ => Command::Free { object: name(step / 2 + 17 * (step % 3)) },
    })
}
