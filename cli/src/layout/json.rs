//! A layout as one line of JSON.

use slabscope_core::layout::Layout;
use std::io::{self, Write};

/// Prints it; `name` is a cache's, which has no letters that JSON would escape.
pub(super) fn print(name: Option<&str>, layout: &Layout, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{{")?;
    if let Some(name) = name {
        write!(out, "\"name\":\"{name}\",")?;
    }
    let numbers = [
        ("object_size", layout.object_size),
        ("size", layout.size),
        ("align", layout.align),
        ("inuse", layout.inuse),
        ("offset", layout.offset),
        ("order", u64::from(layout.order.raw())),
        ("objects", u64::from(layout.objects)),
        ("tail", layout.tail()),
        ("min_order", u64::from(layout.min_order.raw())),
        ("min_objects", u64::from(layout.min_objects)),
        ("min_partial", u64::from(layout.min_partial)),
        ("cpu_partial", u64::from(layout.cpu_partial)),
        ("cpu_partial_slabs", u64::from(layout.cpu_partial_slabs)),
        ("sheaf_capacity", u64::from(layout.sheaf_capacity)),
    ];
    let fields: Vec<String> = numbers.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
    writeln!(out, "{}}}", fields.join(","))
}
