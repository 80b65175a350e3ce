//! The steps of a release that touch files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use super::text;
use crate::command::{root, succeed};
use crate::document::today;

const CHANGELOG: &str = "CHANGELOG.md";

/// Checks that all of the project in `folder` is committed.
///
/// # Errors
/// If it is not, or git cannot say.
pub fn check_clean(folder: &Path) -> Result<(), String> {
    let changed = output_of(Command::new("git").current_dir(folder).args(["status", "--porcelain"]))?;
    match changed.lines().next() {
        None => Ok(()),
        Some(line) => Err(format!("expected a tree in which all is committed, found: {}", line.trim())),
    }
}

/// A copy of the last commit in `folder`.
///
/// # Errors
/// If git cannot make it.
pub fn copy(folder: &Path) -> Result<PathBuf, String> {
    empty(folder)?;
    let archive = folder.with_extension("tar");
    succeed(
        Command::new("git")
            .current_dir(root())
            .args(["archive", "--format=tar", "--output"])
            .arg(&archive)
            .arg("HEAD"),
    )?;
    succeed(Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(folder))?;
    fs::remove_file(&archive).map_err(|error| format!("{}: {error}", archive.display()))?;
    folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))
}

/// States the version in all files of the project in `folder`, and gives its section in the changelog; gives the notes of the release.
///
/// # Errors
/// If a file lacks what is stated there, or cannot be written.
pub fn prepare(folder: &Path, version: &str) -> Result<String, String> {
    let manifest = read(&folder.join("Cargo.toml"))?;
    let from =
        text::present(&manifest).ok_or("Cargo.toml: expected a version of the workspace, found none")?;
    for (name, before) in text::STATED {
        let file = folder.join(name);
        let stated = text::restated(&read(&file)?, before, from, version);
        if !before.iter().any(|before| stated.contains(&format!("{before}{version}"))) {
            return Err(format!("{name}: expected the version {from}, found others"));
        }
        write(&file, &stated)?;
    }
    let date = today()?;
    let file = folder.join(CHANGELOG);
    let (changelog, notes) = text::released(&read(&file)?, version, &date)?;
    write(&file, &changelog)?;
    Ok(notes)
}

/// Makes `folder` an empty one.
///
/// # Errors
/// If it cannot be made.
pub fn empty(folder: &Path) -> Result<(), String> {
    let cannot = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(cannot)?;
    }
    fs::create_dir_all(folder).map_err(cannot)
}

/// Puts `files`, their checksums and the notes into `out`.
///
/// # Errors
/// If a file cannot be read or written.
pub fn gather(files: &[PathBuf], notes: &str, out: &Path) -> Result<(), String> {
    let mut sums = String::new();
    for file in files {
        let name = file.file_name().unwrap_or_default();
        let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        sums += &format!("{sum}  {}\n", name.to_string_lossy());
        fs::write(out.join(name), bytes).map_err(|error| format!("{}: {error}", out.display()))?;
    }
    write(&out.join("SHA256SUMS"), &sums)?;
    write(&out.join("NOTES.md"), &format!("{notes}\n"))
}

/// Commits the versions and the changelog, and sets the tag.
///
/// # Errors
/// If git does not.
pub fn tag(folder: &Path, version: &str, notes: &Path) -> Result<(), String> {
    let git = |arguments: &[&str]| succeed(Command::new("git").current_dir(folder).args(arguments));
    git(&["commit", "--all", "--quiet", "--allow-empty", "--message", &format!("Release {version}")])?;
    let mut tag = Command::new("git");
    tag.current_dir(folder).args([
        "tag",
        "--annotate",
        "--cleanup=whitespace",
        &format!("v{version}"),
        "--file",
    ]);
    succeed(tag.arg(notes))
}

fn output_of(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
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
    fn every_file_that_states_the_version_gets_the_new_one() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("python")).unwrap();
        for name in ["Cargo.toml", "python/pyproject.toml", "CITATION.cff", CHANGELOG] {
            fs::copy(root().join(name), folder.path().join(name)).unwrap();
        }
        let notes = prepare(folder.path(), "7.8.9").unwrap();
        assert!(!notes.is_empty() && !notes.contains("\n## "));
        let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(text::present(&text("Cargo.toml")), Some("7.8.9"));
        assert!(text("Cargo.toml").contains("mteb-base = { path = \"host/base\", version = \"7.8.9\" }"));
        assert!(text("python/pyproject.toml").contains("\nversion = \"7.8.9\"\n"));
        assert!(text("CITATION.cff").contains("\nversion: 7.8.9\n"));
        assert!(text(CHANGELOG).contains("## [7.8.9] – 20"));
    }

    #[test]
    fn what_is_gathered_has_the_checksums_that_tools_check() {
        let folder = tempfile::tempdir().unwrap();
        let (file, out) = (folder.path().join("a.crate"), folder.path().join("out"));
        fs::write(&file, "one").unwrap();
        empty(&out).unwrap();
        gather(&[file], "- One.", &out).unwrap();
        succeed(Command::new("sha256sum").current_dir(&out).args(["--quiet", "--check", "SHA256SUMS"]))
            .unwrap();
        assert_eq!(fs::read_to_string(out.join("NOTES.md")).unwrap(), "- One.\n");
    }
}
