//! The bench: the object and the cache in hand, allocating, freeing, typed lines and whole scripts.

use super::action::{Drawer, Effect};
use super::subject::names_in;
use super::{LineError, Look, Notice, Session, Story, Subject};
use crate::scene::{Depth, ObjectRef};
use crate::text::as_sentence;
use slabscope_core::command::{Command, Gfp, Name};
use slabscope_core::kernel::KernelConfig;
use slabscope_core::luck::Seed;
use slabscope_core::machine::Refusal;
use slabscope_core::script::{ScriptError, Source, parse_command};
use slabscope_core::snapshot::{CacheView, Landing, ObjectState, ObjectView, SlabView};
use slabscope_core::units::{CacheId, Step, VirtAddr};
use std::rc::Rc;

impl Session {
    /// An object.
    #[must_use]
    pub fn object(&self, object: ObjectRef) -> Option<&ObjectView> {
        self.slab(object)?.objects.get(object.index.index())
    }

    pub(super) fn slab(&self, object: ObjectRef) -> Option<&Rc<SlabView>> {
        self.snapshot.slabs.iter().find(|slab| slab.id == object.slab)
    }

    /// The cache in hand: of the object in hand, else the one that serves the size in hand.
    #[must_use]
    pub fn cache_in_hand(&self) -> Option<&Rc<CacheView>> {
        let of_object = self.selected.and_then(|object| self.slab(object)).map(|slab| slab.cache);
        let id = of_object.or_else(|| {
            let name = self.timeline.machine().kmalloc_cache_name(self.size, Gfp::default())?;
            self.timeline.machine().cache_named(&name)
        })?;
        self.snapshot.caches.iter().find(|cache| cache.id == id)
    }

    /// What the Allocate button calls: `kmalloc(64)`, or `kmem_cache_alloc(creds)`.
    #[must_use]
    pub fn call_in_hand(&self) -> String {
        match self.allocation_of(&placeholder()) {
            Command::Alloc { cache, .. } => format!("kmem_cache_alloc({cache})"),
            Command::Kmalloc { size, .. } => format!("kmalloc({size})"),
            other => other.to_string(),
        }
    }

    /// The size that Allocate asks for where no object is in hand.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The allocation from the cache in hand, under this name.
    fn allocation_of(&self, object: &Name) -> Command {
        let object = object.clone();
        let Some(cache) = self.cache_in_hand() else {
            return Command::Kmalloc { object, size: self.size, gfp: Gfp::default(), from: None };
        };
        let size = cache.layout.object_size;
        match gfp_of(self, cache).zip(Some(size)) {
            Some((gfp, size)) => Command::Kmalloc { object, size, gfp, from: None },
            None => match Name::new(&cache.name) {
                Some(cache) => Command::Alloc { object, cache, gfp: Gfp::default() },
                None => Command::Kmalloc { object, size, gfp: Gfp::default(), from: None },
            },
        }
    }

    /// Whether the script's next step is an allocation from the cache in hand.
    #[must_use]
    pub fn next_is_allocation(&self) -> bool {
        match self.next_command() {
            Some(Command::Kmalloc { object, .. } | Command::Alloc { object, .. }) => {
                let next = self.next_command();
                next == Some(&self.allocation_of(object)) || self.serves_next()
            }
            _ => false,
        }
    }

    /// Whether the cache in hand serves the size that the next step asks for.
    fn serves_next(&self) -> bool {
        let Some(Command::Kmalloc { size, gfp, .. }) = self.next_command() else { return false };
        let serving = self.timeline.machine().kmalloc_cache_name(*size, *gfp);
        serving.is_some() && serving == self.cache_in_hand().map(|cache| Rc::clone(&cache.name))
    }

    /// Allocates: the script's next step where it is such an allocation, else one more under a fresh name.
    pub(super) fn allocate(&mut self) -> Vec<Effect> {
        let command = match self.next_command() {
            Some(next) if self.next_is_allocation() => next.clone(),
            _ => self.allocation_of(&self.fresh_name()),
        };
        self.act(command)
    }

