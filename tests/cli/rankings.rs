//! Rankings beside the scores, rankings of others, and the model that ranks by words.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};
use mteb_host_tests::{Run, host, root, shared};
use serde_json::{Value, json};

use super::new_task::Task;

const LAW: &str = "IndonesianLawRetrieval";
const BM25: &str = "results/mteb__baseline-bm25s/0_3_0";
const HASHING: &str = "results/mteb-host__hashing/1";

fn run(folder: &Path, args: &[&str]) -> Run {
    Run::of(host(folder).arg("run").args(args)).unwrap()
}

fn score(folder: &Path, rankings: &str, task: &str) -> Run {
    Run::of(host(folder).args(["score", "--rankings", rankings, "--task", task, "--json"])).unwrap()
}

fn entry(folder: &Path, results: &str, task: &str) -> Value {
    let text = fs::read_to_string(folder.join(results).join(format!("{task}.json"))).unwrap();
    let file: Value = serde_json::from_str(&text.replace("NaN", "null")).unwrap();
    file["scores"].as_object().unwrap().values().next().unwrap()[0].clone()
}

/// Compares all measures of `expected` with an entry.
fn assert_equal(task: &str, entry: &Value, expected: &Value) {
    for (name, expected) in expected.as_object().unwrap() {
        let found = entry[name].as_f64().unwrap_or_else(|| panic!("{task}: no number {name}"));
        assert!(
            (found - expected.as_f64().unwrap()).abs() < 1.1e-6,
            "{task}, {name}: {found} for {expected}"
        );
    }
}

/// The edition whose data stays as it is.
const FIRST: [&str; 2] = ["--registry", "indonesia@1"];

