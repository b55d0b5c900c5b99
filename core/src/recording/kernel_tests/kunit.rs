//! `kunit.json`: the results of slub_kunit, by boot and test. A test is ok where the kernel found as many errors as the test
//! expects; ours is ok where its scenario, which expects the same, has all that it expects.
//!
//! The file does not say which kernel it is of. Which tests it has tells the version; whether the kernel was hardened is open, and
//! both are run, but of a test whose scenario writes a link as it is where links are not hidden.

use super::{parsed, scenario};
use crate::kernel::{KernelConfig, SlubDebug, Version};
use crate::recording::read::BadFile;
use crate::recording::report::{Comparison, Place, Report, count};
use crate::recording::subject::RECORDED;
use crate::script::play_on;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A test of the suite.
struct Test {
    name: &'static str,
    since: Version,
    /// Its acts. The kernel's own machinery is not: contexts in which an allocation may not wait for a lock.
    scenario: Option<&'static str>,
}

const V5_13: Version = Version::release(5, 13);
const V6_2: Version = Version::release(6, 2);
const V6_12: Version = Version::release(6, 12);
const V7_0: Version = Version::release(7, 0);

const TESTS: [Test; 11] = [
    Test { name: "test_clobber_zone", since: V5_13, scenario: Some(scenario!("kunit-clobber-zone")) },
    Test { name: "test_next_pointer", since: V5_13, scenario: Some(scenario!("kunit-next-pointer")) },
    Test { name: "test_first_word", since: V5_13, scenario: Some(scenario!("kunit-first-word")) },
    Test { name: "test_clobber_50th_byte", since: V5_13, scenario: Some(scenario!("kunit-clobber-50th-byte")) },
    Test { name: "test_clobber_redzone_free", since: V5_13, scenario: Some(scenario!("kunit-clobber-redzone-free")) },
    Test {
        name: "test_kmalloc_redzone_access",
        since: V6_2,
        scenario: Some(scenario!("kunit-kmalloc-redzone-access")),
    },
    Test { name: "test_kfree_rcu", since: V6_12, scenario: Some(scenario!("kunit-kfree-rcu")) },
    Test { name: "test_leak_destroy", since: V6_12, scenario: Some(scenario!("kunit-leak-destroy")) },
    Test { name: "test_kfree_rcu_wq_destroy", since: V7_0, scenario: Some(scenario!("kunit-kfree-rcu-wq-destroy")) },
    Test {
        name: "test_krealloc_redzone_zeroing",
        since: V7_0,
        scenario: Some(scenario!("kunit-krealloc-redzone-zeroing")),
    },
    Test { name: "test_kmalloc_nolock_and_friends_perf", since: V7_0, scenario: None },
];

/// The test that puts a link back which the check before took away.
const WRITES_A_LINK: &str = "test_next_pointer";

/// The result of the whole suite.
const SUITE: &str = "slub_test";

/// Compares the results of each boot.
pub(in crate::recording) fn compare(top: Map<String, Value>) -> Result<Report, BadFile> {
    let expected = "results by boot and test, such as \"test_clobber_zone\": \"ok\"";
    let boots: BTreeMap<String, BTreeMap<String, String>> = serde_json::from_value(Value::Object(top))
        .map_err(|error| BadFile::whole(format!("results of KUnit: {error}"), expected))?;
    let mut report = Report { title: format!("results of slub_kunit, {} boots", boots.len()), ..Report::default() };
    for (boot, results) in &boots {
        let told: BTreeSet<&str> = results.keys().map(String::as_str).filter(|name| *name != SUITE).collect();
        match RECORDED.into_iter().find(|version| tests_of(*version).map(|test| test.name).eq(told.iter().copied())) {
            Some(version) => compare_boot(&mut report, boot, results, version)?,
            None => {
                let why = format!("boot {boot}: tests that no recorded version has together");
                count(&mut report.not_modelled, &why, u64::from(crate::units::count_from(told.len())));
            }
        }
    }
    Ok(report)
}

/// The tests of a version, by name.
fn tests_of(version: Version) -> impl Iterator<Item = &'static Test> {
    let mut tests: Vec<&Test> = TESTS.iter().filter(|test| test.since <= version).collect();
    tests.sort_by_key(|test| test.name);
    tests.into_iter()
}

fn compare_boot(
    report: &mut Report,
    boot: &str,
    results: &BTreeMap<String, String>,
    version: Version,
) -> Result<(), BadFile> {
    let mut all_ok = true;
    for test in tests_of(version) {
        let Some(theirs) = results.get(test.name) else { continue };
        if theirs.contains("# SKIP") {
            count(&mut report.given, "tests that skipped themselves", 1);
            continue;
        }
        let Some(text) = test.scenario else {
            count(&mut report.not_modelled, &format!("{}, which asks for locks not to be waited for", test.name), 1);
            continue;
        };
        let writes_a_link = test.name == WRITES_A_LINK;
        for is_hardened in [false, true].into_iter().filter(|is_hardened| !is_hardened || !writes_a_link) {
            let place = format!("{boot}, {}, {}", test.name, if is_hardened { "hardened" } else { "plain" });
            let mut comparison = Comparison::new("test", Place::Entry(place.clone()));
            let unmet = unmet(text, boot, version, is_hardened).map_err(|why| BadFile::whole(place, why))?;
            let theirs_is_ok = theirs.starts_with("ok");
            match (theirs_is_ok, unmet.first()) {
                (true, Some(unmet)) => comparison.differ("result", theirs.as_str(), format!("not ok: {unmet}")),
                (theirs, ours) => comparison.same("result", theirs, ours.is_none()),
            }
            all_ok &= unmet.is_empty();
            report.close(comparison);
        }
    }
    if let Some(theirs) = results.get(SUITE) {
        let mut comparison = Comparison::new("suite", Place::Entry(format!("{boot}, {SUITE}")));
        comparison.same("result", theirs.starts_with("ok"), all_ok);
        report.close(comparison);
    }
    Ok(())
}

/// What a test expects and does not find, in a boot of such a kernel. Where the boot has no checks for all caches, the scenario's
/// own option stands for the flags of the test's own cache.
fn unmet(text: &str, boot: &str, version: Version, is_hardened: bool) -> Result<Vec<String>, String> {
    let scenario = parsed(text);
    let mut kernel = KernelConfig {
        version,
        freelist_random: is_hardened,
        freelist_hardened: is_hardened,
        ..scenario.kernel.clone()
    };
    if boot != "none" {
        kernel.slub_debug = Some(SlubDebug::parse(boot));
    }
    let played = play_on(&scenario, &kernel).map_err(|error| error.to_string())?;
    Ok(played.unmet().map(ToString::to_string).collect())
}
