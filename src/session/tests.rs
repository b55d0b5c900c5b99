//! The storyboard, undo, branches, seeks, keys and links, without a browser.

use super::*;
use crate::lessons::LessonId;
use crate::scene::Depth;
use crate::session::Action as Do;
use slabscope_core::kernel::{Switch, Version};
use slabscope_core::luck::Seed;
use slabscope_core::outcome::Outcome;
use slabscope_core::units::Step;

fn after(actions: &[Action]) -> Session {
    let mut session = Session::new();
    actions.iter().for_each(|action| {
        session.update(action.clone());
    });
    session
}

fn outcome(session: &Session) -> Option<Outcome> {
    session.timeline().machine().verdict().map(|verdict| verdict.outcome)
}

fn lines(session: &Session) -> Vec<String> {
    session.timeline().commands().map(ToString::to_string).collect()
}

const MIDDLE: Toggle = Toggle::MiddlePointer;

#[test]
fn the_page_opens_on_lesson_3_with_one_thing_to_do() {
    let session = Session::new();
    assert_eq!((session.cursor().raw(), session.timeline().len()), (5, 8));
    assert_eq!(session.invite(), Invite::Overflow);
    assert_eq!(session.name_in_hand().expect("a").as_str(), "a");
    assert_eq!(outcome(&session), None);
}

/// "The first 60 seconds": each press is the one that is invited.
#[test]
fn the_storyboard_goes_from_load_to_hijacked_in_four_presses_and_misses_in_a_fifth() {
    let mut session = Session::new();
    let presses = [
        (Invite::Overflow, Do::AimArm, 5),
        (Invite::Write, Do::AimWrite, 6),
        (Invite::Allocate, Do::Allocate, 7),
        (Invite::Allocate, Do::Allocate, 8),
    ];
    for (invited, press, step) in presses {
        assert_eq!(session.invite(), invited);
        session.update(press);
        assert_eq!(session.cursor().raw(), step);
    }
    assert_eq!(outcome(&session), Some(Outcome::Hijacked));
    assert_eq!(session.invite(), Invite::Flip(MIDDLE));
    session.update(Do::Flip(MIDDLE));
    assert_eq!((session.cursor().raw(), outcome(&session)), (8, Some(Outcome::Missed)));
    assert_eq!(session.invite(), Invite::HowFar);
    assert_eq!(
        session.timeline().machine().verdict().expect("a verdict").why.to_string(),
        "the write ended 24 bytes before the pointer"
    );
    session.update(Do::HowFar);
    assert_eq!((session.cursor().raw(), session.invite()), (5, Invite::Write));
    assert!(!session.is_at_the_doors());
    session.update(Do::AimTo { len: 40 });
    assert!(session.is_at_the_doors(), "40 bytes reach the pointer in the middle");
}

#[test]
fn aiming_leaves_no_trace_until_it_is_written() {
    let before = Session::new();
    let mut session = after(&[Do::AimAt { len: 3 }, Do::AimTo { len: 12 }, Do::AimValue(Value::Zeros)]);
    assert_eq!(session.timeline().machine().digest(), before.timeline().machine().digest());
    assert!(!session.can_undo());
    session.update(Do::Escape);
    assert_eq!(session.aim(), None);
    assert_eq!(lines(&session), lines(&before));
}

#[test]
fn undo_takes_back_the_last_act_of_any_kind_and_redo_brings_it_again() {
    let mut session = after(&[Do::AimArm, Do::AimWrite, Do::Flip(MIDDLE), Do::ChooseLuck(Seed(9))]);
    let end = session.timeline().machine().digest();
    session.update(Do::Undo);
    assert_eq!(session.timeline().luck(), session.story().scenario.luck);
    session.update(Do::Undo);
    assert!(!session.is_on(MIDDLE));
    session.update(Do::Undo);
    assert_eq!((session.cursor().raw(), session.can_undo()), (5, false));
    (0..3).for_each(|_| drop(session.update(Do::Redo)));
    assert_eq!(session.timeline().machine().digest(), end);
    assert!(!session.can_redo());
}

