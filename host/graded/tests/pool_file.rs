//! The file of a pool comes back as it was, and says what is wrong with it.

use std::fs;

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
