//! Tests that need what a machine may lack: those that could not run are counted where everyone sees
//! it, since they passed nothing; Chromium, and axe-core from npm, are fetched for the tests of pages.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{succeed, target_folder};

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

/// Version of axe-core.
const AXE: &str = "4.10.3";

/// SHA-256 of its package.
const AXE_SHA256: &str = "0f2b4d7dcdf7d1219df8d1959ad68e565f51d14c3f0d88bb71cd59abeb956292";

/// Fetches what is absent. Without root rights or npm the tests of pages skip, and fail where `CI` is `true`.
pub fn prepare_browser() -> Result<(), String> {
    if !Path::new("/usr/bin/chromium").exists() {
        println!("installing Chromium for the tests of pages");
        run_quietly("apt-get", &["update", "--quiet"]);
        run_quietly("apt-get", &["install", "--quiet", "--yes", "chromium"]);
    }
    fetch_axe()
}

fn fetch_axe() -> Result<(), String> {
    let folder = target_folder().join("axe");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let file = format!("axe-core-{AXE}.tgz");
    if !folder.join(&file).exists() {
        let mut npm = Command::new("npm");
        npm.args(["pack", "--silent"]).arg(format!("axe-core@{AXE}"));
        if !npm.current_dir(&folder).output().is_ok_and(|output| output.status.success()) {
            println!("axe-core could not be fetched from npm: the tests of accessibility skip");
            return Ok(());
        }
    }
    let sum = Command::new("sha256sum").arg(&file).current_dir(&folder).output();
    let sum = sum.map_err(|error| format!("sha256sum: {error}"))?;
    if !String::from_utf8_lossy(&sum.stdout).starts_with(AXE_SHA256) {
        return Err(format!("{file}: expected the SHA-256 {AXE_SHA256}, found another"));
    }
    succeed(Command::new("tar").arg("xzf").arg(&file).current_dir(&folder))
}

fn run_quietly(program: &str, arguments: &[&str]) {
    let done = Command::new(program).args(arguments).env("DEBIAN_FRONTEND", "noninteractive").output();
    if !done.is_ok_and(|output| output.status.success()) {
        println!("`{program} {}` failed", arguments.join(" "));
    }
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
