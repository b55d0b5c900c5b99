//! One act after another: which part of the session carries it out.

use super::action::{Action, Drawer, Effect, Export, FocusOn, Theme, Unread};
use super::{Look, Notice, Session};
use crate::scene::{self, Depth, Frame, ObjectRef};

pub(super) fn update(session: &mut Session, action: Action) -> Vec<Effect> {
    tidy_up(session, &action);
    match action {
        Action::Select(_)
        | Action::GoDown(_)
        | Action::Look(_)
        | Action::Hover(_)
        | Action::Light(_)
        | Action::ChooseSize(_)
        | Action::WholeChain => hand(session, action),
        Action::AimAt { .. }
        | Action::AimTo { .. }
        | Action::AimBy { .. }
        | Action::AimArm
        | Action::AimValue(_)
        | Action::AimValueText(_)
        | Action::AimWrite
        | Action::AimCancel
        | Action::HowFar
        | Action::TryReach => aim(session, action),
        Action::Step(way) => session.step(way),
        Action::Play => session.play(),
        Action::Tick => session.tick(),
        Action::Seek(step) => session.seek(step),
        Action::Digit(digit) => {
            session.digit(digit);
            Vec::new()
        }
        Action::GoToDigits => session.go_to_digits(),
        Action::SwitchBranch(branch) => session.switch_branch(branch),
        Action::Undo => session.undo(),
        Action::Redo => session.redo(),
        Action::Flip(toggle) => session.flip(toggle),
        Action::ChooseVersion(version) => session.choose_version(version),
        Action::BootLine(line) => session.take_boot_line(&line),
        Action::ChooseCpus(cpus) => session.choose_cpus(cpus),
        Action::ChooseLuck(luck) => session.choose_luck(luck),
        Action::ChooseLuckText(text) => session.choose_luck_text(&text),
        Action::Allocate => session.allocate(),
        Action::FreeSelected => session.free_selected(),
        Action::TypedLine(line) => session.typed_line(&line),
        Action::Script(text) => session.script(&text),
        Action::OpenLesson(lesson) => {
            let effects = session.tell(lesson.story());
            session.open_as(lesson);
            effects
        }
        Action::NewBench => vec![Effect::DrawLuck],
        Action::StartBench(luck) => session.start_bench(luck),
        Action::NoLuck => {
            session.notice = Some(Notice::of("This browser gives no luck.", "Your bench needs some."));
            Vec::new()
        }
        Action::Unread(why) => unread(session, why),
        Action::LoadFromUrl(text) => session.load(&text),
        Action::Restore(look) => {
            // Where the stage looks is the link's.
            session.look = Look { reach: session.look.reach, depth: session.look.depth, ..look };
            vec![Effect::Paint(look.theme)]
        }
        Action::Export(what) => vec![export(session, what)],
        Action::Present
        | Action::LeavePresenter
        | Action::Blank
        | Action::Drawer(_)
        | Action::Escape
        | Action::Theme(_)
        | Action::NextTheme
        | Action::LetterKeys(_) => look(session, action),
    }
}

/// Takes away what an act makes out of date: messages, digits typed so far, the chart of reaches.
fn tidy_up(session: &mut Session, action: &Action) {
    if !is_idle(action) {
        session.notice = None;
        session.line_error = None;
    }
    if !matches!(action, Action::Digit(_) | Action::GoToDigits | Action::Hover(_) | Action::Light(_) | Action::Tick) {
        session.digits.clear();
    }
    if leaves_reach(action) {
        session.look.reach = false;
    }
}

/// Acts that have nothing to do with the chart of reaches: it makes room for the stage.
const fn leaves_reach(action: &Action) -> bool {
    matches!(
        action,
        Action::Allocate
            | Action::FreeSelected
            | Action::AimArm
            | Action::AimAt { .. }
            | Action::AimTo { .. }
            | Action::AimBy { .. }
            | Action::HowFar
            | Action::TryReach
            | Action::Step(_)
            | Action::Seek(_)
            | Action::Play
            | Action::TypedLine(_)
            | Action::Script(_)
            | Action::StartBench(_)
            | Action::LoadFromUrl(_)
    )
}

/// Acts that leave a message standing: nobody did anything.
const fn is_idle(action: &Action) -> bool {
    matches!(
        action,
        Action::Hover(_)
            | Action::Light(_)
            | Action::Tick
            | Action::LeavePresenter
            | Action::Theme(_)
            | Action::Restore(_)
    )
}

fn unread(session: &mut Session, why: Unread) -> Vec<Effect> {
    session.notice = Some(match why {
        Unread::TooLong => Notice::of("This file is longer than 1 MiB.", "A script is shorter."),
        Unread::NoText => Notice::of("This file is no text.", "A script is text in UTF-8."),
        Unread::Gone => Notice::of("This file could not be read.", "A script is one file of text."),
    });
    Vec::new()
}

