//! The layout of the stage: which parts are on the page, and what each is given. No geometry: scenes have that.

use crate::components::above::from_above;
use crate::components::bar::{self, Bar};
use crate::components::button::{Fill, button};
use crate::components::crumbs::crumbs;
use crate::components::doors::doors;
use crate::components::drawer::{self, Chosen, Content, LogRow};
use crate::components::elsewhere::elsewhere;
use crate::components::grip::Grip;
use crate::components::handle_row::{self, Row, is_in_bar};
use crate::components::lens::Lens;
use crate::components::map::Map;
use crate::components::next_out::next_out;
use crate::components::reach::reach;
use crate::components::sentence;
use crate::components::stamp::stamp;
use crate::components::time::{self, OldFuture, Time, shown_captions};
use crate::scene::{self, Area, ByteRange, Depth, Frame, LensScene, Point, View};
use crate::session::{self, Action, Invite, Session};
use crate::text::{self, filled};
use slabscope_core::command::{Command, Name};
use slabscope_core::event::Event;
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, classes, html};

/// The window, and what was seen of the reader's hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Screen {
    /// Its width in CSS px.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// Whether the handle was touched.
    pub touched: bool,
    /// Whether the pointer has rested for a while.
    pub pointer_rests: bool,
    /// What the last act lets move.
    pub motion: Motion,
}

/// What an act lets move: it goes once, and the next act ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Nothing: seeks, drags and all else jump.
    Still,
    /// A step: cells fill, bytes are swept, arrows follow.
    Steps,
    /// Another kernel: what differs fades over.
    Flips,
}

impl Motion {
    /// What `action` lets move.
    #[must_use]
    pub const fn of(action: &Action) -> Self {
        match action {
            Action::Step(_) | Action::Tick | Action::AimWrite | Action::Allocate | Action::FreeSelected => Self::Steps,
            Action::Flip(_) | Action::ChooseVersion(_) => Self::Flips,
            _ => Self::Still,
        }
    }

    const fn class(self) -> Option<&'static str> {
        match self {
            Self::Still => None,
            Self::Steps => Some("steps"),
            Self::Flips => Some("flips"),
        }
    }
}

/// Width of the stage.
const STAGE_WIDTH: f64 = 1280.0;
/// From this width on the stage is drawn smaller rather than stacked.
const STACKED_UNDER: f64 = 1100.0;

impl Screen {
    /// A window of this size.
    #[must_use]
    pub const fn of((width, height): (f64, f64)) -> Self {
        Self { width, height, touched: false, pointer_rests: false, motion: Motion::Still }
    }

    /// The kind of screen, and how much larger than it is the stage is drawn.
    fn frame(&self, presenting: bool) -> (Frame, f64) {
        let fits = |height: f64| (self.width / STAGE_WIDTH).min(self.height / height);
        if presenting {
            return (Frame::Presenter, fits(720.0));
        }
        if self.width < STACKED_UNDER {
            let width = [320, 360, 375, 390, 412, 430, 480, 540, 600];
            let widest = width.into_iter().rev().find(|width| f64::from(*width) <= self.width);
            return (Frame::Narrow { width: widest.unwrap_or(320) }, 1.0);
        }
        let across = self.width / STAGE_WIDTH;
        if self.height / across.min(1.0) < 700.0 {
            (Frame::Short, across.min(1.0).max(fits(600.0)))
        } else {
            (Frame::Wide, across.min(1.0).max(fits(720.0)))
        }
    }
}

/// The page.
pub fn view(session: &Session, screen: &Screen, act: &Callback<Action>) -> Html {
    let look = session.look();
    let (frame, scale) = screen.frame(look.presenting);
    let narrow = matches!(frame, Frame::Narrow { .. });
    let page = if narrow {
        String::new()
    } else {
        filled("zoom:#%;width:#px;height:#px", &[100.0 * scale, screen.width / scale, screen.height / scale])
    };
    let class = match frame {
        Frame::Wide => "wide",
        Frame::Short => "short",
        Frame::Narrow { .. } => "stacked",
        Frame::Presenter => "presenter",
    };
    let blanked = look.blank.then_some("blanked");
    let no_pointer = (look.presenting && screen.pointer_rests).then_some("no-pointer");
    html! {
        <div class={classes!("page", class, screen.motion.class(), blanked, no_pointer)} style={page}>
            if !look.presenting {
                { bar(session, narrow, act) }
            }
            <main id="stage" class="stage" data-stage="" tabindex="-1" style={stage_width(frame)}>
                { stage(session, screen, frame, act) }
            </main>
            if !look.presenting {
                { time(session, narrow, act) }
            }
            if look.blank {
                <div class="blank" aria-label="Blank. B shows the screen again."></div>
            }
        </div>
    }
}

