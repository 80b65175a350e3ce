//! Tests that could not run here: counted where everyone sees it, since they passed nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::command::target_folder;

/// By this variable tests find the list in which each that is skipped writes a line: its name, a tab, the reason.
const LIST: &str = "MTEB_SKIPPED";

/// Begins the list again.
///
/// # Errors
/// If the old one cannot be removed.
pub fn begin() -> Result<(), String> {
    let list = list();
    if list.exists() {
        fs::remove_file(&list).map_err(|error| format!("{}: {error}", list.display()))?;
    }
    Ok(())
}

/// Lets the tests that `command` runs write into the list.
pub fn note(command: &mut Command) {
    command.env(LIST, list());
}

/// Prints how many tests were skipped since [`begin`], and why.
pub fn print() {
    eprintln!("\n{}", summary(&fs::read_to_string(list()).unwrap_or_default()));
}

fn list() -> PathBuf {
    target_folder().join("skipped.tsv")
}

/// A line for each reason, after one with the number of tests; a test is counted once, however many lines it wrote.
fn summary(list: &str) -> String {
    let tests: BTreeMap<&str, &str> = list.lines().filter_map(|line| line.split_once('\t')).collect();
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (test, reason) in &tests {
        reasons.entry(reason).or_default().push(test);
    }
    let lines =
        reasons.iter().map(|(reason, tests)| format!("\n  {} × {reason}: {}", tests.len(), tests.join(", ")));
    format!("skipped, and counted as passed above: {} tests{}", tests.len(), lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skipped_test_is_counted_once_with_its_reason() {
        assert_eq!(summary(""), "skipped, and counted as passed above: 0 tests");
        let list = "e2e hub::a\tno ../shared\ne2e hub::a\tno ../shared\ne2e page::b\tno Chromium\ne2e hub::c\tno ../shared\n";
        let expected = "skipped, and counted as passed above: 3 tests\n  2 × no ../shared: e2e hub::a, e2e hub::c\n  1 × no Chromium: e2e page::b";
        assert_eq!(summary(list), expected);
    }
}