#[test]
fn looking_back_is_no_act() {
    let session = after(&[Do::Step(Way::Back), Do::Seek(Step::from_raw(2)), Do::Step(Way::Forward)]);
    assert_eq!((session.cursor().raw(), session.can_undo()), (3, false));
}

#[test]
fn a_step_shows_an_overflow_armed_before_the_next_writes_it() {
    let mut session = after(&[Do::Step(Way::Forward)]);
    assert_eq!((session.cursor().raw(), session.invite()), (5, Invite::Write));
    session.update(Do::Step(Way::Back));
    assert_eq!((session.cursor().raw(), session.aim()), (5, None));
    session.update(Do::Step(Way::Forward));
    session.update(Do::Step(Way::Forward));
    assert_eq!((session.cursor().raw(), session.aim()), (6, None));
}

#[test]
fn acting_while_rewound_keeps_the_old_future_as_a_branch() {
    let mut session = after(&[Do::AimTo { len: 40 }, Do::AimWrite]);
    assert_eq!(session.timeline().len(), 6);
    let branches = session.timeline().branches();
    assert_eq!((branches.len(), branches[0].parts_at, branches[0].commands.len()), (1, Step::from_raw(5), 3));
    session.update(Do::SwitchBranch(0));
    assert_eq!(session.timeline().len(), 8);
}

#[test]
fn any_order_of_seeks_shows_the_same() {
    let mut straight = Session::new();
    let digests: Vec<u64> = (0..=8)
        .map(|step| {
            straight.update(Do::Seek(Step::from_raw(step)));
            straight.timeline().machine().digest()
        })
        .collect();
    let mut session = Session::new();
    for step in [8, 0, 3, 7, 1, 6, 6, 2, 8, 4, 5] {
        session.update(Do::Seek(Step::from_raw(step)));
        assert_eq!(
            session.timeline().machine().digest(),
            digests[usize::try_from(step).expect("small")],
            "step {step}"
        );
    }
}

#[test]
fn a_switch_that_a_version_lacks_is_refused_and_comes_back_with_a_version_that_has_it() {
    let mut session =
        after(&[Do::ChooseVersion(Version::release(4, 7)), Do::Flip(Toggle::Kernel(Switch::FreelistRandom))]);
    assert!(session.notice().is_some());
    session.update(Do::ChooseVersion(Version::release(5, 6)));
    assert_eq!(session.notice(), None);
    session.update(Do::Flip(Toggle::Kernel(Switch::FreelistRandom)));
    session.update(Do::ChooseVersion(Version::release(4, 7)));
    assert!(!session.is_on(Toggle::Kernel(Switch::FreelistRandom)));
    session.update(Do::ChooseVersion(Version::release(6, 1)));
    assert!(session.is_on(Toggle::Kernel(Switch::FreelistRandom)) && session.is_on(MIDDLE));
}

#[test]
fn of_two_switches_that_exclude_each_other_one_is_off_and_says_so() {
    let of = Toggle::Kernel;
    let mut session = after(&[Do::ChooseVersion(Version::release(6, 12)), Do::Flip(of(Switch::Tiny))]);
    assert!(session.is_on(of(Switch::Tiny)) && !session.is_on(of(Switch::CpuPartial)));
    for switch in [of(Switch::CpuPartial), of(Switch::FreelistRandom), of(Switch::Stats)] {
        session.update(Do::Flip(switch));
        let notice = session.notice().expect("it says why");
        assert_eq!(notice.tail, "Turn CONFIG_SLUB_TINY off first.");
        assert!(!session.is_on(switch));
    }
    session.update(Do::Flip(Toggle::Debug));
    assert!(session.notice().is_some() && !session.is_on(Toggle::Debug));
    session.update(Do::Flip(of(Switch::Tiny)));
    assert!(session.is_on(of(Switch::CpuPartial)), "it is back");
    session.update(Do::Flip(of(Switch::FreelistRandom)));
    assert!(session.is_on(of(Switch::FreelistRandom)));
    session.update(Do::Flip(of(Switch::Tiny)));
    assert_eq!(session.notice().expect("it says why").tail, "Turn CONFIG_SLAB_FREELIST_RANDOM off first.");
}