fn hand(session: &mut Session, action: Action) -> Vec<Effect> {
    match action {
        Action::Select(object) => {
            take(session, object);
            return vec![Effect::Keep];
        }
        Action::GoDown(object) => {
            take(session, object);
            session.look.depth = Depth::Slab;
            return vec![Effect::Keep, Effect::Focus(FocusOn::Stage)];
        }
        Action::Look(depth) => {
            session.aim = None;
            session.look.reach = false;
            session.look.depth = depth;
            return vec![Effect::Keep];
        }
        Action::Hover(object) => session.hovered = object,
        Action::Light(bytes) => session.lit = bytes,
        Action::ChooseSize(size) => return session.choose_size(size),
        _ => session.look.whole_chain = !session.look.whole_chain,
    }
    Vec::new()
}

fn take(session: &mut Session, object: ObjectRef) {
    if session.selected != Some(object) {
        session.aim = None;
    }
    session.choose(object);
}

fn aim(session: &mut Session, action: Action) -> Vec<Effect> {
    match action {
        Action::AimAt { len } => session.aim_at(len, false),
        Action::AimTo { len } => session.aim_at(len, true),
        Action::AimBy { bytes, most } => {
            let now = session.aim.as_ref().map_or(0, |aim| aim.len);
            session.aim_at(now.saturating_add_signed(bytes).min(most), true);
        }
        Action::AimArm => return session.arm(),
        Action::AimValue(value) => session.aim_value(value),
        Action::AimValueText(text) => session.aim_value_text(&text),
        Action::AimWrite => return session.write(),
        Action::HowFar => return session.how_far(),
        Action::TryReach => return session.try_reach(),
        _ => return give_up_aim(session),
    }
    Vec::new()
}

fn give_up_aim(session: &mut Session) -> Vec<Effect> {
    session.aim = None;
    vec![Effect::Focus(FocusOn::Time)]
}

fn look(session: &mut Session, action: Action) -> Vec<Effect> {
    let look = &mut session.look;
    match action {
        Action::Present => {
            look.presenting = !look.presenting;
            look.blank = false;
            look.drawer = None;
            return vec![Effect::Fullscreen(look.presenting), Effect::Paint(look.theme), Effect::Keep];
        }
        Action::LeavePresenter => {
            look.presenting = false;
            look.blank = false;
            return vec![Effect::Paint(look.theme), Effect::Keep];
        }
        Action::Blank => look.blank = look.presenting && !look.blank,
        Action::Drawer(drawer) => return open_drawer(session, drawer),
        Action::Theme(theme) => return paint(session, theme),
        Action::NextTheme => {
            let next = if look.theme == Theme::Dark { Theme::Light } else { Theme::Dark };
            return paint(session, next);
        }
        Action::LetterKeys(on) => look.letter_keys = on,
        _ => return escape(session),
    }
    vec![Effect::Keep]
}

fn paint(session: &mut Session, theme: Theme) -> Vec<Effect> {
    session.look.theme = theme;
    vec![Effect::Paint(theme), Effect::Keep]
}

fn open_drawer(session: &mut Session, drawer: Option<Drawer>) -> Vec<Effect> {
    session.look.drawer = if session.look.drawer == drawer { None } else { drawer };
    match session.look.drawer {
        Some(Drawer::Script) => vec![Effect::Keep, Effect::Focus(FocusOn::InputLine)],
        Some(_) => vec![Effect::Keep],
        None => vec![Effect::Keep, Effect::Focus(FocusOn::Stage)],
    }
}

/// Closes what is nearest: the aim, the blank screen, the drawer, a view from above, the presenter.
fn escape(session: &mut Session) -> Vec<Effect> {
    if session.aim.is_some() {
        return give_up_aim(session);
    }
    if session.look.blank {
        session.look.blank = false;
        return vec![Effect::Keep];
    }
    if session.look.drawer.is_some() {
        return open_drawer(session, None);
    }
    if session.look.depth != Depth::Slab {
        session.look.depth = Depth::Slab;
        return vec![Effect::Keep, Effect::Focus(FocusOn::Stage)];
    }
    if session.look.presenting {
        session.look.presenting = false;
        return vec![Effect::Fullscreen(false), Effect::Paint(session.look.theme), Effect::Keep];
    }
    Vec::new()
}

fn export(session: &Session, what: Export) -> Effect {
    match what {
        Export::Script => Effect::Download { name: "slabscope.txt".to_owned(), text: session.scenario().to_string() },
        Export::Numbers => {
            Effect::Download { name: "slabinfo.txt".to_owned(), text: session.timeline().machine().slabinfo() }
        }
        Export::Picture => {
            let said = crate::text::sentence(session);
            Effect::Picture {
                name: format!("slabscope-step-{}.svg", session.cursor().raw()),
                title: format!(
                    "{}, {}",
                    session.story().scenario.title,
                    super::kernel_name(session.timeline().config())
                ),
                says: format!(
                    "{} {} {}",
                    said.head,
                    said.tail,
                    scene::told(&session.view(Frame::Wide), session.depth())
                ),
            }
        }
    }
}
