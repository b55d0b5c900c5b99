//! The one struct component: it owns the session and the handles to the browser, and turns effects into calls.

use crate::browser::{self, Beat, Fullscreen, Given, Hash, Keys, PointerRest, Viewport};
use crate::session::{Action, Effect, Focus, FocusOn, KeyPress, Look, Session, Theme, Unread, action_of};
use crate::stage::{self, Motion, Screen};
use yew::{Callback, Component, Context, Html};

/// Under which key the tab's storage keeps how the page stands.
const LOOK_KEY: &str = "slabscope.look";
/// Under which key it keeps the script, for the panic hook to offer.
pub const SCRIPT_KEY: &str = "slabscope.script";

/// The page.
pub struct App {
    session: Session,
    screen: Screen,
    act: Callback<Action>,
    playing: Option<Beat>,
    resting: Option<PointerRest>,
    opening: bool,
    /// Whether link and script are to follow once the stage is drawn.
    follows: bool,
    /// The script that the tab's storage holds.
    kept_script: String,
    _keys: Keys,
    _hash: Hash,
    _viewport: Viewport,
    _fullscreen: Fullscreen,
    _given: Given,
}

/// What the page hears.
pub enum Msg {
    /// Somebody did something.
    Act(Action),
    /// A key went down.
    Key(KeyPress, Focus),
    /// The window has another size.
    Resized((f64, f64)),
    /// The pointer rests, or moves again.
    Rests(bool),
    /// What was last changed is drawn.
    Drawn,
}

impl Component for App {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let link = ctx.link();
        let keys = link.callback(|(press, focus)| Msg::Key(press, focus));
        let act = link.callback(Msg::Act);
        let (resized, followed, left) = (link.callback(Msg::Resized), act.clone(), act.clone());
        let given =
            link.callback(|text: Result<String, Unread>| Msg::Act(text.map_or_else(Action::Unread, Action::Script)));
        let mut app = Self {
            session: Session::new(),
            screen: Screen::of(browser::size()),
            act,
            playing: None,
            resting: None,
            opening: true,
            follows: false,
            kept_script: String::new(),
            // Whether a key is ours is decided when it comes; what it does, in the message's turn.
            _keys: Keys::listen(move |press, focus| {
                let ours = is_ours(&press, focus);
                keys.emit((press, focus));
                ours
            }),
            _hash: Hash::listen(move |text| followed.emit(Action::LoadFromUrl(text))),
            _viewport: Viewport::listen(move |size| resized.emit(size)),
            _fullscreen: Fullscreen::listen(move || left.emit(Action::LeavePresenter)),
            _given: Given::listen(move |text| given.emit(text)),
        };
        app.open(ctx);
        app
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Act(action) => self.act(ctx, action, Motion::of),
            Msg::Key(press, focus) => match action_of(&press, focus, &self.session) {
                // A held key jumps: motion would only lag behind it.
                Some(action) if press.held => self.act(ctx, action, |_| Motion::Still),
                Some(action) => self.act(ctx, action, Motion::of),
                None => return false,
            },
            Msg::Resized(size) => self.screen = Screen { touched: self.screen.touched, ..Screen::of(size) },
            Msg::Rests(rests) if rests == self.screen.pointer_rests => return false,
            Msg::Rests(rests) => self.screen.pointer_rests = rests,
            Msg::Drawn => {
                self.follow();
                return false;
            }
        }
        true
    }

    fn view(&self, _: &Context<Self>) -> Html {
        stage::view(&self.session, &self.screen, &self.act)
    }
}

/// Keys that the browser would scroll or search with, and that are ours instead.
fn is_ours(press: &KeyPress, focus: Focus) -> bool {
    !press.modified
        && matches!(focus, Focus::Stage | Focus::Timeline)
        && matches!(press.key.as_str(), " " | "ArrowLeft" | "ArrowRight" | "Home" | "End" | "PageUp" | "PageDown")
}

