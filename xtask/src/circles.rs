//! Finds files of a crate that need each other, directly or through others: what one reads, all of them must be read for.

mod crate_files;
mod imports;
mod ring;

use std::path::Path;

use crate::command::root;
use crate_files::CrateFiles;

/// Folders of crates, and those whose sub-folders are crates.
const CRATES: [&str; 5] = ["indonesia", "plugin-api", "tests", "xtask", "xtask/start"];
const FOLDERS_OF_CRATES: [&str; 2] = ["host", "plugins"];

/// Checks all crates.
///
/// # Errors
/// Every ring of files, with the names that tie it.
pub fn check() -> Result<(), String> {
    let mut found = Vec::new();
    for folder in folders()? {
        found.extend(
            circles(&root().join(&folder).join("src"))?.iter().map(|ring| format!("{folder}: {ring}")),
        );
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
        let path = root().join(parent);
        let cannot = |error: std::io::Error| format!("{}: cannot read the folder: {error}", path.display());
        for entry in std::fs::read_dir(&path).map_err(cannot)? {
            let name = entry.map_err(cannot)?.file_name();
            if path.join(&name).join("Cargo.toml").is_file() {
                folders.push(format!("{parent}/{}", name.to_string_lossy()));
            }
        }
    }
    folders.sort();
    Ok(folders)
}

/// The rings of the crate whose sources lie in `folder`, one line each.
fn circles(folder: &Path) -> Result<Vec<String>, String> {
    let files = CrateFiles::read(folder)?;
    let arrows = imports::arrows(&files);
    Ok(ring::rings(&arrows).iter().map(|ring| ring::describe(ring, &arrows)).collect())
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
    fn what_tests_use_does_not_count() {
        let files = [
            ("lib.rs", "mod a;\nmod b;"),
            ("a.rs", "use crate::b::B;\npub struct A(B);"),
            ("b.rs", "pub struct B;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}"),
        ];
        assert_eq!(rings_of(&files), [""; 0]);
    }
}
