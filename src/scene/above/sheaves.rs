//! A cache with sheaves: a CPU's arrays of pointers, filled to their tops, the barn's, and under them the slabs, with
//! what they count beside what is really in use.

use super::super::View;
use super::super::hand::{Hand, slabs_in_order};
use super::super::measure::px;
use super::super::shape::{Area, Face, Point, Px, Text, Tone};
use super::cache::{in_use, words_for};
use super::sizes::SheafSizes;
use super::{AboveScene, Part, PartLook, into, is_here, over_bar, slab_name};
use slabscope_core::slub::MAX_FULL;
use slabscope_core::snapshot::{CpuSheavesView, ObjectState, SheafView, SheavesView, SlabList, SlabView};
use slabscope_core::units::count_from;
use std::rc::Rc;

/// What the blocks of the view are drawn with.
struct Pen<'a, 'b> {
    view: &'a View<'b>,
    hand: &'a Hand<'b>,
    sizes: SheafSizes,
    capacity: u32,
    scene: &'a mut AboveScene,
    y: Px,
    key: u32,
}

/// Draws them from `top` on, and says where they end.
pub(super) fn draw(view: &View, hand: &Hand, sheaves: &SheavesView, top: Px, scene: &mut AboveScene) -> Px {
    let sizes = SheafSizes::of(view.frame);
    let capacity = hand.cache.layout.sheaf_capacity.max(1);
    let mut pen = Pen { view, hand, sizes, capacity, scene, y: top, key: 0 };
    let mut used: Vec<&CpuSheavesView> = sheaves.cpus.iter().filter(|cpu| is_used(cpu)).collect();
    put_last(&mut used, sizes.cpus, |cpu| cpu.cpu == view.snapshot.cpu);
    for cpu in used.iter().take(sizes.cpus) {
        pen.cpu(cpu);
    }
    pen.barn(sheaves, used.len().saturating_sub(sizes.cpus));
    pen.slabs();
    pen.y
}

/// Where not all fit, the last place that is shown is that of the one that must be.
fn put_last<T>(all: &mut [T], shown: usize, must_be: impl Fn(&T) -> bool) {
    let Some(last) = shown.checked_sub(1) else { return };
    if let Some(place) = all.iter().position(must_be).filter(|place| *place > last) {
        all[last..=place].rotate_right(1);
    }
}

fn is_used(cpu: &CpuSheavesView) -> bool {
    let all = [Some(&cpu.main), cpu.spare.as_ref(), cpu.rcu_free.as_ref()];
    all.into_iter().flatten().any(|sheaf| !sheaf.objects.is_empty()) || cpu.cpu.raw() == 0
}

impl Pen<'_, '_> {
    fn cpu(&mut self, cpu: &CpuSheavesView) {
        self.title(format!("CPU {}", cpu.cpu.raw()), "");
        let filled = count_from(cpu.main.objects.len());
        let hint = match filled {
            0 => "empty: filled next",
            full if full == self.capacity => "full: a free swaps it",
            _ => "frees go here",
        };
        self.sheaf("main", &cpu.main, hint, true);
        match &cpu.spare {
            Some(spare) => self.sheaf("spare", spare, spare_hint(spare), false),
            None => self.words("spare", &["none yet".to_owned()]),
        }
        if let Some(rcu_free) = &cpu.rcu_free {
            self.sheaf("rcu_free", rcu_free, "from kfree_rcu", false);
        }
        self.y += self.sizes.gap;
    }

    fn barn(&mut self, sheaves: &SheavesView, more_cpus: usize) {
        let hidden =
            if more_cpus > 0 { format!("{more_cpus} more CPUs have sheaves: see the table") } else { String::new() };
        self.title("Barn of node 0".to_owned(), &hidden);
        let name = format!("full {} of {MAX_FULL}, empty {}", sheaves.full.len(), sheaves.empty);
        match sheaves.full.first() {
            Some(next) => self.sheaf(&name, next, "taken next", false),
            None => {
                let parked = (2 + count_from(MAX_FULL)) * self.capacity;
                self.words(
                    &name,
                    &[
                        format!("A slab sees its first free only after {parked} objects are parked."),
                        format!("{parked} are parked before a slab sees one"),
                        format!("{parked} fit before it"),
                    ],
                );
            }
        }
        self.y += self.sizes.gap;
    }

