//! Builds the tests together with the host that they start, runs them, and lists those that took
//! longest.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::build::{TORCH, WITHOUT_TORCH};
use crate::command::{cargo, root, run_cargo, succeed, target_folder};
use crate::skipped;

/// The program with all end-to-end tests, a module a topic.
const END_TO_END: &str = "e2e";

/// What they start: the host and all plugins, also those that misbehave.
const PARTS: [&str; 3] = ["--lib", "--bins", "--examples"];

/// By this variable the tests find the host; the plugins lie beside it, those that misbehave in `examples`.
const HOST: &str = "MTEB_TEST_HOST";

/// Threads of a torch that wait for one another sleep: they spin by default, and with several interpreters on few cores take the time of
/// those that they wait for. No number depends on it.
pub const WAITING: (&str, &str) = ("OMP_WAIT_POLICY", "passive");

/// Builds and runs all tests but the end-to-end ones and those of the plugin that links libtorch: by cargo-nextest where it is
/// installed, else by cargo.
///
/// # Errors
/// If something does not build, or a test fails.
pub fn unit_tests() -> Result<(), String> {
    build(&["--all-targets"])?;
    if has_nextest() {
        succeed(&mut run(&["nextest", "run"], &["--filterset", &format!("not binary({END_TO_END})")])?)?;
        print();
    } else {
        let others = other_tests()?;
        let others = others.iter().flat_map(|name| ["--test", name]);
        let targets: Vec<&str> = ["--lib", "--bins", "--examples"].into_iter().chain(others).collect();
        succeed(&mut run(&["test"], &targets)?)?;
    }
    // Examples in documentation are for cargo alone.
    succeed(&mut run(&["test"], &["--doc"])?)
}

/// Builds and runs the end-to-end tests; `python` is their interpreter.
///
/// # Errors
/// If something does not build, or a test fails.
pub fn end_to_end_tests(python: &Path) -> Result<(), String> {
    build(&[&PARTS[..], &["--test", END_TO_END]].concat())?;
    // They wait for programs more than they compute: two at a time for each core left two fifths of the cores idle.
    let threads = (3 * std::thread::available_parallelism().map_or(1, NonZero::get)).to_string();
    let mut tests = match has_nextest() {
        true => run(&["nextest", "run"], &["--test", END_TO_END, "--test-threads", &threads])?,
        false => run(&["test"], &["--test", END_TO_END, "--", "--test-threads", &threads])?,
    };
    tests.env("MTEB_PYTHON", python).env(WAITING.0, WAITING.1);
    succeed(&mut tests)?;
    print();
    Ok(())
}

/// Builds the end-to-end tests and what they start; gives the command that runs the tests with `arguments`.
///
/// # Errors
/// If cargo fails.
pub fn end_to_end(arguments: &[&str]) -> Result<Command, String> {
    build(&[&PARTS[..], &["--test", END_TO_END]].concat())?;
    run(&["test"], &[&["--quiet", "--test", END_TO_END, "--"], arguments].concat())
}

/// Whether the end-to-end tests have this topic.
pub fn is_topic(name: &str) -> bool {
    root().join("tests").join(name).join("mod.rs").is_file()
}

/// The command that runs the tests of `topic` whose names contain one of `names`, without any all of them. What follows the first
/// name that begins with `-` is for the program of the tests.
///
/// # Errors
/// If cargo fails, or no test has such a name.
pub fn topic(topic: &str, names: &[&str]) -> Result<Command, String> {
    let is_flag = |name: &&str| name.starts_with('-');
    let (names, flags) = names.split_at(names.iter().position(is_flag).unwrap_or(names.len()));
    let listed = list_tests(&mut end_to_end(&[flags, &["--list", "--format", "terse"]].concat())?)?;
    let chosen = choose_tests(&listed, topic, names);
    if chosen.is_empty() {
        let names = names.join(" or ");
        return Err(format!("tests/{topic}: expected a test with {names} in its name, found none"));
    }
    run(&["test"], &[&["--quiet", "--test", END_TO_END, "--", "--exact"], flags, &chosen].concat())
}

