//! What single queries, pairs and texts came to, beside the scores.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use mteb_host_tests::{Run, host, python, root, without_times};
use mteb_items::outcomes::{ItemColumn, Outcomes, read_parquet};
use serde_json::Value;

const HASHING: &str = "results/mteb-host__hashing/1";

/// A task of each type; of its columns, of the cuts of a measure only that at 10.
const COLUMNS: [(&str, &str); 11] = [
    (
        "IndonesianDuplicateQuestions",
        "row whole, gold whole, similarity number, cosine number, manhattan number, euclidean number, dot number",
    ),
    ("IndonesianEmotions", "row whole, gold list, prediction_0 list … prediction_9 list"),
    (
        "IndonesianGeneralSTS",
        "row whole, gold number, similarity number, cosine number, manhattan number, euclidean number",
    ),
    ("IndonesianHowToReranking", SEARCH),
    ("IndonesianInstructionRetrieval", SEARCH_OF_TOPICS),
    ("IndonesianLawRetrieval", SEARCH),
    (
        "IndonesianNewsClustering",
        "experiment whole, level whole, row whole, gold text, cluster whole, cluster_batch_32 whole",
    ),
    (
        "IndonesianNewsSummary",
        "row whole, summary whole, gold number, similarity number, cosine number, dot number, rouge1 number, rouge2 number, \
         rougeL number, document_cosine number",
    ),
    ("IndonesianNewsTopic", "row whole, gold text, prediction_0 text … prediction_9 text"),
    ("IndonesianReviewSentiment", "row whole, gold text, prediction_0 text … prediction_9 text"),
    ("IndonesianSundaneseBitext", "source whole, gold whole, found whole"),
];

const SEARCH: &str = "query text, ndcg_at_10 number, map_at_10 number, recall_at_10 number, precision_at_10 number, \
                      mrr_at_10 number, hit_rate_at_10 number, confidence_max number, confidence_std number, \
                      confidence_diff1 number, ndcg_exp_at_10 number";

const SEARCH_OF_TOPICS: &str = "query text, ndcg_at_10 number, map_at_10 number, recall_at_10 number, \
                                precision_at_10 number, mrr_at_10 number, hit_rate_at_10 number, confidence_max number, \
                                confidence_std number, confidence_diff1 number, ndcg_exp_at_10 number, p-MRR number";

/// These tasks.
const TASKS: [&str; 11] = [
    "IndonesianDuplicateQuestions",
    "IndonesianEmotions",
    "IndonesianGeneralSTS",
    "IndonesianHowToReranking",
    "IndonesianInstructionRetrieval",
    "IndonesianLawRetrieval",
    "IndonesianNewsClustering",
    "IndonesianNewsSummary",
    "IndonesianNewsTopic",
    "IndonesianReviewSentiment",
    "IndonesianSundaneseBitext",
];

fn run(folder: &Path, tasks: &[&str], more: &[&str]) -> Run {
    let tasks = tasks.iter().flat_map(|task| ["--task", task]);
    let run = Run::of(host(folder).args(["run", "--quiet"]).args(tasks).args(more)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

fn result(folder: &Path, task: &str) -> String {
    fs::read_to_string(folder.join(HASHING).join(format!("{task}.json"))).unwrap()
}

/// The files of outcomes of a task, by their path from the folder of outcomes.
fn files(folder: &Path, task: &str) -> Vec<PathBuf> {
    let folder = folder.join(HASHING).join("outcomes").join(task);
    let below = |folder: PathBuf| {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    below(folder).into_iter().flat_map(below).collect()
}

fn outcomes(folder: &Path, task: &str) -> Outcomes {
    read_parquet(&files(folder, task)[0]).unwrap()
}

/// Each is held to the scores while it is made: a unit whose outcomes come to another score fails.
#[test]
fn a_file_a_unit_holds_what_each_type_documents() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &TASKS, &["--outcomes", "--extra-measures"]);
    for (task, documented) in COLUMNS {
        let Outcomes { facts, items } = outcomes(folder.path(), task);
        let facts: Value = serde_json::from_str(&facts).unwrap();
        assert_eq!((&facts["task"], &facts["split"]), (&Value::from(task), &Value::from("test")));
        let result: Value =
            serde_json::from_str(&result(folder.path(), task).replace("NaN", "null")).unwrap();
        assert_eq!(facts["model"], result["mteb_host"]["model"], "{task}");
        let subset = facts["subset"].as_str().unwrap();
        assert_eq!(facts["unit"], result["mteb_host"]["units"]["test"][subset], "{task}");
        assert!(items.rows() > 0, "{task}");
        let column = |(name, cells): &(String, ItemColumn)| {
            let kind = match cells {
                ItemColumn::Text(_) => "text",
                ItemColumn::Int(_) => "whole",
                ItemColumn::Float(_) => "number",
                ItemColumn::Lists(_) => "list",
            };
            (!name.contains("_at_") || name.ends_with("_at_10")).then(|| format!("{name} {kind}"))
        };
        let columns: Vec<String> = items.columns.iter().filter_map(column).collect();
        // Between the first and the last prediction are eight like them.
        let columns = match columns.as_slice() {
            [row, gold, first, .., last] if first.starts_with("prediction_0") => {
                [row, gold, &format!("{first} … {last}")].map(String::as_str).join(", ")
            }
            columns => columns.join(", "),
        };
        assert_eq!(columns, documented, "{task}");
    }
}

#[test]
fn outcomes_change_no_score() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &TASKS, &[]);
    let before = TASKS.map(|task| without_times(&result(folder.path(), task)).unwrap());
    let again = run(folder.path(), &TASKS, &["--outcomes"]);
    assert_eq!(again.stderr.matches("scored again: its outcomes are missing").count(), TASKS.len());
    for (task, before) in TASKS.iter().zip(before) {
        assert_eq!(without_times(&result(folder.path(), task)).unwrap(), before, "{task}");
    }
    assert_eq!(run(folder.path(), &TASKS, &["--outcomes"]).stderr, "", "they are there");
}

