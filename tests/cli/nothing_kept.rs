//! What is said where nothing was scored, or nothing is to be kept: that, and no more.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};

/// Writes the data of a task of pairs; the last gold score is `score`.
fn data(root: &Path, score: &str) {
    write_pair_card(root, "Kept", &["ind"]).unwrap();
    write_pairs(root, "ind", [("a b", "b c", 1.0), ("d e f", "d e", 4.0)]).unwrap();
    let file = root.join("data/ind/test.jsonl");
    let rows = fs::read_to_string(&file).unwrap();
    let last = format!("{{\"sentence1\": \"b c\", \"sentence2\": \"b\", \"score\": {score}}}\n");
    fs::write(file, rows + &last).unwrap();
}

fn run(root: &Path, registry: &str, more: &[&str]) -> Run {
    Run::of(host(root).args(["run", "--registry", registry]).args(more)).unwrap()
}

#[test]
fn a_unit_that_is_to_be_scored_again_and_fails_was_not_scored() {
    let root = tempfile::tempdir().unwrap();
    data(root.path(), "2");
    let first = run(root.path(), "task.toml", &[]);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    assert!(first.stdout.ends_with("Results are in results/mteb-host__hashing/1\n"), "{}", first.stdout);
    data(root.path(), "\"two\"");
    let again = run(root.path(), "task.toml", &[]);
    assert_eq!(again.code, Some(1), "{}", again.stderr);
    let said = "Kept: will be scored again: data changed: ind/test.jsonl\n";
    assert!(again.stderr.starts_with(said), "{}", again.stderr);
    assert!(again.stderr.contains("kept the old result"), "{}", again.stderr);
    assert!(again.stdout.ends_with("No unit was scored: no result was written\n"), "{}", again.stdout);
}

#[test]
fn a_unit_that_always_replaces_and_fails_leaves_the_result_that_it_had() {
    let root = tempfile::tempdir().unwrap();
    data(root.path(), "2");
    assert_eq!(run(root.path(), "task.toml", &[]).code, Some(0));
    let file = root.path().join("results/mteb-host__hashing/1/Kept.json");
    let before = fs::read(&file).unwrap();
    data(root.path(), "\"two\"");
    let again = run(root.path(), "task.toml", &["--overwrite", "always"]);
    assert_eq!(again.code, Some(1), "{}", again.stderr);
    let said = "the old result stays, because the unit was not scored again: results/mteb-host__hashing/1/Kept.json\n";
    assert!(again.stderr.contains(said) && !again.stderr.contains("kept the old"), "{}", again.stderr);
    assert_eq!(fs::read(&file).unwrap(), before);
    data(root.path(), "3");
    let mended = run(root.path(), "task.toml", &["--overwrite", "always"]);
    assert_eq!(mended.code, Some(0), "{}", mended.stderr);
    assert!(!mended.stderr.contains("old result"), "{}", mended.stderr);
}

#[test]
fn an_old_result_that_another_unit_has_replaced_is_not_said_to_be_kept() {
    let root = tempfile::tempdir().unwrap();
    write_pair_card(root.path(), "Kept", &["ind", "jav"]).unwrap();
    let pairs = [("a b", "b c", 1.0), ("d e f", "d e", 4.0), ("b c", "b", 2.0)];
    write_pairs(root.path(), "ind", pairs).unwrap();
    write_pairs(root.path(), "jav", pairs).unwrap();
    assert_eq!(run(root.path(), "task.toml", &[]).code, Some(0));
    let card = fs::read_to_string(root.path().join("task.toml")).unwrap();
    fs::write(root.path().join("task.toml"), card.replace("\"STS\"", "\"BitextMining\"")).unwrap();
    fs::write(root.path().join("data/ind/test.jsonl"), "{\"sentence1\": \"a\"}\n").unwrap();
    let again = run(root.path(), "task.toml", &["--overwrite", "always"]);
    assert_eq!(again.code, Some(1), "{}", again.stderr);
    // Scores of two types of tasks never share a file.
    let file = fs::read_to_string(root.path().join("results/mteb-host__hashing/1/Kept.json")).unwrap();
    assert!(file.contains("\"jav\"") && !file.contains("\"hf_subset\": \"ind\""), "{file}");
    assert!(!again.stderr.contains("old result"), "{}", again.stderr);
}

