//! What is said of a task's data: files that are not there, data that is not refused, data that has changed,
//! texts that look the same and are not. A run and `validate --data` say the same.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::json;

use super::local_data::{CORPUS, QRELS, QUERIES};
use super::new_task::Task;

fn of(root: &Path, arguments: &[&str]) -> Run {
    Run::of(host(root).args(arguments)).unwrap()
}

/// Writes the card `card.toml` over the folder `data`, which has these files.
fn write(root: &Path, task_type: &str, more: &str, files: &[&str]) {
    let card = format!(
        "schema = 1\nname = \"Mine\"\ntype = \"{task_type}\"\ndescription = \"d\"\nlanguages = [\"vie-Latn\"]\n\
         [dataset]\npath = \"data\"\n{more}"
    );
    fs::write(root.join("card.toml"), card).unwrap();
    for file in files {
        let path = root.join("data").join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "text,label\na,x\nb,y\n").unwrap();
    }
}

/// What a run says has failed, beside what `validate` says of the card.
fn compare_words(root: &Path) -> String {
    let validated = of(root, &["validate", "card.toml"]);
    let run = of(root, &["run", "--quiet", "--registry", "card.toml"]);
    assert_eq!((validated.code, run.code), (Some(1), Some(1)), "{}", validated.stderr);
    let line = validated.stderr.lines().next().unwrap().to_owned();
    let (_, what) = line.split_once("data: ").unwrap();
    assert!(run.stderr.contains(what), "{line}: {}", run.stderr);
    line
}

#[test]
fn a_subset_without_a_folder_and_a_split_without_a_file_are_named() {
    let root = tempfile::tempdir().unwrap();
    let subsets = "[subsets.vie]\nlanguages = [\"vie-Latn\"]\n[subsets.tay]\nlanguages = [\"tyz-Latn\"]\n";
    write(root.path(), "Classification", subsets, &["vie/train.csv", "vie/test.csv"]);
    let line = compare_words(root.path());
    let expected = "error: card.toml:10:10: split test, subset tay: ";
    assert!(line.starts_with(expected) && line.contains("expected the files of the subset `tay`"), "{line}");
    write(root.path(), "Classification", subsets, &["tay/train.csv", "tay/test.csv"]);
    assert_eq!(of(root.path(), &["validate", "card.toml"]).stderr, "");
    fs::remove_file(root.path().join("data/vie/test.csv")).unwrap();
    let line = compare_words(root.path());
    assert!(line.contains(":8:10: split test, subset vie: "), "{line}");
    assert!(line.contains("expected the split `test` in a file as `vie/test.csv`"), "{line}");
}

#[test]
fn judgements_that_are_not_there_are_named() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "Retrieval", "", &["corpus.csv", "queries.csv"]);
    let line = compare_words(root.path());
    assert!(line.starts_with("error: card.toml:7:8: split test, subset default: "), "{line}");
    assert!(
        line.contains("expected the part `qrels` in a file as `qrels.tsv` or `qrels/test.tsv`"),
        "{line}"
    );
}

#[test]
fn members_of_a_mean_are_looked_for_too_and_once() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "STS", "", &["train.csv"]);
    let mean = "schema = 1\nname = \"Mean\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"vie-Latn\"]\nmembers = [\"Mine\"]\n";
    fs::write(root.path().join("Mean.toml"), mean).unwrap();
    fs::rename(root.path().join("card.toml"), root.path().join("Mine.toml")).unwrap();
    fs::write(root.path().join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\".\"]\n").unwrap();
    let said = of(root.path(), &["validate", "mine.toml"]);
    assert_eq!(said.code, Some(1));
    assert_eq!(said.stderr.matches("expected the split `test`").count(), 1, "{}", said.stderr);
}

