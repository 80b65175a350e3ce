//! A prediction file keeps the order in which the reference's model gave documents: the last digit of a deviation hangs on it.

use mteb_host_tests::{Run, host};
use serde_json::{Value, json};

use super::task::Task;

/// The same four scores for each query, so that their deviations are equal but for the order of addition.
const FOUND: [[f64; 4]; 6] = [
    [0.449, 0.652, 0.255, 0.495],
    [0.652, 0.495, 0.449, 0.255],
    [0.495, 0.652, 0.255, 0.449],
    [0.449, 0.255, 0.652, 0.495],
    [0.495, 0.652, 0.255, 0.449],
    [0.449, 0.495, 0.652, 0.255],
];
const GRADES: [[u8; 4]; 6] =
    [[1, 0, 1, 0], [1, 0, 0, 1], [1, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 1], [1, 1, 0, 0]];

/// What `RetrievalEvaluator` of mteb 2.26.24 gives for them; best documents first, it would be 0.
const DEVIATION: f64 = 0.618644;

fn lines(rows: impl Iterator<Item = Value>) -> String {
    rows.map(|row| format!("{row}\n")).collect()
}

#[test]
fn the_deviation_of_scores_is_that_of_the_files_order() {
    let corpus = lines((0..4).map(|d| json!({"_id": format!("d{d}"), "text": format!("teks {d}")})));
    let queries = lines((0..6).map(|q| json!({"_id": format!("q{q}"), "text": format!("tanya {q}")})));
    let judged = (0..6).flat_map(|q| (0..4).map(move |d| (q, d)));
    let qrels = lines(judged.map(
        |(q, d)| json!({"query-id": format!("q{q}"), "corpus-id": format!("d{d}"), "score": GRADES[q][d]}),
    ));
    let task =
        Task::retrieval(&corpus, &queries, ("qrels.jsonl", &qrels)).with("[protocol]\nk_values = [1, 2, 10]");
    let found: Vec<String> = (0..6)
        .map(|q| {
            let documents: Vec<String> = (0..4).map(|d| format!("\"d{d}\": {}", FOUND[q][d])).collect();
            format!("\"q{q}\": {{{}}}", documents.join(", "))
        })
        .collect();
    task.write("predictions.json", format!("{{\"default\": {{\"test\": {{{}}}}}}}", found.join(", ")));
    let args =
        ["score", "--rankings", "predictions.json", "--task", "T", "--registry", "card.toml", "--json"];
    let run = Run::of(host(task.folder()).args(args)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let answer: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(answer["scores"]["nauc_precision_at_2_std"], json!(DEVIATION));
}
