//! The machine around the allocator: names, a ledger of who has what, and one door for every change.

mod attack;
mod copy;
mod cpus;
mod execute;
mod landing;
mod ledger;
mod marks;
mod parts;
mod resize;
mod writes;

pub use landing::Landing;
pub use ledger::{NamedObject, Source};
pub(crate) use marks::{Mark, Marks, range_of};

use crate::allocator::{FrameTable, Kernel, Recorder};
use crate::command::{Command, Gfp, Name};
use crate::event::{Event, OopsKind};
use crate::kernel::{ConfigError, KernelConfig, Missing, Model};
use crate::layout::LayoutError;
use crate::luck::{Luck, Purpose, Seed};
use crate::memory::Paged;
use crate::outcome::Verdict;
use crate::pages::{Buddy, MigrateType, PageSource};
use crate::report::{Repair, Told};
use crate::units::{CacheId, Order, Pfn, VirtAddr};
use attack::Attack;
use core::fmt;
use ledger::Ledger;
use std::rc::Rc;

/// Whether the machine still runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It runs.
    Running,
    /// An oops killed the task that was running. The next command runs in another one; what was done stays done.
    TaskKilled,
    /// A CPU walks a list for ever. No command gets through.
    Hung,
}

impl Status {
    const fn after(oops: OopsKind) -> Self {
        match oops {
            OopsKind::Hang { .. } => Self::Hung,
            OopsKind::GeneralProtection { .. }
            | OopsKind::PageFault { .. }
            | OopsKind::DoubleFree { .. }
            | OopsKind::Usercopy
            | OopsKind::BadFree { .. } => Self::TaskKilled,
        }
    }
}

/// What a command did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// What happened, in order. An oops is the last.
    pub events: Vec<Event>,
    /// What the last allocation returned; `None` where nothing was allocated or nothing returned.
    pub returned: Option<VirtAddr>,
}

/// A command that was not carried out; nothing changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No object has this name.
    UnknownObject(Name),
    /// No cache has this name.
    UnknownCache(Name),
    /// A cache has this name already.
    CacheExists(Name),
    /// The cache has no checks.
    NotChecked(Name),
    /// No kernel makes such a cache.
    Layout(LayoutError),
    /// The machine hangs.
    Hung,
    /// A write of no bytes, or of more than the model takes at once.
    WriteLength {
        /// The length asked for.
        len: u64,
    },
    /// A bulk call of no objects, or of more than the model takes at once.
    BulkCount {
        /// The count asked for.
        count: u32,
    },
    /// The machine has no such CPU.
    NoSuchCpu {
        /// The CPU asked for.
        cpu: u32,
        /// How many it has.
        cpus: u32,
    },
    /// The version lacks something that the command asks for.
    Missing(Missing),
    /// An allocation that no kernel makes: over 4 MiB.
    TooLarge {
        /// The size asked for.
        size: u64,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownObject(name) => {
                write!(f, "no object is named `{name}`: allocate it first, as in `{name} = kmalloc 64`")
            }
            Self::UnknownCache(name) => {
                write!(f, "no cache is named `{name}`: create it first, as in `cache {name} 64`")
            }
            Self::CacheExists(name) => {
                write!(f, "a cache named `{name}` exists already: /sys/kernel/slab has a name once, in every SLUB")
            }
            Self::NotChecked(name) => write!(
                f,
                "`{name}` has no checks to validate: from 6.1 on a kernel returns -EINVAL; boot with `slub_debug=` or give the \
                 cache flags such as `flags=consistency`"
            ),
            Self::Layout(error) => error.fmt(f),
            Self::Hung => f.write_str("the machine hangs: step back"),
            Self::WriteLength { len } => write!(f, "a write of {len} bytes: 1 to {}", Machine::MAX_WRITE),
            Self::BulkCount { count } => write!(f, "{count} objects at once: 1 to {}", Machine::MAX_BULK),
            Self::NoSuchCpu { cpu, cpus: 1 } => {
                write!(f, "no CPU {cpu}: the machine has one, CPU 0; `cpus=4` in the kernel line gives it four")
            }
            Self::NoSuchCpu { cpu, cpus } => write!(f, "no CPU {cpu}: the machine has CPU 0 to {}", cpus - 1),
            Self::Missing(missing) => missing.fmt(f),
            Self::TooLarge { size } => write!(f, "kmalloc of {size} bytes: at most 4194304 (4 MiB, KMALLOC_MAX_SIZE)"),
        }
    }
}

