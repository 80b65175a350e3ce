//! Names of columns that a card gives: in the words of the file and of the card, and at the place where they belong.

use mteb_host_tests::{Run, host};

use super::task::Task;

const CORPUS: &str = "{\"_id\":\"d1\",\"text\":\"satu\"}\n{\"_id\":\"d2\",\"text\":\"dua\"}\n";
const QUERIES: &str = "{\"_id\":\"q1\",\"text\":\"satu\"}\n";

/// What `validate` says of the card alone, and a run, too.
fn card_fault(task: &Task) -> String {
    let checked = Run::of(host(task.folder()).args(["validate", "card.toml"])).unwrap();
    let run = task.run(&[]);
    assert_eq!((checked.code, run.code), (Some(2), Some(2)), "{}", checked.stdout);
    let line = checked.stderr.lines().next().unwrap_or_default().to_owned();
    assert!(run.stderr.lines().any(|said| said == line), "{line}: {}", run.stderr);
    line
}

#[test]
fn a_column_of_a_part_is_named_where_the_message_says() {
    let qrels = "query_id\tcorpus-id\tscore\nq1\td1\t1\n";
    let task = || Task::retrieval(CORPUS, QUERIES, ("qrels.tsv", qrels));
    insta::assert_snapshot!(task().fault(), @r#"T, split test, subset default: ./qrels.tsv: no column `query-id`; its columns are query_id, corpus-id, score; if `query_id` is meant, say so in the card under `[dataset.parts.qrels]`: `columns = { query-id = "query_id" }`"#);
    let told = task().with("[dataset.parts.qrels]\ncolumns = { query-id = \"query_id\" }");
    assert_eq!(told.warning(), "", "as the message says");
    let elsewhere = task().with("columns = { query-id = \"query_id\" }");
    insta::assert_snapshot!(card_fault(&elsewhere), @"error: card.toml:8:1: a task of type Retrieval has no option `columns` here; name the columns of a part under `[dataset.parts.corpus]`, `[dataset.parts.queries]` or `[dataset.parts.qrels]`");
}

#[test]
fn a_column_that_the_type_does_not_have_is_no_name_for_one() {
    let task =
        Task::pairs("sentence1,sentence2,score\na,b,1\nc,d,2\n").with("columns = { s1 = \"sentence1\" }");
    insta::assert_snapshot!(card_fault(&task), @"error: card.toml:8:18: expected a column of a task of type STS (sentence1, sentence2, score) before `=`, and after it the file's name for it, found: s1");
    let part = Task::retrieval(CORPUS, QUERIES, ("qrels.tsv", ""))
        .with("[dataset.parts.corpus]\ncolumns = { texts = \"isi\" }");
    assert!(card_fault(&part).contains("expected a column of the part `corpus` (_id, id, text, title)"));
}

#[test]
fn a_message_has_the_names_of_the_file() {
    let rows = "sentence1,sentence2,nilai\na,b,1\nc,d,2\n";
    let task = Task::pairs(rows).with("columns = { score = \"nilai\" }\ndrop = { nilai = [1] }");
    insta::assert_snapshot!(task.fault(), @"T, split test, subset default: pairs.csv: no column `nilai`; its columns are sentence1, sentence2, nilai; the card's `columns` call it `score`: name it so, or leave it out there");
    let task = Task::pairs("s1,s2,nilai\na,b,1\nc,d,2\n").with("columns = { score = \"nilai\" }");
    assert!(task.fault().contains("its columns are s1, s2, nilai;"), "{}", task.fault());
}

#[test]
fn a_column_that_is_made_and_that_nothing_asks_for_is_a_fault() {
    let pairs = |lines: &str| Task::pairs("s1,s2,score\na,b,1\nc,d,2\n").with(lines);
    insta::assert_snapshot!(card_fault(&pairs("join = { sentense1 = [\"s1\", \"s2\"] }")), @"error: card.toml:8:22: expected a column of a task of type STS (sentence1, sentence2, score) before `=`, and after it the columns that it is made of, found: sentense1 (near it: sentence1, sentence2)");
    let own = "join = { made = [\"s1\", \"s2\"] }\ncolumns = { sentence1 = \"made\", sentence2 = \"s2\" }";
    assert_eq!(pairs(own).run(&[]).code, Some(0), "what is made is renamed");
    let qrels = "query-id\tcorpus-id\tscore\nq1\td1\t1\n";
    let corpus = |lines: &str| {
        Task::retrieval(CORPUS, QUERIES, ("qrels.tsv", qrels)).with("[dataset.parts.corpus]").with(lines)
    };
    insta::assert_snapshot!(card_fault(&corpus("number = { _idd = [\"text\"] }")), @"error: card.toml:9:19: expected a column of the part `corpus` (_id, id, text, title) before `=`, and after it the columns whose texts identify a row, found: _idd (near it: _id)");
    insta::assert_snapshot!(card_fault(&corpus("join = { texts = [\"text\", \"title\"] }")), @"error: card.toml:9:18: expected a column of the part `corpus` (_id, id, text, title) before `=`, and after it the columns that it is made of, found: texts (near it: text)");
}

#[test]
fn a_part_and_a_role_that_no_task_of_the_type_has_are_faults() {
    let qrels = "query-id\tcorpus-id\tscore\nq1\td1\t1\n";
    let task = || Task::retrieval(CORPUS, QUERIES, ("qrels.tsv", qrels));
    insta::assert_snapshot!(card_fault(&task().with("[dataset.parts.qrel]\ngrade = 1")), @"error: card.toml:8:16: expected a part of a task of type Retrieval (corpus, queries, qrels, top_ranked, excluded, instruction, qrel_diff), found: qrel (near it: qrels, qrel_diff)");
    insta::assert_snapshot!(card_fault(&task().with("[dataset.parts.train]\nsplit = \"x\"")), @"error: card.toml:8:16: expected a part of a task of type Retrieval (corpus, queries, qrels, top_ranked, excluded, instruction, qrel_diff), found: train");
    let prompted = |prompt: &str| {
        let task = task();
        let card = std::fs::read_to_string(task.folder().join("card.toml")).unwrap();
        task.write("card.toml", card.replace("languages", &format!("prompt = {prompt}\nlanguages")));
        task
    };
    let unknown = prompted("{ query = \"Find it.\", documents = \"Be found.\" }");
    insta::assert_snapshot!(card_fault(&unknown), @"error: card.toml:5:32: prompt: unknown key `documents` (near it: document)");
    assert_eq!(prompted("{ query = \"Find it.\", document = \"Be found.\" }").run(&[]).code, Some(0));
}

#[test]
fn options_of_a_part_that_is_not_there_are_a_fault_of_the_data() {
    let qrels = "query-id\tcorpus-id\tscore\nq1\td1\t1\n";
    let task = Task::retrieval(CORPUS, QUERIES, ("qrels.tsv", qrels))
        .with("[dataset.parts.top_ranked]\ncolumns = { corpus-ids = \"docs\" }");
    let fault = task.fault();
    insta::assert_snapshot!(fault, @"T, split test, subset default: .: expected the part `top_ranked`, which the card has options for (`[dataset.parts.top_ranked]`), in a file as `top_ranked.jsonl`, found card.toml, corpus.jsonl, qrels.tsv, queries.jsonl");
    let checked = Run::of(host(task.folder()).args(["validate", "card.toml"])).unwrap();
    let (_, what) = fault.split_once(": ").unwrap();
    assert_eq!(checked.code, Some(1));
    assert!(checked.stderr.contains(what), "{}", checked.stderr);
    task.write("top_ranked.jsonl", "{\"query-id\":\"q1\",\"docs\":[\"d1\",\"d2\"]}\n");
    assert_eq!(task.warning(), "");
}
