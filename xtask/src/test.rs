//! Every check of the project, one after the other, or the tests of one file.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use crate::ahead::Ahead;
use crate::build::{EVERYTHING, WITHOUT_TORCH};
use crate::command::{exit_code, root, run_cargo, status, succeed, target_folder};
use crate::lint::lints_builds;
use crate::minutes::Minutes;
use crate::{
    circles, dataset_cards, document, import, packages, prove, python, references, runner, schemas, skipped,
    speed_chart, torch,
};

/// A part of the checks, and what does it.
type Part = (&'static str, fn() -> Result<(), String>);

/// The parts of all checks, in order.
const PARTS: [Part; 16] = [
    ("format", format),
    ("documents", documents),
    ("lints", lints),
    ("arm", check_arm),
    ("rings", circles::check),
    ("schemas", schemas::check),
    ("packages", packages::check),
    ("cards", dataset_cards::check),
    ("reference", reference),
    ("unit tests", runner::unit_tests),
    ("site", document::check_site),
    ("browser", skipped::prepare_browser),
    ("python", || python::environment().map(drop)),
    ("end to end", || runner::end_to_end_tests(&python::environment()?)),
    ("torch lints", torch_lints),
    ("torch tests", torch_tests),
];

/// Runs all checks, or with arguments the tests of a file (`cli`) whose names contain what follows.
pub fn test(arguments: &[String]) -> Result<ExitCode, String> {
    match arguments {
        [] => all(),
        [file, names @ ..] => one(file, names),
    }
}

/// Runs the end-to-end tests of one topic or the tests of one file, with the features of the whole workspace, so that nothing is
/// built for these alone; a file of the plugin that links libtorch with libtorch at hand.
fn one(file: &str, names: &[String]) -> Result<ExitCode, String> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    if runner::is_topic(file) {
        let mut tests = runner::topic(file, &names)?;
        if let Some(python) = python::find_environment() {
            tests.env("MTEB_PYTHON", python);
        }
        skipped::begin()?;
        let status = status(&mut tests)?;
        skipped::print();
        return Ok(exit_code(status));
    }
    if root().join("plugins/torch-encoder/tests").join(file).with_extension("rs").is_file() {
        torch::run(&[&["test"], &EVERYTHING[..], &["--test", file, "--"], &names[..]].concat())?;
        return Ok(ExitCode::SUCCESS);
    }
    run_cargo(&[&["test"], &WITHOUT_TORCH[..], &["--test", file, "--"], &names[..]].concat())?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the parts that are named, in the order of all of them.
pub fn parts(names: &[String]) -> Result<ExitCode, String> {
    if let Some(unknown) = names.iter().find(|name| PARTS.iter().all(|(part, _)| part != name)) {
        let known = PARTS.map(|(part, _)| part).join(", ");
        return Err(format!("expected parts of the checks ({known}), found: {unknown}"));
    }
    run(PARTS.into_iter().filter(|(part, _)| names.iter().any(|name| name == part)))
}

/// Runs one part and nothing around it, as the checks do with a part that begins ahead of its turn.
pub fn part(name: &[String]) -> Result<ExitCode, String> {
    let found = PARTS.into_iter().find(|(part, _)| name == [*part]);
    let (_, check) =
        found.ok_or_else(|| format!("expected one part of the checks, found: {}", name.join(" ")))?;
    check().map(|()| ExitCode::SUCCESS)
}

/// Runs all checks, and keeps how long each part took.
fn all() -> Result<ExitCode, String> {
    run(PARTS.into_iter())
}

/// Runs checks; the first one that fails ends the command. At its end it says how long each took, and what was skipped.
fn run(mut parts: impl Iterator<Item = Part> + Clone) -> Result<ExitCode, String> {
    skipped::begin()?;
    let mut ahead = Ahead::begin(parts.clone().map(|(part, _)| part))?;
    let mut minutes = Minutes::default();
    let done =
        parts.try_for_each(|(part, check)| minutes.of(part, || ahead.finish(part).unwrap_or_else(check)));
    ahead.finish_all();
    minutes.print();
    minutes.keep()?;
    skipped::print();
    done.map(|()| ExitCode::SUCCESS)
}

fn format() -> Result<(), String> {
    run_cargo(&["fmt", "--all", "--check"])
}

fn documents() -> Result<(), String> {
    references::check()?;
    speed_chart::check()
}

fn lints() -> Result<(), String> {
    run_cargo(&lint(&WITHOUT_TORCH))
}

/// Arguments with which cargo lints the crates of a `selection`: while it builds them for the other parts where all checks run, else without
/// building.
fn lint<'a>(selection: &[&'a str]) -> Vec<&'a str> {
    match lints_builds() {
        true => [&["build"], selection, &["--all-targets"]].concat(),
        false => [&["clippy"], selection, &["--all-targets", "--", "--deny", "warnings"]].concat(),
    }
}

fn reference() -> Result<(), String> {
    import::check()?;
    prove::check()
}

fn torch_lints() -> Result<(), String> {
    // All crates, of which those without libtorch are checked already: alone, the plugin would have other features of what it uses.
    torch::run(&lint(&EVERYTHING))
}

/// The tests of the plugin, then that of a wheel that holds it. What cargo has built for the first ones is the plugin of the second
/// one; it stays in the folder of dependencies, where no other test takes it for a part of the host.
fn torch_tests() -> Result<(), String> {
    torch::run_tests()?;
    let plugin = target_folder().join("debug/deps/libmteb_plugin_torch.so");
    let plugin = plugin.canonicalize().map_err(|error| format!("{}: {error}", plugin.display()))?;
    let mut tests = runner::end_to_end(&["--ignored", "models::wheel::"])?;
    tests.env("MTEB_PYTHON", python::environment()?).env("MTEB_TORCH_PLUGIN", plugin);
    succeed(&mut tests)
}

/// The target for ARM64.
const ARM: &str = "aarch64-unknown-linux-gnu";

/// The compiler that builds what is C for ARM64.
const ARM_COMPILER: &str = "aarch64-linux-gnu-gcc";

/// Compiles everything but the plugin that links libtorch for ARM64, without linking; says so where the target is not installed.
///
/// # Errors
/// If something does not compile.
fn check_arm() -> Result<(), String> {
    if !can_build_for_arm() {
        println!(
            "not checked: {ARM} or {ARM_COMPILER} is not installed (`rustup target add {ARM}`, `apt install gcc-aarch64-linux-gnu`)"
        );
        return Ok(());
    }
    run_cargo(&[&["check", "--target", ARM], &WITHOUT_TORCH[..]].concat())
}

fn can_build_for_arm() -> bool {
    let compiles = Command::new(ARM_COMPILER).arg("--version").stdout(Stdio::null()).status();
    compiles.is_ok_and(|status| status.success()) && has_arm_target()
}

fn has_arm_target() -> bool {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let root = Command::new(compiler).args(["--print", "sysroot"]).output();
    root.is_ok_and(|root| {
        let root = String::from_utf8_lossy(&root.stdout).trim().to_owned();
        Path::new(&root).join("lib/rustlib").join(ARM).join("lib").is_dir()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minutes::budget;

    #[test]
    fn every_part_has_a_budget() {
        let budgets = PARTS.map(|(part, _)| budget(part).unwrap_or_else(|| panic!("{part} has none")));
        assert_eq!(Some(budgets.iter().sum()), budget("sum"));
    }
}
