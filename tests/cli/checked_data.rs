//! What is said of data that is not refused, and which data is checked, by a run and by `validate --data` alike.

use std::fs;

use mteb_host_tests::{Run, host};

use super::local_data::{CORPUS, QRELS, QUERIES};
use super::task::Task;

#[test]
fn the_tasks_whose_data_is_checked_can_be_picked() {
    let folder = tempfile::tempdir().unwrap();
    let gate = |args: &[&str]| {
        let mut command = host(folder.path());
        Run::of(command.args(["validate", "--data", "--json"]).args(args)).unwrap()
    };
    let names = |run: &Run| -> Vec<String> {
        let tasks = run.json().unwrap()["tasks"].as_array().unwrap().clone();
        tasks.iter().map(|task| task["task"].as_str().unwrap().to_owned()).collect()
    };
    let picked = gate(&["indonesia", "--task", "IndonesianGeneralSTS"]);
    assert_eq!((picked.code, names(&picked)), (Some(0), vec!["IndonesianGeneralSTS".to_owned()]));
    let picked = gate(&["--registry", "indonesia", "--task", "IndonesianGeneralSTS", "--language", "ind"]);
    assert_eq!((picked.code, names(&picked)), (Some(0), vec!["IndonesianGeneralSTS".to_owned()]));
    let nothing = Run::of(host(folder.path()).args(["validate", "--data"])).unwrap();
    assert_eq!(nothing.code, Some(2));
    insta::assert_snapshot!(nothing.stderr, @"error: expected a card, a folder of cards, a registry or a task with `--data`, found none; without `--data` all known cards are checked");
    let all = Run::of(host(folder.path()).args(["validate", "--json"])).unwrap();
    assert_eq!(all.code, Some(0), "{}", all.stderr);
    assert!(all.json().unwrap()["checked"].as_u64().unwrap() > 1300);
    let cards = Run::of(host(folder.path()).args(["validate", "indonesia", "--task", "X"])).unwrap();
    assert_eq!(cards.code, Some(2));
    insta::assert_snapshot!(cards.stderr, @"error: task filters need `--data`: without it every named card is checked");
}

#[test]
fn rows_that_the_lock_does_not_know_are_examined_nevertheless() {
    let rows = "sentence1,sentence2,score\na b,a b,5\na b,c d,0\ne f,a c,3\n";
    let task = Task::pairs(rows);
    assert_eq!(task.run(&["--update-lock"]).code, Some(0));
    assert_eq!(task.validate().code, Some(0));
    task.write("pairs.csv", rows.replace("3\n", "tinggi\n"));
    let changed = task.validate();
    assert_eq!(changed.code, Some(1));
    assert!(changed.stderr.contains("accept it with `mteb-host run --update-lock`"), "{}", changed.stderr);
    assert!(
        changed.stderr.contains("tinggi"),
        "the score that is no number is found, too: {}",
        changed.stderr
    );
}

