//! Shards of a run in which a reranker orders anew what a first stage has found.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use serde_json::json;

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

/// Queries of a unit whose pairs are more than two ranges.
const QUERIES: usize = 660;

const ASKED: [&str; 8] = [
    "--registry",
    "mine.toml",
    "--task",
    "Asked",
    "--model",
    "python:pairs.py:Pairs",
    "--rerank-from",
    "first.trec",
];

/// A task with many queries, and a run file in which each has a hundred documents.
fn many_queries() -> Tasks {
    let tasks = Tasks::new();
    let folder = tasks.folder();
    fs::write(folder.join("pairs.py"), PAIRS).unwrap();
    let card = "schema = 1\nname = \"Asked\"\ntype = \"Retrieval\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\
                [dataset]\npath = \"../data/Asked\"\n";
    fs::write(folder.join("cards/Asked.toml"), card).unwrap();
    let words = ["padi", "laut", "gunung", "pasar", "hujan", "kereta", "sekolah"];
    let text = |number: usize| format!("{} {} {number}", words[number % 7], words[number / 7 % 7]);
    let row = |name: &str, number: usize| {
        format!("{}\n", json!({"_id": format!("{name}{number}"), "text": text(number)}))
    };
    let data = folder.join("data/Asked");
    fs::create_dir_all(&data).unwrap();
    fs::write(data.join("corpus.jsonl"), (0..100).map(|number| row("d", number)).collect::<String>())
        .unwrap();
    fs::write(data.join("queries.jsonl"), (0..QUERIES).map(|number| row("q", number)).collect::<String>())
        .unwrap();
    let (mut judged, mut ranked) = ("query-id\tcorpus-id\tscore\n".to_owned(), String::new());
    for query in 0..QUERIES {
        writeln!(judged, "q{query}\td{}\t1", query % 100).unwrap();
        for rank in 0..100 {
            writeln!(ranked, "q{query} Q0 d{} {} {} first", (query + rank * 7) % 100, rank + 1, 100 - rank)
                .unwrap();
        }
    }
    fs::create_dir_all(data.join("qrels")).unwrap();
    fs::write(data.join("qrels/test.tsv"), judged).unwrap();
    fs::write(folder.join("first.trec"), ranked).unwrap();
    tasks
}

#[test]
fn the_pairs_of_one_unit_are_shared_and_merge_to_the_bytes_of_one_run() {
    let tasks = many_queries();
    tasks.done(&[&["run", "--quiet"], &ASKED[..], &KEPT].concat());
    let single = files(&tasks.folder().join("results"));
    tasks.done(&[&["plan", "--shards", "3"], &ASKED[..], &KEPT].concat());
    let plan = tasks.json("plan.json");
    let ranges = plan["tasks"][0]["units"][0]["ranges"].as_array().expect("a unit that is cut").clone();
    let shards: BTreeSet<u64> = ranges.iter().map(|range| range["shard"].as_u64().unwrap()).collect();
    assert_eq!((ranges.len(), shards.len()), (3, 3));
    let merge = ["merge", "plan.json", "--output-folder", "merged"];
    for shard in [2, 0] {
        let run = tasks.shard("plan.json", shard);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let half = tasks.host(&merge);
    assert_eq!(half.code, Some(1));
    assert!(half.stderr.contains("error: shard 1 has not begun: 1 unit missing"), "{}", half.stderr);
    assert_eq!(tasks.shard("plan.json", 1).code, Some(0));
    tasks.done(&merge);
    assert_same(&single, &files(&tasks.folder().join("merged")));
    // What was ordered anew is needed once more to score it.
    let ranked = fs::read_to_string(tasks.folder().join("first.trec")).unwrap();
    fs::write(tasks.folder().join("first.trec"), ranked.replacen("d7 2 99", "d7 2 98", 1)).unwrap();
    let other = tasks.host(&["merge", "plan.json", "--output-folder", "other"]);
    assert_eq!(other.code, Some(1));
    assert!(other.stderr.contains("rankings of the first stage: was SHA-256 "), "{}", other.stderr);
    // A plan may leave units whole.
    tasks.done(&[&["plan", "--shards", "3", "--whole-corpora"], &ASKED[..]].concat());
    assert!(tasks.json("plan.json")["tasks"][0]["units"][0].get("ranges").is_none());
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