#[test]
fn progress_says_how_many_units_have_failed() {
    let root = tempfile::tempdir().unwrap();
    write_pair_card(root.path(), "Kept", &["ind", "jav"]).unwrap();
    let pairs = [("a b", "b c", 1.0), ("d e f", "d e", 4.0), ("b c", "b", 2.0)];
    write_pairs(root.path(), "ind", pairs).unwrap();
    write_pairs(root.path(), "jav", pairs).unwrap();
    fs::write(root.path().join("data/ind/test.jsonl"), "{\"sentence1\": \"a\"}\n").unwrap();
    let said = |expected: &str| {
        let mut command = host(root.path());
        command.env("MTEB_HOST_PROGRESS", "lines").args(["run", "--registry", "task.toml"]);
        let run = Run::of(&mut command).unwrap();
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        let last = run.stderr.lines().rfind(|line| line.starts_with("progress: ")).unwrap_or_default();
        assert!(last.starts_with(expected), "{}", run.stderr);
    };
    said("progress: 2/2 units, 100 %, 1 failed, ");
    // A task of which nothing can be scored.
    fs::write(root.path().join("results/mteb-host__hashing/1/Kept.json"), "{").unwrap();
    said("progress: 2/2 units, 100 %, 2 failed, ");
}

#[test]
fn a_trial_that_keeps_nothing_writes_no_lock() {
    let root = tempfile::tempdir().unwrap();
    data(root.path(), "2");
    let tried = run(root.path(), "task.toml", &["--limit", "2", "--update-lock"]);
    assert_eq!(tried.code, Some(2), "{}", tried.stdout);
    assert!(tried.stderr.contains("--limit") && tried.stderr.contains("--update-lock"), "{}", tried.stderr);
    assert!(!root.path().join("task.lock.toml").exists());
}

#[test]
fn nothing_is_encoded_of_a_corpus_whose_ids_are_at_fault() {
    let root = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(root.path().join(name), text).unwrap();
    let card = "schema = 1\nname = \"Ids\"\ntype = \"Retrieval\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\n";
    fs::create_dir(root.path().join("law")).unwrap();
    write("task.toml", &format!("{card}path = \"law\"\n"));
    write("law/queries.jsonl", "{\"_id\": \"q\", \"text\": \"beras\"}\n");
    let document = |id: &str| format!("{{\"_id\": \"{id}\", \"text\": \"harga beras {id}\"}}\n");
    let qrels = |id: &str| format!("query-id\tcorpus-id\tscore\nq\t{id}\t1\n");
    let twice =
        (document("d1") + &document("d2") + &document("d1"), qrels("d1"), "expected an id of its own");
    let unknown = (document("d1") + &document("d2"), qrels("d9"), "expected ids of documents in the corpus");
    for (corpus, qrels, said) in [twice, unknown] {
        write("law/corpus.jsonl", &corpus);
        write("law/qrels.tsv", &qrels);
        let run = run(root.path(), "task.toml", &["--json"]);
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(run.stderr.contains(said), "{}", run.stderr);
        assert_eq!(run.json().unwrap()["texts"]["encoded"], 0, "{}", run.stdout);
    }
}

#[test]
fn prompts_that_a_model_ignores_are_told_of() {
    let root = tempfile::tempdir().unwrap();
    data(root.path(), "2");
    fs::write(root.path().join("prompts.json"), "{\"query\": \"query: \"}").unwrap();
    let prompted = run(root.path(), "task.toml", &["--quiet", "--prompts", "prompts.json"]);
    assert_eq!(prompted.code, Some(0), "{}", prompted.stderr);
    insta::assert_snapshot!(prompted.stderr, @"warning: prompts.json: expected a model that uses prompts, found mteb-host/hashing, whose embeddings are the same without them; its results are kept apart all the same: leave out `--prompts`");
}

#[test]
fn pairs_of_one_column_and_equal_scores_are_refused() {
    let root = tempfile::tempdir().unwrap();
    let card = "schema = 1\nname = \"Same\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"x.csv\"\n";
    let columns = |right: &str| format!("{card}columns = {{ sentence1 = \"a\", sentence2 = \"{right}\" }}\n");
    fs::write(root.path().join("x.csv"), "a,b,score\nsatu dua,dua,1\ntiga,tiga lima,1\nlima,x,1\n").unwrap();
    fs::write(root.path().join("task.toml"), columns("a")).unwrap();
    let same = run(root.path(), "task.toml", &["--quiet"]);
    assert_eq!(same.code, Some(1), "{}", same.stderr);
    let said = "x.csv: expected rows with two different texts, found the same in `sentence1` and `sentence2` of \
                all 3 rows";
    assert!(same.stderr.contains(said), "{}", same.stderr);
    let checked = Run::of(host(root.path()).args(["validate", "--data", "task.toml"])).unwrap();
    assert_eq!(checked.code, Some(1), "{}", checked.stderr);
    assert!(checked.stderr.contains(said), "{}", checked.stderr);
    fs::write(root.path().join("task.toml"), columns("b")).unwrap();
    let flat = run(root.path(), "task.toml", &["--quiet"]);
    let checked = Run::of(host(root.path()).args(["validate", "--data", "task.toml"])).unwrap();
    let said = "x.csv, column `score`: expected scores that differ, found 1 in all 3 rows, which leaves nothing \
                to correlate; ";
    for run in [flat, checked] {
        assert!(run.code == Some(1) && run.stderr.contains(said), "{:?} {}", run.code, run.stderr);
    }
}