#[test]
fn what_all_subsets_lack_is_one_line_with_their_count_and_the_first_of_them() {
    let root = tempfile::tempdir().unwrap();
    let subset = |code: &str| format!("[subsets.{code}]\nlanguages = [\"{code}-Latn\"]\n");
    let subsets: String = ["vie", "ind", "jav", "sun", "min", "ban"].map(subset).concat();
    let of_run = |said: &Run| -> String {
        let lines = said.stderr.lines().filter(|line| line.contains("split test, subset"));
        lines.collect::<Vec<_>>().join("\n")
    };
    write(root.path(), "STS", &subsets, &["vie.csv", "ind.csv", "jav.csv", "sun.csv", "min.csv", "ban.csv"]);
    let run = of(root.path(), &["run", "--quiet", "--registry", "card.toml"]);
    insta::assert_snapshot!(of_run(&run), @"failed: Mine, split test, subset vie and 5 more units (ind, jav, sun, …): data: expected the files of the subset `vie` in the folder `vie`, as `vie/test.csv`, found ban.csv, ind.csv, jav.csv, min.csv, sun.csv, vie.csv; move `vie.csv` to `vie/test.csv`");
    assert!(run.stderr.ends_with("6 units failed, for the reasons above\n"), "{}", run.stderr);
    let line = of_run(&run).replacen("failed", "error", 1);
    let gate = of(root.path(), &["validate", "--data", "card.toml"]);
    assert_eq!((gate.code, of_run(&gate)), (Some(1), line.clone()));
    assert!(gate.stderr.ends_with("6 faults in the data of 1 task\n"), "{}", gate.stderr);
    let undeclared = gate.stdout.matches("the card has no `[quality]`").count();
    assert_eq!(undeclared, 1, "{}", gate.stdout);
    let stats = of(root.path(), &["stats", "Mine", "--registry", "card.toml"]);
    assert_eq!((stats.code, of_run(&stats)), (Some(1), line));
    let hub = "hub = \"a/b\"\nrevision = \"0123456789abcdef0123456789abcdef01234567\"";
    let card = fs::read_to_string(root.path().join("card.toml")).unwrap();
    fs::write(root.path().join("card.toml"), card.replace("path = \"data\"", hub)).unwrap();
    let gate = of(root.path(), &["validate", "--data", "card.toml", "--offline"]);
    assert_eq!((gate.code, of_run(&gate).lines().count()), (Some(1), 1), "{}", gate.stderr);
}

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
        let said = format!("T: {split} has 3 labels, 1 row each");
        assert_eq!(gate.stdout.lines().filter(|line| **line == said).count(), 1, "{said}: {}", gate.stdout);
    }
}

const PAIRS: &str = "sentence1,sentence2,score\na b,a b,5\na b,c d,0\na b,a b,3\n";

