//! Names of columns that a card gives: in the words of the file and of the card, and at the place where they belong.

use mteb_host_tests::{Run, host};

use crate::task::Task;

const CORPUS: &str = "{\"_id\":\"d1\",\"text\":\"satu\"}\n{\"_id\":\"d2\",\"text\":\"dua\"}\n";
const QUERIES: &str = "{\"_id\":\"q1\",\"text\":\"satu\"}\n";

/// What `validate` says of the card alone.
fn card_fault(task: &Task) -> String {
    let run = Run::of(host(task.folder()).args(["validate", "card.toml"])).unwrap();
    assert_eq!(run.code, Some(2), "{}", run.stdout);
    run.stderr.lines().next().unwrap_or_default().to_owned()
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
    insta::assert_snapshot!(card_fault(&task), @"error: card.toml:8:18: expected a column of a task of type STS (sentence1, sentence2, score) before `=`, and behind it the file's name for it, found: s1");
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