impl core::error::Error for Refusal {}

/// A kernel that runs, and what its users did with it.
#[derive(Debug)]
pub struct Machine {
    config: KernelConfig,
    luck: Seed,
    kernel: Kernel<Recorder, Paged>,
    status: Status,
    ledger: Ledger,
    marks: Marks,
    attack: Attack,
    /// What the command under way has done so far.
    events: Vec<Event>,
}

/// Written out, because what is derived is compiled anew in each crate that clones a machine.
impl Clone for Machine {
    fn clone(&self) -> Self {
        Self {
            config: self.config.clone(),
            luck: self.luck,
            kernel: self.kernel.clone(),
            status: self.status,
            ledger: self.ledger.clone(),
            marks: self.marks.clone(),
            attack: self.attack.clone(),
            events: self.events.clone(),
        }
    }
}

impl Machine {
    /// The longest write of one command.
    pub const MAX_WRITE: u64 = 1 << 20;
    /// The most objects of one bulk call.
    pub const MAX_BULK: u32 = 4096;
    /// Pages of RAM: 512 MiB, as the recorded machines had.
    pub const RAM_PAGES: u32 = 131_072;
    /// The first frame that the page allocator gives out.
    const FREE_FROM: u64 = 0x4800;
    /// Frames that it gives out: 16 MiB.
    const FREE_PAGES: u32 = 4096;

    /// The frames that the page allocator gives out: the first, and how many.
    #[must_use]
    pub const fn page_allocator_frames() -> (Pfn, u32) {
        (Pfn::from_raw(Self::FREE_FROM), Self::FREE_PAGES)
    }

    /// Boots the kernel that `config` chooses.
    ///
    /// # Errors
    /// Where no such kernel exists.
    pub fn boot(config: &KernelConfig, luck: Seed) -> Result<Self, ConfigError> {
        let model = config.model()?;
        let recorder = if model.counted.is_empty() { Recorder::default() } else { Recorder::counting() };
        let first = Pfn::from_raw(Self::FREE_FROM);
        let pages = PageSource::booted(booted_buddy(&model, first, luck), &model);
        let kernel = Kernel::new(
            model,
            Luck::Keyed(luck),
            Paged::new(Self::RAM_PAGES, first, Self::FREE_PAGES),
            FrameTable::new(first, Self::FREE_PAGES),
            pages,
            recorder,
        );
        Ok(Self {
            config: config.clone(),
            luck,
            kernel,
            status: Status::Running,
            ledger: Ledger::default(),
            marks: Marks::default(),
            attack: Attack::default(),
            events: Vec::new(),
        })
    }

    /// Carries out a command. The only door for a change.
    ///
    /// # Errors
    /// A refusal: nothing changed.
    pub fn apply(&mut self, command: &Command) -> Result<Applied, Refusal> {
        if self.status == Status::Hung {
            return Err(Refusal::Hung);
        }
        // Refusals are boxed on their way: what is handed up at each step is short.
        let returned = self.execute(command).map_err(|refusal| *refusal)?;
        self.take_events();
        self.kernel.tick();
        Ok(Applied { events: core::mem::take(&mut self.events), returned })
    }

    /// Which kernel this is.
    #[must_use]
    pub const fn config(&self) -> &KernelConfig {
        &self.config
    }

    /// The number from which its luck follows.
    #[must_use]
    pub const fn luck(&self) -> Seed {
        self.luck
    }

    /// The kernel.
    #[must_use]
    pub const fn kernel(&self) -> &Kernel<Recorder, Paged> {
        &self.kernel
    }

    /// Whether it still runs.
    #[must_use]
    pub const fn status(&self) -> Status {
        self.status
    }

    /// The cache that this name leads to; several may lead to one.
    #[must_use]
    pub fn cache_named(&self, name: &str) -> Option<CacheId> {
        self.kernel.caches().find(|(_, cache)| cache.names.iter().any(|known| &**known == name)).map(|(id, _)| id)
    }

