//! Whole datasets scored for the random baseline encoder, beside the reference's result files
//! (protocol 16).

use std::path::Path;

use mteb_data::{Column, Table, read_file};
use mteb_measures::numeric::python_round;
use mteb_tasks::{Protocol, Similarity};
use serde_json::Value;

use super::{ADDED, embed, revision, shared};
use crate::given_session::{GivenSession, score};

/// A file of the dataset `name` of the hub, in its only revision.
fn read(shared: &Path, name: &str, file: &str) -> Table {
    read_file(&revision(shared, name).join(file)).expect("the file can be read")
}

/// Scores every entry of the task's result file, on the rows that `rows` gives for its subset.
fn check(shared: &Path, task: &str, task_type: &str, options: &Protocol, rows: impl Fn(&str) -> Table) {
    let file = shared.join("golden/random").join(format!("{task}.json"));
    let text = std::fs::read_to_string(file).expect("the result file is there");
    let result: Value = serde_json::from_str(&text).expect("the result file is JSON");
    for entries in result["scores"].as_object().expect("splits").values() {
        for entry in entries.as_array().expect("entries") {
            let subset = entry["hf_subset"].as_str().expect("a name");
            let mut session = GivenSession::new(&embed, Similarity::Cosine);
            let scores = score(task_type, options, rows(subset), &mut session).expect("scores");
            let expected: Vec<(&str, f64)> = entry
                .as_object()
                .expect("an entry")
                .iter()
                .filter(|(key, _)| !ADDED.contains(&key.as_str()))
                .map(|(key, value)| (key.as_str(), value.as_f64().expect("a number")))
                .collect();
            let found: Vec<(&str, f64)> = scores
                .0
                .iter()
                .map(|(key, _)| (key.as_str(), python_round(scores.number(key).expect("a number"), 6)))
                .collect();
            assert_eq!(found, expected, "{task}, subset {subset}");
        }
    }
}

/// The rows of `table` whose column `lang` holds `subset`, in order.
fn group(table: &Table, subset: &str) -> Table {
    let langs = table.texts("lang").expect("languages");
    let rows: Vec<usize> = (0..table.rows()).filter(|&row| &langs[row] == subset).collect();
    let side = |name: &str| Column::Text(table.texts(name).expect("sentences").select(&rows));
    pair(side("sentence1"), side("sentence2"))
}

fn pair(left: Column, right: Column) -> Table {
    let columns = vec![("sentence1".to_owned(), left), ("sentence2".to_owned(), right)];
    Table::new("rows", columns).expect("both sides are equally long")
}

#[test]
fn sts_benchmark_equals_the_reference() {
    let Some(shared) = shared() else { return };
    check(&shared, "STSBenchmark", "STS", &Protocol::default(), |_| {
        read(&shared, "stsbenchmark-sts", "test.jsonl.gz")
    });
}

#[test]
fn sem_rel_with_gold_scores_up_to_one_equals_the_reference() {
    let Some(shared) = shared() else { return };
    let options = Protocol { max_score: Some(1.0), ..Protocol::default() };
    check(&shared, "SemRel24STS", "STS", &options, |subset| {
        read(&shared, "SemRel24STS", &format!("{subset}/test-00000-of-00001.parquet"))
    });
}

#[test]
fn ntrex_with_a_column_a_language_equals_the_reference() {
    let Some(shared) = shared() else { return };
    let table = read(&shared, "NTREXBitextMining", "data/test-00000-of-00001.parquet");
    check(&shared, "NTREXBitextMining", "BitextMining", &Protocol::default(), |subset| {
        let (left, right) = subset.split_once('-').expect("two languages");
        let side = |name: &str| table.column(name).expect("a language").clone();
        pair(side(left), side(right))
    });
}

#[test]
fn nusa_x_with_a_file_a_language_pair_equals_the_reference() {
    let Some(shared) = shared() else { return };
    check(&shared, "NusaXBitextMining", "BitextMining", &Protocol::default(), |subset| {
        read(&shared, "NusaXBitextMining", &format!("{subset}/train-00000-of-00001.parquet"))
    });
}

#[test]
fn tatoeba_with_a_column_of_language_pairs_equals_the_reference() {
    let Some(shared) = shared() else { return };
    let table = read(&shared, "tatoeba-bitext-mining", "test.jsonl.gz");
    check(&shared, "Tatoeba", "BitextMining", &Protocol::default(), |subset| group(&table, subset));
}