#[test]
fn outcomes_that_are_missing_damaged_or_of_something_else_are_named_and_made_anew() {
    const TASK: &str = "IndonesianGeneralSTS";
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &[TASK], &["--outcomes"]);
    let file = files(folder.path(), TASK).remove(0);
    let shown = format!("{HASHING}/outcomes/{TASK}/test/default.parquet");
    let whole = fs::read(&file).unwrap();
    let mut changed = whole.clone();
    changed[whole.len() / 3] ^= 1;
    for damaged in [&whole[..whole.len() / 2], b"torn", &changed] {
        fs::write(&file, damaged).unwrap();
        let said = run(folder.path(), &[TASK], &["--outcomes"]).stderr;
        let expected = format!("{TASK}: will be scored again: its outcomes are damaged: {shown}\n");
        assert!(said.starts_with(&expected), "{said}");
        assert!(said.contains(&format!("{shown}: expected whole outcomes of ")), "{said}");
        assert!(said.contains("; it is kept as "), "somebody may have changed it on purpose: {said}");
        assert!(fs::read(&file).unwrap() == whole, "the same bytes");
    }
    run(folder.path(), &["IndonesianHeadlineSTS"], &["--outcomes"]);
    fs::copy(&files(folder.path(), "IndonesianHeadlineSTS")[0], &file).unwrap();
    let said = run(folder.path(), &[TASK], &["--outcomes"]).stderr;
    let expected = format!("{TASK}: will be scored again: its outcomes belong to something else: {shown}\n");
    assert!(said.starts_with(&expected) && said.contains("; it is kept as "), "{said}");
    run(folder.path(), &[TASK], &["--overwrite", "always"]);
    assert!(!file.exists(), "what a newer score has not left does not stay beside it");
}

/// A task of two subsets whose names the reference makes one folder name of.
fn write_near_names(folder: &Path) {
    let pair =
        |lang: &str, number: u32| format!("{lang},text {number},a text {},{}\n", number % 3, number % 5);
    let rows: String =
        (0..8).map(|number| pair("a/b", number)).chain((0..9).map(|number| pair("a__b", number))).collect();
    fs::write(folder.join("pairs.csv"), format!("lang,sentence1,sentence2,score\n{rows}")).unwrap();
    let card = "schema = 1\nname = \"Near\"\ntype = \"STS\"\ndescription = \"For tests.\"\n[dataset]\npath = \"pairs.csv\"\n\
                layout = \"lang-column\"\n[subsets.\"a/b\"]\nlanguages = [\"eng-Latn\"]\n[subsets.\"a__b\"]\nlanguages = [\"eng-Latn\"]\n";
    fs::write(folder.join("near.toml"), card).unwrap();
}

#[test]
fn subsets_of_near_names_have_files_of_their_own_and_files_of_earlier_names_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_near_names(folder);
    let near = |more: &[&str]| {
        let common = ["run", "--quiet", "--registry", "near.toml", "--model", "hashing", "--outcomes"];
        let run = Run::of(host(folder).args(common).args(more)).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stderr
    };
    assert_eq!(near(&[]), "");
    let found = files(folder, "Near");
    let [own, plain] = found.as_slice() else { panic!("{found:?}") };
    assert!(own.ends_with("test/a%2Fb.parquet") && plain.ends_with("test/a__b.parquet"), "{found:?}");
    assert_eq!([own, plain].map(|file| read_parquet(file).unwrap().items.rows()), [8, 9]);
    assert_eq!(near(&[]), "", "all is there");
    // The file of one subset under the name that both had before.
    let bytes = fs::read(own).unwrap();
    fs::remove_file(plain).unwrap();
    fs::rename(own, plain).unwrap();
    let said = near(&[]);
    assert!(said.contains("scored again: its outcomes belong to something else"), "{said}");
    // The one that had the name of the other was moved away, and is made anew where it belongs.
    assert!(near(&[]).contains("scored again: its outcomes are missing"));
    assert_eq!(fs::read(own).unwrap(), bytes);
    assert_eq!(near(&[]), "");
    assert_eq!([own, plain].map(|file| read_parquet(file).unwrap().items.rows()), [8, 9]);
}

/// Of each type the main score as anybody would work it out from the file, in plain pandas, polars and DuckDB.
#[test]
fn pandas_polars_and_duckdb_read_what_was_written_and_come_to_the_scores() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &TASKS, &["--outcomes"]);
    let script = root().join("tests/cli/outcomes.py");
    let done = Command::new(python).arg(script).arg(folder.path().join(HASHING)).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(String::from_utf8_lossy(&done.stdout), "11 tasks\n");
}
