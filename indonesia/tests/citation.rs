//! What `CITATION.cff` says of the pack and of the project is what their manifests say.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

use std::fs;
use std::path::Path;

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
}

#[test]
fn the_citation_names_the_versions_of_the_manifests() {
    let citation = read("../CITATION.cff");
    let manifest = read("../Cargo.toml");
    let project =
        manifest.lines().find_map(|line| line.strip_prefix("version = ")).unwrap().trim_matches('"');
    let versions: Vec<&str> =
        citation.lines().filter_map(|line| line.trim().strip_prefix("version: ")).collect();
    assert_eq!(versions, [project, env!("CARGO_PKG_VERSION")]);
}

#[test]
fn the_changelog_begins_with_the_version_of_the_pack() {
    let changelog = read("CHANGELOG.md");
    let newest = changelog.lines().find_map(|line| line.strip_prefix("## ")).unwrap();
    assert!(env!("CARGO_PKG_VERSION").starts_with(newest), "{newest}");
}