    /// The name of the cache that serves `kmalloc(size)` with these gfp words; `None` where pages do.
    #[must_use]
    pub fn kmalloc_cache_name(&self, size: u64, gfp: Gfp) -> Option<Rc<str>> {
        self.kernel.kmalloc_cache(size, gfp).map(|cache| Rc::clone(&self.kernel.cache(cache).name))
    }

    /// The names that scripts gave, in order of first use.
    pub fn named(&self) -> impl Iterator<Item = &NamedObject> {
        self.ledger.objects()
    }

    /// The names of what starts at an address, in order of first use.
    pub fn named_at(&self, address: VirtAddr) -> impl Iterator<Item = &NamedObject> {
        self.ledger.objects_at(address)
    }

    /// What was last handed out at exactly this address, in use or not.
    #[must_use]
    pub fn last_at(&self, address: VirtAddr) -> Option<&NamedObject> {
        self.ledger.last_at(address)
    }

    /// What the commands so far came to; `None` where nothing went out of bounds, or nothing has shown yet.
    #[must_use]
    pub fn verdict(&self) -> Option<&Verdict> {
        self.attack.verdict()
    }

    /// What they come to if nothing follows; `None` where nothing went out of bounds.
    #[must_use]
    pub fn standing(&self) -> Option<&Verdict> {
        self.attack.standing()
    }

    /// An allocation that nobody is told of, for forecasts on a copy.
    pub(crate) fn probe_allocation(&mut self, cache: CacheId) -> (Result<VirtAddr, crate::event::Oops>, Vec<Event>) {
        let result = self.kernel.alloc(cache, false);
        (result, self.kernel.probe_mut().drain())
    }

    pub(crate) const fn marks(&self) -> &Marks {
        &self.marks
    }

    fn tell(&mut self, event: Event) {
        self.take_events();
        self.note(event);
    }

    /// Takes over what the kernel told, and what follows from it for the machine.
    fn take_events(&mut self) {
        for event in self.kernel.probe_mut().drain() {
            self.note(event);
        }
    }

    fn note(&mut self, event: Event) {
        self.attack.saw(&event);
        match &event {
            Event::Oopsed(oops) => self.status = Status::after(oops.kind),
            Event::SlabMade { base, order, .. } => self.marks.remove(&range_of(*base, order.bytes())),
            Event::SlabDiscarded { slab, base, .. } => {
                let order = self.kernel.slab(*slab).order;
                self.marks.remove(&range_of(*base, order.bytes()));
            }
            Event::Reported(report) => {
                // What a check restores is whole again.
                if let Told::Repaired(Repair::Restored { bytes, .. }) = report.told {
                    self.marks.remove(&range_of(bytes.at, bytes.len));
                }
            }
            // Its free pointer was written just now.
            Event::Flushed { cache, address } => self.forget_marks_of_pointer(*cache, *address),
            Event::Allocated { .. }
            | Event::Freed { .. }
            | Event::FreeDeferred { .. }
            | Event::GracePeriodPassed
            | Event::FreeIgnored { .. }
            | Event::KeptInPlace { .. }
            | Event::Sized { .. }
            | Event::Exposed { .. }
            | Event::CopyRefused(_)
            | Event::Deactivated { .. }
            | Event::CpuPartialDrained { .. }
            | Event::Written { .. }
            | Event::Warned(_) => {}
        }
        self.events.push(event);
    }
}

/// The page allocator as boot left it: some pages from the lowest free block on are others' for good.
fn booted_buddy(model: &Model, first: Pfn, luck: Seed) -> Buddy {
    let mut buddy = if model.page_shuffle {
        Buddy::shuffled(first, Machine::FREE_PAGES, luck)
    } else {
        Buddy::new(first, Machine::FREE_PAGES)
    };
    let others = 64 + luck.below(Purpose::FreePages, "", 0, 512);
    for _ in 0..others {
        let page = buddy.alloc(Order::from_raw(0), MigrateType::Unmovable);
        debug_assert!(page.is_some(), "boot takes a part of one block");
    }
    buddy
}