    /// A rule, and what stands under it.
    fn title(&mut self, words: String, note: &str) {
        let sizes = self.sizes;
        self.scene.rules.push((Point { x: sizes.left, y: self.y }, Point { x: sizes.right, y: self.y }));
        let text = Text::plain(sizes.left, self.y + sizes.title_at, words, sizes.title, Tone::Ink).in_face(Face::Bold);
        let beside = Text::plain(sizes.left + text.width() + 24.0, text.at.y, note, sizes.text, Tone::Quiet);
        let fits = !note.is_empty() && beside.at.x + beside.width() <= sizes.right;
        self.scene.texts.extend(Some(beside).filter(|_| fits));
        self.scene.texts.push(text);
        self.y += sizes.title_at + 10.0;
    }

    fn name(&mut self, name: &str) {
        let sizes = self.sizes;
        let y = if sizes.is_stacked { self.y + 14.0 } else { self.y + sizes.place * 0.5 + sizes.text * 0.36 };
        self.scene.texts.push(Text::plain(sizes.left, y, name, sizes.text, Tone::Ink));
    }

    /// A row without a sheaf: the first form of what is said there that fits.
    fn words(&mut self, name: &str, forms: &[String]) {
        self.name(name);
        let sizes = self.sizes;
        let y = if sizes.is_stacked { self.y + 36.0 } else { self.y + sizes.place * 0.5 + sizes.text * 0.36 };
        let text = |words: &String| Text::plain(sizes.places, y, words, sizes.text, Tone::Quiet);
        let fitting = forms.iter().map(text).find(|text| text.at.x + text.width() <= sizes.right);
        self.scene.texts.extend(fitting);
        self.y += sizes.row;
    }

    fn sheaf(&mut self, name: &str, sheaf: &SheafView, hint: &str, marks_top: bool) {
        self.name(name);
        let sizes = self.sizes;
        let pitch = ((sizes.places_end - sizes.places) / px(self.capacity)).min(sizes.widest);
        let top = self.y + if sizes.is_stacked { 22.0 } else { 0.0 };
        let area = Area::new(sizes.places, top, pitch * px(self.capacity), sizes.place);
        let filled = count_from(sheaf.objects.len());
        let share = format!("{filled} of {}", self.capacity);
        let middle = top + sizes.place * 0.5 + sizes.text * 0.36;
        let beside = Text::plain(area.right() + 16.0, middle, &share, sizes.text, Tone::Quiet).in_face(Face::Mono);
        if sizes.has_hints {
            let x = beside.at.x + beside.width() + 28.0;
            let hint = Text::plain(x, middle, hint, sizes.text, Tone::Quiet);
            self.scene.texts.extend(Some(hint).filter(|hint| hint.at.x + hint.width() <= sizes.right + 8.0));
        }
        self.scene.texts.push(beside);
        if marks_top && filled > 0 && sizes.has_hints {
            let x = area.x + px(filled) * pitch + 4.0;
            self.scene.texts.push(Text::plain(x, area.y - 5.0, "top: next out", sizes.text, Tone::Quiet));
        }
        self.scene.parts.push(Rc::new(Part {
            key: 1_000_000 + self.key,
            area,
            look: PartLook::Sheaf { capacity: self.capacity, filled, pitch, marks_top: marks_top && filled > 0 },
            leads_to: None,
            here: false,
            texts: places(area, pitch, filled, sizes),
            label: format!("{name}: {share}, {hint}"),
        }));
        self.key += 1;
        self.y += sizes.row;
    }

    fn slabs(&mut self) {
        let sizes = self.sizes;
        self.title("Slabs".to_owned(), "over the bar what the slab counts, in it what is really in use; a number says how many are parked in sheaves");
        let mut slabs = slabs_in_order(self.view, self.hand, None);
        let shown = if sizes.is_stacked { slabs.len() } else { slabs.len().min(sizes.a_line) };
        put_last(&mut slabs, shown, |slab| is_here(Some(self.hand), slab));
        let top = self.y + sizes.text + 8.0;
        for (nth, slab) in (0..).zip(&slabs[..shown]) {
            let (column, line) = (nth % count_from(sizes.a_line), nth / count_from(sizes.a_line));
            let at = Point { x: sizes.left + px(column) * sizes.pitch, y: top + px(line) * sizes.line };
            let part = self.bar(slab, at);
            self.scene.parts.push(Rc::new(part));
        }
        self.groups(&slabs[..shown], top + sizes.bar.1 + 8.0);
        if slabs.len() > shown {
            let words = format!("and {}", words_for(count_from(slabs.len() - shown), "more slab"));
            let y = top + sizes.bar.1 + 8.0 + 2.0 * sizes.text + 8.0;
            self.scene.texts.push(Text::plain(sizes.left, y, words, sizes.text, Tone::Quiet));
        }
        let lines = count_from(shown.div_ceil(sizes.a_line).max(1));
        self.y = top + px(lines) * sizes.line + sizes.text;
    }