fn reference() -> Value {
    let text = fs::read_to_string(root().join("tests/golden/lexical/tasks.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Fixture from `tests/golden/lexical/tasks.py`.
#[test]
fn bm25_scores_the_bundled_retrieval_sets_as_the_reference_does() {
    let folder = tempfile::tempdir().unwrap();
    let tasks = ["IndonesianEncyclopediaRetrieval", "IndonesianHealthRetrieval", LAW];
    let named: Vec<&str> = tasks.iter().flat_map(|task| ["--task", task]).collect();
    let done = run(folder.path(), &[&["--model", "bm25", "--quiet"], &FIRST[..], named.as_slice()].concat());
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    for task in tasks {
        assert_equal(task, &entry(folder.path(), BM25, task), &reference()[task]);
    }
}

/// The candidates that share no word with a query are as good as each other; the reference keeps any of them.
#[test]
fn bm25_reranks_candidates_as_the_reference_does_down_to_rank_10() {
    let (folder, task) = (tempfile::tempdir().unwrap(), "IndonesianHowToReranking");
    run(folder.path(), &[&["--model", "bm25", "--quiet", "--task", task], &FIRST[..]].concat());
    let (found, expected) = (entry(folder.path(), BM25, task), &reference()[task]);
    for name in ["ndcg_at_1", "ndcg_at_5", "ndcg_at_10", "map_at_10", "mrr_at_10", "recall_at_10"] {
        assert_eq!(found[name], expected[name], "{name}");
    }
}

#[test]
fn bm25_scores_scifact_as_the_reference_does() {
    let Some(shared) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let hub = shared.join("hub");
    let args = [
        "--model",
        "mteb/baseline-bm25s",
        "--quiet",
        "--task",
        "SciFact",
        "--hub-dir",
        hub.to_str().unwrap(),
    ];
    let done = run(folder.path(), &args);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_equal("SciFact", &entry(folder.path(), BM25, "SciFact"), &reference()["SciFact"]);
}

#[test]
fn bm25_is_not_asked_to_encode() {
    let folder = tempfile::tempdir().unwrap();
    let named = run(folder.path(), &["--model", "bm25", "--quiet", "--task", "IndonesianGeneralSTS"]);
    assert_eq!(named.code, Some(1));
    assert_eq!(
        named.stderr.lines().next().unwrap(),
        "failed: IndonesianGeneralSTS, split test, subset default: model mteb/baseline-bm25s ranks documents \
         and cannot encode: choose retrieval or reranking tasks, such as `--task-type Retrieval`, or another \
         model"
    );
    let option = run(folder.path(), &["--model", "bm25", "--similarity", "dot", "--task", LAW]);
    assert_eq!(option.code, Some(2));
    assert_eq!(
        option.stderr,
        "error: model bm25 ranks documents by their words and does not support `--similarity`; leave it out\n"
    );
}

#[test]
fn a_run_file_scores_as_the_run_that_left_it() {
    let folder = tempfile::tempdir().unwrap();
    let done = run(folder.path(), &["--quiet", "--task", LAW, "--rankings", "--predictions"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let expected = entry(folder.path(), HASHING, LAW);
    let files = [
        format!("{HASHING}/rankings/{LAW}/test/default.trec.gz"),
        format!("{HASHING}/predictions/{LAW}_predictions.json"),
    ];
    for file in files {
        let scored = score(folder.path(), &file, LAW);
        let scores = scored.json().unwrap_or_else(|_| panic!("{}", scored.stderr))["scores"].clone();
        for name in ["ndcg_at_10", "map_at_1000", "recall_at_100", "mrr_at_10", "hit_rate_at_1"] {
            assert_eq!(scores[name], expected[name], "{file}, {name}");
        }
    }
}

#[test]
fn rankings_are_made_anew_where_they_are_missing_damaged_or_of_another_depth() {
    let folder = tempfile::tempdir().unwrap();
    let again = |more: &[&str]| {
        let run = run(folder.path(), &[&["--quiet", "--task", LAW], more].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stderr
    };
    let file = folder.path().join(HASHING).join(format!("rankings/{LAW}/test/default.trec.gz"));
    let missing = format!("{LAW}: will be scored again: its rankings are missing\n");
    let damaged = missing
        .replace("are missing", &format!("are damaged: {HASHING}/rankings/{LAW}/test/default.trec.gz"));
    let other = damaged.replace("are damaged", "belong to something else");
    again(&[]);
    assert_eq!(again(&["--rankings"]), missing);
    let whole = fs::read(&file).unwrap();
    assert_eq!(again(&["--rankings"]), "", "they are there");
    fs::write(&file, b"torn").unwrap();
    let said = again(&["--rankings"]);
    assert!(said.starts_with(&damaged) && said.contains("; it is kept as "), "{said}");
    assert_eq!(fs::read(&file).unwrap(), whole);
    assert_eq!(again(&["--rankings", "--depth", "5"]), other);
    assert!(fs::read(&file).unwrap().len() < whole.len() / 10);
    again(&["--overwrite", "always"]);
    assert!(!file.exists(), "what a newer score has not left does not stay beside it");
}

#[test]
fn rankings_that_cannot_be_right_are_named_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let refusal = |text: &str| {
        fs::write(folder.path().join("run.trec"), text).unwrap();
        let scored = score(folder.path(), "run.trec", LAW);
        assert_eq!(scored.code, Some(1), "{}", scored.stdout);
        scored.stderr
    };
    assert_eq!(
        refusal("q-001 Q0 d-0033 1 0.5 x\nq-001 Q0 d-9999 2 0.4 x\n"),
        "error: run.trec, line 2: expected the id of a document in the corpus, found: d-9999\n"
    );
    assert_eq!(
        refusal("q-001 Q0 d-0033 1 inf x\n"),
        "error: run.trec, line 1: expected a finite number as score, found: inf\n"
    );
    assert_eq!(
        refusal("q-001 Q0 d-0033 1 0.5 x\nq-001 Q0 d-0033 2 0.4 x\n"),
        "error: run.trec, line 2: expected each document once for query q-001, found: d-0033, which line 1 has too\n"
    );
}

#[test]
fn lines_of_other_columns_and_json_that_says_something_twice_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refusal = |text: &str| {
        fs::write(folder.path().join("run"), text).unwrap();
        let scored = score(folder.path(), "run", LAW);
        assert_eq!(scored.code, Some(1), "{}", scored.stdout);
        scored.stderr
    };
    let columns = "line 1: expected the six columns `query Q0 document rank score tag`, found: ";
    for text in [
        "q-001 Q0 d-0033 1 0.5\n",
        "q-001 Q0 d-0033 1 0.5 x y\n",
        "q-001 Q0 d-0033 1 0.5 x\rq-002 Q0 d-0033 1 0.5 x\r",
    ] {
        assert!(refusal(text).contains(columns), "{text:?}");
    }
    let json = |found: &str| {
        format!("{{\"default\":{{\"test\":{{\"q-001\":{{\"d-0033\":1,\"d-0001\":2{found}}}}}}}}}")
    };
    let said = refusal(&json(",\"d-0033\":3"));
    let twice =
        "error: run: expected each subset, split, query and document once, found: `d-0033` twice at line 1";
    assert!(said.starts_with(twice), "{said}");
}

#[test]
fn a_run_file_without_a_line_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("empty.trec"), "\n").unwrap();
    let run = score(folder.path(), "empty.trec", LAW);
    assert_eq!(run.code, Some(1));
    insta::assert_snapshot!(run.stderr, @"error: empty.trec: expected rankings: lines of a TREC run file, or a prediction file of the reference, found: an empty file");
}

#[test]
fn rankings_of_a_task_that_ranks_nothing_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("run.trec"), "q Q0 d 1 0.5 x\n").unwrap();
    let scored = score(folder.path(), "run.trec", "IndonesianGeneralSTS");
    assert_eq!(scored.code, Some(1));
    assert_eq!(
        scored.stderr,
        "error: task IndonesianGeneralSTS: expected a task that ranks documents, found one of type STS\n"
    );
}