    /// A name that no command of this line uses: `a`, `b`, …; once something was written past an object, `p`, `q`, ….
    fn fresh_name(&self) -> Name {
        let mut taken_letters: Vec<char> = Vec::new();
        let mut last_number = 0;
        for name in self.timeline.commands().flat_map(names_in).map(Name::as_str) {
            let letter = name.chars().next().filter(|_| name.len() == 1);
            taken_letters.extend(letter.filter(|letter| !taken_letters.contains(letter)));
            let number = name.strip_prefix('o').and_then(|digits| digits.parse::<u32>().ok());
            last_number = last_number.max(number.map_or(0, u64::from));
        }
        let written = self
            .timeline
            .commands()
            .take(self.cursor().index())
            .any(|command| matches!(command, Command::Overflow { .. } | Command::Write { .. }));
        let letters = if written { "pqrstuxyz" } else { "abcdefghijklmnopqrstuvwxyz" };
        let letter = letters.chars().find(|letter| !taken_letters.contains(letter));
        let name = letter.map_or_else(|| format!("o{}", last_number + 1), String::from);
        Name::new(&name).expect("a letter, or o and a number, is a name")
    }

    /// Chooses the size that is allocated; what is in hand is let go unless it is of that cache.
    pub(super) fn choose_size(&mut self, size: u64) -> Vec<Effect> {
        self.size = size;
        self.aim = None;
        let name = self.timeline.machine().kmalloc_cache_name(size, Gfp::default());
        let cache = name.and_then(|name| self.timeline.machine().cache_named(&name));
        self.selected = self.snapshot.slabs.iter().rev().find(|slab| Some(slab.cache) == cache).and_then(|slab| {
            let in_use = slab.objects.iter().rev().find(|object| object.state == ObjectState::InUse);
            in_use.or(slab.objects.first()).map(|object| ObjectRef { slab: slab.id, index: object.index })
        });
        self.chosen = true;
        vec![Effect::Keep]
    }

    pub(super) fn free_selected(&mut self) -> Vec<Effect> {
        match self.overflowable().and_then(|(_, object)| object.name.clone()) {
            Some(object) => self.act(Command::Free { object }),
            None => Vec::new(),
        }
    }

    /// Carries out a command here.
    pub(super) fn act(&mut self, command: Command) -> Vec<Effect> {
        let shown = command.to_string();
        self.carry_out(command).unwrap_or_else(|refusal| {
            self.notice = Some(Notice {
                head: format!("`{shown}` was not carried out."),
                tail: as_sentence(&refusal.to_string()),
            });
            Vec::new()
        })
    }

    fn carry_out(&mut self, command: Command) -> Result<Vec<Effect>, Refusal> {
        let past = self.past();
        let was = self.cursor();
        self.timeline.act(command)?;
        self.remember(past);
        self.aim = None;
        self.playing = false;
        self.look_from(was);
        Ok(vec![Effect::Keep])
    }

    /// A line typed into the script: it does what a click does.
    pub(super) fn typed_line(&mut self, line: &str) -> Vec<Effect> {
        if line.trim().is_empty() {
            return Vec::new();
        }
        let carried_out = parse_command(line)
            .and_then(|command| self.carry_out(command).map_err(|refusal| ScriptError::refused(line, 1, &refusal)));
        match carried_out {
            Ok(effects) => {
                self.lines_taken += 1;
                effects
            }
            Err(error) => {
                self.line_error = Some(LineError::of(line, None, &error));
                Vec::new()
            }
        }
    }

    /// A whole script takes the bench; a wrong one leaves it as it is and opens the drawer on what is wrong.
    pub(super) fn script(&mut self, text: &str) -> Vec<Effect> {
        match Source::read(text) {
            Ok(Source { scenario, doubts, .. }) => {
                let effects = self.tell(Story { subject: Subject::Bench, scenario });
                self.notice = doubts.first().map(|doubt| Notice {
                    head: format!("In doubt: line {}, column {}.", doubt.line, doubt.column),
                    tail: as_sentence(&doubt.message()),
                });
                effects
            }
            Err(error) => {
                let row = text.lines().nth(error.line.saturating_sub(1) as usize).unwrap_or_default();
                self.line_error = Some(LineError::of(row, Some(error.line), &error));
                self.look.drawer = Some(Drawer::Script);
                self.notice = Some(Notice {
                    head: format!("Line {} of the script is wrong.", error.line),
                    tail: as_sentence(&error.message()),
                });
                Vec::new()
            }
        }
    }

    pub(super) fn start_bench(&mut self, luck: Seed) -> Vec<Effect> {
        let config = KernelConfig { pointer_place: None, ..self.timeline.config().clone() };
        self.tell(Story::bench(config, luck))
    }

    /// Puts a story on the bench.
    pub(super) fn tell(&mut self, story: Story) -> Vec<Effect> {
        let past = self.past();
        let fresh = Self::with_story(story);
        self.remember(past);
        *self = Self {
            history: core::mem::take(&mut self.history),
            look: Look { drawer: None, depth: Depth::Slab, ..self.look },
            ..fresh
        };
        vec![Effect::Keep, Effect::Focus(super::FocusOn::Stage)]
    }