    /// Under the bars: a line for each list, and its name.
    fn groups(&mut self, slabs: &[&SlabView], y: Px) {
        let sizes = self.sizes;
        if sizes.is_stacked {
            return;
        }
        let mut from = 0;
        while from < slabs.len() {
            let list = slabs[from].list;
            let count = slabs[from..].iter().take_while(|slab| slab.list == list).count();
            let left = sizes.left + px(count_from(from)) * sizes.pitch;
            let right = left + px(count_from(count - 1)) * sizes.pitch + sizes.bar.0;
            self.scene.marks.push((Point { x: left, y }, Point { x: right, y }));
            let words = super::super::words::fit(&group_words(list), right - left + 12.0, Face::Plain, sizes.text);
            self.scene.texts.push(Text::plain(left, y + sizes.text + 4.0, words, sizes.text, Tone::Quiet));
            from += count;
        }
    }

    fn bar(&self, slab: &SlabView, at: Point) -> Part {
        let sizes = self.sizes;
        let total = count_from(slab.objects.len());
        let in_use = in_use(slab);
        let parked = slab.objects.iter().filter(|object| matches!(object.state, ObjectState::InSheaf { .. })).count();
        let area = Area::new(at.x, at.y, sizes.bar.0, sizes.bar.1);
        let full = (area.w - 4.0) * px(in_use) / px(total.max(1));
        let (name, share) = (slab_name(slab), format!("{} of {total}", slab.inuse));
        let baseline = at.y - 7.0;
        let mut texts = over_bar(area, baseline, (&name, sizes.text.max(16.0)), (&share, sizes.text));
        let middle = Point {
            x: area.x + 2.0 + full + (area.w - 4.0 - full) / 2.0,
            y: area.y + area.h / 2.0 + sizes.text * 0.36,
        };
        let number =
            Text::plain(middle.x, middle.y, parked.to_string(), sizes.text, Tone::Ink).in_face(Face::Mono).centred();
        texts.extend(Some(number).filter(|number| parked > 0 && number.width() + 6.0 <= area.w - full));
        Part {
            key: slab.id.raw(),
            area,
            look: PartLook::Slab { full },
            leads_to: into(self.view, slab),
            here: is_here(Some(self.hand), slab),
            texts,
            label: format!(
                "{name} at {}, {}: it counts {share}, {in_use} are in use, {parked} parked in sheaves",
                slab.base,
                group_words(slab.list)
            ),
        }
    }
}

fn spare_hint(spare: &SheafView) -> &'static str {
    if spare.objects.is_empty() { "empty" } else { "in reserve" }
}

/// The numbers of the next three out, where a place has room for one.
fn places(area: Area, pitch: Px, filled: u32, sizes: SheafSizes) -> Vec<Text> {
    let number = |nth: u32| {
        let place = filled.checked_sub(nth)?;
        let x = area.x + (px(place) + 0.5) * pitch - 1.0;
        let y = area.y + area.h / 2.0 + sizes.text * 0.36;
        Some(Text::plain(x, y, nth.to_string(), sizes.text, Tone::Ink).in_face(Face::MonoBold).centred())
    };
    let has_room = pitch >= sizes.text + 4.0;
    (1..=3).filter(|_| has_room).filter_map(number).collect()
}

fn group_words(list: SlabList) -> String {
    match list {
        SlabList::CpuSlab(cpu) => format!("CPU {}’s slab", cpu.raw()),
        SlabList::CpuPartial(cpu) => format!("CPU {}’s partial list", cpu.raw()),
        SlabList::NodePartial => "partial list".to_owned(),
        SlabList::None => "full for their own count: on no list".to_owned(),
    }
}
