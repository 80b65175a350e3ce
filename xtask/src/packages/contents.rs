//! What is in packages that cargo has made.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Bytes of the largest package that the registry of crates takes.
const LARGEST: u64 = 10 << 20;

/// What the package of every crate holds.
const EVERY: [&str; 4] = ["/Cargo.toml", "/Cargo.lock", "/LICENSE", "/README.md"];

/// What a plugin that is a part of the host holds beside it.
const SOURCES: &str = "/sources.txt";

/// Endings of files that were made of others.
const MADE: [&str; 5] = [".so", ".o", ".pyc", ".rlib", ".snap.new"];

/// What is wrong with the packages in `files`; the names and sizes of all that they hold are written to `list`.
///
/// # Errors
/// If a package cannot be looked at.
pub fn faults(files: &[PathBuf], list: &Path) -> Result<Vec<String>, String> {
    let (mut faults, mut all) = (Vec::new(), String::new());
    for file in files {
        let names = names(file)?;
        let bytes = fs::metadata(file).map_err(|error| format!("{}: {error}", file.display()))?.len();
        let shown = file.file_name().unwrap_or_default().to_string_lossy();
        all += &format!("{shown}\t{bytes}\n");
        names.iter().for_each(|name| all += &format!("\t{name}\n"));
        faults.extend(of_one(&names, bytes).into_iter().map(|fault| format!("{shown}: {fault}")));
    }
    fs::write(list, all).map_err(|error| format!("{}: {error}", list.display()))?;
    Ok(faults)
}

fn names(file: &Path) -> Result<Vec<String>, String> {
    let output = Command::new("tar").arg("-tzf").arg(file).output();
    let output = output.map_err(|error| format!("cannot run tar: {error}"))?;
    if !output.status.success() {
        return Err(format!("{}: tar cannot read it", file.display()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

fn of_one(names: &[String], bytes: u64) -> Vec<String> {
    let has =
        |ending: &str| names.iter().any(|name| name.matches('/').count() == 1 && name.ends_with(ending));
    let mut faults: Vec<String> = Vec::new();
    if bytes > LARGEST {
        faults.push(format!("expected at most {LARGEST} bytes, found {bytes}"));
    }
    // The links to `plugins/sources.rs` are files of a package.
    let is_bundled = names.iter().any(|name| name.starts_with("mteb-plugin-"))
        && (has("/build.rs") || has("/LICENSE-DATA"));
    for needed in EVERY.into_iter().chain(is_bundled.then_some(SOURCES)) {
        if !has(needed) {
            faults.push(format!("expected the file {}, found none", &needed[1..]));
        }
    }
    let made = names.iter().filter(|name| MADE.iter().any(|ending| name.ends_with(ending)));
    faults.extend(made.map(|name| format!("expected sources alone, found {name}")));
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_without_its_licence_or_with_what_was_built_is_a_fault() {
        let names = |names: &[&str]| {
            names.iter().map(|name| format!("mteb-plugin-x-0.1.0/{name}")).collect::<Vec<_>>()
        };
        let usual = ["Cargo.toml", "Cargo.lock", "LICENSE", "README.md", "src/lib.rs"];
        assert_eq!(of_one(&names(&usual), 10), Vec::<String>::new());
        assert_eq!(of_one(&names(&usual[..2]), 10).len(), 2);
        assert_eq!(of_one(&names(&usual), LARGEST + 1).len(), 1);
        let bundled = [&usual[..], &["build.rs"]].concat();
        assert_eq!(of_one(&names(&bundled), 10), ["expected the file sources.txt, found none"]);
        let built = [&usual[..], &["src/libx.so"]].concat();
        assert_eq!(
            of_one(&names(&built), 10),
            ["expected sources alone, found mteb-plugin-x-0.1.0/src/libx.so"]
        );
    }
}
