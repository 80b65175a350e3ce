//! What the tests of pages need: Chromium, and axe-core from npm.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command::{succeed, target_folder};

/// Version of axe-core.
const AXE: &str = "4.10.3";
/// SHA-256 of its package.
const AXE_SHA256: &str = "0f2b4d7dcdf7d1219df8d1959ad68e565f51d14c3f0d88bb71cd59abeb956292";

/// Fetches what is absent. Without root rights or npm the tests of pages skip, and fail where `CI` is `true`.
pub fn prepare() -> Result<(), String> {
    if !Path::new("/usr/bin/chromium").exists() {
        println!("installing Chromium for the tests of pages");
        quietly("apt-get", &["update", "--quiet"]);
        quietly("apt-get", &["install", "--quiet", "--yes", "chromium"]);
    }
    axe()
}

fn axe() -> Result<(), String> {
    let folder = target_folder().join("axe");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let file = format!("axe-core-{AXE}.tgz");
    if !folder.join(&file).exists() {
        let mut npm = Command::new("npm");
        npm.args(["pack", "--silent"]).arg(format!("axe-core@{AXE}"));
        if !npm.current_dir(&folder).output().is_ok_and(|output| output.status.success()) {
            println!("axe-core could not be fetched from npm: the tests of accessibility skip");
            return Ok(());
        }
    }
    let sum = Command::new("sha256sum").arg(&file).current_dir(&folder).output();
    let sum = sum.map_err(|error| format!("sha256sum: {error}"))?;
    if !String::from_utf8_lossy(&sum.stdout).starts_with(AXE_SHA256) {
        return Err(format!("{file}: expected the SHA-256 {AXE_SHA256}, found another"));
    }
    succeed(Command::new("tar").arg("xzf").arg(&file).current_dir(&folder))
}

fn quietly(program: &str, arguments: &[&str]) {
    let done = Command::new(program).args(arguments).env("DEBIAN_FRONTEND", "noninteractive").output();
    if !done.is_ok_and(|output| output.status.success()) {
        println!("`{program} {}` failed", arguments.join(" "));
    }
}
