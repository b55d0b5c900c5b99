//! Memory: the pages around the slab in hand, each with its owner, and the free blocks by order.

use super::super::hand::{Hand, cache_of, slab_of};
use super::super::map::{Heading, crumbs};
use super::super::measure::px;
use super::super::shape::{Area, Face, Point, Px, Text, Tone};
use super::super::{Depth, Frame, View, words};
use super::sizes::{Orders, PageSizes};
use super::{AboveScene, Part, PartLook, into, is_here, slab_name};
use crate::text::counted;
use slabscope_core::machine::Machine;
use slabscope_core::snapshot::{PageOwner, PageRun};
use slabscope_core::units::{PAGE_SIZE, VirtAddr};
use std::rc::Rc;

pub(super) fn scene(view: &View) -> AboveScene {
    let sizes = PageSizes::of(view.frame);
    let hand = Hand::of(view);
    let window = Window::around(hand.as_ref(), &sizes);
    let runs: Vec<PageRun> = view.machine.page_runs().into_iter().filter_map(|run| window.clipped(run)).collect();
    let parts = runs.iter().flat_map(|run| draw(view, hand.as_ref(), run, &window, &sizes)).map(Rc::new);
    let taken: u32 = runs.iter().filter(|run| is_in_use(run)).map(|run| run.pages).sum();
    let tally = match view.frame {
        Frame::Narrow { .. } => format!("{taken} of {}", sizes.pages()),
        Frame::Wide | Frame::Short | Frame::Presenter => {
            format!("{} pages from {}, {taken} in use", sizes.pages(), window.base)
        }
    };
    let mut scene = AboveScene {
        frame: view.frame,
        area: sizes.area,
        heading: sizes.heading.map(|at| Heading {
            at,
            crumbs: crumbs(view, hand.as_ref(), Depth::Memory),
            tally: tally.clone(),
        }),
        summary: format!("Memory: {tally}."),
        rules: Vec::new(),
        marks: ticks(&runs, &window, &sizes),
        arrows: Vec::new(),
        texts: Vec::new(),
        parts: parts.collect(),
        map: None,
    };
    if let Some(orders) = sizes.orders {
        count(view, orders, &mut scene);
    }
    scene
}

fn is_in_use(run: &PageRun) -> bool {
    match run.owner {
        PageOwner::Slab(_) | PageOwner::Large | PageOwner::Kernel => true,
        PageOwner::Free(_) | PageOwner::OnCpu(_) => false,
    }
}

/// The pages that are drawn.
struct Window {
    base: VirtAddr,
    pages: u32,
}

impl Window {
    /// Those around the slab in hand, else the first.
    fn around(hand: Option<&Hand>, sizes: &PageSizes) -> Self {
        let (first, count) = Machine::page_allocator_frames();
        let start = first.address();
        let page = hand.and_then(|hand| hand.slab).and_then(|slab| slab.base.bytes_after(start));
        let page = page.map_or(0, |bytes| bytes / PAGE_SIZE);
        let pages = u64::from(sizes.pages());
        let last = u64::from(count).saturating_sub(pages);
        let skipped = (page / pages * pages).min(last);
        Self { base: start.wrapping_add(skipped * PAGE_SIZE), pages: sizes.pages() }
    }

    /// The page of an address, from the window's first.
    fn page(&self, address: VirtAddr) -> Option<u32> {
        let page = address.bytes_after(self.base)? / PAGE_SIZE;
        u32::try_from(page).ok().filter(|page| *page < self.pages)
    }

    /// The part of a run that is drawn.
    fn clipped(&self, run: PageRun) -> Option<PageRun> {
        let before = self.base.bytes_after(run.base).map_or(0, |bytes| bytes / PAGE_SIZE);
        let before = u32::try_from(before).ok().filter(|before| *before < run.pages)?;
        let base = run.base.wrapping_add(u64::from(before) * PAGE_SIZE);
        let first = self.page(base)?;
        Some(PageRun { base, pages: (run.pages - before).min(self.pages - first), ..run })
    }
}

/// A run's pieces: one a row, or one for all its rows where it fills them.
fn draw(view: &View, hand: Option<&Hand>, run: &PageRun, window: &Window, sizes: &PageSizes) -> Vec<Part> {
    let Some(first) = window.page(run.base) else { return Vec::new() };
    let mut parts = Vec::new();
    let (mut at, mut left) = (first, run.pages);
    while left > 0 {
        let (column, row) = (at % sizes.columns, at / sizes.columns);
        let whole_rows = if column == 0 { left / sizes.columns } else { 0 };
        let (wide, high) = match whole_rows {
            0 => (left.min(sizes.columns - column), 1),
            rows => (sizes.columns, rows),
        };
        let area = Area::new(
            sizes.origin.x + px(column) * sizes.page.0,
            sizes.origin.y + px(row) * sizes.page.1,
            px(wide) * sizes.page.0 - 2.0,
            px(high) * sizes.page.1 - 4.0,
        );
        let name_it = parts.is_empty();
        parts.push(part(view, hand, run, at, area, sizes, name_it));
        at += wide * high;
        left -= wide * high;
    }
    parts
}

