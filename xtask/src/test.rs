//! Every check of the project, one after the other.

use std::process::ExitCode;

use crate::command::run_cargo;
use crate::torch::WITHOUT_TORCH;
use crate::{browser, circles, dataset_cards, references, schemas, torch};

/// Runs all checks; the first one that fails ends the command.
pub fn all() -> Result<ExitCode, String> {
    run_cargo(&["fmt", "--all", "--check"])?;
    references::check()?;
    let lints = ["--all-targets", "--", "--deny", "warnings"];
    run_cargo(&[&["clippy"], &WITHOUT_TORCH[..], &lints].concat())?;
    circles::check()?;
    schemas::check()?;
    dataset_cards::check()?;
    browser::prepare()?;
    run_cargo(&[&["test"], &WITHOUT_TORCH[..]].concat())?;
    torch::run(&[&["clippy", "--package", torch::PACKAGE][..], &lints].concat())?;
    torch::run(&["test", "--package", torch::PACKAGE])?;
    Ok(ExitCode::SUCCESS)
}
