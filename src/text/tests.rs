//! What is said of scripts at their steps, in tables: kernel, script, step, words.

use super::{Log, Names, as_sentence, sentence, table};
use crate::lessons::LessonId;
use crate::scene::{self, Frame};
use crate::session::{Action as Do, Invite, Session, Toggle};
use slabscope_core::kernel::Switch;
use slabscope_core::units::Step;

/// A script on the bench at one of its steps.
fn at(kernel: &str, lines: &str, step: u32) -> Session {
    let lines = lines.replace(" / ", "\n");
    let mut session = Session::new();
    session.update(Do::Script(format!("slabscope 1\ntitle T\nkernel {kernel}\nluck 7\n\n{lines}\n")));
    assert_eq!(session.line_error(), None, "{lines}");
    session.update(Do::Seek(Step::from_raw(step)));
    session
}

/// A lesson's last step, with a switch flipped or not.
fn lesson_end(lesson: LessonId, toggle: Option<Toggle>) -> Session {
    let mut session = Session::new();
    session.update(Do::OpenLesson(lesson));
    session.update(Do::Seek(session.story().scenario.last_step()));
    toggle.into_iter().for_each(|toggle| drop(session.update(Do::Flip(toggle))));
    session
}

#[track_caller]
fn heads(table: &[(&str, &str, u32, &str)]) {
    for (kernel, lines, step, head) in table {
        assert_eq!(sentence(&at(kernel, lines, *step)).head, *head, "{kernel}: {lines}, step {step}");
    }
}

const DOUBLE_FREE: &str = "a = kmalloc 64 / free a / kfree a / p = kmalloc 64 / q = kmalloc 64";

#[test]
fn two_names_of_one_object_are_told_as_such() {
    for (lines, step, tail) in [
        (DOUBLE_FREE, 5, "p and q are one object."),
        (
            "a = kmalloc 64 / b = kmalloc 64 / free a / free b / kfree a / p = kmalloc 64 / q = kmalloc 64 / r = kmalloc 64",
            8,
            "p and r are one object.",
        ),
        (
            "target = kmalloc 192 / a = kmalloc 64 / v = kmalloc 64 / free v / overflow a 8 target / p = kmalloc 64 / q = kmalloc 64",
            7,
            "q is no object of this slab. Who writes to q writes into another cache.",
        ),
        (
            "t = kmalloc 64 / a = kmalloc 64 / v = kmalloc 64 / free v / overflow a 8 t / p = kmalloc 64 / q = kmalloc 64",
            7,
            "t and q are one object.",
        ),
    ] {
        assert_eq!(sentence(&at("5.6", lines, step)).tail, tail, "{lines}");
    }
    for lesson in LessonId::ALL {
        for toggle in
            [Toggle::MiddlePointer, Toggle::Kernel(Switch::FreelistHardened), Toggle::Kernel(Switch::FreelistRandom)]
        {
            let session = lesson_end(lesson, Some(toggle));
            let why = session.timeline().machine().verdict().map(|verdict| verdict.why.to_string()).unwrap_or_default();
            let tail = sentence(&session).tail;
            assert!(
                !why.ends_with("handed out twice") || !tail.contains("another cache"),
                "{lesson:?} {toggle:?}: {tail}"
            );
        }
    }
}

#[test]
fn a_switch_is_invited_where_it_changes_what_comes_of_it() {
    let hidden = Toggle::Kernel(Switch::FreelistHardened);
    let between = "a = kmalloc 64 / b = kmalloc 64 / free a / free b / kfree a / p = kmalloc 64 / q = kmalloc 64 / r = kmalloc 64";
    for (kernel, lines, step, invited) in [
        ("5.6", DOUBLE_FREE, 5, Invite::Flip(hidden)),
        ("6.1", DOUBLE_FREE, 5, Invite::Flip(hidden)),
        ("5.6", between, 8, Invite::Allocate),
        ("4.7", DOUBLE_FREE, 5, Invite::Allocate),
        (
            "5.6",
            "target = kmalloc 192 / a = kmalloc 64 / v = kmalloc 64 / free v / overflow a 8 target / p = kmalloc 64 / q = kmalloc 64",
            7,
            Invite::Flip(Toggle::MiddlePointer),
        ),
    ] {
        assert_eq!(at(kernel, lines, step).invite(), invited, "{kernel}: {lines}");
    }
}

