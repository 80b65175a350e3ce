//! Runs the programs in `tools/`, which are built when they are asked for, and installs the host
//! for the user, with the default plugins in it.

use std::process::{Command, ExitCode};

use crate::build::WITHOUT_TORCH;
use crate::command::{exit_code, run_cargo, status, target_folder};

/// Builds the program of the benchmarks and runs its command `name` with `args`.
///
/// # Errors
/// If cargo fails, or the program cannot be started.
pub fn run(name: &str, args: &[String]) -> Result<ExitCode, String> {
    run_cargo(&[&["build", "--quiet"], &WITHOUT_TORCH[..], &["--bin", "mteb-bench"]].concat())?;
    let mut command = Command::new(target_folder().join("debug").join("mteb-bench"));
    Ok(exit_code(status(command.arg(name).args(args))?))
}

/// Installs the program with cargo.
pub fn install() -> Result<ExitCode, String> {
    run_cargo(&["install", "--locked", "--path", "host/cli"])?;
    Ok(ExitCode::SUCCESS)
}
