//! What is printed reads back, and nothing that is typed panics.

use crate::generators::{any_command, any_kernel, any_value};
use proptest::prelude::*;
use slabscope_core::command::{Base, Name, Place};
use slabscope_core::luck::Seed;
use slabscope_core::outcome::Outcome;
use slabscope_core::script::{Check, KernelWords, Narration, Notes, Scenario, ScriptStep, parse_command, parse_kernel};
use slabscope_core::units::{Step, VirtAddr};

fn any_check() -> impl Strategy<Value = Check> {
    let place = ("[a-z][a-z0-9-]{0,6}", -9_i64..9).prop_filter_map("not a name", |(text, delta)| {
        Name::new(&text).map(|name| Place { base: Base::Object(name), delta })
    });
    let place = place.boxed();
    prop_oneof![
        (place.clone(), place.clone()).prop_map(|(left, right)| Check::Same { left, right }),
        (place.clone(), prop::option::of(1..500_u32)).prop_map(|(at, position)| Check::Free { at, position }),
        place.clone().prop_map(|at| Check::Lost { at }),
        place.clone().prop_map(|at| Check::Used { at }),
        (place.clone(), any::<u64>(), any_value(place.clone().boxed())).prop_map(|(at, len, value)| Check::Bytes {
            at,
            len,
            value
        }),
        place.prop_map(|at| Check::Waiting { at }),
        prop::option::of(prop::sample::select(&Outcome::ALL[..])).prop_map(Check::Outcome),
        any::<u64>().prop_map(|address| Check::Fault(VirtAddr::from_raw(address))),
        prop::sample::select(vec![Check::Bug, Check::Hang, Check::Refused, Check::Done]),
    ]
}

fn any_notes() -> impl Strategy<Value = Notes> {
    let text = || r#"[a-z"\\#=é—]{1,6}( [a-z"\\#=é—]{1,6}){0,8}"#;
    let narration = (text(), prop_oneof![Just(String::new()), text().prop_map(String::from)])
        .prop_map(|(sentence, consequence)| Narration { sentence: sentence.into(), consequence: consequence.into() });
    (prop::option::of(narration), prop::collection::vec(any_check(), 0..3))
        .prop_map(|(narration, checks)| Notes { narration, checks })
}

fn any_scenario() -> impl Strategy<Value = Scenario> {
    let step = (any_command(), any_notes()).prop_map(|(command, notes)| ScriptStep { command, notes });
    let target = prop::option::of("[a-z]{1,5}".prop_filter_map("a name", |text| Name::new(&text)));
    let goal = prop::option::of(prop::sample::select(&Outcome::ALL[..]));
    let steps = prop::collection::vec(step, 0..6);
    ("[!-~]{1,9}( [!-~]{1,9}){0,3}", any_kernel(), any::<u64>(), target, goal, any_notes(), steps).prop_map(
        |(title, kernel, luck, target, goal, start, steps)| {
            let open_at = Step::from_raw(u32::try_from(luck % (steps.len() as u64 + 1)).expect("few steps"));
            Scenario { title: title.into(), kernel, luck: Seed(luck), open_at, target, goal, start, steps }
        },
    )
}

proptest! {
    #![proptest_config(crate::generators::config(256))]

    #[test]
    fn a_printed_command_reads_back(command in any_command()) {
        prop_assert_eq!(parse_command(&command.to_string()), Ok(command));
    }

    #[test]
    fn a_printed_kernel_reads_back(kernel in any_kernel()) {
        prop_assert_eq!(parse_kernel(&KernelWords(&kernel).to_string()), Ok(kernel));
    }

    #[test]
    fn a_printed_scenario_reads_back(scenario in any_scenario()) {
        prop_assert_eq!(Scenario::parse(&scenario.to_string()), Ok(scenario));
    }

    /// Text made of the language's own pieces gets further than noise does.
    #[test]
    fn nothing_that_is_typed_panics(
        noise in "\\PC{0,40}",
        pieces in prop::collection::vec("[a-z]+ |= |\"|\\\\|0x[0-9a-f]*|kmalloc |free |expect |say |\t|\r|\n|#|[0-9]+|\\+|-|&|,|\\||é", 0..20),
    ) {
        let text = pieces.concat();
        for line in [noise.as_str(), text.as_str()] {
            if let Err(error) = parse_command(line) {
                prop_assert!(error.column >= 1 && !error.message().is_empty());
            }
            if let Err(error) = Scenario::parse(&format!("slabscope 1\ntitle T\nkernel 5.6\nluck 1\n\n{line}")) {
                prop_assert!(error.line >= 6);
            }
            prop_assert!(Scenario::parse(line).is_err());
        }
    }
}

/// A line of a million letters, and one of half a million words, are read in one go.
#[test]
fn very_long_lines_are_only_long() {
    let long = format!("write a 8 0x{}", "41".repeat(500_000));
    assert_eq!(parse_command(&long).expect("a command").to_string(), long);
    let words = format!("bulkfree{}", " x".repeat(500_000));
    assert_eq!(parse_command(&words).expect("a command").to_string(), words);
    let error = parse_command(&"x".repeat(1_000_000)).expect_err("no command");
    assert!(error.to_string().len() < 300, "a message shows the beginning of the word");
}
