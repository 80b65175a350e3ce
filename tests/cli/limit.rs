//! A task is tried on its first items: every type gives scores, a search can find what is relevant, and nothing is kept.

use std::fs;

use mteb_host_tests::Run;
use serde_json::Value;

use super::task::Task;

/// A line a row, of `rows` rows.
fn lines(rows: usize, line: impl Fn(usize) -> String) -> String {
    (0..rows).map(|row| line(row) + "\n").collect()
}

fn word(number: usize) -> String {
    format!("{}{}", ["satu", "dua", "tiga", "empat", "lima"][number % 5], number)
}

fn tried(task: &Task, items: &str) -> (Run, Value) {
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
    let (run, report) = tried(&search("Retrieval", &[]), "5");
    assert_eq!(run.stderr, "");
    assert_eq!(report["tasks"][0]["main_score"], 1.0, "the relevant document of each query is found");
    assert_eq!(report["texts"]["asked"], 5 + 5 + 5, "queries, their documents, and as many others");
    let lists = lines(50, |row| {
        let others: Vec<String> = (0..100).map(|other| format!("\"d{other}\"")).collect();
        format!("{{\"query-id\":\"q{row}\",\"corpus-ids\":[{},\"d{}\"]}}", others.join(","), 299 - row)
    });
    let (run, report) = tried(&search("Reranking", &[("top_ranked.jsonl", &lists)]), "5");
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
    let (run, report) = tried(&task, "6");
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
        let (run, report) = tried(&task, "6");
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
    let (run, _) = tried(&task, "5");
    assert_eq!(run.stderr, "");
    assert!(!folder.exists());
    assert_eq!(task.run(&[]).code, Some(0));
    let file = folder.join("mteb-host__hashing/1/T.json");
    let before = fs::read(&file).unwrap();
    let (_, report) = tried(&task, "5");
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
