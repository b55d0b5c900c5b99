//! `slabscope layout`: where things lie in an object and in its slab.

mod json;
mod picture;

use crate::Ending;
use crate::kernel_args::KernelArgs;
use crate::numbers::{number, small_number};
use picture::Picture;
use slabscope_core::command::Command;
use slabscope_core::kernel::{KernelConfig, KmallocCopies, Model};
use slabscope_core::kmalloc::{CLASSES, COPIES, KmallocType, cache_args, cache_name, copy_name};
use slabscope_core::layout::{CacheArgs, Layout, Window};
use slabscope_core::script::{KernelWords, parse_command};
use std::fmt;
use std::io::{self, Write};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Bytes of an object, decimal or hexadecimal after 0x; without it, all kmalloc caches
    #[arg(value_parser = number)]
    size: Option<u64>,
    /// Alignment asked for
    #[arg(long, value_name = "BYTES", value_parser = number, requires = "size")]
    align: Option<u64>,
    /// Flags: hwcache, rcu, reclaim, dma, dma32, account, panic, no_merge, with commas between them
    #[arg(long, value_name = "FLAG,…", requires = "size")]
    flags: Option<String>,
    /// Objects that a sheaf is to hold at least
    #[arg(long, value_name = "OBJECTS", value_parser = small_number, requires = "size")]
    sheaf: Option<u32>,
    /// The cache has a constructor
    #[arg(long, requires = "size")]
    ctor: bool,
    /// The usercopy window: where in the object it starts, and how many bytes it has
    #[arg(long, num_args = 2, value_names = ["OFFSET", "BYTES"], value_parser = number, requires = "size")]
    window: Option<Vec<u64>>,
    #[command(flatten)]
    kernel: KernelArgs,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut impl Write) -> io::Result<Ending> {
    let (config, model) = match args.kernel.chosen() {
        Ok(chosen) => chosen,
        Err(message) => return Ok(Ending::BadInput(message)),
    };
    let Some(size) = args.size else {
        print_classes(&config, &model, args.json, out)?;
        return Ok(Ending::Well);
    };
    match cache_asked_for(args, size).and_then(|cache| layout_of(&cache, &config, &model)) {
        Ok(layout) if args.json => json::print(None, &layout, out)?,
        Ok(layout) => print_one(&config, &layout, out)?,
        Err(message) => return Ok(Ending::BadInput(message)),
    }
    Ok(Ending::Well)
}

fn layout_of(cache: &CacheArgs, config: &KernelConfig, model: &Model) -> Result<Layout, String> {
    config.has(&cache.needs()).map_err(|missing| missing.to_string())?;
    let (_, layout) = Layout::at_boot("asked", cache, model).map_err(|error| error.to_string())?;
    Ok(layout)
}

/// What the arguments ask for, read as the `cache` line of a scenario would be.
fn cache_asked_for(args: &Args, size: u64) -> Result<CacheArgs, String> {
    let flags = args.flags.as_deref().map(|flags| format!(" flags={flags}")).unwrap_or_default();
    let command = parse_command(&format!("cache asked {size}{flags}"))
        .map_err(|error| format!("--flags: {}", error.message()))?;
    let Command::CreateCache { args: asked, .. } = command else {
        return Err("--flags: only flags, with commas between them".to_owned());
    };
    let sheaf_capacity = args.sheaf.unwrap_or(0);
    let window = match args.window.as_deref() {
        Some([offset, size]) => Window { offset: *offset, size: *size },
        Some(_) | None => asked.window,
    };
    Ok(CacheArgs { align: args.align.unwrap_or(0), ctor: args.ctor, sheaf_capacity, window, ..asked })
}

