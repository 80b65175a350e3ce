//! Installs the host for the user, with the default plugins in it.

use std::process::ExitCode;

use crate::command::run_cargo;

/// Installs the program with cargo.
pub fn install() -> Result<ExitCode, String> {
    run_cargo(&["install", "--locked", "--path", "host/cli"])?;
    Ok(ExitCode::SUCCESS)
}
