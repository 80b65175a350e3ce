//! Files that are none: nothing waits for them.

use std::fs;
use std::process::Command;

use super::{LAW, done, graded};

/// The card of a judge that nobody gets to ask.
const CARD: &str = r#"
schema = 1
name = "reader"
title = "a judge of the tests"
threshold = 6.0
[endpoint]
style = "openai"
url = "http://127.0.0.1:9/v1"
model = "m-1"
[prompt]
language = "en"
version = 1
"#;

#[test]
fn a_pipe_in_the_place_of_a_judges_card_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &["rank", "hashing", "--task", LAW, "--quiet"]);
    done(folder.path(), &["pool", "--task", LAW, "--depth", "1"]);
    fs::write(folder.path().join("reader.toml"), CARD).unwrap();
    let judgements = folder.path().join("graded/judgements");
    fs::create_dir_all(&judgements).unwrap();
    assert!(Command::new("mkfifo").arg(judgements.join("reader.toml")).status().unwrap().success());
    let run = graded(folder.path(), &["judge", "--judge", "reader.toml", "--quiet"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let expected = "graded/judgements/reader.toml: cannot read it: expected a regular file, found a pipe";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
    assert!(!judgements.join("reader.jsonl").exists(), "a store was left");
}