/// A registry `mine` with an STS task in `folder`.
fn write_registry(folder: &Path) {
    let card = "schema = 1\nname = \"MySTS\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\
                [dataset]\npath = \"pairs.csv\"\n";
    fs::create_dir(folder.join("cards")).unwrap();
    fs::write(folder.join("cards/my-sts.toml"), card).unwrap();
    fs::write(folder.join("cards/pairs.csv"), PAIRS).unwrap();
    fs::write(folder.join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n").unwrap();
}

fn run(folder: &Path, args: &[&str]) -> Run {
    Run::of(host(folder).args(args)).unwrap()
}

#[test]
fn the_data_of_a_task_is_described_as_json_and_as_text() {
    let folder = tempfile::tempdir().unwrap();
    write_registry(folder.path());
    let stats = run(folder.path(), &["stats", "MySTS", "--registry", "mine.toml", "--json"]);
    assert_eq!((stats.code, stats.stderr.as_str()), (Some(0), ""));
    let unit = &stats.json().unwrap()["units"][0];
    assert_eq!((&unit["split"], &unit["subset"]), (&json!("test"), &json!("default")));
    let rows = &unit["parts"]["rows"];
    assert_eq!((&rows["rows"], &rows["repeated_rows"]), (&json!(3), &json!(1)));
    assert_eq!(rows["texts"]["sentence2"]["repeated"], json!(1));
    assert_eq!(rows["scores"]["max"], json!(5.0));

    let text = run(folder.path(), &["stats", "MySTS", "--registry", "mine.toml"]).stdout;
    insta::assert_snapshot!(text, @r"
    MySTS, split test, subset default, S2S
      rows: 3 rows, 1 of them duplicate
        sentence1: 3 texts, 2 repeated; 9 characters, 3.0 per text: 3 to 3, quartiles 3 3 3, 95 % 3, 99 % 3
        sentence2: 3 texts, 1 repeated; 9 characters, 3.0 per text: 3 to 3, quartiles 3 3 3, 95 % 3, 99 % 3
        scores: 3 from 0 to 5, mean 2.667, 3 different
        languages of 6 texts: 6 unsure
    ");
}

#[test]
fn changed_data_is_refused_until_the_lock_is_updated() {
    let folder = tempfile::tempdir().unwrap();
    write_registry(folder.path());
    let run = |more: &[&str]| {
        let args: Vec<&str> = ["run", "--registry", "mine.toml", "--overwrite", "always", "--quiet"]
            .into_iter()
            .chain(more.iter().copied())
            .collect();
        run(folder.path(), &args)
    };
    assert_eq!(run(&["--update-lock"]).code, Some(0));
    assert!(folder.path().join("mine.lock.toml").is_file());
    fs::write(folder.path().join("cards/pairs.csv"), PAIRS.replace("5", "4")).unwrap();
    let refused = run(&[]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("pairs.csv: expected the SHA-256 "), "{}", refused.stderr);
    assert!(refused.stderr.contains(" of mine.lock.toml, found "), "{}", refused.stderr);
    assert_eq!(run(&["--update-lock"]).code, Some(0));
    assert_eq!(run(&[]).code, Some(0));
}

#[test]
fn the_lock_of_a_built_in_registry_is_left_out_with_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let hub = folder.path().join("datasets/mteb/stsbenchmark-sts/b0fddb56ed78048fa8b90373c8a3cfc37b684831");
    fs::create_dir_all(&hub).unwrap();
    fs::write(hub.join("test.csv"), PAIRS).unwrap();
    let args = ["stats", "STSBenchmark", "--registry", "mteb-eng-v1", "--hub-dir", ".", "--update-lock"];
    let refused = run(folder.path(), &args);
    assert_eq!(refused.code, Some(0), "{}", refused.stderr);
    insta::assert_snapshot!(refused.stderr, @"warning: `--update-lock` skips registries that come with mteb-host: registries/mteb-eng-v1.toml; to lock one, pass a copy of its file with `--registry FILE`");
}

/// A search over these documents and queries; each query has the document of its number as the relevant one.
fn search(folder: &Path, documents: &[&str], queries: &[&str], more: &[(usize, usize, i64)]) {
    let card = "schema = 1\nname = \"Cari\"\ntype = \"Retrieval\"\ndescription = \"d\"\nlanguages = [\"vie-Latn\"]\n\
                [dataset]\npath = \"data\"\n";
    fs::write(folder.join("my.toml"), card).unwrap();
    fs::create_dir_all(folder.join("data/qrels")).unwrap();
    let lines = |rows: Vec<serde_json::Value>| rows.iter().map(|row| format!("{row}\n")).collect::<String>();
    let texts = |prefix: &str, texts: &[&str]| {
        let rows = texts.iter().enumerate();
        lines(rows.map(|(number, text)| json!({"_id": format!("{prefix}{number}"), "text": text})).collect())
    };
    fs::write(folder.join("data/corpus.jsonl"), texts("d", documents)).unwrap();
    fs::write(folder.join("data/queries.jsonl"), texts("q", queries)).unwrap();
    let own = (0..queries.len()).map(|number| (number, number, 1));
    let judged = own.chain(more.iter().copied()).map(|(query, document, score)| {
        json!({"query-id": format!("q{query}"), "corpus-id": format!("d{document}"), "score": score})
    });
    fs::write(folder.join("data/qrels/test.jsonl"), lines(judged.collect())).unwrap();
}

/// What `run` and `validate --data` say.
fn list_warnings(folder: &Path) -> [String; 2] {
    let of = |arguments: &[&str]| {
        let run = Run::of(host(folder).args(arguments)).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        format!("{}{}", run.stdout, run.stderr)
    };
    [
        of(&["run", "--overwrite", "always", "--registry", "my.toml"]),
        of(&["validate", "--data", "--registry", "my.toml"]),
    ]
}

const DOCUMENTS: [&str; 3] = ["Chùa Một Cột ở Hà Nội", "phố cổ Hội An", "bia đá trên lưng rùa"];

#[test]
fn queries_in_another_unicode_form_than_the_documents_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    search(folder, &DOCUMENTS, &["chu\u{300}a ở đâu", "pho\u{302}\u{301} nào", "bia rùa"], &[]);
    for said in list_warnings(folder) {
        assert!(
            said.contains("letters of queries are written in another Unicode form than those of corpus"),
            "{said}"
        );
        assert!(said.contains("queries.jsonl, line 1") || said.contains("queries.jsonl, line 2"), "{said}");
    }
    search(folder, &DOCUMENTS, &["chùa ở đâu", "phố nào", "bia rùa"], &[]);
    for said in list_warnings(folder) {
        assert!(!said.contains("Unicode form"), "{said}");
    }
}

#[test]
fn unjudged_copies_of_relevant_documents_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let decomposed = "pho\u{302}\u{301} co\u{302}\u{309} Ho\u{323}\u{302}i An";
    let documents = [DOCUMENTS[0], DOCUMENTS[1], DOCUMENTS[2], DOCUMENTS[0], decomposed, "khác"];
    let queries = ["chùa ở đâu", "phố nào", "bia rùa"];
    search(folder, &documents, &queries, &[]);
    for said in list_warnings(folder) {
        assert!(
            said.contains("2 documents have the same text as a relevant one but are not judged"),
            "{said}"
        );
        assert!(said.contains("corpus.jsonl, line 4 (d3) for query q0"), "{said}");
    }
    search(folder, &documents, &queries, &[(0, 3, 0), (1, 4, 1)]);
    for said in list_warnings(folder) {
        assert!(!said.contains("same text as a relevant one"), "{said}");
    }
}
