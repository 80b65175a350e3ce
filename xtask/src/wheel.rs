//! The wheel of the Python package: the host, and torch-encoder.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::build::{HOST, PUBLISHED};
use crate::command::{root, run_cargo, target_folder};
use crate::python::environment;
use crate::torch;

/// Builds the host and torch-encoder in release mode and puts them into a wheel in `target/wheel`; `--without-torch` leaves torch-encoder
/// out.
pub fn wheel(arguments: &[String]) -> Result<ExitCode, String> {
    let with_torch = match arguments {
        [] => true,
        [argument] if argument == "--without-torch" => false,
        _ => return Err("usage: cargo xtask wheel [--without-torch]".to_owned()),
    };
    run_cargo(&[&["build", "--release", "--package", HOST], &PUBLISHED[..]].concat())?;
    let built = target_folder().join("release");
    let plugin = built.join("libmteb_plugin_torch.so");
    if with_torch {
        torch::build()?;
    }
    let (folder, version) = (target_folder().join("wheel"), env!("CARGO_PKG_VERSION"));
    let made =
        pack(&root(), &built, &folder, version, &environment()?, with_torch.then_some(plugin.as_path()))?;
    println!("{}", made.display());
    Ok(ExitCode::SUCCESS)
}

/// The wheel in `out` of the project in `folder`, whose host lies in `built`; `python` has what makes it.
///
/// # Errors
/// If it cannot be made.
pub fn make(
    folder: &Path,
    built: &Path,
    out: &Path,
    version: &str,
    python: &Path,
) -> Result<PathBuf, String> {
    pack(folder, built, out, version, python, None)
}

fn pack(
    folder: &Path,
    built: &Path,
    out: &Path,
    version: &str,
    python: &Path,
    torch: Option<&Path>,
) -> Result<PathBuf, String> {
    let mut command = Command::new(python);
    command.arg(folder.join("xtask/python/wheel.py")).arg(built).arg(out).arg(version).args(torch);
    let made = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("{}: {error}", python.display()))?;
    match made.status.success() {
        true => Ok(PathBuf::from(String::from_utf8_lossy(&made.stdout).trim())),
        false => Err("the wheel could not be made".to_owned()),
    }
}
