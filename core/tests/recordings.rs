//! Every recording in `kernel/` replayed, and every listing of caches there compared: all that the rules determine is
//! equal. Invariants are checked at every 64th operation.

use slabscope_core::invariants;
use slabscope_core::recording::{Report, Step, Verdict, verify_watched};
use std::path::{Path, PathBuf};

/// Operations between two checks of the invariants.
const CHECKED_EVERY: u32 = 64;

/// Scenarios that damage free pointers or free what is not theirs on purpose.
const DAMAGING: [&str; 2] = ["s5", "s4err"];

#[track_caller]
fn check(kernel: &str, starts: &[&str]) {
    let files = files_of(kernel, starts);
    assert!(!files.is_empty(), "no recording of {kernel} starts with one of {starts:?}");
    for file in files {
        let name = file.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let bytes = std::fs::read(&file).expect("a readable file");
        let report = verify_watched(&bytes, |step| check_invariants(&name, &step)).expect("a whole recording");
        check_report(&format!("{kernel}/{name}"), &report);
    }
}

/// The recordings of a kernel whose names start with one of `starts`, up to the run's name.
fn files_of(kernel: &str, starts: &[&str]) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel").join(kernel);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder of recordings")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            starts.iter().any(|start| name.starts_with(start))
        })
        .collect();
    files.sort();
    files
}

#[track_caller]
fn check_invariants(name: &str, step: &Step<'_>) {
    if !step.number.is_multiple_of(CHECKED_EVERY) {
        return;
    }
    let line = step.line;
    if let Err(broken) = invariants::structure(step.kernel) {
        panic!("{name}, line {line}: {broken}");
    }
    if let (false, Err(broken)) =
        (DAMAGING.iter().any(|start| name.starts_with(start)), invariants::chains(step.kernel))
    {
        panic!("{name}, line {line}: {broken}");
    }
}

/// All equal, and nothing left out.
#[track_caller]
fn check_report(name: &str, report: &Report) {
    assert_eq!(report.first, None, "{name}: {report}");
    assert!(report.compared() > 0, "{name}: {report}");
    assert_eq!(report.equal(), report.compared(), "{name}: {report}");
    assert!(report.verdict() != Verdict::Differs, "{name}: {report}");
    assert!(report.not_modelled.is_empty(), "{name}: {report}");
}

macro_rules! replays {
    ($($test:ident: $kernel:literal $starts:expr;)*) => {
        $(#[test]
        fn $test() {
            check($kernel, &$starts);
        })*
    };
}