    /// The machine at the cursor was changed: decodes it, and keeps an object in hand.
    pub(super) fn look_again(&mut self) {
        self.look_with(None);
    }

    /// The cursor was moved along the line of time from `was`: what was decoded there is not decoded again.
    pub(super) fn look_from(&mut self, was: Step) {
        self.look_with(Some(was));
    }

    fn look_with(&mut self, was: Option<Step>) {
        let step = self.cursor();
        let earlier = before(step);
        self.opened = false;
        let seen = [was.zip(Some(Rc::clone(&self.snapshot))), was.and_then(before).zip(self.before.take())];
        let known = |step| seen.iter().flatten().find(|(at, _)| *at == step).map(|(_, snapshot)| Rc::clone(snapshot));
        self.before = earlier.map(|earlier| {
            known(earlier).unwrap_or_else(|| {
                let mut timeline = self.timeline.clone();
                timeline.seek(earlier);
                Rc::new(timeline.machine().snapshot())
            })
        });
        self.snapshot = known(step).unwrap_or_else(|| Rc::new(self.timeline.machine().snapshot()));
        self.record = self.timeline.record(step).cloned();
        self.stopped_by = self.switch_that_stops();
        self.hovered = None;
        self.lit = None;
        self.chosen &= self.selected.is_some_and(|object| self.object(object).is_some());
        self.selected = self.selected.filter(|_| self.chosen).or_else(|| self.worth_a_look());
        if self.aim.as_ref().is_some_and(|aim| self.name_in_hand().as_ref() != Some(&aim.object)) {
            self.aim = None;
        }
    }

    /// Where the object of this name lies.
    #[must_use]
    pub fn place_of(&self, name: &Name) -> Option<ObjectRef> {
        let named = self.snapshot.named.iter().find(|named| named.name == *name)?;
        self.object_of(named.address)
    }

    /// The object that an address lies in.
    pub(super) fn object_of(&self, address: VirtAddr) -> Option<ObjectRef> {
        match self.timeline.machine().landing(address) {
            Landing::Object { slab, index } => Some(ObjectRef { slab, index }),
            _ => None,
        }
    }

    /// The cache whose slab holds an address; `None` where none does.
    #[must_use]
    pub fn slab_at(&self, address: VirtAddr) -> Option<CacheId> {
        let holds = |slab: &&Rc<SlabView>| address.bytes_after(slab.base).is_some_and(|at| at < slab.order.bytes());
        self.snapshot.slabs.iter().find(holds).map(|slab| slab.cache)
    }

    /// Whether more than one name stands for what lies at an address, and is in use.
    #[must_use]
    pub fn is_shared(&self, address: VirtAddr) -> bool {
        self.snapshot.named.iter().filter(|named| named.address == address && named.live).count() > 1
    }

    /// The call that the last command made: `kmalloc(64)`.
    #[must_use]
    pub fn last_call(&self) -> String {
        match self.last_command() {
            Some(Command::Kmalloc { size, .. }) => format!("kmalloc({size})"),
            Some(Command::Alloc { cache, .. }) => format!("kmem_cache_alloc({cache})"),
            other => other.map(ToString::to_string).unwrap_or_default(),
        }
    }

    /// Takes an object in hand, and keeps it there.
    pub(super) fn choose(&mut self, object: ObjectRef) {
        self.selected = Some(object);
        self.chosen = true;
    }

    pub(super) fn select_named(&mut self, name: &Name) {
        if let Some(place) = self.place_of(name) {
            self.choose(place);
        }
    }

    /// The name of the object in hand.
    #[must_use]
    pub fn name_in_hand(&self) -> Option<Name> {
        self.selected.and_then(|object| self.object(object)).and_then(|object| object.name.clone())
    }
}

fn before(step: Step) -> Option<Step> {
    step.raw().checked_sub(1).map(Step::from_raw)
}

/// The gfp words that `kmalloc` needs to be served by this cache; `None` for a cache of somebody's own.
fn gfp_of(session: &Session, cache: &CacheView) -> Option<Gfp> {
    let plain = Gfp::default();
    let words = [plain, Gfp { reclaimable: true, ..plain }, Gfp { dma: true, ..plain }, Gfp { account: true, ..plain }];
    words.into_iter().find(|gfp| {
        let served = session.timeline.machine().kmalloc_cache_name(cache.layout.object_size, *gfp);
        served.as_deref() == Some(&*cache.name)
    })
}

fn placeholder() -> Name {
    Name::new("a").expect("a letter is a name")
}
