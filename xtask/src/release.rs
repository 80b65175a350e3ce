//! A release: versions, changelog, packages, wheel, checksums, notes and a tag. `--check` does all but the tag, in a copy of the last
//! commit. Nothing is published by it: docs/releasing.md says what does.

mod steps;
mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::build::{HOST, PUBLISHED};
use crate::command::{cargo, hide_folders, root, succeed, target_folder};
use crate::python::environment;
use crate::{packages, wheel};

const USAGE: &str = "usage: cargo xtask release VERSION [--check] [--without-wheel]";

/// Makes the release that `arguments` name.
///
/// # Errors
/// If the tree is not clean, the changelog has nothing to say, or a step fails.
pub fn release(arguments: &[String]) -> Result<ExitCode, String> {
    let (flags, named): (Vec<&str>, Vec<&str>) =
        arguments.iter().map(String::as_str).partition(|argument| argument.starts_with("--"));
    let [version] = named.as_slice() else { return Err(USAGE.to_owned()) };
    if let Some(unknown) = flags.iter().find(|flag| !["--check", "--without-wheel"].contains(flag)) {
        return Err(format!("{USAGE}; found: {unknown}"));
    }
    text::check_version(version)?;
    let is_check = flags.contains(&"--check");
    if !is_check {
        steps::check_clean(&root())?;
    }
    let out = target_folder().join("release-files").join(version);
    let (folder, target) = match is_check {
        true => (steps::copy(&target_folder().join("release-copy"))?, target_folder().join("release-build")),
        false => (root(), target_folder()),
    };
    let notes = steps::prepare(&folder, version)?;
    // The lock learns the new versions, and what is built without a network is available.
    succeed(cargo().current_dir(&folder).arg("fetch"))?;
    steps::empty(&out)?;
    let mut files = packages::pack(&folder, &target, true)?;
    if !flags.contains(&"--without-wheel") {
        files.push(made_wheel(&folder, &target, version)?);
    }
    steps::gather(&files, &notes, &out)?;
    if is_check {
        println!("{}: what a release of {version} consists of; no tag was set", out.display());
        return Ok(ExitCode::SUCCESS);
    }
    steps::tag(&folder, version, &out.join("NOTES.md"))?;
    println!(
        "{}: what the release {version} consists of; push the tag v{version} to publish it",
        out.display()
    );
    Ok(ExitCode::SUCCESS)
}

/// Builds the host of the project in `folder`, and the wheel with it.
fn made_wheel(folder: &Path, target: &Path, version: &str) -> Result<PathBuf, String> {
    let mut build = cargo();
    build.current_dir(folder).env("CARGO_TARGET_DIR", target);
    let words = ["build", "--release", "--locked", "--package", HOST];
    build.args(words).args(PUBLISHED);
    hide_folders(&mut build);
    succeed(&mut build)?;
    wheel::make(folder, &target.join("release"), &target.join("wheel"), version, &environment()?)
}