/// The packed run file without the first query, under the head that it had.
fn without_first_query(packed: &[u8]) -> Vec<u8> {
    let mut text = String::new();
    GzDecoder::new(packed).read_to_string(&mut text).unwrap();
    let first = text.split(' ').next().unwrap().to_owned() + " ";
    let rest: String =
        text.lines().filter(|line| !line.starts_with(&first)).map(|line| format!("{line}\n")).collect();
    let comment = GzDecoder::new(packed).header().unwrap().comment().unwrap().to_vec();
    let mut file = GzBuilder::new().comment(comment).write(Vec::new(), Compression::new(4));
    file.write_all(rest.as_bytes()).unwrap();
    file.finish().unwrap()
}

#[test]
fn damaged_rankings_and_predictions_are_not_taken_as_done() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--quiet", "--task", LAW, "--rankings", "--predictions"];
    assert_eq!(run(folder.path(), &arguments).code, Some(0));
    let rankings = folder.path().join(format!("{HASHING}/rankings/{LAW}/test/default.trec.gz"));
    let predictions = folder.path().join(format!("{HASHING}/predictions/{LAW}_predictions.json"));
    let sound = [fs::read(&rankings).unwrap(), fs::read(&predictions).unwrap()];
    let mut flipped = sound[0].clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    let cut = sound[0][..sound[0].len() - 300].to_vec();
    let longer = [&sound[0][..], b"junk"].concat();
    let mut fewer: Value = serde_json::from_slice(&sound[1]).unwrap();
    let queries = fewer["default"]["test"].as_object_mut().unwrap();
    let first = queries.keys().next().unwrap().clone();
    queries.remove(&first);
    let fewer = fewer.to_string().into_bytes();
    let mut more: Value = serde_json::from_slice(&sound[1]).unwrap();
    more["default"]["test"]["a query of one's own"] = serde_json::json!({"d": 1.0});
    let more = more.to_string().into_bytes();
    let mut no_number: Value = serde_json::from_slice(&sound[1]).unwrap();
    no_number["default"]["test"][&first] = Value::from("a note");
    let no_number = no_number.to_string().into_bytes();
    for (file, bytes, is_kept, what) in [
        (&rankings, flipped, true, "a bit"),
        (&rankings, cut, true, "the end"),
        (&rankings, longer, true, "junk"),
        (&rankings, without_first_query(&sound[0]), true, "a query"),
        (&predictions, fewer, false, "a query of the predictions"),
        (&predictions, more, true, "a query of one's own"),
        (&predictions, no_number, true, "a note"),
    ] {
        fs::write(file, &bytes).unwrap();
        let again = run(folder.path(), &arguments);
        assert_eq!(again.code, Some(0), "{what}: {}", again.stderr);
        let said = format!("are damaged: {}", file.strip_prefix(folder.path()).unwrap().display());
        assert!(again.stderr.contains(&said), "{what}: {}", again.stderr);
        // Somebody may have changed it on purpose.
        let kept = again.stderr.split_once(" is kept as ").map(|(_, rest)| rest.lines().next().unwrap());
        let kept = kept.map(|kept| fs::read(folder.path().join(kept)).unwrap());
        assert_eq!(kept, is_kept.then_some(bytes), "{what}: {}", again.stderr);
        assert_eq!([fs::read(&rankings).unwrap(), fs::read(&predictions).unwrap()], sound, "{what}");
        assert_eq!(run(folder.path(), &arguments).stderr, "", "{what}");
    }
}

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
