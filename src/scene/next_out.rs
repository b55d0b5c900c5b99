//! Next out: what the next allocations return, in order.

mod sizes;

use super::hand::{Hand, cache_of, names, slab_of, target_address};
use super::shape::{Area, Point, Text, Tone};
use super::{Frame, ObjectRef, View, words};
use crate::session::Aim;
use crate::text;
use sizes::Sizes;
use slabscope_core::event::{AllocPath, Oops, OopsKind};
use slabscope_core::forecast::{Ahead, forecast};
use slabscope_core::machine::Status;
use slabscope_core::snapshot::{Landing, ObjectState, SlabList, SlabView, Snapshot};
use slabscope_core::units::{VirtAddr, count_from};
use std::rc::Rc;

/// The row of boxes under the lens.
#[derive(Clone, Debug, PartialEq)]
pub struct NextOutScene {
    /// The kind of screen that it is laid out for.
    pub frame: Frame,
    /// The figure's rectangle in the frame.
    pub area: Area,
    /// `next out of kmalloc(64)`, in one line or two.
    pub heading: Vec<Text>,
    /// The boxes.
    pub boxes: Vec<Rc<NextBox>>,
    /// What stands after the boxes, in the presenter: `61 objects lost`.
    pub aside: Option<Text>,
}

impl NextOutScene {
    /// What it shows, in a sentence; empty where no size is chosen yet.
    #[must_use]
    pub fn summary(&self) -> String {
        let heading = self.heading.iter().map(|line| line.words.as_str()).collect::<Vec<_>>().join(" ");
        if self.boxes.is_empty() {
            return String::new();
        }
        format!("{heading}: {}", words::list(self.boxes.iter().map(|one| one.label.as_str())))
    }
}

/// An allocation to come.
#[derive(Clone, Debug, PartialEq)]
pub struct NextBox {
    /// Which: 1 is the next.
    pub ordinal: u32,
    /// The object that it returns, where that is one of a slab that is there.
    pub object: Option<ObjectRef>,
    /// Where it is drawn.
    pub area: Area,
    /// How its edge looks.
    pub tone: NextTone,
    /// Its number, what it returns, and what stands under that.
    pub texts: Vec<Text>,
    /// The arrow to the next box; `None` after the last.
    pub link: Option<Link>,
    /// All of that in words.
    pub label: String,
}

/// How a box's edge looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NextTone {
    /// The next one.
    First,
    /// On a list.
    Listed,
    /// It comes only if what is armed is written, or from a slab that is not made yet.
    Ghost,
    /// The attacker's target, or an address outside the slab.
    Target,
    /// It dies.
    Fault,
}

/// The arrow from a box to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Where it starts.
    pub from: Point,
    /// Where its tip is.
    pub to: Point,
    /// Whether it follows a pointer that was, or would be, written over.
    pub broken: bool,
}

/// Allocations that are forecast.
const COUNT: u32 = 3;

pub(super) fn scene(view: &View) -> NextOutScene {
    let sizes = Sizes::of(view.frame);
    let Some(hand) = Hand::of(view) else { return empty(view.frame, &sizes) };
    let told = tellings(view, &hand);
    let lost = newly_lost(view, &hand);
    let boxes: Vec<Rc<NextBox>> =
        told.iter().enumerate().map(|(nth, one)| Rc::new(draw(one, count_from(nth), told.len(), &sizes))).collect();
    let call = call(&hand.cache.name, hand.cache.layout.object_size);
    let aside = (sizes.big && lost > 0)
        .then(|| Text::plain(1040.0, sizes.first.y + 58.0, format!("{lost} objects lost"), 28.0, Tone::Quiet));
    NextOutScene { frame: view.frame, area: sizes.area, heading: sizes.heading(&call), boxes, aside }
}

fn empty(frame: Frame, sizes: &Sizes) -> NextOutScene {
    NextOutScene { frame, area: sizes.area, heading: Vec::new(), boxes: Vec::new(), aside: None }
}

/// The call that takes from a cache: `kmalloc(64)`, `kmem_cache_alloc(creds)`.
fn call(cache: &str, object_size: u64) -> String {
    let is_kmalloc = cache.strip_prefix("kmalloc-").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if is_kmalloc { format!("kmalloc({object_size})") } else { format!("kmem_cache_alloc({cache})") }
}

