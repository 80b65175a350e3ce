//! Runs programs from the root of the workspace.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus};

use crate::paths::{hide, is_release};

/// The root of the workspace.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Cargo, as it was called.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    // What cargo tells this program of its package is not for the other cargo: crates whose build looks at such
    // variables, and all that use them, would be built again.
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&*name);
        }
    }
    command
}

/// Runs cargo with `args`; anything but success is an error that names the command.
///
/// # Errors
/// If cargo cannot be started or fails.
pub fn run_cargo<S: AsRef<OsStr>>(args: &[S]) -> Result<(), String> {
    let mut command = cargo();
    command.args(args);
    if is_release(args) {
        hide_folders(&mut command);
    }
    succeed(&mut command)
}

/// Makes a cargo that builds in release mode name no folder of this machine in what it builds. With
/// other flags cargo compiles everything again: all builds of this project in release mode have
/// them, and no others.
pub fn hide_folders(cargo: &mut Command) {
    hide(cargo, &[(root(), "/mteb-host"), (target_folder(), "/mteb-host/target")]);
}

/// Runs a command; anything but success is an error that names it.
///
/// # Errors
/// If it cannot be started or fails.
pub fn succeed(command: &mut Command) -> Result<(), String> {
    if status(command)?.success() { Ok(()) } else { Err(format!("failed: {}", line(command))) }
}

/// Runs a command and waits.
///
/// # Errors
/// If it cannot be started.
pub fn status(command: &mut Command) -> Result<ExitStatus, String> {
    command.status().map_err(|error| format!("cannot run {}: {error}", line(command)))
}

/// The exit code of a finished program; a signal counts as 1.
pub fn exit_code(status: ExitStatus) -> ExitCode {
    ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

/// The folder that cargo builds into.
pub fn target_folder() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

fn line(command: &Command) -> String {
    let program = command.get_program().to_string_lossy().into_owned();
    let args = command.get_args().map(|arg| arg.to_string_lossy().into_owned());
    std::iter::once(program).chain(args).collect::<Vec<_>>().join(" ")
}
