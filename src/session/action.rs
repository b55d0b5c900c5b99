//! Everything that a person can do to the page, and everything that the page then asks of the browser.

use super::Look;
use crate::lessons::LessonId;
use crate::scene::{ByteRange, Depth, ObjectRef};
use slabscope_core::command::Value;
use slabscope_core::kernel::{Switch, Version};
use slabscope_core::luck::Seed;
use slabscope_core::units::Step;

/// One act of a person, whichever way it came in: mouse, touch, key, typed line or link.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Takes an object in hand. Harmless.
    Select(ObjectRef),
    /// Takes an object in hand and looks at its slab.
    GoDown(ObjectRef),
    /// Looks at a slab, a cache or memory.
    Look(Depth),
    /// The pointer or the focus is on an object, or has left it. Harmless.
    Hover(Option<ObjectRef>),
    /// The pointer or the focus is on something that speaks of these bytes, or has left it. Harmless.
    Light(Option<ByteRange>),
    /// Allocates one object of the size in hand, or plays the script's next step if it does that.
    Allocate,
    /// Chooses the size that Allocate asks for.
    ChooseSize(u64),
    /// Frees the object in hand.
    FreeSelected,
    /// Aims at this many bytes past the object in hand; the handle follows the pointer.
    AimAt {
        /// Bytes past its end.
        len: u64,
    },
    /// The handle was let go, or Overflow was pressed: what is aimed at stays in sight.
    AimArm,
    /// Aims at this many bytes and arms them at once: keys, sliders, a stop that was chosen.
    AimTo {
        /// Bytes past its end.
        len: u64,
    },
    /// Aims this many bytes further, or nearer where it is negative, and arms at once. Counted from the aim as it is
    /// when the act is carried out, so that no press of a held key is lost.
    AimBy {
        /// Bytes to go.
        bytes: i64,
        /// The largest length.
        most: u64,
    },
    /// Chooses what would be written.
    AimValue(Value),
    /// The same, as text of the script language: `target`, `zeros`, `"A"`, `0x41424344`.
    AimValueText(String),
    /// Writes what is armed.
    AimWrite,
    /// Gives the aim up.
    AimCancel,
    /// Goes back to the write that fell short, armed again, so that it can be made longer.
    HowFar,
    /// Leaves the chart of reaches and arms the overflow that reaches the pointer of the size in hand.
    TryReach,
    /// Looks one step on or back.
    Step(Way),
    /// Plays on from here, or stops.
    Play,
    /// Time for the next step of a play.
    Tick,
    /// Looks at this step.
    Seek(Step),
    /// One digit of a step number.
    Digit(u8),
    /// Goes to the step that the digits name.
    GoToDigits,
    /// Takes the last act back.
    Undo,
    /// Does again what was taken back.
    Redo,
    /// Turns one of the kernel's switches.
    Flip(Toggle),
    /// Runs the same commands on another version.
    ChooseVersion(Version),
    /// Runs the same commands on a kernel that was booted with this line.
    BootLine(String),
    /// Runs the same commands with another count of CPUs.
    ChooseCpus(u32),
    /// Runs the same commands with other luck.
    ChooseLuck(Seed),
    /// The same, as it was typed: decimal, or hexadecimal after `0x`.
    ChooseLuckText(String),
    /// Goes over to a future that was left.
    SwitchBranch(usize),
    /// Opens or closes the presenter.
    Present,
    /// The browser left full screen on its own.
    LeavePresenter,
    /// Blanks the screen, or shows it again.
    Blank,
    /// Opens a part of the drawer, or closes it.
    Drawer(Option<Drawer>),
    /// Closes whatever is open: aim, drawer, blank screen, notice.
    Escape,
    /// A line typed into the script.
    TypedLine(String),
    /// A whole script, as pasted or dropped.
    Script(String),
    /// A file that was dropped could not be read as a script.
    Unread(Unread),
    /// Opens a lesson at its first view.
    OpenLesson(LessonId),
    /// Asks for a bench of one's own with fresh luck.
    NewBench,
    /// Starts that bench with the luck that was drawn.
    StartBench(Seed),
    /// The browser gave no luck.
    NoLuck,
    /// Chooses the theme.
    Theme(Theme),
    /// Light to dark and back.
    NextTheme,
    /// Draws every arrow, or three.
    WholeChain,
    /// Turns single-letter keys off or on.
    LetterKeys(bool),
    /// Follows what stands after `#` in the page's address.
    LoadFromUrl(String),
    /// How the page stood before a reload.
    Restore(Look),
    /// Hands something out as a file.
    Export(Export),
}

/// What can be taken home.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Export {
    /// The stage as a picture.
    Picture,
    /// The script: a scenario's text.
    Script,
    /// `/proc/slabinfo` and its like.
    Numbers,
}

/// Why a file that was given is no script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unread {
    /// It is longer than 1 MiB.
    TooLong,
    /// It is no UTF-8.
    NoText,
    /// The browser could not read it.
    Gone,
}

/// A direction of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// On.
    Forward,
    /// Back.
    Back,
}

/// A switch of the bar or of its "More".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Toggle {
    /// A build option or boot parameter that some versions lack.
    Kernel(Switch),
    /// `slub_debug=FZPU`.
    Debug,
    /// The free pointer's place: apart from the version's own it is "model only".
    MiddlePointer,
}

/// A part of the drawer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Drawer {
    /// The script with its input line.
    Script,
    /// What the kernel said.
    Log,
    /// `/proc/slabinfo`.
    Numbers,
    /// The picture as a table.
    Table,
    /// Every switch of the kernel.
    More,
    /// Which key does what.
    Keys,
    /// What can be taken home.
    Export,
}

/// Which colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Theme {
    /// What the reader's system prefers; light in the presenter.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// What the page asks of the browser after an act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Keep this: the link in the address, the view in the tab's storage.
    Keep,
    /// Fill the screen, or stop.
    Fullscreen(bool),
    /// Colour the page.
    Paint(Theme),
    /// Put the focus there.
    Focus(FocusOn),
    /// Offer this text as a file.
    Download {
        /// The file's name.
        name: String,
        /// Its text.
        text: String,
    },
    /// Offer a picture of the stage as a file.
    Picture {
        /// The file's name.
        name: String,
        /// The picture's title.
        title: String,
        /// What it shows, in a sentence or two.
        says: String,
    },
    /// Draw 64 bits from the browser's generator and start a bench with them.
    DrawLuck,
}

/// What can be given the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FocusOn {
    /// The grip of the overflow handle.
    Grip,
    /// The stage itself.
    Stage,
    /// The step that is shown, in the timeline, where arrows step; the stage where the screen has no room for steps.
    Time,
    /// The line that a command is typed into.
    InputLine,
}
