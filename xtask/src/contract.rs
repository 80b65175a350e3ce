//! Compares the contract of plugins with the packed copies that the repository keeps of its last version, by cargo-semver-checks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};

use crate::command::{cargo, root, succeed, target_folder};
use crate::packages;

/// The crates of the contract, as they were packed last: each depends only on those before it and on what is published by others.
const CRATES: [(&str, &str); 2] = [("mteb-plugin-types", "plugin-types"), ("mteb-plugin-api", "plugin-api")];

/// Where the packed copies are kept.
const KEPT: &str = "tests/abi/published";

/// Crates of ours that a packed crate names by version; the copies take the present ones from their folders.
const OURS: [(&str, &str); 1] = [("mteb-card", "host/card")];

/// Checks that plugins which compile against the kept version compile against the present one.
///
/// # Errors
/// If they would not, a copy is missing, or cargo-semver-checks is not installed.
pub fn check() -> Result<ExitCode, String> {
    let installed =
        cargo().args(["semver-checks", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !installed.is_ok_and(|status| status.success()) {
        return Err("expected cargo-semver-checks, found none; install it by `cargo install --locked cargo-semver-checks`"
            .to_owned());
    }
    let folder = target_folder().join("contract");
    let mut unpacked = Vec::new();
    for (name, _) in CRATES {
        let copy = find_copy(name)?;
        let at = packages::unpack(&copy, &folder)?;
        unpacked.push((name, at));
    }
    for (_, at) in &unpacked {
        give_paths(at, &unpacked)?;
    }
    for ((name, at), (_, present)) in unpacked.iter().zip(CRATES) {
        let mut command = cargo();
        command.current_dir(root()).args(["semver-checks", "--manifest-path"]);
        command.arg(root().join(present).join("Cargo.toml")).arg("--baseline-root").arg(at);
        // Cards are a contract of their own, of version 0.x; what the feature `schema` re-exports is not held here.
        command.arg("--only-explicit-features");
        if *name == "mteb-plugin-api" {
            command.args(["--features", "host"]);
        }
        succeed(&mut command)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The kept copy of a crate; one version of each is kept.
fn find_copy(name: &str) -> Result<PathBuf, String> {
    let folder = root().join(KEPT);
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let is_copy = |file: &PathBuf| {
        let file = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        file.strip_prefix(name).is_some_and(|rest| rest.starts_with("-1.") && rest.ends_with(".crate"))
    };
    let found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_copy).collect();
    match found.as_slice() {
        [one] => Ok(one.clone()),
        _ => Err(format!("{}: expected one packed copy of {name}, found {}", folder.display(), found.len())),
    }
}

/// Lets an unpacked crate find the others of ours in folders, because no registry need have them, and stand outside this workspace.
fn give_paths(at: &Path, unpacked: &[(&str, PathBuf)]) -> Result<(), String> {
    let file = at.join("Cargo.toml");
    let fault = |error: std::io::Error| format!("{}: {error}", file.display());
    let present = OURS.map(|(name, folder)| (name, root().join(folder)));
    let mut text = fs::read_to_string(&file).map_err(fault)?;
    for (name, folder) in unpacked.iter().chain(&present) {
        text = with_path(&text, name, folder);
    }
    fs::write(&file, text + "\n[workspace]\n").map_err(fault)
}

/// A packed manifest in which the dependency `name` lies in `folder`.
fn with_path(manifest: &str, name: &str, folder: &Path) -> String {
    let table = format!("[dependencies.{name}]\n");
    manifest.replacen(&table, &format!("{table}path = {:?}\n", folder.display().to_string()), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_crate_finds_the_others_in_their_folders() {
        let manifest = "[package]\nname = \"mteb-plugin-api\"\n\n[dependencies.mteb-plugin-types]\nversion = \"1.0.0\"\n";
        assert_eq!(
            with_path(manifest, "mteb-plugin-types", Path::new("/of/types")),
            "[package]\nname = \"mteb-plugin-api\"\n\n[dependencies.mteb-plugin-types]\npath = \"/of/types\"\nversion = \"1.0.0\"\n"
        );
    }

    #[test]
    fn one_copy_of_each_crate_of_the_contract_is_kept() {
        for (name, _) in CRATES {
            assert!(find_copy(name).is_ok(), "{:?}", find_copy(name));
        }
    }
}
