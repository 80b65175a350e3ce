//! The dataset cards of the Indonesian pack as the hub reads them.

use std::process::Command;

use mteb_host_tests::{python, root};
use serde_json::Value;

/// What each card has to say before its title.
const KEYS: [&str; 7] = [
    "dataset_name",
    "language",
    "license",
    "annotations_creators",
    "source_datasets",
    "task_categories",
    "size_categories",
];

#[test]
fn the_hubs_parser_reads_metadata_provenance_and_a_reference_from_every_dataset_card() {
    let Some(python) = python() else { return };
    let script = root().join("tests/cli/dataset_cards.py");
    let done = Command::new(python).arg(script).arg(root().join("indonesia/datasets")).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let cards: Value = serde_json::from_slice(&done.stdout).unwrap();
    let cards = cards.as_object().unwrap();
    assert!(!cards.is_empty());
    for (file, card) in cards {
        for key in KEYS {
            assert!(
                card[key].as_str().is_some_and(|text| !text.is_empty()) || card[key][0].is_string(),
                "{file}: {key}"
            );
        }
        let name = file.split('.').next().unwrap();
        assert_eq!(card["title"], format!("# {name}"), "{file}");
        assert!(card["dataset_name"].as_str().unwrap().starts_with("indonesiamteb/"), "{file}");
        assert_eq!(card["annotations_creators"][0], "machine-generated", "{file}");
        let text = card["text"].as_str().unwrap();
        let first: Vec<&str> = text.lines().filter(|line| !line.is_empty()).take(3).collect();
        assert!(
            first[2].starts_with("**Provenance.**") || first[2].starts_with("**Asal-usul.**"),
            "{file}: {first:?}"
        );
        assert!(text.contains("```bibtex\n@misc{"), "{file}");
    }
}
