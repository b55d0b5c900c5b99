//! What an object holds, where that can be said in a few words: runs of equal bytes, and a pointer that was left.

use slabscope_core::layout::{Layout, WORD};
use slabscope_core::machine::Machine;
use slabscope_core::memory::Bytes;
use slabscope_core::snapshot::{Landing, ObjectView};

/// The shortest run that is told as one.
const SHORTEST: usize = 8;
/// Runs that can be said at a glance.
const MOST_RUNS: usize = 3;

/// `64 × “S”`, or `8 old pointer, 56 × “S”`; `None` where all is zero or too mixed to say. `pointer` is what a pointer is
/// called.
pub(super) fn content(machine: &Machine, layout: &Layout, object: &ObjectView, pointer: &str) -> Option<String> {
    let bytes = bytes_of(machine, layout, object)?;
    let config = machine.config();
    // Memory that nobody wrote reads as zero; where the kernel zeroes, that is worth a word.
    let zeroes = config.init_on_alloc || config.init_on_free;
    let is_data = |at: usize| u64::try_from(at).is_ok_and(|at| at < layout.offset || at >= layout.offset + WORD);
    let is_blank = bytes.iter().enumerate().all(|(at, byte)| *byte == 0 || !is_data(at));
    if !object.hits.is_empty() || (is_blank && !zeroes) {
        return None;
    }
    let mut told: Vec<String> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let (len, words) = run_at(&bytes, at, layout, object, pointer)?;
        told.push(words);
        at += len;
        if told.len() > MOST_RUNS {
            return None;
        }
    }
    Some(told.join(", "))
}

fn bytes_of(machine: &Machine, layout: &Layout, object: &ObjectView) -> Option<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(layout.object_size).ok()?];
    machine.kernel().bytes().copy_out(object.address, &mut bytes).ok()?;
    Some(bytes)
}

/// The run that starts at `at`: its length, and what is said of it.
fn run_at(bytes: &[u8], at: usize, layout: &Layout, object: &ObjectView, pointer: &str) -> Option<(usize, String)> {
    let word = usize::try_from(WORD).ok()?;
    let leads_somewhere = matches!(object.pointer.landing, Landing::Object { .. });
    if u64::try_from(at).ok()? == layout.offset && leads_somewhere {
        return Some((word, format!("{word} {pointer}")));
    }
    let pointer = usize::try_from(layout.offset).ok().filter(|offset| *offset > at && leads_somewhere);
    let end = pointer.unwrap_or(bytes.len());
    let first = *bytes.get(at)?;
    let len = bytes[at..end.max(at)].iter().take_while(|byte| **byte == first).count();
    (len >= SHORTEST).then(|| (len, format!("{len} × {}", byte_words(first))))
}

fn byte_words(byte: u8) -> String {
    if byte.is_ascii_graphic() { format!("“{}”", char::from(byte)) } else { format!("0x{byte:02x}") }
}
