//! The wheel of the Python package: the host, and torch-encoder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::build::{HOST, PUBLISHED, PUBLISHED_PROFILE};
use crate::command::{root, run_cargo, target_folder};
use crate::python::environment;
use crate::torch;
use xtask_start::paths::crates_folder;

/// Characters of a path that a message shows.
const LONGEST: usize = 160;

/// Builds the host as it is published, and torch-encoder in release mode, and puts them into a wheel in `target/wheel`; `--without-torch`
/// leaves torch-encoder out.
pub fn wheel(arguments: &[String]) -> Result<ExitCode, String> {
    let with_torch = match arguments {
        [] => true,
        [argument] if argument == "--without-torch" => false,
        _ => return Err("usage: cargo xtask wheel [--without-torch]".to_owned()),
    };
    run_cargo(&[&["build", "--package", HOST], &PUBLISHED[..]].concat())?;
    let built = target_folder().join(PUBLISHED_PROFILE);
    let plugin = target_folder().join("release").join("libmteb_plugin_torch.so");
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
    check_paths(&built.join("mteb-host"))?;
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

/// Checks that a program does not say where the machine that built it has its crates.
fn check_paths(program: &Path) -> Result<(), String> {
    let Some(folder) = crates_folder() else { return Ok(()) };
    let bytes = fs::read(program).map_err(|error| format!("{}: {error}", program.display()))?;
    match path_below(&bytes, &folder.to_string_lossy()) {
        None => Ok(()),
        Some(found) => Err(format!(
            "{}: expected no path of this machine, found: {found}; build it with `cargo xtask wheel` or `cargo xtask release`",
            program.display()
        )),
    }
}

/// The first path in `bytes` that begins with `folder`.
fn path_below(bytes: &[u8], folder: &str) -> Option<String> {
    let place = bytes.windows(folder.len()).position(|window| window == folder.as_bytes())?;
    let is_of_path = |byte: &&u8| byte.is_ascii_graphic();
    let path: Vec<u8> = bytes[place..].iter().take_while(is_of_path).take(LONGEST).copied().collect();
    Some(String::from_utf8_lossy(&path).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_with_a_path_of_the_machine_is_refused() {
        let program = b"\x7fELF\0src/main.rs\0/home/me/.cargo/registry/src/a-1/lib.rs\0more";
        let found = path_below(program, "/home/me/.cargo/registry");
        assert_eq!(found.as_deref(), Some("/home/me/.cargo/registry/src/a-1/lib.rs"));
        assert_eq!(
            path_below(b"\x7fELF\0/cargo/registry/src/a-1/lib.rs\0", "/home/me/.cargo/registry"),
            None
        );
    }
}
