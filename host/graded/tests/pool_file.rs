//! The file of a pool comes back as it was, and says what is wrong with it. It is sometimes said
//! that the order of two models cannot change when a pool grows: it can.

use std::fs;

use mteb_graded::evaluate::{Grades, Ranks, Unjudged, curves};
use mteb_graded::pool::{added, read_pool, write_pool};

use super::pool;

#[test]
fn a_pool_comes_back_with_its_texts_and_the_same_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/pool.jsonl");
    let written = pool(&[("q 1", &["a\nb", "c"]), ("q2", &["c"])]);
    write_pool(&path, &written).unwrap();
    assert_eq!(read_pool(&path).unwrap(), written);
    // A pool that has more names what is new.
    let larger = pool(&[("q 1", &["a\nb", "c"]), ("q2", &["c", "d"])]);
    assert_ne!(larger.version(), written.version());
    let new: Vec<&str> = added(&larger, &written).iter().map(|pair| pair.document.as_str()).collect();
    assert_eq!(new, ["d"]);
}

/// What is wrong with the file after `from` was replaced by `to`.
fn refusal(from: &str, to: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pool.jsonl");
    write_pool(&path, &pool(&[("q1", &["a", "b"])])).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(&path, text.replacen(from, to, 1)).unwrap();
    let message = read_pool(&path).unwrap_err().to_string();
    message.replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn a_text_that_was_changed_is_found_by_the_names_of_its_pairs() {
    let message = refusal("text of b", "text of B");
    assert!(message.starts_with("pool.jsonl, line 6: expected pair "), "{message}");
}

#[test]
fn a_pair_that_is_missing_is_found_by_the_head() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pool.jsonl");
    write_pool(&path, &pool(&[("q1", &["a", "b"])])).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let last = text.trim_end().rfind('\n').unwrap();
    fs::write(&path, &text[..=last]).unwrap();
    let message = read_pool(&path).unwrap_err().to_string();
    assert!(message.ends_with("pool.jsonl: expected 2 pairs, as its head says, found: 1"), "{message}");
}

#[test]
fn something_else_is_no_pool() {
    let message = refusal("{\"pool\":1", "{\"pond\":1");
    assert!(
        message.starts_with("pool.jsonl, line 1: expected the head of a pool of schema 1, found: "),
        "{message}"
    );
}

/// nDCG at 2 of the models A and B: A finds documents of grades [10, 2] and [2, 6], B finds [2, 2] and [8, 6].
fn scores(first_pool: &[f64]) -> (f64, f64) {
    let second_pool = [8.0, 6.0, 2.0];
    let starts = vec![0, first_pool.len(), first_pool.len() + second_pool.len()];
    let grades = Grades::new(starts, [first_pool, &second_pool].concat());
    let a = Ranks::new([[0, 2], [2, 1]]);
    let b = Ranks::new([[2, 3], [0, 1]]);
    let found = curves(&[a, b], &[grades], &[6.0], Unjudged::Zero);
    (found[0][0].ndcg[1], found[1][0].ndcg[1])
}

fn rounded((a, b): (f64, f64)) -> (f64, f64) {
    ((a * 1000.0).round() / 1000.0, (b * 1000.0).round() / 1000.0)
}

/// The two new documents are found by neither model; they only show that the first query was answered less well than it seemed, which
/// costs A, who did well there, more than B.
#[test]
fn two_more_documents_in_a_pool_turn_the_order_of_two_models_around() {
    assert_eq!(rounded(scores(&[10.0, 5.0, 2.0, 2.0])), (0.674, 0.624));
    assert_eq!(rounded(scores(&[10.0, 5.0, 2.0, 2.0, 10.0, 10.0])), (0.591, 0.600));
}
