//! The tests that took longest, from what cargo-nextest wrote about them.

use std::fs;

use crate::command::target_folder;

/// Tests that are shown.
const SHOWN: usize = 20;

/// Prints the tests that took longest in the last run of cargo-nextest; nothing without one.
pub fn print() {
    let Ok(report) = fs::read_to_string(target_folder().join("nextest/default/junit.xml")) else { return };
    let mut tests = tests(&report);
    tests.sort_by(|left, right| right.0.total_cmp(&left.0));
    eprintln!("\nlongest tests, in seconds:");
    for (seconds, name) in tests.iter().take(SHOWN) {
        eprintln!("{seconds:>8.1}  {name}");
    }
}

/// Seconds and name of each test case of a report in the form of JUnit.
fn tests(report: &str) -> Vec<(f64, String)> {
    let cases = report.split("<testcase ").skip(1);
    let case = |case: &str| {
        let program = attribute(case, "classname")?;
        Some((attribute(case, "time")?.parse().ok()?, format!("{program} {}", attribute(case, "name")?)))
    };
    cases.filter_map(case).collect()
}

/// The value of an attribute of the tag in which `text` begins.
fn attribute<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut parts = text.split('>').next()?.split('"');
    std::iter::from_fn(|| Some((parts.next()?.trim(), parts.next()?)))
        .find_map(|(key, value)| (key.strip_suffix('=')? == name).then_some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_tells_the_seconds_of_each_test() {
        let report = "<testsuites time=\"3.1\"><testsuite name=\"xtask\">\n\
                      <testcase name=\"svg::a\" classname=\"xtask\" timestamp=\"2026\" time=\"0.25\"/>\n\
                      <testcase name=\"cli::b\" classname=\"mteb-host-tests::e2e\" time=\"2.5\">\n<failure/></testcase>";
        let expected = [(0.25, "xtask svg::a".to_owned()), (2.5, "mteb-host-tests::e2e cli::b".to_owned())];
        assert_eq!(tests(report), expected);
    }
}
