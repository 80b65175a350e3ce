//! What `CITATION.cff` and the changelog say of the pack is what the manifests say; and a program that has the
//! pack holds each text once, however many parts of it look at the datasets.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

use std::fs;
use std::path::Path;

use mteb_plugin_api::v1::TaskPack;
use mteb_plugin_indonesia::{DATASETS, IndonesiaPack, Packed};

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

#[test]
fn a_program_holds_each_text_of_the_pack_once() {
    let program = fs::read(std::env::current_exe().unwrap()).unwrap();
    let texts = DATASETS.iter().flat_map(|dataset| dataset.files);
    let longest: &Packed = &texts.max_by_key(|(_, text)| text.bytes.len()).unwrap().1;
    // The pack itself is a part of this program, too.
    let card = IndonesiaPack.task(DATASETS[0].name).unwrap().card().unwrap();
    assert_eq!(card, DATASETS[0].card.text().unwrap());
    let found = program.windows(longest.bytes.len()).filter(|window| *window == longest.bytes).count();
    assert_eq!(found, 1, "{} bytes", longest.bytes.len());
}