#[test]
fn a_link_brings_back_what_was_on_the_bench() {
    let sessions = [
        after(&[]),
        after(&[Do::AimArm, Do::AimWrite, Do::Flip(MIDDLE)]),
        after(&[Do::StartBench(Seed(0xfeed)), Do::Allocate, Do::Allocate, Do::TypedLine("free a".to_owned())]),
    ];
    for session in sessions {
        let link = session.link();
        assert_eq!(Link::parse(&link.to_string()), Ok(link.clone()));
        let back = after(&[Do::LoadFromUrl(link.to_string())]);
        assert_eq!(back.notice(), None);
        assert_eq!(back.timeline().machine().digest(), session.timeline().machine().digest());
        assert_eq!((back.cursor(), lines(&back)), (session.cursor(), lines(&session)));
        assert_eq!(back.link(), link);
    }
}

/// What a reload comes back to: the object in hand, named or not, or the size; and how far up the stage looks.
#[test]
fn a_link_has_in_hand_what_was_in_hand() {
    let end = after(&[Do::AimArm, Do::AimWrite, Do::Allocate, Do::Allocate]);
    assert_eq!(end.name_in_hand().expect("a").as_str(), "a");
    assert_eq!(end.link().to_string(), "lesson=3&step=8", "a is what the step is about");
    let mut unnamed = end.selected().expect("a");
    unnamed.index =
        end.snapshot().slabs.iter().find(|slab| slab.id == unnamed.slab).expect("its slab").objects[9].index;
    let sights = [
        end,
        after(&[Do::Seek(Step::from_raw(8)), Do::Select(unnamed), Do::Look(Depth::Memory)]),
        after(&[Do::ChooseSize(4096), Do::Look(Depth::Cache)]),
        after(&[Do::StartBench(Seed(1)), Do::ChooseSize(96)]),
        after(&[Do::OpenLesson(LessonId::Middle)]),
    ];
    for session in sights {
        let back = after(&[Do::LoadFromUrl(session.link().to_string())]);
        assert_eq!((back.notice(), back.selected(), back.look()), (None, session.selected(), session.look()));
        assert_eq!(back.call_in_hand(), session.call_in_hand());
    }
    let gone = after(&[Do::LoadFromUrl("lesson=3&step=2&hand=v".to_owned())]);
    assert!(gone.notice().is_some() && gone.selected().is_some());
    for (lesson, reach, depth) in [("6", true, Depth::Slab), ("14", false, Depth::Cache), ("1", false, Depth::Slab)] {
        let opened = after(&[Do::Look(Depth::Memory), Do::LoadFromUrl(format!("lesson={lesson}"))]).look();
        assert_eq!((opened.reach, opened.depth), (reach, depth), "lesson {lesson} opens as from the menu");
    }
}