/// An allocation to come, in words.
struct Telling {
    object: Option<ObjectRef>,
    tone: NextTone,
    name: String,
    note: String,
    /// Whether the pointer in what it returns was, or would be, written over.
    broken: bool,
}

fn tellings(view: &View, hand: &Hand) -> Vec<Telling> {
    let first = view.aim.and_then(Aim::command);
    let coming = forecast(view.machine, first.as_ref(), hand.cache.id, COUNT);
    let usual = if first.is_some() { forecast(view.machine, None, hand.cache.id, COUNT) } else { coming.clone() };
    let teller = Teller { view, hand, seen: view.after.unwrap_or(view.snapshot) };
    let mut fresh = 0;
    let tell = coming.iter().enumerate().map(|(nth, ahead)| {
        let mut telling = match ahead {
            Ahead::Returns { address, landing, path } => teller.returns(*address, *landing, *path, &mut fresh),
            Ahead::Fails => plain("NULL", "no memory", NextTone::Ghost),
            Ahead::Dies(oops) => teller.dies(oops, nth),
        };
        if telling.tone == NextTone::Listed {
            let differs = usual.get(nth) != Some(ahead);
            telling.tone = match nth {
                _ if differs => NextTone::Ghost,
                0 => NextTone::First,
                _ => NextTone::Listed,
            };
        }
        telling
    });
    tell.collect()
}

fn plain(name: impl Into<String>, note: impl Into<String>, tone: NextTone) -> Telling {
    Telling { object: None, tone, name: name.into(), note: note.into(), broken: false }
}

/// Objects that the aimed write would lose.
fn newly_lost(view: &View, hand: &Hand) -> u32 {
    let count = |snapshot: &Snapshot| {
        let slab = hand.slab.and_then(|slab| slab_of(snapshot, slab.id));
        slab.map_or(0, |slab| {
            count_from(slab.objects.iter().filter(|object| object.state == ObjectState::Lost).count())
        })
    };
    view.after.map_or(0, |after| count(after).saturating_sub(count(view.snapshot)))
}

struct Teller<'a> {
    view: &'a View<'a>,
    hand: &'a Hand<'a>,
    seen: &'a Snapshot,
}

