//! What may be absent on a machine (shared data, the Python environment with the reference's
//! packages), and the tests that are skipped then.

use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::panic::Location;
use std::path::PathBuf;

use crate::root;

/// The variable that names the list.
const LIST: &str = "MTEB_SKIPPED";

/// Skips the running test for want of what the developers and `cargo xtask test` have.
///
/// # Panics
/// Where `CI` is `true`: there it must not be absent.
#[track_caller]
pub fn absent(reason: impl Display) {
    let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(!in_ci, "needed in CI: {reason}");
    skip(reason);
}

/// Skips the running test, which needs another machine.
///
/// # Panics
/// If the list cannot be written: a test that nobody counts is one that passes.
#[track_caller]
pub fn skip(reason: impl Display) {
    let test = running_test(Location::caller());
    // Not by a macro, whose output is shown of failing tests alone.
    let _ = writeln!(io::stderr(), "skipped: {test}: {reason}");
    let Some(list) = std::env::var_os(LIST) else { return };
    let line = format!("{test}\t{reason}\n");
    let written = OpenOptions::new().append(true).create(true).open(&list);
    let written = written.and_then(|mut file| file.write_all(line.as_bytes()));
    assert!(written.is_ok(), "{}: {written:?}", list.to_string_lossy());
}

/// The program and the name of the running test; a test that is alone in its program may have no thread that bears its name.
fn running_test(place: &Location<'_>) -> String {
    let program = std::env::current_exe().unwrap_or_default();
    let program = program.file_stem().unwrap_or_default().to_string_lossy();
    let program = program.rsplit_once('-').map_or(&*program, |(name, _)| name);
    match std::thread::current().name() {
        Some(name) if name != "main" => format!("{program} {name}"),
        _ => format!("{program} {}:{}", place.file(), place.line()),
    }
}

/// The folder with real datasets and the reference's results.
///
/// `None`, after a line that says so, where it is absent; a failure where it is absent and `CI` is `true`.
#[track_caller]
pub fn shared() -> Option<PathBuf> {
    let folder = root().join("../shared");
    if folder.join("golden").is_dir() {
        return Some(folder);
    }
    absent(format!("no {}", folder.display()));
    None
}

/// Its interpreter, as `MTEB_PYTHON` names it.
///
/// `None`, after a line that says so, where it is absent; a failure where it is absent and `CI` is `true`.
#[track_caller]
pub fn python() -> Option<PathBuf> {
    let named = std::env::var_os("MTEB_PYTHON").filter(|value| !value.is_empty());
    if named.is_none() {
        absent("`MTEB_PYTHON` names no interpreter with the packages of xtask/python/requirements.txt");
    }
    named.map(PathBuf::from)
}
