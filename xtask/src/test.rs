//! Every check of the project, one after the other, or the tests of one file.

use std::process::ExitCode;

use crate::command::{cargo, run_cargo, status};
use crate::torch::WITHOUT_TORCH;
use crate::{arm, browser, circles, dataset_cards, import, prove, python, references, schemas, torch};

/// Runs all checks, or with arguments the tests of a file (`cli`) whose names contain what follows.
pub fn test(arguments: &[String]) -> Result<ExitCode, String> {
    match arguments {
        [] => all(),
        [file, names @ ..] => one(file, names),
    }
}

/// Runs tests of one file, with the features of the whole workspace, so that nothing is built for these alone.
fn one(file: &str, names: &[String]) -> Result<ExitCode, String> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    run_cargo(&[&["test"], &WITHOUT_TORCH[..], &["--test", file, "--"], &names].concat())?;
    Ok(ExitCode::SUCCESS)
}

/// Runs all checks; the first one that fails ends the command.
fn all() -> Result<ExitCode, String> {
    run_cargo(&["fmt", "--all", "--check"])?;
    references::check()?;
    let lints = ["--all-targets", "--", "--deny", "warnings"];
    run_cargo(&[&["clippy"], &WITHOUT_TORCH[..], &lints].concat())?;
    arm::check()?;
    circles::check()?;
    schemas::check()?;
    dataset_cards::check()?;
    browser::prepare()?;
    import::check()?;
    prove::check()?;
    let python = python::environment()?;
    let mut tests = cargo();
    tests.args([&["test"], &WITHOUT_TORCH[..]].concat()).env("MTEB_PYTHON", python);
    if !status(&mut tests)?.success() {
        return Err("failed: cargo test".to_owned());
    }
    torch::run(&[&["clippy", "--package", torch::PACKAGE][..], &lints].concat())?;
    torch::run(&["test", "--package", torch::PACKAGE])?;
    Ok(ExitCode::SUCCESS)
}