/// The command of cargo that runs tests that are built.
fn run(command: &[&str], arguments: &[&str]) -> Result<Command, String> {
    take_out_torch_plugin()?;
    let mut run = cargo();
    run.args([command, &WITHOUT_TORCH[..], arguments].concat()).env(HOST, host()?);
    skipped::note(&mut run);
    Ok(run)
}

/// Takes the plugin that links libtorch out of the folder of the host, where its lints leave it: tests find every plugin there, and this
/// one answers to any name of a model. Cargo puts it back when it is built again.
fn take_out_torch_plugin() -> Result<(), String> {
    let plugin = target_folder().join("debug/libmteb_plugin_torch.so");
    match fs::remove_file(&plugin) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(format!("{}: {error}", plugin.display())),
        _ => Ok(()),
    }
}

/// The names of the files of tests, but of those for which libtorch is needed.
fn other_tests() -> Result<BTreeSet<String>, String> {
    let output = cargo().args(["metadata", "--no-deps", "--format-version", "1"]).output();
    let output = output.map_err(|error| format!("cargo metadata: {error}"))?;
    let workspace: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages =
        workspace["packages"].as_array().into_iter().flatten().filter(|package| package["name"] != TORCH);
    let targets = packages.flat_map(|package| package["targets"].as_array().into_iter().flatten());
    let tests =
        targets.filter(|target| target["kind"][0] == "test").filter_map(|target| target["name"].as_str());
    Ok(tests.filter(|name| *name != END_TO_END).map(str::to_owned).collect())
}

fn has_nextest() -> bool {
    let version = cargo().args(["nextest", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// Builds with the features of all crates.
fn build(targets: &[&str]) -> Result<(), String> {
    run_cargo(&[&["build"], &WITHOUT_TORCH[..], targets].concat())
}

/// The built host.
fn host() -> Result<PathBuf, String> {
    let host = target_folder().join("debug/mteb-host");
    host.canonicalize().map_err(|error| format!("{}: {error}", host.display()))
}

/// The names of tests that a command lists.
fn list_tests(command: &mut Command) -> Result<Vec<String>, String> {
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cannot list the tests: {error}"))?;
    if !output.status.success() {
        return Err("the tests cannot be listed".to_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

/// Those of `topic` whose names contain one of `names` behind it, or all of them without any.
fn choose_tests<'a>(listed: &'a [String], topic: &str, names: &[&str]) -> Vec<&'a str> {
    let is_chosen = |test: &&str| {
        let own = test.strip_prefix(topic).and_then(|test| test.strip_prefix("::"));
        own.is_some_and(|own| names.is_empty() || names.iter().any(|name| own.contains(name)))
    };
    listed.iter().map(String::as_str).filter(is_chosen).collect()
}

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
    fn tests_of_a_topic_are_chosen_by_parts_of_their_names() {
        let listed =
            ["cli::leaderboard::a_line", "cli::report::a_line", "client::a_line", "page::leaderboard"];
        let listed = listed.map(str::to_owned);
        assert_eq!(choose_tests(&listed, "cli", &[]), ["cli::leaderboard::a_line", "cli::report::a_line"]);
        assert_eq!(choose_tests(&listed, "cli", &["leaderboard"]), ["cli::leaderboard::a_line"]);
        assert_eq!(choose_tests(&listed, "page", &["page"]), [""; 0], "the topic is no part of the name");
    }

    #[test]
    fn a_report_tells_the_seconds_of_each_test() {
        let report = "<testsuites time=\"3.1\"><testsuite name=\"xtask\">\n\
                      <testcase name=\"svg::a\" classname=\"xtask\" timestamp=\"2026\" time=\"0.25\"/>\n\
                      <testcase name=\"cli::b\" classname=\"mteb-host-tests::e2e\" time=\"2.5\">\n<failure/></testcase>";
        let expected = [(0.25, "xtask svg::a".to_owned()), (2.5, "mteb-host-tests::e2e cli::b".to_owned())];
        assert_eq!(tests(report), expected);
    }
}
