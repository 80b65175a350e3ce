//! SciFact scored for the random baseline encoder, beside the reference's result file (protocol
//! 16).

use std::collections::BTreeMap;

use mteb_data::{Folder, Table};
use mteb_measures::numeric::{numpy_round, python_round};
use mteb_tasks::{Part, Protocol, Score, Similarity, Unit};
use serde_json::Value;

use super::{ADDED, embed, open, shared};
use crate::search_session::{SearchSession, score};

/// A config of SciFact: the split `test`, else the only one.
fn read(folder: &Folder, config: &str) -> Table {
    let splits = folder.splits(config).expect("the config is there");
    let split = if splits.contains(&"test") { "test" } else { splits[0] };
    folder.read(config, split).expect("the config can be read")
}

#[test]
fn sci_fact_equals_the_reference() {
    let Some(shared) = shared() else { return };
    let folder = open(&shared, "scifact");
    let parts = [(Part::Corpus, "corpus"), (Part::Queries, "queries"), (Part::Qrels, "default")];
    let unit = Unit::new(
        ["SciFact", "test", "default"],
        parts.map(|(part, config)| (part, read(&folder, config))).into_iter().collect::<BTreeMap<_, _>>(),
    );
    let mut session = SearchSession::new(&embed, Similarity::Cosine);
    let scores = score("Retrieval", &Protocol::default(), unit, &mut session).expect("scores");
    let text = std::fs::read_to_string(shared.join("golden/random/SciFact.json")).expect("the result file");
    let result: Value = serde_json::from_str(&text).expect("the result file is JSON");
    let expected: Vec<(&str, Option<f64>)> = result["scores"]["test"][0]
        .as_object()
        .expect("an entry")
        .iter()
        .filter(|(key, _)| !ADDED.contains(&key.as_str()))
        .map(|(key, value)| (key.as_str(), value.as_f64()))
        .collect();
    let found: Vec<(&str, Option<f64>)> = scores
        .0
        .iter()
        .map(|(key, score)| match score {
            Score::Number(number) => (key.as_str(), Some(python_round(*number, 6))),
            Score::Numpy(number) => (key.as_str(), Some(numpy_round(*number, 6))),
            _ => (key.as_str(), None),
        })
        .collect();
    assert_eq!(found, expected);
    let phases = result["evaluation_phases"].as_array().expect("phases");
    let names =
        phases.iter().filter(|phase| phase["split"] == "test").filter_map(|phase| phase["name"].as_str());
    assert_eq!(session.phases, names.collect::<Vec<_>>());
}
