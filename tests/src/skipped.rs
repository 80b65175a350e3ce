//! What may be absent on a machine (shared data with the server of its mirror of a hub, the Python environment
//! with the reference's packages), and the tests that are skipped then.

use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::{self, BufRead, BufReader, Write};
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

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

/// The server of `../shared`, serving its mirror of datasets.
#[derive(Debug)]
pub struct Server {
    process: Child,
    /// Its address, as `http://127.0.0.1:1234`.
    pub address: String,
}

impl Server {
    /// Starts the server with more arguments, as `--fail-every 3`.
    ///
    /// # Errors
    /// If Python cannot be started.
    pub fn start(shared: &Path, arguments: &[&str]) -> io::Result<Self> {
        Self::of(shared, &shared.join("hub"), arguments)
    }

    /// Starts the server over another mirror, laid out as `datasets/<organisation>/<name>/<revision>/`.
    ///
    /// # Errors
    /// If Python cannot be started.
    pub fn of(shared: &Path, mirror: &Path, arguments: &[&str]) -> io::Result<Self> {
        let mut command = Command::new("python3");
        command.arg(shared.join("tools/serve_hub.py")).arg(mirror).args(arguments);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut address = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output).read_line(&mut address)?;
        }
        Ok(Self { process, address: address.trim().to_owned() })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A process that has ended already needs no end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