impl App {
    /// What stood here before a reload, and what the address asks for.
    fn open(&mut self, ctx: &Context<Self>) {
        let fragment = browser::fragment();
        if !fragment.is_empty() {
            self.act(ctx, Action::LoadFromUrl(fragment), Motion::of);
        }
        if let Some(look) = browser::kept(LOOK_KEY) {
            self.act(ctx, Action::Restore(Look::read(&look)), Motion::of);
        }
        if browser::query_has("present") && !self.session.look().presenting {
            self.act(ctx, Action::Present, Motion::of);
        }
        self.opening = false;
        self.follow();
    }

    fn act(&mut self, ctx: &Context<Self>, action: Action, motion: fn(&Action) -> Motion) {
        self.screen.motion = motion(&action);
        self.screen.touched |=
            matches!(action, Action::AimAt { .. } | Action::AimTo { .. } | Action::AimBy { .. } | Action::AimArm);
        for effect in self.session.update(action) {
            self.carry_out(ctx, effect);
        }
        self.keep_time(ctx);
    }

    fn carry_out(&mut self, ctx: &Context<Self>, effect: Effect) {
        match effect {
            Effect::Keep => self.follow_soon(ctx),
            // Browsers fill the screen only after a key or a click.
            Effect::Fullscreen(_) if self.opening => {}
            Effect::Fullscreen(fill) => browser::fill_screen(fill),
            Effect::Paint(theme) => self.paint(theme),
            Effect::Focus(on) => browser::focus_soon(ids_of(on)),
            Effect::Download { name, text } => browser::download(&name, &text),
            Effect::Picture { name, title, says } => {
                if let Some(picture) = browser::picture(&title, &says) {
                    browser::download(&name, &picture);
                }
            }
            Effect::DrawLuck => match browser::draw() {
                Some(seed) => self.act(ctx, Action::StartBench(seed), Motion::of),
                None => self.act(ctx, Action::NoLuck, Motion::of),
            },
        }
    }

    /// Light unless chosen in the presenter: dark washes out on most projectors.
    fn paint(&self, theme: Theme) {
        browser::paint(match theme {
            Theme::Light => Some("light"),
            Theme::Dark => Some("dark"),
            Theme::System => self.session.look().presenting.then_some("light"),
        });
    }

    /// A long script takes the browser tens of milliseconds to keep: the picture comes first.
    fn follow_soon(&mut self, ctx: &Context<Self>) {
        if !self.follows {
            self.follows = true;
            let drawn = ctx.link().callback(|()| Msg::Drawn);
            browser::after_drawing(move || drawn.emit(()));
        }
    }

    /// Keeps the link in the address, the look and the script in the tab's storage. Where there is no storage, a reload
    /// loses the look and nothing else.
    fn follow(&mut self) {
        self.follows = false;
        browser::keep_fragment(&self.session.link().to_string());
        let kept = browser::keep(LOOK_KEY, &self.session.look().to_string());
        let script = self.session.scenario().to_string();
        if kept.is_ok() && script != self.kept_script {
            // The script is only for the panic hook; one that is too long for the storage stays in the address.
            let _ = browser::keep(SCRIPT_KEY, &script);
            self.kept_script = script;
        }
    }

    /// Timers follow from the state: they are there while there is something to time.
    fn keep_time(&mut self, ctx: &Context<Self>) {
        const BEAT: u32 = 900;
        const REST: u32 = 2000;
        let (playing, presenting) = (self.session.is_playing(), self.session.look().presenting);
        if playing != self.playing.is_some() {
            let beat = ctx.link().callback(|()| Msg::Act(Action::Tick));
            self.playing = playing.then(|| Beat::every(BEAT, move || beat.emit(())));
        }
        if presenting != self.resting.is_some() {
            let rests = ctx.link().callback(Msg::Rests);
            self.screen.pointer_rests = false;
            self.resting = presenting.then(|| PointerRest::after(REST, move |rests_now| rests.emit(rests_now)));
        }
    }
}

/// What is to have the focus: the first of these that is there.
const fn ids_of(on: FocusOn) -> &'static [&'static str] {
    match on {
        FocusOn::Grip => &["grip"],
        FocusOn::Stage => &["stage"],
        FocusOn::Time => &["tick-now", "stage"],
        FocusOn::InputLine => &["script-line"],
    }
}