/// The names of what is in hand, step by step, where nobody takes anything.
#[test]
fn what_is_in_hand_goes_with_the_story() {
    let cases = [
        // After the write its object, until what came of it is seen.
        ("lesson=3", "target a v w a a a a"),
        ("lesson=6", "target a v w a a a a a a a a"),
        ("lesson=1", "a b c a b d e"),
        ("lesson=9", "a b a b a p q r r r"),
        ("lesson=10", "target s s s r r r r p p"),
        ("lesson=14", "a b b b b p q"),
    ];
    for (link, wanted) in cases {
        let mut session = after(&[Do::LoadFromUrl(format!("{link}&step=0"))]);
        let mut seen = Vec::new();
        while session.cursor().raw() < session.timeline().len() {
            session.update(Do::Step(Way::Forward));
            if session.aim().is_none() {
                seen.push(session.name_in_hand().map_or_else(|| "-".to_owned(), |name| name.to_string()));
            }
        }
        assert_eq!(seen.join(" "), wanted, "{link}");
    }
    let mut bench = after(&[Do::NewBench, Do::StartBench(Seed(7))]);
    let typed = [
        ("a = kmalloc 64", "a"),
        ("cache c 64 ctor", "a"),
        ("x = alloc c", "x"),
        ("bulk q 5 c", "q4"),
        ("overflow a 8 zeros", "a"),
        ("y = alloc c", "y"),
        ("z = kmalloc 64", "a"),
        ("overflow a 8 zeros", "a"),
        ("p = kmalloc 64", "a"),
        ("b = kmalloc 8192", "b"),
        ("kfree x", "x"),
        ("write q1 8 zeros", "q1"),
    ];
    for (line, wanted) in typed {
        bench.update(Do::TypedLine(line.to_owned()));
        assert_eq!(bench.name_in_hand().expect(line).as_str(), wanted, "{line}");
    }
    let x = bench.place_of(&Name::new("x").expect("a name")).expect("its slab is there");
    bench.update(Do::Select(x));
    bench.update(Do::Allocate);
    assert_eq!(bench.selected(), Some(x), "what somebody took stays");
}

#[test]
fn a_bad_link_says_what_is_wrong_and_keeps_the_bench() {
    for text in [
        "",
        "lesson=99",
        "lesson=3&step=many",
        "lesson=3&hand=1x",
        "lesson=3&hand=a+8",
        "lesson=3&size=big",
        "lesson=3&view=up",
        "script=%zz",
        "script=%e2",
        "frog=1",
        "lesson=3&lesson=6",
        "script=slabscope%201%0Afree",
    ] {
        let mut session = after(&[Do::Seek(Step::from_raw(2))]);
        let digest = session.timeline().machine().digest();
        session.update(Do::LoadFromUrl(text.to_owned()));
        assert!(session.notice().is_some(), "{text}");
        assert_eq!(session.timeline().machine().digest(), digest, "{text}");
    }
}

#[test]
fn a_bad_line_names_its_word_and_changes_nothing() {
    let mut session = Session::new();
    session.update(Do::TypedLine("overflow a 8 bytes target".to_owned()));
    let error = session.line_error().expect("an error");
    assert!(error.column > 1 && !error.message.is_empty(), "{error:?}");
    assert_eq!((session.cursor().raw(), session.can_undo()), (5, false));
    session.update(Do::TypedLine("free nobody".to_owned()));
    let error = session.line_error().expect("an error");
    assert!(error.message.contains("nobody"));
    assert_eq!((error.row, error.column, error.word.as_str()), (None, 6, "nobody"));
    session.update(Do::Script("slabscope 1\ntitle T\nkernel 9\n".to_owned()));
    assert_eq!(session.line_error().expect("an error").row, Some(3));
}

/// The field is empty again, however the line was written.
#[test]
fn a_line_that_is_carried_out_leaves_the_field() {
    let mut session = Session::new();
    for (taken, line) in (1..).zip(["grace # it passes", "  b=kmalloc 0x40", "grace", "grace"]) {
        session.update(Do::TypedLine(line.to_owned()));
        assert_eq!((session.lines_taken(), session.line_error()), (taken, None), "{line}");
    }
    session.update(Do::TypedLine("free nobody".to_owned()));
    assert_eq!(session.lines_taken(), 4);
}

#[test]
fn an_allocation_that_gives_no_object_says_so() {
    for (line, head) in [
        ("b = kmalloc 0", "kmalloc(0) returned ZERO_SIZE_PTR, 0x10."),
        ("b = krealloc a 0", "krealloc(a) returned ZERO_SIZE_PTR, 0x10."),
    ] {
        let session = after(&[Do::TypedLine(line.to_owned())]);
        assert_eq!(crate::text::sentence(&session).head, head);
    }
    let mut session = Session::new();
    for nth in 0..5 {
        session.update(Do::TypedLine(format!("huge{nth} = kmalloc 0x400000")));
    }
    assert_eq!(crate::text::sentence(&session).head, "kmalloc(4194304) returned NULL.");
}