fn stage_width(frame: Frame) -> Option<String> {
    match frame {
        Frame::Narrow { width } => Some(format!("width:{width}px")),
        Frame::Wide | Frame::Short | Frame::Presenter => None,
    }
}

fn stage(session: &Session, screen: &Screen, frame: Frame, act: &Callback<Action>) -> Html {
    if session.look().reach {
        let rows = text::reaches(session.timeline().config());
        let in_hand = session.cache_in_hand().map_or(0, |cache| cache.layout.object_size);
        return html! { <>{ sentence(session) }{ reach(&rows, in_hand, act) }</> };
    }
    let view = session.view(frame);
    if session.depth() != Depth::Slab {
        return above(session, &view, act);
    }
    let hovered = session.hovered();
    let (map, beside) = (scene::map(&view), scene::elsewhere(&view));
    let lens = scene::lens(&view);
    let lens = Rc::new(if shows_handle(session) { lens } else { lens.without_handle() });
    html! {
        <>
            { sentence(session) }
            { placed("map-place", frame, map.area, html! {
                <>
                    { for map.heading.iter().map(|heading| crumbs(heading, map.area, act)) }
                    <Map scene={Rc::new(map)} {hovered} {act} />
                </>
            }) }
            if !beside.boxes.is_empty() {
                { placed("elsewhere-place", frame, beside.area, elsewhere(&beside)) }
            }
            { placed("lens-place", frame, lens.area, html! {
                <>
                    <Lens scene={Rc::clone(&lens)} {hovered} {act} />
                    { grip(session, screen, frame, &lens, act) }
                </>
            }) }
            { handle_row(session, frame, &lens, act) }
            { beneath(session, &view, act) }
        </>
    }
}

/// The cache in hand or memory, where map and lens stand otherwise.
fn above(session: &Session, view: &View, act: &Callback<Action>) -> Html {
    let (frame, hovered) = (view.frame, session.hovered());
    let mut above = scene::above(view, session.depth());
    let map = above.map.take();
    html! {
        <>
            { sentence(session) }
            { placed("above-place", frame, above.area, html! {
                <>
                    { for above.heading.iter().map(|heading| crumbs(heading, above.area, act)) }
                    { from_above(above, act) }
                </>
            }) }
            { for map.map(|map| placed("map-place", frame, map.area, html! {
                <Map scene={Rc::new(map)} {hovered} {act} />
            })) }
            { beneath(session, view, act) }
        </>
    }
}

/// What comes next, what came of the last act, and the drawer: they stand whatever the stage looks at.
fn beneath(session: &Session, view: &View, act: &Callback<Action>) -> Html {
    let coming = scene::next_out(view);
    html! {
        <>
            { placed("next-out-place", view.frame, coming.area, next_out(&coming, session.hovered(), act)) }
            { result(session, act) }
            { for drawer_content(session).map(|content| drawer::drawer(&content, act)) }
        </>
    }
}

/// A figure at its place in the frame; stacked figures follow one another.
fn placed(class: &'static str, frame: Frame, area: Area, figure: Html) -> Html {
    let style = match frame {
        Frame::Narrow { .. } => None,
        Frame::Wide | Frame::Short | Frame::Presenter => Some(filled("left:#px;top:#px", &[area.x, area.y])),
    };
    html! { <div class={classes!("place", class)} {style}>{ figure }</div> }
}

/// Whether the handle stands in the lens: not where another control is the next thing to do.
fn shows_handle(session: &Session) -> bool {
    session.aim().is_some() || !matches!(session.invite(), Invite::Flip(_) | Invite::HowFar | Invite::StepBack)
}

