//! Runs that keep nothing: nothing is scored or kept, `run --dry-run`, and tasks tried on their first items.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};
use serde_json::Value;

use super::new_task::Task;

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
    assert!(again.stderr.contains("still has the old result"), "{}", again.stderr);
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
    let said = "scoring failed; the file still has the old result: results/mteb-host__hashing/1/Kept.json\n";
    assert!(again.stderr.contains(said), "{}", again.stderr);
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

fn run_host(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments)).unwrap()
}

#[test]
fn units_texts_and_time_are_said_and_nothing_is_scored() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let rows = "sentence1,sentence2,score\na b,a b,5\na b,c d,0\ne f,a c,3\n";
    for name in ["One", "Two"] {
        fs::write(folder.join(format!("{name}.csv")), rows.replace("e f", &format!("e {name}"))).unwrap();
        let card = format!(
            "schema = 1\nname = \"{name}\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n[dataset]\npath = \"../{name}.csv\"\n"
        );
        fs::create_dir_all(folder.join("cards")).unwrap();
        fs::write(folder.join(format!("cards/{name}.toml")), card).unwrap();
    }
    fs::write(folder.join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\"cards\"]\n").unwrap();
    let run = ["run", "--registry", "mine.toml"];
    let dry = run_host(folder, &[&run[..], &["--dry-run", "--json"]].concat());
    assert_eq!((dry.code, dry.stderr.as_str()), (Some(0), ""));
    let plan = dry.json().unwrap();
    // `a b`, `c d`, `e …` and `a c`.
    assert_eq!(
        (&plan["tasks"][0]["texts"], &plan["tasks"][0]["units"], &plan["tasks"][0]["scored"]),
        (&4.into(), &1.into(), &0.into())
    );
    assert_eq!((&plan["bytes_to_fetch"], &plan["seconds_to_encode"].is_null()), (&0.into(), &true));
    assert!(!folder.join("results").exists());
    assert_eq!(run_host(folder, &[&run[..], &["--task", "One", "--quiet"]].concat()).code, Some(0));
    let half = run_host(folder, &[&run[..], &["--dry-run", "--json"]].concat()).json().unwrap();
    let one = half["tasks"].as_array().unwrap().iter().find(|task| task["task"] == "One").unwrap().clone();
    assert_eq!((&one["scored"], &one["texts"]), (&1.into(), &0.into()), "{half}");
    assert!(
        half["texts_per_second"].as_f64().unwrap() > 0.0 && half["seconds_to_encode"].is_number(),
        "{half}"
    );
    let shown = run_host(folder, &[&run[..], &["--dry-run"]].concat());
    assert!(
        shown.stdout.contains("1 of 2 units would be scored, at most 4 texts encoded"),
        "{}",
        shown.stdout
    );
    let other = run_host(folder, &[&run[..], &["--dry-run", "--model", "random"]].concat());
    assert!(
        other.stdout.contains("2 of 2 units would be scored")
            && other.stdout.contains("time unknown: no result"),
        "{}",
        other.stdout
    );
}

#[test]
fn data_that_is_not_here_is_named_and_not_fetched() {
    let folder = tempfile::tempdir().unwrap();
    let dry = run_host(folder.path(), &["run", "--task", "SciFact", "--offline", "--dry-run"]);
    assert_eq!(dry.code, Some(1), "{}", dry.stdout);
    assert!(dry.stderr.contains("SciFact, split test, subset default: "), "{}", dry.stderr);
    assert!(dry.stdout.contains("not downloaded"), "{}", dry.stdout);
}

#[test]
fn a_mistyped_model_is_told_before_anything_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let task = ["--registry", "indonesia", "--task", "IndonesianGeneralSTS"];
    let run = run_host(folder.path(), &[&["run", "--dry-run", "--model", "hashng"], &task[..]].concat());
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("found: hashng (near it: hashing"), "{}", run.stderr);
    assert_eq!(run.stdout, "");
}

/// A line a row, of `rows` rows.
fn lines(rows: usize, line: impl Fn(usize) -> String) -> String {
    (0..rows).map(|row| line(row) + "\n").collect()
}

fn word(number: usize) -> String {
    format!("{}{}", ["satu", "dua", "tiga", "empat", "lima"][number % 5], number)
}

