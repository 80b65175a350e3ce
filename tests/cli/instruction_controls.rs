//! The bundled sets with instructions tell a model that follows them from one that ignores them: controls that are built from the judgements.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;

use mteb_host_tests::{Run, host, root};
use serde_json::Value;

const SETS: [&str; 3] = [
    "IndonesianInstructionRetrieval",
    "IndonesianPolicyInstructionRetrieval",
    "IndonesianLawHealthInstructionRetrieval",
];

/// Relevance of a document to a query, by both ids.
type Judged = HashMap<(String, String), i64>;

fn rows(set: &str, part: &str) -> Vec<Value> {
    let text = fs::read_to_string(root().join(format!("indonesia/data/{set}/{part}.jsonl"))).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text(row: &Value, key: &str) -> String {
    row[key].as_str().unwrap().to_owned()
}

/// The p-MRR in percent of candidates that are ordered by what `relevance` says of a query and a document.
fn p_mrr(set: &str, relevance: impl Fn(&Judged, &str, &str) -> i64) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let qrels = rows(set, "qrels");
    let judged = qrels
        .iter()
        .map(|row| ((text(row, "query-id"), text(row, "corpus-id")), row["score"].as_i64().unwrap()));
    let judged: Judged = judged.collect();
    let mut run = String::new();
    for row in rows(set, "top_ranked") {
        let query = text(&row, "query-id");
        let mut documents: Vec<&str> =
            row["corpus-ids"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        documents.sort_by_key(|document| -relevance(&judged, &query, document));
        for (place, document) in documents.iter().enumerate() {
            writeln!(run, "{query} Q0 {document} {} {} control", place + 1, 1000 - place).unwrap();
        }
    }
    fs::write(folder.path().join("control.trec"), run).unwrap();
    let arguments =
        ["score", "--rankings", "control.trec", "--task", set, "--registry", "indonesia", "--json"];
    let scored = Run::of(host(folder.path()).args(arguments)).unwrap();
    let scores = scored.json().unwrap_or_else(|_| panic!("{}", scored.stderr));
    100.0 * scores["scores"]["p-MRR"].as_f64().unwrap()
}

fn of(judged: &Judged, query: &str, document: &str) -> i64 {
    judged.get(&(query.to_owned(), document.to_owned())).copied().unwrap_or_default()
}

/// With twenty candidates a document can fall to the twentieth place at most, so that the most is short of 100.
#[test]
fn a_follower_is_far_above_a_model_that_ignores_instructions() {
    for set in SETS {
        let follower = p_mrr(set, of);
        assert!(follower > 60.0, "{set}: {follower}");
        let ignorer = p_mrr(set, |judged, query, document| {
            let topic = query.rsplit_once('-').unwrap().0;
            of(judged, &format!("{topic}-og"), document)
        });
        assert_eq!(ignorer, 0.0, "{set}");
        let contrary = p_mrr(set, |judged, query, document| {
            let (topic, version) = query.rsplit_once('-').unwrap();
            let other = if version == "og" { "changed" } else { "og" };
            of(judged, &format!("{topic}-{other}"), document)
        });
        assert!(contrary < -60.0, "{set}: {contrary}");
    }
}