#[test]
fn a_write_is_told_by_what_it_wrote_itself() {
    let lines = "a = kmalloc 64 / v = kmalloc 64 / w = kmalloc 64 / x = kmalloc 64 / b = kmalloc 192 / free v / \
                 overflow a 8 zeros / overflow w 8 \"A\" / overflow b 8 \"B\"";
    heads(&[
        ("5.6", lines, 7, "v’s pointer is overwritten by 8 bytes."),
        ("5.6", lines, 8, "8 bytes past w change x’s data."),
        ("5.6", lines, 9, "object 1’s pointer is overwritten by 8 bytes."),
        ("5.6", "a = kmalloc 64 / b = kmalloc 64 / overflow a 1 zeros", 3, "1 byte past a changes b’s data."),
        (
            "6.1 slub_debug=FZPU",
            "a = kmalloc 64 / b = kmalloc 64 / overflow b 1 zeros",
            3,
            "1 byte past b ends in the right red zone.",
        ),
        (
            "6.1",
            "a = kmalloc 64 / v = kmalloc 64 / free v / overflow a 8 zeros / write a 8 zeros / p = kmalloc 64 / q = kmalloc 64",
            7,
            "8 bytes hit v’s data, not its pointer.",
        ),
        (
            "6.1",
            "a = kmalloc 64 / v = kmalloc 64 / w = kmalloc 64 / x = kmalloc 64 / free v / free x / overflow a 8 zeros / \
             overflow w 8 zeros / p = kmalloc 64 / q = kmalloc 64",
            10,
            "8 bytes hit x’s data, not its pointer.",
        ),
    ]);
}

/// The sentence, the box of the next allocation, the lens, the table and the log call one object by one name.
#[test]
fn an_object_has_one_name_everywhere() {
    for (kernel, lines, step, name) in [
        ("5.6", "a = kmalloc 64 / free a / b = kmalloc 64 / free b", 4, "b"),
        ("5.6", "a = kmalloc 64 / free a / b = kmalloc 64 / free b / a = kmalloc 64 / free a", 6, "a"),
        ("6.1", "a = kmalloc 64 / free a / b = kmalloc 64 / free b", 4, "b"),
        ("6.1", "a = kmalloc 64 / free a / kfree a / p = kmalloc 64 / q = kmalloc 64 / free q", 6, "p"),
    ] {
        let session = at(kernel, lines, step);
        let next = scene::next_out(&session.view(Frame::Wide));
        let written = next.boxes[0].texts.iter().any(|text| text.words == name);
        assert!(written, "the box of {lines}: {:?}", next.boxes[0].texts);
        let object = session.selected().and_then(|object| session.object(object)).expect("an object in hand");
        assert_eq!(Names::of(&session).at(object.address).map(|name| name.as_str()), Some(name), "{lines}");
        let slab = session.snapshot().slabs.iter().find(|slab| slab.objects.contains(object)).expect("its slab");
        assert!(table(Names::of(&session), slab).iter().any(|row| row.name == name), "the table of {lines}");
    }
    for (lines, step, state) in
        [(DOUBLE_FREE, 5, "in use · also p"), ("a = kmalloc 64 / free a / b = kmalloc 64", 3, "in use · was a")]
    {
        let lens = scene::lens(&at("5.6", lines, step).view(Frame::Wide));
        let scene::Lens::Objects(objects) = lens.body else { panic!("objects in the lens") };
        assert!(objects[0].texts.iter().any(|text| text.words == state), "the lens of {lines}: {:?}", objects[0].texts);
    }
    let tail = sentence(&at("5.6", "a = kmalloc 64 / free a / b = kmalloc 64 / free b", 4)).tail;
    assert_eq!(tail, "The next allocation returns b.");
    let target = lesson_end(LessonId::EightBytes, None);
    let address = target.timeline().record(Step::from_raw(8)).and_then(|record| record.result.as_ref().ok()?.returned);
    assert_eq!(Names::of(&target).at(address.expect("an address")).map(|name| name.as_str()), Some("target"));
}

#[test]
fn a_line_of_the_log_names_things_as_they_were_at_its_step() {
    let told = |kernel, lines: &str, step| {
        let session = at(kernel, lines, step);
        let mut log = Log::new(Names::of(&session));
        let lines: Vec<String> = session.log().flat_map(|record| log.lines(record)).map(|line| line.words).collect();
        let words = lines.iter().filter_map(|line| Some(line.split_once(" = ")?.0.trim().to_owned()));
        words.filter(|line| line.starts_with("returned") || line.starts_with("freed")).collect::<Vec<_>>()
    };
    for (kernel, lines, step, words) in [
        (
            "5.6",
            "a = kmalloc 64 / free a / b = kmalloc 64 / free b",
            4,
            &["returned a", "freed a", "returned b", "freed b"][..],
        ),
        ("5.6", DOUBLE_FREE, 5, &["returned a", "freed a", "freed a", "returned p", "returned q"]),
        (
            "5.6",
            "h = kmalloc 20000 / free h / a = kmalloc 64 / k = krealloc a 20000",
            4,
            &["returned h", "freed h", "returned a", "returned k", "freed a"],
        ),
        ("6.1", "cache c 64 / bulk x 2 c / free x0", 3, &["returned x0", "returned x1", "freed x0"]),
    ] {
        assert_eq!(told(kernel, lines, step), words, "{lines}");
    }
}