#[test]
fn a_script_with_a_target_that_nothing_makes_plays_and_says_so() {
    let text = "slabscope 1\ntitle T\nkernel 5.6\nluck 1\ntarget q\n\na = kmalloc 64\n";
    let session = after(&[Do::Script(text.to_owned())]);
    assert_eq!(session.timeline().len(), 1);
    let notice = session.notice().expect("it is told");
    assert_eq!((&*notice.head, &*notice.tail), ("In doubt: line 5, column 8.", "No command of the script makes `q`."));
}

#[test]
fn a_bench_of_ones_own_allocates_frees_and_overflows() {
    let mut session = after(&[Do::NewBench, Do::StartBench(Seed(7))]);
    assert_eq!((session.invite(), session.timeline().len()), (Invite::FirstAllocation, 0));
    for act in [Do::Allocate, Do::Allocate, Do::TypedLine("free b".to_owned())] {
        session.update(act);
    }
    assert_eq!(session.name_in_hand().expect("touched last").as_str(), "b");
    let a = session.place_of(&Name::new("a").expect("a name")).expect("it is in use");
    for act in [Do::Select(a), Do::AimTo { len: 8 }, Do::AimWrite] {
        session.update(act);
    }
    assert_eq!(lines(&session), ["a = kmalloc 64", "b = kmalloc 64", "free b", "overflow a 8 \"A\""]);
    session.update(Do::ChooseSize(192));
    session.update(Do::Allocate);
    assert_eq!(lines(&session).last().map(String::as_str), Some("p = kmalloc 192"));
}

#[test]
fn digits_then_g_go_to_a_step() {
    let session = after(&[Do::Digit(0), Do::Digit(3), Do::GoToDigits]);
    assert_eq!(session.cursor().raw(), 3);
    assert_eq!(after(&[Do::Digit(9), Do::Digit(9), Do::GoToDigits]).cursor().raw(), 8);
    assert_eq!(after(&[Do::GoToDigits]).cursor().raw(), 5);
}

#[test]
fn playing_stops_at_the_end() {
    let mut session = after(&[Do::Play]);
    let ticks = (0..20).take_while(|_| {
        session.update(Do::Tick);
        session.is_playing()
    });
    assert_eq!(ticks.count(), 3);
    assert_eq!(session.cursor().raw(), 8);
}

