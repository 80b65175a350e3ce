//! Every check of the project, one after the other.

use std::process::ExitCode;

use crate::command::run_cargo;
use crate::schemas;

/// Runs all checks; the first one that fails ends the command.
pub fn all() -> Result<ExitCode, String> {
    run_cargo(&["fmt", "--all", "--check"])?;
    run_cargo(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "--deny", "warnings"])?;
    schemas::check()?;
    run_cargo(&["test", "--workspace", "--all-features"])?;
    Ok(ExitCode::SUCCESS)
}
