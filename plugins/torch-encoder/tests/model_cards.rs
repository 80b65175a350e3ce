//! The model cards of the registries.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it did not expect"
)]

use std::fs;
use std::path::Path;

use mteb_card::ModelCard;
use mteb_plugin_torch::known_architectures;

#[test]
fn every_card_has_its_form_its_file_name_and_an_architecture_that_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../registries/models");
    let mut count = 0;
    // Those of the imported models say what these are, not whether this plugin runs them.
    let is_file = |entry: &fs::DirEntry| entry.path().is_file();
    for entry in fs::read_dir(folder).unwrap().flatten().filter(is_file) {
        let card = ModelCard::from_toml(&fs::read_to_string(entry.path()).unwrap())
            .unwrap_or_else(|error| panic!("{}: {error}", entry.path().display()));
        let name = format!("{}.toml", card.name.replace('/', "__"));
        assert_eq!(entry.file_name().to_string_lossy(), name);
        assert_eq!(card.schema, 1, "{name}");
        assert_eq!(card.dimension.is_none(), card.cross_encoder, "{name}");
        // Nothing is known of the insides of a model behind an endpoint, or of one that Python loads.
        if card.api.is_some() || card.architecture.is_none() {
            continue;
        }
        let architecture = card.architecture.expect("an architecture");
        let others = ["static", "word-embeddings", "bilstm"];
        assert!(
            known_architectures().contains(&architecture.as_str()) || others.contains(&architecture.as_str()),
            "{name}: {architecture}"
        );
        count += 1;
    }
    assert!(count >= 20, "{count} cards");
}

#[test]
fn the_host_reads_every_architecture_from_the_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/architectures");
    let mut declared = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        // As in `host/cli/build.rs`.
        let names = text.split("model_type: \"").skip(1).filter_map(|rest| rest.split('"').next());
        declared.extend(names.map(str::to_owned));
    }
    declared.sort_unstable();
    assert_eq!(declared, known_architectures());
}