replays! {
    fill_hardened: "6.1-hardened" ["s1-", "s1b-"];
    fill_plain: "6.1-plain" ["s1-", "s1b-"];
    reuse_and_bulk_hardened: "6.1-hardened" ["s2-"];
    reuse_and_bulk_plain: "6.1-plain" ["s2-"];
    random_mix_hardened: "6.1-hardened" ["s3-"];
    random_mix_plain: "6.1-plain" ["s3-"];
    random_mix_with_bytes_hardened: "6.1-hardened" ["s3b-"];
    random_mix_with_bytes_plain: "6.1-plain" ["s3b-"];
    damage_hardened: "6.1-hardened" ["s5"];
    damage_plain: "6.1-plain" ["s5"];
    several_cpus_hardened: "6.1-hardened" ["s10a-", "s10c-"];
    several_cpus_plain: "6.1-plain" ["s10a-"];
    several_cpus_6_12: "6.12-hardened" ["s10a-", "s10c-"];
    several_cpus_7_3: "7.3-hardened" ["s10a-", "s10b-"];
    kfree_rcu_hardened: "6.1-hardened" ["s11-"];
    kfree_rcu_plain: "6.1-plain" ["s11-"];
    kfree_rcu_6_12: "6.12-hardened" ["s11-"];
    kfree_rcu_7_3: "7.3-hardened" ["s11-"];
    kmalloc_hardened: "6.1-hardened" ["s6-"];
    kmalloc_plain: "6.1-plain" ["s6-"];
    merging_hardened: "6.1-hardened" ["s12-"];
    krealloc_hardened: "6.1-hardened" ["s13-"];
    krealloc_plain: "6.1-plain" ["s13-"];
    merging_plain: "6.1-plain" ["s12-"];
    zeroing_hardened: "6.1-hardened" ["s8-"];
    zeroing_plain: "6.1-plain" ["s8-"];
    checks_in_a_random_mix_hardened: "6.1-hardened" ["s3d-"];
    checks_in_a_random_mix_plain: "6.1-plain" ["s3d-"];
    checks_in_a_random_mix_6_12: "6.12-hardened" ["s3d-"];
    checks_in_a_random_mix_7_3: "7.3-hardened" ["s3d-"];
    bytes_of_checks_hardened: "6.1-hardened" ["s4bytes"];
    bytes_of_checks_plain: "6.1-plain" ["s4bytes"];
    bytes_of_checks_6_12: "6.12-hardened" ["s4bytes"];
    bytes_of_checks_7_3: "7.3-hardened" ["s4bytes"];
    reports_hardened: "6.1-hardened" ["s4err"];
    reports_plain: "6.1-plain" ["s4err"];
    reports_6_12: "6.12-hardened" ["s4err"];
    reports_7_3: "7.3-hardened" ["s4err"];
    single_objects_hardened: "6.1-hardened" ["s9-"];
    single_objects_plain: "6.1-plain" ["s9-"];
    single_objects_6_12: "6.12-hardened" ["s9-"];
    single_objects_7_3: "7.3-hardened" ["s9-"];
    kernel_tests_hardened: "6.1-hardened" ["kunit", "lkdtm"];
    kernel_tests_plain: "6.1-plain" ["kunit", "lkdtm"];
    kernel_tests_7_3: "7.3-hardened" ["kunit", "lkdtm"];
    geometry_hardened: "6.1-hardened" ["geometry"];
    geometry_plain: "6.1-plain" ["geometry"];
    fill_6_12: "6.12-hardened" ["s1-", "s1b-"];
    reuse_and_bulk_6_12: "6.12-hardened" ["s2-"];
    random_mix_6_12: "6.12-hardened" ["s3-"];
    random_mix_with_bytes_6_12: "6.12-hardened" ["s3b-"];
    damage_6_12: "6.12-hardened" ["s5"];
    kmalloc_6_12: "6.12-hardened" ["s6-"];
    krealloc_6_12: "6.12-hardened" ["s13-"];
    merging_6_12: "6.12-hardened" ["s12-"];
    zeroing_6_12: "6.12-hardened" ["s8-"];
    fill_7_3: "7.3-hardened" ["s1-", "s1b-"];
    fill_7_3_plain: "7.3-plain" ["s1-"];
    reuse_and_bulk_7_3: "7.3-hardened" ["s2-"];
    reuse_and_bulk_7_3_plain: "7.3-plain" ["s2-"];
    random_mix_7_3: "7.3-hardened" ["s3-"];
    random_mix_7_3_plain: "7.3-plain" ["s3-"];
    random_mix_with_bytes_7_3: "7.3-hardened" ["s3b-"];
    damage_7_3: "7.3-hardened" ["s5"];
    kmalloc_7_3: "7.3-hardened" ["s6-"];
    krealloc_7_3: "7.3-hardened" ["s13-"];
    merging_7_3: "7.3-hardened" ["s12-"];
    zeroing_7_3: "7.3-hardened" ["s8-"];
    geometry_7_3: "7.3-hardened" ["geometry"];
    geometry_debian_7_3: "debian-7.3.4-cloud" ["geometry"];
    geometry_debian_6_12: "debian-6.12.117-cloud" ["geometry"];
    geometry_debian: "debian-6.1.0-50-cloud" ["geometry"];
}