#[test]
fn keys_belong_to_what_has_focus() {
    let plain = Session::new();
    let armed = after(&[Do::AimArm]);
    let presenting = after(&[Do::Present]);
    let table = [
        (&plain, "ArrowRight", Focus::Stage, Some(Do::Step(Way::Forward))),
        (&plain, "ArrowLeft", Focus::Timeline, Some(Do::Step(Way::Back))),
        (&plain, "ArrowLeft", Focus::Own, None),
        (&plain, "ArrowLeft", Focus::Field, None),
        (&plain, "ArrowLeft", Focus::Button, None),
        (&plain, "PageDown", Focus::Stage, None),
        (&plain, "PageDown", Focus::Timeline, Some(Do::Step(Way::Forward))),
        (&presenting, "PageDown", Focus::Stage, Some(Do::Step(Way::Forward))),
        (&presenting, "PageDown", Focus::Own, None),
        (&presenting, "PageUp", Focus::Button, Some(Do::Step(Way::Back))),
        (&plain, "Home", Focus::Stage, Some(Do::Seek(Step::from_raw(0)))),
        (&plain, "End", Focus::Timeline, Some(Do::Seek(Step::from_raw(8)))),
        (&plain, " ", Focus::Stage, Some(Do::Play)),
        (&plain, " ", Focus::Button, None),
        (&plain, "Enter", Focus::Stage, None),
        (&armed, "Enter", Focus::Stage, Some(Do::AimWrite)),
        (&armed, "Enter", Focus::Own, Some(Do::AimWrite)),
        (&armed, "Enter", Focus::Button, None),
        (&plain, "Escape", Focus::Field, Some(Do::Escape)),
        (&plain, "a", Focus::Stage, Some(Do::Allocate)),
        (&plain, "a", Focus::Field, None),
        (&plain, "f", Focus::Own, Some(Do::FreeSelected)),
        (&plain, "o", Focus::Button, Some(Do::AimArm)),
        (&plain, "w", Focus::Stage, Some(Do::WholeChain)),
        (&plain, "z", Focus::Stage, Some(Do::Undo)),
        (&plain, "Z", Focus::Stage, Some(Do::Redo)),
        (&plain, "t", Focus::Stage, Some(Do::NextTheme)),
        (&plain, "p", Focus::Stage, Some(Do::Present)),
        (&plain, "b", Focus::Stage, None),
        (&presenting, "b", Focus::Stage, Some(Do::Blank)),
        (&plain, "e", Focus::Stage, Some(Do::Drawer(Some(Drawer::Export)))),
        (&plain, "?", Focus::Stage, Some(Do::Drawer(Some(Drawer::Keys)))),
        (&plain, "?", Focus::Field, None),
        (&plain, "7", Focus::Stage, Some(Do::Digit(7))),
        (&plain, "g", Focus::Stage, Some(Do::GoToDigits)),
        (&plain, "Tab", Focus::Stage, None),
    ];
    for (session, key, focus, expected) in table {
        let press = KeyPress { key: key.to_owned(), modified: false, held: false };
        assert_eq!(action_of(&press, focus, session), expected, "{key} on {focus:?}");
    }
}

#[test]
fn letters_can_be_switched_off_and_held_modifiers_are_the_browsers() {
    let quiet = after(&[Do::LetterKeys(false)]);
    let press = |key: &str, modified| KeyPress { key: key.to_owned(), modified, held: false };
    for key in ["a", "o", "p", "7", "g"] {
        assert_eq!(action_of(&press(key, false), Focus::Stage, &quiet), None, "{key}");
    }
    assert_eq!(action_of(&press("ArrowLeft", false), Focus::Stage, &quiet), Some(Do::Step(Way::Back)));
    assert_eq!(action_of(&press("p", true), Focus::Stage, &Session::new()), None);
}

#[test]
fn escape_closes_what_is_nearest() {
    let mut session = after(&[Do::Present, Do::Drawer(Some(Drawer::Log)), Do::Blank, Do::AimArm]);
    session.update(Do::Escape);
    assert!(session.aim().is_none() && session.look().blank);
    session.update(Do::Escape);
    assert!(!session.look().blank && session.look().drawer.is_some());
    session.update(Do::Escape);
    assert!(session.look().drawer.is_none() && session.look().presenting);
    session.update(Do::Escape);
    assert!(!session.look().presenting);
}

/// What was decoded before is taken over where the cursor moves by one; it must be what would be decoded anew.
#[test]
fn snapshots_that_are_taken_over_are_those_of_their_steps() {
    let mut session = Session::new();
    let back = Action::Step(Way::Back);
    let walk = [
        back.clone(),
        back.clone(),
        Action::Step(Way::Forward),
        Action::Allocate,
        back.clone(),
        Action::FreeSelected,
        Action::Undo,
        Action::SwitchBranch(0),
        back,
        Action::Seek(Step::from_raw(1)),
        Action::Seek(Step::default()),
        Action::Step(Way::Forward),
    ];
    for action in walk {
        session.update(action.clone());
        let at = session.cursor();
        let there = |step: Step| {
            let mut timeline = session.timeline().clone();
            timeline.seek(step);
            timeline.machine().snapshot()
        };
        assert_eq!(**session.snapshot(), there(at), "{action:?}");
        let before = at.raw().checked_sub(1).map(|step| there(Step::from_raw(step)));
        assert_eq!(session.before.as_deref(), before.as_ref(), "{action:?}");
    }
}
