//! Rankings and pools: nothing is ranked twice, and a pool says what it was taken from.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{LAW, lines, run_graded, succeed};

const HASHING: &str = "results/mteb-host__hashing/1/rankings/IndonesianLawRetrieval/test/default.trec.gz";

fn pool(folder: &Path, arguments: &[&str]) -> Value {
    let run = succeed(folder, &[&["pool", "--task", LAW, "--json"], arguments].concat());
    run.json().unwrap()[0].clone()
}

#[test]
fn what_was_ranked_is_not_ranked_again() {
    let folder = tempfile::tempdir().unwrap();
    let rank = || succeed(folder.path(), &["rank", "hashing", "bm25", "--task", LAW, "--quiet"]);
    let first = rank();
    let said: Vec<&str> = first.stdout.lines().collect();
    assert_eq!(
        said,
        [
            "mteb-host/hashing: rankings of 1 unit in results/mteb-host__hashing/1/rankings",
            "mteb/baseline-bm25s: rankings of 1 unit in results/mteb__baseline-bm25s/0_3_0/rankings",
        ]
    );
    let file = folder.path().join(HASHING);
    let made = fs::metadata(&file).unwrap().modified().unwrap();
    rank();
    assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), made);
}

#[test]
fn a_pool_holds_the_best_of_all_rankings_with_their_texts() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["rank", "hashing", "bm25", "--task", LAW, "--quiet"]);
    let one = pool(folder.path(), &["--depth", "5", "--model", "mteb-host/hashing"]);
    let queries = one["queries"].as_u64().unwrap();
    assert_eq!(one["pairs"].as_u64().unwrap(), 5 * queries, "one ranking: its best 5 of each query");
    assert_eq!((&one["rankings"][0]["system"], &one["new"]), (&"mteb-host/hashing".into(), &Value::Null));
    // Another embedder makes another version, and a list of what is left to be judged.
    let both = pool(folder.path(), &["--depth", "5"]);
    let pairs = both["pairs"].as_u64().unwrap();
    assert!(both["version"] != one["version"] && pairs > 5 * queries && pairs <= 10 * queries, "{both}");
    assert_eq!(both["new"]["previous"], one["version"]);
    let new = lines(&folder.path().join(format!("graded/new/{LAW}/test/default.jsonl")));
    assert_eq!(new.len() as u64, pairs - 5 * queries);
    // The file holds what a judge is to read.
    let file = lines(&folder.path().join(both["file"].as_str().unwrap()));
    assert_eq!(file[0]["version"], both["version"]);
    let texts = file.iter().filter(|line| line["text"].as_str().is_some_and(|text| !text.is_empty())).count();
    assert_eq!(file.len() as u64, 1 + texts as u64 + pairs);
    // The same again is the same file.
    let again = pool(folder.path(), &["--depth", "5"]);
    assert_eq!((&again["version"], &again["new"]["pairs"]), (&both["version"], &Value::Array(Vec::new())));
}

#[test]
fn the_list_of_what_is_new_outlives_the_same_pool_made_again() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["rank", "hashing", "bm25", "--task", LAW, "--quiet"]);
    pool(folder.path(), &["--depth", "2", "--model", "mteb-host/hashing"]);
    pool(folder.path(), &["--depth", "2"]);
    let new = folder.path().join(format!("graded/new/{LAW}/test/default.jsonl"));
    let before = fs::read_to_string(&new).unwrap();
    assert!(!before.is_empty());
    pool(folder.path(), &["--depth", "2"]);
    assert_eq!(fs::read_to_string(&new).unwrap(), before);
}

#[test]
fn a_sample_of_queries_is_pooled_and_a_control_brings_one_document() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["rank", "hashing", "random", "--task", LAW, "--quiet"]);
    let control = ["--depth", "3", "--depth-of", "mteb/baseline-random-encoder=1"];
    let small = pool(folder.path(), &[&control[..], &["--sample", "4"]].concat());
    assert_eq!((&small["queries"], &small["sample"]), (&4.into(), &4.into()));
    let pairs = small["pairs"].as_u64().unwrap();
    assert!((12..=16).contains(&pairs), "{small}");
    assert_eq!(small["rankings"][1]["depth"], 1, "{small}");
    let ids = |folder: &Path| -> Vec<String> {
        let file = lines(&folder.join(format!("graded/pools/{LAW}/test/default.jsonl")));
        let queries = file.iter().filter(|line| line["text"].is_string());
        queries.filter_map(|line| Some(line["query"].as_str()?.to_owned())).collect()
    };
    let few = ids(folder.path());
    pool(folder.path(), &[&control[..], &["--sample", "9"]].concat());
    let more = ids(folder.path());
    assert!(more.len() == 9 && few.iter().all(|id| more.contains(id)), "{few:?} {more:?}");
    let unknown = refusal(folder.path(), &["--depth-of", "mteb-host/hashin=1"]);
    assert!(
        unknown.contains("for `--depth-of`, found: mteb-host/hashin (near it: mteb-host/hashing)"),
        "{unknown}"
    );
}

#[test]
fn run_files_of_others_go_into_the_pool_under_a_name() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("paper.trec"), "q-001 Q0 d-0033 1 0.5 x\nq-002 Q0 d-0001 1 0.5 x\n")
        .unwrap();
    let found =
        pool(folder.path(), &["--rankings-file", "paper.trec", "--rankings-file", "again=paper.trec"]);
    assert_eq!((&found["pairs"], &found["queries"]), (&2.into(), &2.into()));
    let systems: Vec<&Value> =
        found["rankings"].as_array().unwrap().iter().map(|ranking| &ranking["system"]).collect();
    assert_eq!(systems, ["paper", "again"]);
}

fn refusal(folder: &Path, arguments: &[&str]) -> String {
    let run = run_graded(folder, &[&["pool", "--task", LAW], arguments].concat());
    assert_ne!(run.code, Some(0), "{}", run.stdout);
    run.stderr
}

#[test]
fn a_pool_that_cannot_be_right_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let none = refusal(folder.path(), &[]);
    assert_eq!(
        none,
        "failed: IndonesianLawRetrieval, split test, subset default: expected rankings in results, found none; \
         run `mteb-host graded rank MODEL` first\n"
    );
    fs::write(folder.path().join("paper.trec"), "q-001 Q0 d-9999 1 0.5 x\n").unwrap();
    let unknown = refusal(folder.path(), &["--rankings-file", "paper.trec"]);
    assert_eq!(unknown, "failed: the ranking of paper: expected a document of the task, found: d-9999\n");
    succeed(folder.path(), &["rank", "hashing", "--task", LAW, "--quiet", "--depth", "5"]);
    let shallow = refusal(folder.path(), &[]);
    assert_eq!(
        shallow,
        format!(
            "failed: {HASHING}: expected the best 100 documents of each query, found a ranking of 5; `mteb-host graded rank` \
             makes a deeper one\n"
        )
    );
}

#[test]
fn tasks_that_do_not_search_have_no_pool() {
    let folder = tempfile::tempdir().unwrap();
    let run = run_graded(folder.path(), &["pool", "--task", "IndonesianGeneralSTS"]);
    assert_eq!(run.code, Some(2));
    assert_eq!(
        run.stderr,
        "error: expected retrieval or reranking tasks, found none among 1 task; select some with `--task` or \
         `--benchmark`\n"
    );
}