#[test]
fn data_of_the_hub_is_taken_as_the_reference_takes_it_with_a_warning() {
    let revision = "0123456789012345678901234567890123456789";
    let of = |corpus: &str, qrels: (&str, &str)| {
        let task = Task::of("Retrieval", ".", &[]);
        let card = fs::read_to_string(task.folder().join("card.toml")).unwrap();
        task.write(
            "card.toml",
            card.replace("path = \".\"", &format!("hub = \"a/b\"\nrevision = \"{revision}\"")),
        );
        for (name, text) in [("corpus.jsonl", corpus), ("queries.jsonl", QUERIES), qrels] {
            task.write(&format!("hub/datasets/a/b/{revision}/{name}"), text);
        }
        let args = ["run", "--registry", "card.toml", "--quiet", "--hub-dir", "hub"];
        let run = Run::of(host(task.folder()).args(args)).unwrap();
        let args = ["validate", "--data", "card.toml", "--hub-dir", "hub"];
        let gate = Run::of(host(task.folder()).args(args)).unwrap();
        assert_eq!((run.code, gate.code), (Some(0), Some(0)), "{}\n{}", run.stderr, gate.stderr);
        assert_eq!(run.stderr, gate.stderr);
        run.stderr.replace(revision, "REVISION")
    };
    insta::assert_snapshot!(of(CORPUS, ("qrels/dev.tsv", QRELS)), @r#"warning: T, split test, subset default: there is no split test of the qrels: those of dev are used"#);
    insta::assert_snapshot!(of(&format!("{CORPUS}{{\"_id\":\"d1\",\"text\":\"tiga\"}}\n"), ("qrels/test.tsv", QRELS)), @r#"warning: T, split test, subset default: ids of documents that occur more than once and are used as mteb uses them: 1, first “d1” in hub/datasets/a/b/REVISION/corpus.jsonl, line 3"#);
    let zeros = QRELS.replace("\t1\n", "\t0\n");
    insta::assert_snapshot!(of(CORPUS, ("qrels/test.tsv", &zeros)), @r#"warning: T, split test, subset default: hub/datasets/a/b/REVISION/qrels/test.tsv, column `score`: expected a grade above 0 among the judgements, found none: nothing is relevant"#);
    insta::assert_snapshot!(of(CORPUS, ("qrels/test.tsv", &format!("{QRELS}q1\td1\t2\n"))), @r#"warning: T, split test, subset default: hub/datasets/a/b/REVISION/qrels/test.tsv: documents judged more than once for a query, whose last grade counts: 1"#);
}

#[test]
fn a_gold_score_outside_of_its_range_is_told_by_a_run_too() {
    let task = Task::pairs("sentence1,sentence2,score\na b,b,100\nc d,d e,3\nd f g,g,2\n");
    insta::assert_snapshot!(task.warning(), @r"warning: T, split test, subset default: expected gold scores from 0 to 5, found 1 outside, the first: 100 in pairs.csv, line 2; correct them, or `min_score` and `max_score` in the card's `[protocol]`");
    let run = task.with("[quality]").validate();
    assert!(run.stderr.contains("expected a score from 0 to 5, found 100"), "{}", run.stderr);
}

#[test]
fn empty_texts_are_told_of_by_a_run_as_by_validate() {
    let folder = tempfile::tempdir().unwrap();
    let card = "schema = 1\nname = \"A\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\
                [dataset]\npath = \"pairs.csv\"\n";
    fs::write(folder.path().join("A.toml"), card).unwrap();
    let rows = "sentence1,sentence2,score\na b,a b,5\n,c d,0\na b,a c,3\n";
    fs::write(folder.path().join("pairs.csv"), rows).unwrap();
    let expected =
        "empty texts in `sentence1`, which are scored as they are: 1 of 3, the first in pairs.csv, line 3";
    for arguments in [&["run", "--registry", "A.toml", "--quiet"][..], &["validate", "--data", "A.toml"]] {
        let run = Run::of(host(folder.path()).args(arguments)).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
}

#[test]
fn training_rows_that_two_splits_share_are_described_once() {
    let rows = "text,label\nhujan deras,cuaca\ngol bola,bola\nharga beras,pasar\n";
    let others = "text,label\nangin kencang,cuaca\npemain baru,bola\npasar pagi,pasar\n";
    let files = [("data/train.csv", rows), ("data/dev.csv", others), ("data/test.csv", others)];
    let task = Task::of("Classification", "data", &files);
    let card = fs::read_to_string(task.folder().join("card.toml")).unwrap();
    task.write("card.toml", card.replace("languages", "eval_splits = [\"dev\", \"test\"]\nlanguages"));
    let gate = task.validate();
    for split in ["train", "dev", "test"] {
        let said = format!("T: {split} has 3 labels, 1 to 1 rows each");
        assert_eq!(gate.stdout.lines().filter(|line| **line == said).count(), 1, "{said}: {}", gate.stdout);
    }
}
