//! A release: versions, changelog, packages, wheel, checksums, notes and a tag. `--check` does all but the
//! tag, in a copy of the last commit. Nothing is published by it: docs/releasing.md says what does.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use sha2::{Digest, Sha256};

use crate::build::{HOST, PUBLISHED, PUBLISHED_PROFILE};
use crate::command::{cargo, hide_folders, root, succeed, target_folder};
use crate::document::today;
use crate::python::environment;
use crate::{installed, packages, wheel};

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
    check_version(version)?;
    let is_check = flags.contains(&"--check");
    if !is_check {
        check_clean(&root())?;
    }
    let out = target_folder().join("release-files").join(version);
    let (folder, target) = match is_check {
        true => {
            (copy_last_commit(&target_folder().join("release-copy"))?, target_folder().join("release-build"))
        }
        false => (root(), target_folder()),
    };
    let notes = prepare_files(&folder, version)?;
    // The lock learns the new versions, and what is built without a network is available.
    succeed(cargo().current_dir(&folder).arg("fetch"))?;
    packages::empty_folder(&out)?;
    let mut files = packages::pack(&folder, &target, true)?;
    installed::check(&files, &target)?;
    if !flags.contains(&"--without-wheel") {
        files.push(build_wheel(&folder, &target, version)?);
    }
    gather_files(&files, &notes, &out)?;
    if is_check {
        println!("{}: what a release of {version} consists of; no tag was set", out.display());
        return Ok(ExitCode::SUCCESS);
    }
    set_tag(&folder, version, &out.join("NOTES.md"))?;
    println!(
        "{}: what the release {version} consists of; push the tag v{version} to publish it",
        out.display()
    );
    Ok(ExitCode::SUCCESS)
}

/// Builds the host of the project in `folder`, and the wheel with it.
fn build_wheel(folder: &Path, target: &Path, version: &str) -> Result<PathBuf, String> {
    let mut build = cargo();
    build.current_dir(folder).env("CARGO_TARGET_DIR", target);
    let words = ["build", "--locked", "--package", HOST];
    build.args(words).args(PUBLISHED);
    hide_folders(&mut build);
    succeed(&mut build)?;
    wheel::make(folder, &target.join(PUBLISHED_PROFILE), &target.join("wheel"), version, &environment()?)
}

const CHANGELOG: &str = "CHANGELOG.md";