impl Teller<'_> {
    fn returns(&self, address: VirtAddr, landing: Landing, path: AllocPath, fresh: &mut u32) -> Telling {
        let short = words::short(address, self.hand.slab);
        if target_address(self.view) == Some(address) {
            let name = self.view.target.map_or_else(|| short.clone(), ToString::to_string);
            return plain(name, short, NextTone::Target);
        }
        // What comes of a slab that is made for it is in none that is there now.
        let (landed, is_new) = match landing {
            Landing::Object { slab, index } => {
                let landed = slab_of(self.seen, slab).map(|view| (view, ObjectRef { slab, index }));
                (landed, landed.is_none())
            }
            Landing::Ram => (None, *fresh > 0 && path == AllocPath::Fastpath),
            Landing::Null
            | Landing::InsideObject { .. }
            | Landing::SlabTail { .. }
            | Landing::Unmapped
            | Landing::NonCanonical => (None, false),
        };
        if is_new || path == AllocPath::NewSlab {
            *fresh += 1;
            return self.new_slab(*fresh);
        }
        match landed {
            Some((slab, _)) if slab.cache != self.hand.cache.id => {
                plain(short, format!("in {}", cache_name(self.seen, slab)), NextTone::Target)
            }
            Some((slab, object)) => self.object(slab, object, address),
            None => plain(short, words::leads_to(self.view, self.seen, address, landing), NextTone::Target),
        }
    }

    fn new_slab(&self, fresh: u32) -> Telling {
        let lost = newly_lost(self.view, self.hand);
        match fresh {
            1 if lost > 0 => plain("new slab", format!("{lost} lost"), NextTone::Ghost),
            1 => plain("new slab", "1st object", NextTone::Ghost),
            // A narrow box has no room for the note.
            nth if matches!(self.view.frame, Frame::Narrow { .. }) => {
                plain(format!("its {}", text::ordinal(nth)), "of that slab", NextTone::Ghost)
            }
            nth => plain(format!("{} object", text::ordinal(nth)), "of that slab", NextTone::Ghost),
        }
    }

    fn object(&self, slab: &SlabView, object: ObjectRef, address: VirtAddr) -> Telling {
        let view = slab.objects.get(object.index.index());
        let at_home = self.hand.slab.is_some_and(|home| home.id == slab.id);
        // An offset counts from the slab that the map's heading names.
        let place = if at_home { words::offset(slab, address) } else { words::short(address, self.hand.slab) };
        let position = match view.map(|view| view.state) {
            Some(ObjectState::Free { position }) => format!("{} in list", text::ordinal(position)),
            Some(ObjectState::InSheaf { position, .. }) => format!("{} in sheaf", text::ordinal(position)),
            Some(ObjectState::Waiting) => "waits".to_owned(),
            Some(ObjectState::Lost) => "lost".to_owned(),
            Some(ObjectState::InUse) => "in use".to_owned(),
            None => String::new(),
        };
        let name = names(self.view).at(address).map(ToString::to_string);
        let (name, note) = match (name, at_home) {
            (Some(name), true) => (name, place),
            (None, true) => (place, position),
            (Some(name), false) => (name, from_list(slab.list).to_owned()),
            (None, false) => (place, from_list(slab.list).to_owned()),
        };
        // What lies in a sheaf leads nowhere.
        let damaged = view.is_some_and(|view| {
            !view.pointer.intact && !matches!(view.state, ObjectState::InSheaf { .. } | ObjectState::Waiting)
        });
        let tone = match view.map(|view| view.state) {
            Some(ObjectState::InUse) => NextTone::Target,
            Some(ObjectState::Free { .. } | ObjectState::InSheaf { .. } | ObjectState::Waiting | ObjectState::Lost)
            | None => NextTone::Listed,
        };
        Telling { object: Some(object), tone, name, note, broken: damaged }
    }

    fn dies(&self, oops: &Oops, nth: usize) -> Telling {
        let why = match oops.kind {
            OopsKind::GeneralProtection { .. } => "not canonical",
            OopsKind::PageFault { .. } => "not mapped",
            OopsKind::DoubleFree { .. } | OopsKind::BadFree { .. } | OopsKind::Usercopy => "kernel BUG",
            OopsKind::Hang { .. } => "the list loops",
        };
        let name = match (nth, self.view.machine.status(), oops.kind) {
            (_, Status::Hung, _) | (_, _, OopsKind::Hang { .. }) => "it hangs",
            (0, Status::TaskKilled, _) => "a fault: the bad head stays",
            (_, Status::TaskKilled | Status::Running, _) => "a fault",
        };
        plain(name, why, NextTone::Fault)
    }
}

fn cache_name(snapshot: &Snapshot, slab: &SlabView) -> String {
    cache_of(snapshot, slab.cache).map_or_else(|| "another cache".to_owned(), |cache| cache.name.to_string())
}

/// Which list an object comes from that is not of the slab in hand.
fn from_list(list: SlabList) -> &'static str {
    match list {
        SlabList::CpuSlab(_) => "CPU’s slab",
        SlabList::CpuPartial(_) => "CPU partial",
        SlabList::NodePartial => "node partial",
        SlabList::None => "a slab on no list",
    }
}

fn draw(telling: &Telling, nth: u32, of: usize, sizes: &Sizes) -> NextBox {
    let ordinal = nth + 1;
    let wide = of == 1 && telling.tone == NextTone::Fault && nth == 0;
    let area = sizes.area_of(nth, wide);
    let next = sizes.area_of(nth + 1, false);
    let is_last = usize::try_from(ordinal).is_ok_and(|ordinal| ordinal >= of);
    let middle = area.y + area.h / 2.0;
    NextBox {
        ordinal,
        object: telling.object,
        area,
        tone: telling.tone,
        texts: sizes.texts(telling, ordinal, area),
        link: (!is_last).then(|| Link {
            from: Point { x: area.right() + sizes.link_gap, y: middle },
            to: Point { x: next.x - sizes.link_gap, y: middle },
            broken: telling.broken,
        }),
        label: format!("{}: {}, {}", text::ordinal(ordinal), telling.name, telling.note),
    }
}