fn try_task(task: &Task, items: &str) -> (Run, Value) {
    let run = task.run(&["--json", "--limit", items]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let report = run.json().unwrap();
    (run, report)
}

/// A search of 300 documents, of which the last ones alone are relevant.
fn search(task_type: &str, more: &[(&str, &str)]) -> Task {
    let corpus = lines(300, |row| format!("{{\"_id\":\"d{row}\",\"text\":\"{}\"}}", word(row)));
    let queries = lines(50, |row| format!("{{\"_id\":\"q{row}\",\"text\":\"{}\"}}", word(299 - row)));
    let qrels = lines(50, |row| format!("q{row}\td{}\t1", 299 - row));
    let qrels = format!("query-id\tcorpus-id\tscore\n{qrels}");
    let files = [("corpus.jsonl", corpus.as_str()), ("queries.jsonl", &queries), ("qrels/test.tsv", &qrels)];
    Task::of(task_type, ".", &[&files[..], more].concat())
}

#[test]
fn data_is_not_blamed_for_what_too_few_of_its_items_lack() {
    let pairs = "sentence1,sentence2,labels\na,b,0\nc,d,1\n";
    let task = Task::of("PairClassification", "p.csv", &[("p.csv", pairs)]);
    assert_eq!(task.run(&[]).code, Some(0));
    let run = task.run(&["--limit", "1"]);
    let expected =
        "every model scores the same; only the first 1 of each kind were read, a higher `--limit` reads more";
    assert!(run.code == Some(1) && run.stderr.contains(expected), "{}", run.stderr);
}

#[test]
fn a_search_is_tried_with_what_is_relevant_to_its_first_queries() {
    let (run, report) = try_task(&search("Retrieval", &[]), "5");
    assert_eq!(run.stderr, "");
    assert_eq!(report["tasks"][0]["main_score"], 1.0, "the relevant document of each query is found");
    assert_eq!(report["texts"]["asked"], 5 + 5 + 5, "queries, their documents, and as many others");
    let lists = lines(50, |row| {
        let others: Vec<String> = (0..100).map(|other| format!("\"d{other}\"")).collect();
        format!("{{\"query-id\":\"q{row}\",\"corpus-ids\":[{},\"d{}\"]}}", others.join(","), 299 - row)
    });
    let (run, report) = try_task(&search("Reranking", &[("top_ranked.jsonl", &lists)]), "5");
    assert_eq!(run.stderr, "");
    assert_eq!(report["tasks"][0]["main_score"], 1.0);
    assert_eq!(report["texts"]["asked"], 5 + 5 + 5);
}

#[test]
fn instructions_are_tried_by_whole_topics() {
    let topic = |row: usize| format!("t{}-{}", row / 2, ["og", "changed"][row % 2]);
    let queries = lines(40, |row| format!("{{\"_id\":\"{}\",\"text\":\"{}\"}}", topic(row), word(row / 2)));
    let instructions =
        lines(40, |row| format!("{{\"query-id\":\"{}\",\"instruction\":\"{row}\"}}", topic(row)));
    let corpus = lines(100, |row| format!("{{\"_id\":\"d{row}\",\"text\":\"{}\"}}", word(row)));
    let qrels = lines(40, |row| format!("{}\td{}\t1", topic(row), row / 2));
    let lists = lines(40, |row| {
        let others: Vec<String> = (0..60).map(|other| format!("\"d{other}\"")).collect();
        format!("{{\"query-id\":\"{}\",\"corpus-ids\":[{}]}}", topic(row), others.join(","))
    });
    let changed = lines(20, |row| format!("{{\"query-id\":\"t{row}\",\"corpus-ids\":[\"d{row}\"]}}"));
    let task = Task::of(
        "InstructionReranking",
        ".",
        &[
            ("corpus.jsonl", &corpus),
            ("queries.jsonl", &queries),
            ("instruction.jsonl", &instructions),
            ("qrels/test.tsv", &format!("query-id\tcorpus-id\tscore\n{qrels}")),
            ("top_ranked.jsonl", &lists),
            ("qrel_diff.jsonl", &changed),
        ],
    );
    let (run, report) = try_task(&task, "6");
    assert_eq!(run.stderr, "");
    assert!(report["tasks"][0]["main_score"].is_number());
    assert!(report["texts"]["asked"].as_u64().unwrap() <= 6 + 3 + 6);
}

#[test]
fn every_other_type_is_tried_on_its_first_rows_though_they_are_sorted_by_label() {
    let pair = |row: usize| format!("{},{}", word(row), word(row / 2));
    let scored =
        format!("sentence1,sentence2,score\n{}", lines(60, |row| format!("{},{}", pair(row), row / 20)));
    let pairs =
        format!("sentence1,sentence2,labels\n{}", lines(60, |row| format!("{},{}", pair(row), row / 30)));
    let parallel = format!("sentence1,sentence2\n{}", lines(60, pair));
    let labelled =
        format!("text,label\n{}", lines(60, |row| format!("{},{}", word(row), ["a", "b", "c"][row / 20])));
    let numbers = format!("text,value\n{}", lines(60, |row| format!("{},{}", word(row), row * 7 % 13)));
    let several = lines(60, |row| {
        let labels = ["[\"a\"]", "[\"b\"]", "[\"a\",\"b\"]"][row / 20];
        format!("{{\"text\":\"{}\",\"label\":{labels}}}", word(row))
    });
    let clustered = labelled.replacen("text,label", "sentences,labels", 1);
    let summaries = lines(60, |row| {
        let (one, two) = (word(row), word(row + 1));
        format!(
            "{{\"text\":\"{one}\",\"human_summaries\":[\"{one}\"],\"machine_summaries\":[\"{one}\",\"{two} x\",\"y z\"],\"relevance\":[3,2,{}]}}",
            row % 2
        )
    });
    let tasks = [
        Task::of("STS", ".", &[("test.csv", &scored)]),
        Task::of("PairClassification", ".", &[("test.csv", &pairs)]),
        Task::of("BitextMining", ".", &[("test.csv", &parallel)]),
        Task::of("Classification", ".", &[("train.csv", &labelled), ("test.csv", &labelled)]),
        Task::of("MultilabelClassification", ".", &[("train.jsonl", &several), ("test.jsonl", &several)]),
        Task::of("Regression", ".", &[("train.csv", &numbers), ("test.csv", &numbers)]),
        // Of so few rows a run would embed two, a share of 0.04.
        Task::of("Clustering", ".", &[("test.csv", &clustered)]).with("[protocol]\nmax_documents = 0"),
        Task::of("Summarization", ".", &[("test.jsonl", &summaries)]),
    ];
    for task in tasks {
        let (run, report) = try_task(&task, "6");
        let asked = report["texts"]["asked"].as_u64().unwrap();
        let (limit, tried) = (&report["limit"], &report["tasks"][0]);
        assert!(tried["main_score"].is_number(), "{tried} {}", run.stderr);
        assert_eq!((limit, &report["results_folder"]), (&Value::from(6), &Value::Null));
        let whole = task.run(&["--json"]).json().unwrap()["texts"]["asked"].as_u64().unwrap();
        assert!(asked < whole, "{tried}: {asked} of {whole} texts");
    }
}

#[test]
fn what_was_tried_is_not_kept_and_a_result_that_is_there_is_neither_read_nor_changed() {
    let task = search("Retrieval", &[]);
    let folder = task.folder().join("results");
    let (run, _) = try_task(&task, "5");
    assert_eq!(run.stderr, "");
    assert!(!folder.exists());
    assert_eq!(task.run(&[]).code, Some(0));
    let file = folder.join("mteb-host__hashing/1/T.json");
    let before = fs::read(&file).unwrap();
    let (_, report) = try_task(&task, "5");
    assert_eq!(report["tasks"][0]["units"][0]["state"], "scored");
    assert_eq!(fs::read(&file).unwrap(), before);
    let said = mteb_host_tests::host(task.folder())
        .args(["run", "--registry", "card.toml", "--limit", "5"])
        .output();
    let said = String::from_utf8(said.unwrap().stdout).unwrap();
    assert!(said.ends_with("Tried on 5 items of each unit: nothing was saved\n"), "{said}");
    for more in [&["--rankings"][..], &["--check-expected"]] {
        assert_eq!(task.run(&[&["--limit", "5"], more].concat()).code, Some(2));
    }
    assert_eq!(task.run(&["--limit", "0"]).code, Some(2));
}

#[test]
fn that_one_pair_cannot_be_correlated_is_said_to_be_of_the_trial() {
    let task = Task::pairs("sentence1,sentence2,score\na b,b,5\nc d,d e,3\nd f g,g,2\n");
    let run = task.run(&["--limit", "1"]);
    let expected = "expected at least 2 rows to correlate, found: 1; only the first 1 of each kind were read, a \
                    higher `--limit` reads more";
    assert!(run.code == Some(1) && run.stderr.contains(expected), "{}", run.stderr);
}