fn grip(session: &Session, screen: &Screen, frame: Frame, lens: &LensScene, act: &Callback<Action>) -> Html {
    let name = session.overflowable().and_then(|(_, object)| object.name.clone());
    let Some((handle, name)) = lens.handle.clone().zip(name) else { return html! {} };
    let frame_width = match frame {
        Frame::Wide | Frame::Short | Frame::Presenter => STAGE_WIDTH,
        Frame::Narrow { width } => f64::from(width),
    };
    html! {
        <Grip
            handle={Rc::new(handle)}
            name={name.to_string()}
            origin={Point { x: lens.area.x, y: lens.area.y }}
            {frame_width}
            untouched={!screen.touched}
            {act}
        />
    }
}

fn bar(session: &Session, narrow: bool, act: &Callback<Action>) -> Html {
    let invited = match session.invite() {
        Invite::Flip(toggle) => Some(toggle),
        _ => None,
    };
    let story = session.story();
    let bar = Bar {
        subject: story.subject,
        title: story.scenario.title.to_string().into(),
        config: session.timeline().config().clone(),
        invited,
        look: session.look(),
        history: (session.can_undo(), session.can_redo()),
        narrow,
    };
    bar::bar(bar, act)
}

fn sentence(session: &Session) -> Html {
    let said = text::sentence(session);
    let corner = if session.look().presenting {
        format!("{} / {}", session.cursor().raw(), session.timeline().len())
    } else {
        String::new()
    };
    sentence::sentence(said, session.is_playing(), &corner)
}

fn handle_row(session: &Session, frame: Frame, lens: &LensScene, act: &Callback<Action>) -> Html {
    let invite = session.invite();
    let (words, more_words) = row_words(session, invite, frame);
    let name = session.overflowable().and_then(|(_, object)| object.name.clone());
    let row = Row {
        frame,
        name,
        handle: lens.handle.as_ref(),
        aim: session.aim().cloned(),
        usual_length: session.usual_length(),
        value: session.value_in_hand(),
        names: addresses_on_offer(session),
        invite,
        call: session.call_in_hand().into(),
        words,
        more_words,
    };
    handle_row::handle_row(&row, act)
}

/// The words in the handle's row: how the machine died, which switch to flip, where a free object stands.
fn row_words(session: &Session, invite: Invite, frame: Frame) -> (Option<AttrValue>, Option<AttrValue>) {
    if session.aim().is_some() {
        return (None, None);
    }
    match invite {
        Invite::StepBack => {
            let oops = session.record().and_then(|record| match record.result.as_ref().ok()?.events.last()? {
                Event::Oopsed(oops) => Some(*oops),
                _ => None,
            });
            let line = oops
                .map_or_else(|| "The machine hangs: no command gets through.".to_owned(), |oops| oops.kind.to_string());
            let place = oops.map(|oops| AttrValue::from(format!("in {}", oops.function)));
            (Some(line.into()), place)
        }
        // Where there is no bar, or its switches are put away, the flip is a button of the row.
        Invite::Flip(toggle) if !is_in_bar(toggle, frame) => (None, None),
        Invite::Flip(toggle) => {
            let (_, name) = crate::components::bar::switch_state(session.timeline().config(), toggle);
            let count = session.timeline().len();
            (Some(format!("Flip {name}, top right: the same {count} commands run on that kernel.").into()), None)
        }
        _ => (text::standing(session).map(AttrValue::from), None),
    }
}

fn addresses_on_offer(session: &Session) -> Vec<Name> {
    let live = session.snapshot().named.iter().filter(|named| named.live).map(|named| named.name.clone());
    let mut names: Vec<Name> = session.target().cloned().into_iter().collect();
    names.extend(live.filter(|name| Some(name) != session.target()).take(6));
    names
}

/// What stands right of the boxes of what comes next: Allocate, and the stamp or the doors.
fn result(session: &Session, act: &Callback<Action>) -> Html {
    let invite = session.invite();
    let verdict = session.timeline().machine().verdict().filter(|_| session.aim().is_none());
    let dead = invite == Invite::StepBack;
    html! {
        <>
            <div class="allocate">
                if let Invite::Version(version) = invite {
                    { button(format!("On Linux {version}"), None, Fill::Ink, Action::ChooseVersion(version), act) }
                } else if dead {
                    { button("Step back", None, Fill::Ink, Action::Step(session::Way::Back), act) }
                } else if invite != Invite::FirstAllocation {
                    { button("Allocate", Some("A"), Fill::ink_if(invite == Invite::Allocate), Action::Allocate, act) }
                }
            </div>
            if let Some(verdict) = verdict {
                { stamp(verdict.outcome, &verdict.why.to_string()) }
            } else if session.is_at_the_doors() {
                { doors(session.story().subject, act) }
            }
        </>
    }
}

