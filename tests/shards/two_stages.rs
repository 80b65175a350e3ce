//! Shards of a run in which a reranker orders anew what a first stage has found.

use std::fs;

use super::fixture::{KEPT, Tasks, assert_same, files};

const PAIRS: &str = "
class Pairs:
    def predict(self, pairs):
        return [float(len(set(query.split()) & set(document.split()))) - len(document) / 512.0 for query, document in pairs]
";

const RERANKED: [&str; 10] = [
    "--registry",
    "mine.toml",
    "--task",
    "Search",
    "--task",
    "OtherSearch",
    "--model",
    "python:pairs.py:Pairs",
    "--rerank-from",
    "first",
];

fn tasks() -> Tasks {
    let tasks = Tasks::new();
    fs::write(tasks.folder().join("pairs.py"), PAIRS).unwrap();
    let first = ["run", "--quiet", "--registry", "mine.toml", "--task", "Search", "--task", "OtherSearch"];
    tasks.done(&[&first[..], &["--model", "bm25", "--rankings", "--output-folder", "first"]].concat());
    tasks
}

#[test]
fn shards_of_a_second_stage_merge_to_the_bytes_of_one_run() {
    let tasks = tasks();
    tasks.done(&[&["run", "--quiet"], &RERANKED[..], &KEPT].concat());
    let single = files(&tasks.folder().join("results"));
    assert!(single.keys().any(|name| name.to_string_lossy().contains("rerank_from")), "{:?}", single.keys());
    for shards in ["1", "3"] {
        tasks.done(&[&["plan", "--shards", shards], &RERANKED[..], &KEPT].concat());
        for shard in (0..shards.parse().unwrap()).rev() {
            let run = tasks.shard("plan.json", shard);
            assert_eq!(run.code, Some(0), "{}", run.stderr);
        }
        let merged = format!("merged{shards}");
        tasks.done(&["merge", "plan.json", "--output-folder", &merged]);
        assert_same(&single, &files(&tasks.folder().join(&merged)));
        fs::remove_dir_all(tasks.folder().join("plan-shards")).unwrap();
    }
}

#[test]
fn a_shard_wants_the_rankings_of_the_plan() {
    let tasks = tasks();
    let mut named = RERANKED;
    named[9] = "bm25";
    let refused = tasks.host(&[&["plan", "--shards", "2"], &named[..]].concat());
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("expected a folder or a file with rankings"), "{}", refused.stderr);
    tasks.done(&[&["plan", "--shards", "1"], &RERANKED[..]].concat());
    let again = ["run", "--quiet", "--registry", "mine.toml", "--task", "Search", "--model", "bm25"];
    tasks.done(
        &[&again[..], &["--rankings", "--depth", "3", "--overwrite", "always", "--output-folder", "first"]]
            .concat(),
    );
    let other = tasks.shard("plan.json", 0);
    assert_eq!(other.code, Some(2), "{}", other.stderr);
    assert!(other.stderr.contains("rankings of the first stage: was SHA-256 "), "{}", other.stderr);
    let typed = tasks.host(&["run", "--plan", "plan.json", "--shard", "0", "--rerank-from", "first"]);
    assert!(typed.stderr.contains("expected no `--rerank-from` with `--plan`"), "{}", typed.stderr);
}
