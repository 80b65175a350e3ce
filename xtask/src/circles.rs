//! Finds rings of files in a crate: files that need each other, directly or through others, can
//! only be read together.

mod crate_files;
mod imports;

use std::path::{Path, PathBuf};

use crate::command::root;
use crate_files::CrateFiles;

/// Folders of crates, and those whose sub-folders are crates.
const CRATES: [&str; 5] = ["indonesia", "plugin-api", "tests", "xtask", "xtask/start"];
const FOLDERS_OF_CRATES: [&str; 2] = ["host", "plugins"];

/// Files from which the modules of a crate are found.
const ROOTS: [&str; 2] = ["lib.rs", "main.rs"];

/// Checks all crates.
///
/// # Errors
/// Every ring of files, with the names that tie it.
pub fn check() -> Result<(), String> {
    let mut found = Vec::new();
    for folder in folders()? {
        for place in sources(&root().join(&folder))? {
            found.extend(circles(&place)?.iter().map(|ring| format!("{}: {ring}", from_root(&place))));
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    Err(format!(
        "expected files that need only those below them, found rings; move what both need into a file of its own:\n{}",
        found.join("\n")
    ))
}

/// The folders of all crates that are checked, relative to the root.
fn folders() -> Result<Vec<String>, String> {
    let mut folders: Vec<String> = CRATES.map(str::to_owned).to_vec();
    for parent in FOLDERS_OF_CRATES {
        let crates = entries(&root().join(parent))?.into_iter();
        folders.extend(crates.filter(|path| path.join("Cargo.toml").is_file()).map(|path| from_root(&path)));
    }
    folders.sort();
    Ok(folders)
}

/// The folders in which a crate has the sources of its library, its programs, its tests or its build; its own may be one.
fn sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = entries(folder)?;
    found.push(folder.to_owned());
    let tests = folder.join("tests");
    if tests.is_dir() {
        found.extend(entries(&tests)?);
    }
    found.retain(|path| ROOTS.iter().any(|file| path.join(file).is_file()));
    found.sort();
    match found.as_slice() {
        [] => Err(format!("{}: expected a folder with `lib.rs` or `main.rs`, found none", folder.display())),
        _ => Ok(found),
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let cannot = |error: std::io::Error| format!("{}: cannot read the folder: {error}", folder.display());
    let entries = std::fs::read_dir(folder).map_err(cannot)?;
    entries.map(|entry| Ok(entry.map_err(cannot)?.path())).collect()
}

fn from_root(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// The rings of each crate whose sources lie in `folder`, one line each.
fn circles(folder: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for file in ROOTS.iter().filter(|file| folder.join(file).is_file()) {
        let arrows = imports::arrows(&CrateFiles::read(folder, file)?);
        found.extend(imports::rings(&arrows).iter().map(|ring| imports::describe(ring, &arrows)));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The rings of a crate made of these files.
    fn rings_of(files: &[(&str, &str)]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        circles(folder.path()).unwrap()
    }

    #[test]
    fn two_files_that_need_each_other_are_found_with_the_names_that_tie_them() {
        let files = [
            ("lib.rs", "mod a;\nmod b;"),
            ("a.rs", "use crate::b::B;\npub struct A(B);"),
            ("b.rs", "pub struct B;\nfn make() -> super::a::A { todo!() }"),
        ];
        assert_eq!(rings_of(&files), ["a.rs → b.rs (B), b.rs → a.rs (A)"]);
    }

    #[test]
    fn a_child_that_takes_a_name_from_its_parent_closes_a_ring_unless_the_parent_only_hands_it_on() {
        let parent = "mod child;\nmod other;\npub use child::Child;\nuse other::Other;\n";
        let other = ("m/other.rs", "pub struct Other;");
        let child = |named: &str| format!("use super::{named};\npub struct Child({named});");
        let lib = ("lib.rs", "mod m;");
        let handed_on = [lib, ("m/mod.rs", parent), other, ("m/child.rs", &child("Other"))];
        assert_eq!(rings_of(&handed_on), [""; 0]);
        let own = format!("{parent}pub struct Own;");
        let defined = [lib, ("m/mod.rs", own.as_str()), other, ("m/child.rs", &child("Own"))];
        assert_eq!(rings_of(&defined), ["m/child.rs → m/mod.rs (Own), m/mod.rs → m/child.rs (Child)"]);
    }

    #[test]
    fn a_library_its_programs_its_tests_and_its_build_are_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "src/lib.rs",
            "src/main.rs",
            "build/main.rs",
            "tests/main.rs",
            "tests/deep/main.rs",
            "data/a.txt",
        ] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "mod a;\nuse a::A;\npub struct B;").unwrap();
        }
        let found = |folder: &Path| -> Vec<PathBuf> {
            let found = sources(folder).unwrap();
            found.iter().map(|path| path.strip_prefix(folder).unwrap().to_owned()).collect()
        };
        assert_eq!(found(folder.path()), ["build", "src", "tests", "tests/deep"].map(Path::new));
        assert_eq!(found(&folder.path().join("tests")), ["", "deep"].map(Path::new));
        fs::write(folder.path().join("src/a.rs"), "use crate::B;\npub struct A(B);").unwrap();
        let of_both = ["lib.rs", "main.rs"].map(|root| format!("a.rs → {root} (B), {root} → a.rs (A)"));
        assert_eq!(circles(&folder.path().join("src")).unwrap(), of_both);
        assert!(sources(&folder.path().join("data")).unwrap_err().contains("found none"));
    }

    #[test]
    fn what_tests_use_does_not_count() {
        let files = [
            ("lib.rs", "mod a;\nmod b;"),
            ("a.rs", "use crate::b::B;\npub struct A(B);"),
            ("b.rs", "pub struct B;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}"),
        ];
        assert_eq!(rings_of(&files), [""; 0]);
    }
}