fn time(session: &Session, narrow: bool, act: &Callback<Action>) -> Html {
    let commands = session.timeline().commands();
    let is_act = |command: &Command| {
        !matches!(command, Command::Kmalloc { .. } | Command::Alloc { .. } | Command::CreateCache { .. })
    };
    let total = commands.len();
    let first_act = session.timeline().commands().position(is_act).unwrap_or(total);
    let shown = shown_captions(session.cursor().index(), total);
    let captions = commands.enumerate().skip(shown.start).take(shown.len());
    let captions = captions.map(|(index, command)| text::caption(command, index > first_act).into());
    let futures = session.timeline().branches().iter().map(|branch| OldFuture {
        parts_at: branch.parts_at.raw(),
        len: u32::try_from(branch.commands.len()).unwrap_or(u32::MAX),
    });
    let row = Time {
        total,
        captions: captions.collect(),
        first: shown.start,
        cursor: session.cursor().raw(),
        futures: futures.collect(),
        digits: session.digits().to_owned().into(),
        drawer: session.look().drawer,
        playing: session.is_playing(),
        invited: invites_a_step(session),
        narrow,
    };
    time::time(row, act)
}

/// Whether one step on is the next thing to do. From above the row of what can be done with an object is not there.
fn invites_a_step(session: &Session) -> bool {
    match session.invite() {
        Invite::StepOn => true,
        Invite::Overflow | Invite::Free => session.depth() != Depth::Slab,
        _ => false,
    }
}

/// What stands in the drawer; made only while it is open.
fn drawer_content(session: &Session) -> Option<Content> {
    Some(match session.look().drawer? {
        session::Drawer::Script => Content::Script {
            lines: session.timeline().commands().map(|command| AttrValue::from(command.to_string())).collect(),
            cursor: session.cursor().raw(),
            error: session.line_error().cloned(),
            taken: session.lines_taken(),
        },
        session::Drawer::Log => Content::Log(log(session)),
        session::Drawer::Numbers => {
            let cache = session.cache_in_hand().map(|cache| cache.id);
            Content::Numbers(text::numbers(session.timeline().machine(), cache).into())
        }
        session::Drawer::Table => table(session),
        session::Drawer::Keys => Content::Keys,
        session::Drawer::Export => Content::Export,
        session::Drawer::More => Content::More(Chosen {
            config: session.timeline().config().clone(),
            luck: session.timeline().luck(),
            size: session.cache_in_hand().map_or(session.size(), |cache| cache.layout.object_size),
            objects: session
                .cache_in_hand()
                .map(|cache| format!("{} objects a slab", cache.layout.objects))
                .unwrap_or_default()
                .into(),
        }),
    })
}

fn log(session: &Session) -> Rc<[LogRow]> {
    let sight = session.bytes_in_sight();
    let row = |step, words: String, bytes: Option<ByteRange>| LogRow {
        step,
        words: words.into(),
        bytes,
        lit: bytes.zip(sight).is_some_and(|(bytes, sight)| bytes.meets(sight)),
    };
    let mut log = text::Log::new(text::Names::of(session));
    let lines = (1..).zip(session.log()).flat_map(|(step, record)| {
        let command = row(step, record.command.to_string(), None);
        let events = log.lines(record);
        [command].into_iter().chain(events.into_iter().map(move |line| row(step, line.words, line.bytes)))
    });
    lines.collect()
}

fn table(session: &Session) -> Content {
    let slab =
        session.selected().and_then(|object| session.snapshot().slabs.iter().find(|slab| slab.id == object.slab));
    let cache = session.cache_in_hand();
    match (slab, cache) {
        (Some(slab), Some(cache)) => Content::Table {
            caption: format!("{}, slab at {}, {} objects", cache.name, slab.base, slab.objects.len()).into(),
            rows: text::table(text::Names::of(session), slab).into(),
        },
        _ => Content::Table { caption: "No slab yet.".into(), rows: Rc::from([]) },
    }
}