fn part(view: &View, hand: Option<&Hand>, run: &PageRun, key: u32, area: Area, sizes: &PageSizes, named: bool) -> Part {
    let slab = match run.owner {
        PageOwner::Slab(id) => slab_of(view.snapshot, id),
        PageOwner::Large | PageOwner::Free(_) | PageOwner::OnCpu(_) | PageOwner::Kernel => None,
    };
    let is_ours = slab.zip(hand).is_some_and(|(slab, hand)| slab.cache == hand.cache.id);
    let (name, look) = match run.owner {
        PageOwner::Slab(_) if is_ours => (slab.map(slab_name).unwrap_or_default(), PartLook::Own),
        PageOwner::Slab(_) => {
            let cache = slab.and_then(|slab| cache_of(view.snapshot, slab.cache));
            (cache.map_or_else(String::new, |cache| cache.name.to_string()), PartLook::Other)
        }
        PageOwner::Large => ("large kmalloc".to_owned(), PartLook::Other),
        PageOwner::Free(order) => (format!("order {}", order.raw()), PartLook::Hollow),
        PageOwner::OnCpu(cpu) => (format!("CPU {}’s list", cpu.raw()), PartLook::Waiting),
        PageOwner::Kernel => ("kernel".to_owned(), PartLook::Other),
    };
    let tone = if look == PartLook::Own { Tone::OnAlloc } else { Tone::Ink };
    let face = if look == PartLook::Own { Face::Bold } else { Face::Plain };
    let shown = shown(&name, area.w - 6.0, face, sizes.text);
    let middle = Point { x: area.x + area.w / 2.0, y: area.y + area.h / 2.0 + sizes.text * 0.36 };
    let text = Text::plain(middle.x, middle.y, shown, sizes.text, tone).in_face(face).centred();
    let pages = counted(u64::from(run.pages), "page");
    Part {
        key,
        area,
        look,
        leads_to: slab.filter(|_| named).and_then(|slab| into(view, slab)),
        here: slab.is_some_and(|slab| is_here(hand, slab)),
        texts: if named { vec![text] } else { Vec::new() },
        label: format!("{name}, {pages} at {}", run.base),
    }
}

/// As much of a name as says something in this room: all of it, its number or first word, or its beginning; else nothing.
fn shown(name: &str, room: Px, face: Face, size: Px) -> String {
    const LEAST: usize = 6;
    let fits = |words: &&str| face.width(words, size) <= room;
    let number = name.strip_prefix("order ").or_else(|| name.strip_prefix('S'));
    let owner = name.split_once('’').map(|(owner, _)| owner);
    if let Some(words) = [Some(name), number, owner].into_iter().flatten().find(fits) {
        return words.to_owned();
    }
    let cut = words::fit(name, room, face, size);
    if cut.chars().count() < LEAST { String::new() } else { cut }
}

/// Where a page ends inside a run of another owner.
fn ticks(runs: &[PageRun], window: &Window, sizes: &PageSizes) -> Vec<(Point, Point)> {
    const LENGTH: Px = 5.0;
    let others = runs.iter().filter(|run| is_in_use(run) && run.pages > 1);
    let edges = others.filter_map(|run| Some((window.page(run.base)?, run.pages)));
    let inside = edges.flat_map(|(first, pages)| first + 1..first + pages);
    let inside = inside.filter(|page| page % sizes.columns > 0);
    let tick = |page: u32| {
        let x = sizes.origin.x + px(page % sizes.columns) * sizes.page.0 - 1.0;
        let y = sizes.origin.y + px(page / sizes.columns + 1) * sizes.page.1 - 4.0;
        (Point { x, y: y - LENGTH }, Point { x, y })
    };
    inside.map(tick).collect()
}

/// Free blocks by order, a bar each.
fn count(view: &View, orders: Orders, scene: &mut AboveScene) {
    const LABEL: Px = 80.0;
    const LONGEST: Px = 120.0;
    const ONE: Px = 40.0;
    let counts = view.machine.free_blocks();
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let each = (LONGEST / px(most.max(1))).min(ONE);
    let Orders { at, pitch } = orders;
    scene.texts.push(Text::plain(at.x, at.y - pitch + 2.0, "free blocks by order, all 16 MiB", 14.0, Tone::Quiet));
    for ((order, count), row) in counts.iter().zip(0..) {
        let y = at.y + px(row) * pitch;
        let words = |x, text: String| Text::plain(x, y + 5.0, text, 14.0, Tone::Quiet).in_face(Face::Mono);
        scene.texts.push(words(at.x, format!("order {}", order.raw())));
        let length = (px(*count) * each).max(1.0);
        scene.texts.push(words(at.x + LABEL + length + 10.0, count.to_string()));
        scene.parts.push(Rc::new(Part {
            key: 100_000 + order.raw(),
            area: Area::new(at.x + LABEL, y - 8.0, length, 16.0),
            look: PartLook::Count,
            leads_to: None,
            here: false,
            texts: Vec::new(),
            label: format!("{count} free blocks of order {}", order.raw()),
        }));
    }
}