#[test]
fn a_free_is_told_by_what_it_did() {
    heads(&[
        ("5.6", "z = kmalloc 0 / free z", 2, "kfree(z) does nothing: z is no object."),
        ("5.6", "h = kmalloc 20000 / free h", 2, "h was whole pages: they are free again."),
        ("5.6", "c = kmalloc 8 / free c", 2, "c is free, so its 8 bytes say which object is next."),
        ("6.1", "c = kmalloc 8 / free c", 2, "c is free, so its 8 bytes say which object is next."),
        ("6.1 hidden=on", "c = kmalloc 8 / free c", 2, "c is free: its 8 bytes are hidden."),
        ("6.1", "c = kmalloc 64 / free c", 2, "c is free: 8 bytes in its middle name the next object."),
        ("6.1 hidden=on", "c = kmalloc 64 / free c", 2, "c is free: the 8 bytes in its middle are hidden."),
        ("5.6", "c = kmalloc 64 / free c", 2, "c is free, so its first 8 bytes say which object is next."),
        ("6.1", "b = kmalloc 64 / free b / free b", 3, "b is on its list twice: the list loops."),
        ("5.6", "b = kmalloc 64 / free b / kfree b", 3, "b is on its list twice: the list loops."),
        ("7.3", "b = kmalloc 64 / free b / kfree b", 3, "b lies in a sheaf twice."),
        ("7.3", "b = kmalloc 64 / free b", 2, "b lies in a sheaf: nothing is written to it."),
    ]);
}

#[test]
fn an_oops_is_told_once_and_the_next_step_is_ordinary() {
    let copy = "cache rc 100 flags=rcu / bulk x 10 rc / copy to x1 16 / a = kmalloc 64";
    let session = at("6.1 usercopy=on", copy, 3);
    assert_eq!(sentence(&session).head, "`copy to x1 16` ends in a kernel BUG.");
    assert_eq!(sentence(&session).tail, "Nothing was copied. The task is dead, and the machine runs on.");
    assert_eq!(session.invite(), Invite::StepBack);
    let later = at("6.1 usercopy=on", copy, 4);
    assert_eq!(sentence(&later).head, "a is in use.");
    assert_eq!(later.invite(), Invite::Allocate);
    let double = at("6.1 hidden=on", "b = kmalloc 64 / free b / free b", 3);
    assert_eq!(sentence(&double).tail, "Nothing was freed. The task is dead, and the machine runs on.");
}

#[test]
fn what_is_wrong_is_a_sentence() {
    for (words, told) in [
        ("no object is named `a`", "No object is named `a`."),
        ("the machine hangs: step back", "The machine hangs: step back."),
        ("`a` is no command: did you mean `b`?", "`a` is no command: did you mean `b`?"),
        ("kmalloc of 9 bytes: at most 8", "kmalloc of 9 bytes: at most 8."),
        ("slub_debug= came later", "slub_debug= came later."),
        ("5000 objects at once: 1 to 4096", "5000 objects at once: 1 to 4096."),
        ("a second `luck`", "A second `luck`."),
        ("", "."),
    ] {
        assert_eq!(as_sentence(words), told);
    }
    let mut session = at("5.6", "a = kmalloc 64", 1);
    session.update(Do::TypedLine("free b".to_owned()));
    for act in [
        Do::LoadFromUrl("script=kernel%205.6%0A%0Aa%20=%20kmaloc%2064".to_owned()),
        Do::Script("a = kmaloc 64".to_owned()),
    ] {
        session.update(act);
        let tail = sentence(&session).tail;
        assert!(tail.starts_with(|first: char| !first.is_ascii_lowercase()) && !tail.contains("?."), "{tail}");
    }
}

#[test]
fn a_boot_option_of_no_letter_that_is_known_turns_nothing_on() {
    for (line, kept, on) in [
        ("slub_debug=Q", "slub_debug=Q", false),
        ("slub_debug=FQ", "slub_debug=FQ", true),
        ("slub_debug=-", "slub_debug=-", false),
    ] {
        let mut session = Session::new();
        session.update(Do::BootLine(line.to_owned()));
        let config = session.timeline().config();
        assert_eq!((crate::session::boot_line(config).as_str(), session.is_on(Toggle::Debug)), (kept, on), "{line}");
    }
}