fn print_one(config: &KernelConfig, layout: &Layout, out: &mut impl Write) -> io::Result<()> {
    let Layout { object_size, size, align, inuse, offset, objects, .. } = layout;
    let bytes = if *object_size == 1 { "byte" } else { "bytes" };
    writeln!(out, "An object of {object_size} {bytes} on Linux {}", Named(config))?;
    writeln!(out, "  size {size}, aligned to {align}, metadata from {inuse}")?;
    let place = match (layout.pointer_is_outside(), offset + 8 > *object_size) {
        (true, _) => "after the object",
        (false, true) => "in the object and in the padding after it",
        (false, false) => "in the object",
    };
    writeln!(out, "  free pointer at {offset} to {}, {place}", offset + 7)?;
    let bytes = layout.order.bytes();
    writeln!(
        out,
        "  slab of order {}: {bytes} bytes, {objects} objects, {} bytes left over",
        layout.order.raw(),
        layout.tail()
    )?;
    if layout.min_order < layout.order {
        writeln!(
            out,
            "  or, where that is not to be had, of order {}: {} objects",
            layout.min_order.raw(),
            layout.min_objects
        )?;
    }
    writeln!(out, "  cpu_partial {}{}, min_partial {}", layout.cpu_partial, slabs(layout), layout.min_partial)?;
    if layout.sheaf_capacity > 0 {
        writeln!(out, "  sheaves of {} objects", layout.sheaf_capacity)?;
    }
    writeln!(out, "\n{}", Picture(layout))
}

/// A kernel with its CPUs told once: its words leave out one CPU.
struct Named<'a>(&'a KernelConfig);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", KernelWords(self.0))?;
        if self.0.cpus == 1 { f.write_str(", 1 CPU") } else { Ok(()) }
    }
}

fn slabs(layout: &Layout) -> String {
    match layout.cpu_partial_slabs {
        0 => String::new(),
        slabs => format!(" ({slabs} slab{})", plural(slabs)),
    }
}

const fn plural(count: u32) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn print_classes(config: &KernelConfig, model: &Model, as_json: bool, out: &mut impl Write) -> io::Result<()> {
    if !as_json {
        writeln!(out, "kmalloc caches of Linux {}", Named(config))?;
        writeln!(
            out,
            "{:<17} {:>6} {:>6} {:>7} {:>6} {:>8} {:>5} {:>11} {:>11}  an overflow reaches the free pointer",
            "name", "size", "align", "pointer", "order", "objects", "left", "cpu_partial", "min_partial"
        )?;
    }
    for (name, cache) in classes(model) {
        let (_, layout) = Layout::at_boot(&name, &cache, model).map_err(io::Error::other)?;
        if as_json {
            json::print(Some(&name), &layout, out)?;
        } else {
            print_class(&name, &layout, out)?;
        }
    }
    Ok(())
}

/// The caches that the kernel makes for kmalloc: their names, and what they are asked to be.
fn classes(model: &Model) -> impl Iterator<Item = (String, CacheArgs)> {
    let copies = if model.kmalloc_copies == KmallocCopies::None { 1 } else { COPIES };
    let sizes = || CLASSES.into_iter().filter(|size| *size <= model.kmalloc_largest);
    KmallocType::all(model).flat_map(move |kind| {
        let copies = if kind == KmallocType::Normal { copies } else { 1 };
        let name = move |copy, size| match kind {
            KmallocType::Normal => copy_name(copy, size, model),
            KmallocType::Cgroup | KmallocType::Reclaim | KmallocType::Dma => cache_name(kind, size, model),
        };
        (0..copies).flat_map(move |copy| sizes().map(move |size| (name(copy, size), cache_args(kind, size, model))))
    })
}

fn print_class(name: &str, layout: &Layout, out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "{name:<17} {:>6} {:>6} {:>7} {:>6} {:>8} {:>5} {:>11} {:>11}  from byte {}, all of it with {}",
        layout.size,
        layout.align,
        layout.offset,
        layout.order.raw(),
        layout.objects,
        layout.tail(),
        layout.cpu_partial,
        layout.min_partial,
        layout.offset + 1,
        layout.offset + 8
    )
}
