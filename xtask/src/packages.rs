//! The packages of the crates that are published: what each must say of itself, what its build script may do, and what cargo packs.

mod contents;
mod manifest;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use self::manifest::{Package, is_build_script};
use crate::command::{cargo, root, succeed, target_folder};
use crate::plugin_sources;

/// Packs all crates that are published without building them, and looks at what is in the packages.
///
/// # Errors
/// If a crate says too little of itself, its build script does too much, or cargo does not pack it.
pub fn check() -> Result<(), String> {
    pack(&root(), &target_folder(), false).map(drop)
}

/// Packs the crates of the project in `folder` into `package` of the folder `target`; gives their files. With `builds`, cargo builds each
/// of what is in the packages alone; there a process has no network where the system lets it give that up.
///
/// # Errors
/// As of [`check`].
pub fn pack(folder: &Path, target: &Path, builds: bool) -> Result<Vec<PathBuf>, String> {
    let all = packages(folder)?;
    let (published, others): (Vec<Package>, Vec<Package>) =
        all.into_iter().partition(|package| package.described["publish"].is_null());
    let others: Vec<&str> = others.iter().map(|package| package.name.as_str()).collect();
    let faults: Vec<String> =
        published.iter().flat_map(|package| manifest::faults(package, &others)).collect();
    report_faults(faults)?;
    write_sources(folder, &published)?;
    let mut command = if builds { without_network() } else { cargo() };
    command.current_dir(folder).env("CARGO_TARGET_DIR", target);
    // What is needed was fetched for other builds.
    command.args(["package", "--offline", "--workspace", "--quiet", "--allow-dirty"]);
    command.args(others.iter().flat_map(|other| ["--exclude", other]));
    if !builds {
        command.arg("--no-verify");
    }
    succeed(&mut command)?;
    let made = target.join("package");
    let files: Vec<PathBuf> = published.iter().map(|package| made.join(package.file())).collect();
    report_faults(contents::faults(&files, &made.join("files.txt"))?)?;
    println!("{} packages in {}; files.txt lists what is in them", files.len(), made.display());
    Ok(files)
}

/// Cargo in a space of its own in which there is no network, so that a build script of anybody that asks it fails; where the system gives
/// no such space, cargo as it is.
fn without_network() -> Command {
    let apart = ["--map-root-user", "--net"];
    let tried = Command::new("unshare").args(apart).arg("true").stderr(Stdio::null()).status();
    if !tried.is_ok_and(|status| status.success()) {
        println!("the system gives no space without a network: build scripts may reach it");
        return cargo();
    }
    let mut command = Command::new("unshare");
    command.args(apart).arg(cargo().get_program());
    command
}

fn report_faults(faults: Vec<String>) -> Result<(), String> {
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

fn packages(folder: &Path) -> Result<Vec<Package>, String> {
    let output =
        cargo().current_dir(folder).args(["metadata", "--no-deps", "--format-version", "1"]).output();
    let output = output.map_err(|error| format!("cargo metadata: {error}"))?;
    let workspace: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("cargo metadata: {error}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let packages = workspace["packages"].as_array().into_iter().flatten();
    let package = |described: &Value| {
        let text = |key: &str| described[key].as_str().unwrap_or_default().to_owned();
        let manifest = PathBuf::from(text("manifest_path"));
        let folder = manifest.parent().map(Path::to_owned).unwrap_or_default();
        Package { name: text("name"), version: text("version"), folder, described: described.clone() }
    };
    Ok(packages.map(package).collect())
}

/// Puts into each plugin that is a part of the host the hash of its sources, which its package cannot tell without the others.
fn write_sources(folder: &Path, packages: &[Package]) -> Result<(), String> {
    for package in packages.iter().filter(|package| package.name.starts_with("mteb-plugin-")) {
        if !package.described["targets"].as_array().into_iter().flatten().any(is_build_script) {
            continue;
        }
        let hash = plugin_sources::hash(folder, &package.folder, &package.name)
            .map_err(|error| format!("{}: {error}", package.name))?;
        let file = package.folder.join(plugin_sources::RELEASED);
        fs::write(&file, format!("{hash}\n")).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}