/// Checks that all of the project in `folder` is committed.
///
/// # Errors
/// If it is not, or git cannot say.
fn check_clean(folder: &Path) -> Result<(), String> {
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
fn copy_last_commit(folder: &Path) -> Result<PathBuf, String> {
    packages::empty_folder(folder)?;
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
fn prepare_files(folder: &Path, version: &str) -> Result<String, String> {
    let manifest = read(&folder.join("Cargo.toml"))?;
    let from =
        find_version(&manifest).ok_or("Cargo.toml: expected a version of the workspace, found none")?;
    for (name, before) in STATED {
        let file = folder.join(name);
        let stated = restate_version(&read(&file)?, before, from, version);
        if !before.iter().any(|before| stated.contains(&format!("{before}{version}"))) {
            return Err(format!("{name}: expected the version {from}, found others"));
        }
        write(&file, &stated)?;
    }
    let date = today()?;
    let file = folder.join(CHANGELOG);
    let (changelog, notes) = release_section(&read(&file)?, version, &date)?;
    write(&file, &changelog)?;
    Ok(notes)
}

/// Puts `files`, their checksums and the notes into `out`.
///
/// # Errors
/// If a file cannot be read or written.
fn gather_files(files: &[PathBuf], notes: &str, out: &Path) -> Result<(), String> {
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
fn set_tag(folder: &Path, version: &str, notes: &Path) -> Result<(), String> {
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

/// Files that state the version of the project, and what stands before it there.
const STATED: [(&str, &[&str]); 3] = [
    ("Cargo.toml", &["version = \"", "\", version = \""]),
    ("python/pyproject.toml", &["version = \""]),
    ("CITATION.cff", &["version: "]),
];

/// The heading of what is not released yet.
const UNRELEASED: &str = "## [Unreleased]";

/// Checks that `version` is three numbers.
///
/// # Errors
/// If it is not.
fn check_version(version: &str) -> Result<(), String> {
    let numbers: Vec<&str> = version.split('.').collect();
    let is_number = |text: &&str| text.parse::<u32>().is_ok_and(|number| number.to_string() == **text);
    match numbers.len() == 3 && numbers.iter().all(is_number) {
        true => Ok(()),
        false => Err(format!("expected a version of three numbers, as 0.2.0, found: {version}")),
    }
}

/// The version that the workspace has.
fn find_version(manifest: &str) -> Option<&str> {
    let own = manifest.split("[workspace.package]").nth(1)?;
    own.split("version = \"").nth(1)?.split('"').next()
}

/// A file that states the version `from` behind one of `before`, with `to` in its place. Crates with versions of their own have others.
fn restate_version(text: &str, before: &[&str], from: &str, to: &str) -> String {
    let restate = |line: &str| {
        // Versions of crates of others may be the same by chance; those of ours have a path.
        let is_ours = line.starts_with("version") || line.contains("{ path = \"");
        let found =
            before.iter().find(|before| is_ours && ends_with_version(line, &format!("{before}{from}")));
        found.map_or_else(
            || line.to_owned(),
            |before| line.replacen(&format!("{before}{from}"), &format!("{before}{to}"), 1),
        )
    };
    text.lines().map(|line| restate(line) + "\n").collect()
}

/// True if `line` holds `text`, and no longer version behind it.
fn ends_with_version(line: &str, text: &str) -> bool {
    line.split_once(text).is_some_and(|(_, rest)| rest.is_empty() || rest.starts_with('"'))
}

/// The changelog in which what was not released is the section of `version`, and what that section says.
///
/// # Errors
/// If it says nothing.
fn release_section(changelog: &str, version: &str, date: &str) -> Result<(String, String), String> {
    let lacks = || format!("CHANGELOG.md: expected lines below `{UNRELEASED}`, found none");
    let (before, rest) = changelog.split_once(UNRELEASED).ok_or_else(lacks)?;
    let (_, rest) = rest.split_once('\n').ok_or_else(lacks)?;
    let section = rest.split("\n## ").next().unwrap_or(rest).trim();
    if section.is_empty() {
        return Err(lacks());
    }
    Ok((format!("{before}{UNRELEASED}\n\n## [{version}] – {date}\n{rest}"), section.to_owned()))
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
        let notes = prepare_files(folder.path(), "7.8.9").unwrap();
        assert!(!notes.is_empty() && !notes.contains("\n## "));
        let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(find_version(&text("Cargo.toml")), Some("7.8.9"));
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
        packages::empty_folder(&out).unwrap();
        gather_files(&[file], "- One.", &out).unwrap();
        succeed(Command::new("sha256sum").current_dir(&out).args(["--quiet", "--check", "SHA256SUMS"]))
            .unwrap();
        assert_eq!(fs::read_to_string(out.join("NOTES.md")).unwrap(), "- One.\n");
    }

    #[test]
    fn the_version_is_stated_anew_where_it_is_that_of_the_project() {
        let manifest = "[workspace.package]\nversion = \"0.1.0\"\nrust-version = \"1.91\"\n[workspace.dependencies]\n\
                        mteb-base = { path = \"host/base\", version = \"0.1.0\" }\nwait4 = \"0.1\"\nother = { version = \"0.1.0\" }\n\
                        mteb-plugin-api = { path = \"plugin-api\", version = \"1.0.0\" }\n";
        assert_eq!(find_version(manifest), Some("0.1.0"));
        let expected = manifest.replacen("0.1.0", "0.2.0", 2);
        assert_eq!(restate_version(manifest, STATED[0].1, "0.1.0", "0.2.0"), expected);
        assert_eq!(
            restate_version("cff-version: 1.2.0\nversion: 0.1.0\n", STATED[2].1, "0.1.0", "0.2.0"),
            "cff-version: 1.2.0\nversion: 0.2.0\n"
        );
        assert_eq!(restate_version("version: 0.1.01\n", STATED[2].1, "0.1.0", "0.2.0"), "version: 0.1.01\n");
    }

    #[test]
    fn what_was_not_released_becomes_the_section_of_the_version() {
        let changelog = "# Changelog\n\n## [Unreleased] – 0.1.0\n\n- One.\n\n## [0.0.1]\n\n- Old.\n";
        let (text, notes) = release_section(changelog, "0.1.0", "2026-11-29").unwrap();
        assert_eq!(notes, "- One.");
        assert_eq!(
            text,
            "# Changelog\n\n## [Unreleased]\n\n## [0.1.0] – 2026-11-29\n\n- One.\n\n## [0.0.1]\n\n- Old.\n"
        );
        assert!(release_section(&text, "0.1.1", "2026-11-30").is_err(), "there is nothing to release");
    }

    #[test]
    fn a_version_is_three_numbers() {
        for version in ["0.1.0", "1.20.3"] {
            assert_eq!(check_version(version), Ok(()));
        }
        for version in ["0.1", "v0.1.0", "0.1.0-rc1", "0.01.0", "", "0.1.0.0"] {
            assert!(check_version(version).is_err(), "{version}");
        }
    }
}
