//! What texts of the project point at: sections of docs/protocol.md, files that documents link to, crates on the map; how long they
//! are; and that code for one system stands apart.

mod citations;
mod code;
mod map;

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::root;

/// The document whose sections code, schemas and documents cite.
const PROTOCOL: &str = "docs/protocol.md";

/// Kinds of files that cite sections.
const KINDS: [&str; 6] = ["rs", "md", "toml", "json", "py", "yml"];

/// Folders that hold no text of the project: what is built, results, data, and damaged input.
const LEFT_OUT: [&str; 6] =
    ["target", ".git", "results", "indonesia/data", "tests/fuzz/corpus", "examples/plugin/target"];

/// Fails if a cited section of the protocol does not exist, a document links to a file that is not there, the map of
/// crates is not theirs, a file of code is too long, or code asks for what only one system has.
pub fn check() -> Result<(), String> {
    let root = root();
    let protocol = read(&root.join(PROTOCOL))?;
    let mut faults = Vec::new();
    for path in texts(&root)? {
        let text = read(&path)?;
        let name = path.strip_prefix(&root).unwrap_or(&path);
        faults.extend(citations::faults(name, &text, &protocol));
        faults.extend(code::length_fault(name, &text));
        faults.extend(code::system_faults(name, &text));
        if path.extension().is_some_and(|kind| kind == "md") {
            faults.extend(citations::link_faults(name, &text, |target| path.with_file_name(target).exists()));
        }
    }
    let map = read(&root.join(map::NAME))?;
    faults.extend(map::faults(&map, |folder| root.join(folder).is_dir(), |name| read(&root.join(name)).ok()));
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// Every text below `folder`, in order.
fn texts(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
        .map_err(fault)?;
    entries.sort();
    let mut texts = Vec::new();
    for path in entries {
        let is_left_out =
            path.file_name().is_none_or(|name| LEFT_OUT.iter().any(|left_out| name == *left_out));
        if path.is_symlink() || is_left_out {
            continue;
        }
        if path.is_dir() {
            texts.extend(self::texts(&path)?);
        } else if path.extension().is_some_and(|kind| KINDS.iter().any(|known| kind == *known)) {
            texts.push(path);
        }
    }
    Ok(texts)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_section_file_and_crate_that_the_project_points_at_exists() {
        assert_eq!(super::check(), Ok(()));
    }
}
