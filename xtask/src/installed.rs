//! What the packages install: `cargo install` from them alone, and the bundled benchmark in an empty home.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::build::HOST;
use crate::command::{cargo, root, succeed, target_folder};
use crate::packages;

/// Packs the crates and, with `--install`, checks what the packages install.
///
/// # Errors
/// As of [`packages::check`] and [`check`].
pub fn packages(arguments: &[String]) -> Result<ExitCode, String> {
    match arguments {
        [] => packages::check()?,
        [argument] if argument == "--install" => {
            check(&packages::pack(&root(), &target_folder(), false)?, &target_folder())?;
        }
        _ => return Err("usage: cargo xtask packages [--install]".to_owned()),
    }
    Ok(ExitCode::SUCCESS)
}

/// Installs the host from `packages` alone, built in the folder `target`, and runs the bundled benchmark with it where there is no other
/// file.
///
/// # Errors
/// If it cannot be built or installed, or a task of the benchmark has no score.
pub fn check(packages: &[PathBuf], target: &Path) -> Result<(), String> {
    let folder = target.join("installed");
    packages::empty_folder(&folder)?;
    let unpacked: Vec<PathBuf> = packages
        .iter()
        .map(|package| packages::unpack(package, &folder.join("packages")))
        .collect::<Result<_, _>>()?;
    let mut patches = String::from("[patch.crates-io]\n");
    let mut host = None;
    for at in &unpacked {
        let name = read_name(&at.join("Cargo.toml"))?;
        patches += &format!("{name} = {{ path = {:?} }}\n", at.display().to_string());
        if name == HOST {
            host = Some(at);
        }
    }
    let host = host.ok_or_else(|| format!("expected a package of {HOST}, found none"))?;
    stand_alone(host)?;
    let (config, installed, home) = (folder.join("patches.toml"), folder.join("root"), folder.join("home"));
    write(&config, &patches)?;
    fs::create_dir_all(&home).map_err(|error| format!("{}: {error}", home.display()))?;
    let mut install = cargo();
    install.current_dir(&folder).env("CARGO_TARGET_DIR", target);
    install.args(["install", "--quiet", "--locked", "--offline", "--no-track", "--path"]).arg(host);
    succeed(install.arg("--root").arg(&installed).arg("--config").arg(&config))?;
    run_benchmark(&installed.join("bin").join("mteb-host"), &home)
}

fn read_name(manifest: &Path) -> Result<String, String> {
    let read: toml::Table =
        toml::from_str(&read(manifest)?).map_err(|error| format!("{}: {error}", manifest.display()))?;
    let name = read.get("package").and_then(|package| package.get("name")).and_then(toml::Value::as_str);
    name.map(str::to_owned).ok_or_else(|| format!("{}: expected a name, found none", manifest.display()))
}

/// Makes a package that lies in a folder of this project no member of it, and its lock name our own crates without a registry: they are
/// in folders, because no registry need have them.
fn stand_alone(package: &Path) -> Result<(), String> {
    let (manifest, lock) = (package.join("Cargo.toml"), package.join("Cargo.lock"));
    write(&manifest, &(read(&manifest)? + "\n[workspace]\n"))?;
    write(&lock, &without_registry(&read(&lock)?))
}

/// A lock in which our own crates have no registry.
fn without_registry(lock: &str) -> String {
    let is_own = |entry: &str| entry.starts_with("[[package]]\nname = \"mteb-");
    let strip = |entry: &str| match is_own(entry) {
        true => {
            let lines = entry.lines();
            let left =
                lines.filter(|line| !line.starts_with("source = ") && !line.starts_with("checksum = "));
            left.map(|line| format!("{line}\n")).collect()
        }
        false => format!("{entry}\n"),
    };
    let entries: Vec<String> = lock.trim_end().split("\n\n").map(strip).collect();
    entries.join("\n")
}

/// Runs the bundled benchmark with `program`; it is told of no folder but an empty home.
fn run_benchmark(program: &Path, home: &Path) -> Result<(), String> {
    let mut run = Command::new(program);
    run.current_dir(home).env_clear().env("HOME", home).args(["run", "--registry", "indonesia"]);
    succeed(&mut run)
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_of_a_package_keeps_the_registry_of_others_alone() {
        let lock = "version = 4\n\n\
                    [[package]]\nname = \"mteb-base\"\nversion = \"0.1.0\"\nsource = \"registry+https://r\"\nchecksum = \"ab\"\n\
                    dependencies = [\n \"toml\",\n]\n\n\
                    [[package]]\nname = \"toml\"\nversion = \"1.0.0\"\nsource = \"registry+https://r\"\nchecksum = \"cd\"\n";
        let stripped = "version = 4\n\n\
                    [[package]]\nname = \"mteb-base\"\nversion = \"0.1.0\"\n\
                    dependencies = [\n \"toml\",\n]\n\n\
                    [[package]]\nname = \"toml\"\nversion = \"1.0.0\"\nsource = \"registry+https://r\"\nchecksum = \"cd\"\n";
        assert_eq!(without_registry(lock), stripped);
    }

    #[test]
    fn a_packed_manifest_says_whose_package_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = folder.path().join("Cargo.toml");
        write(&manifest, "[package]\nname = \"mteb-base\"\n").unwrap();
        assert_eq!(read_name(&manifest).unwrap(), "mteb-base");
    }
}
