//! Ranking tasks in one file, as people write them: a row for each query with its documents. Reranking, retrieval, instructions, lists of
//! objects that a card unfolds, null titles, and numbers beside texts of numbers.

use mteb_host_tests::Run;

use super::new_task::Task;

const RERANKING: &str = r#"{"query": "suku bunga naik", "documents": [{"id": "a", "text": "suku bunga"}, {"id": "b", "text": "cuaca cerah"}], "relevant": ["a"]}
{"query": "hujan deras", "documents": [{"id": "c", "text": "hujan deras sekali"}, {"id": "d", "text": "harga beras"}, {"id": "e", "text": "bola"}], "relevant": ["c", "d"]}
"#;

/// The card says which columns of which file each part is read from.
const PARTS: &str = r#"
[dataset.parts.corpus]
file = "test.jsonl"
unfold = true
columns = { _id = "documents.id", text = "documents.text" }
[dataset.parts.queries]
file = "test.jsonl"
columns = { text = "query" }
number = { _id = ["query"] }
[dataset.parts.qrels]
file = "test.jsonl"
unfold = true
columns = { corpus-id = "relevant" }
number = { query-id = ["query"] }
grade = 1
[dataset.parts.top_ranked]
file = "test.jsonl"
columns = { corpus-ids = "documents.id" }
number = { query-id = ["query"] }
"#;

fn score(run: &Run) -> f64 {
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    run.json().unwrap()["tasks"][0]["units"][0]["main_score"].as_f64().unwrap()
}

/// Its score, where neither `validate` nor `validate --data` finds a fault.
fn sound(task: &Task) -> f64 {
    let gate = task.validate();
    assert_eq!((gate.code, gate.stderr.as_str()), (Some(0), ""));
    score(&task.run(&["--model", "hashing", "--json"]))
}

#[test]
fn a_row_for_each_query_is_a_reranking_task() {
    let folder = Task::of("Reranking", "rer", &[("rer/test.jsonl", RERANKING)]);
    let file = Task::of("Reranking", "rer.jsonl", &[("rer.jsonl", RERANKING)]);
    let unfolded = Task::of("Reranking", ".", &[("test.jsonl", RERANKING)]).with(PARTS);
    let parts = Task::of(
        "Reranking",
        ".",
        &[
            (
                "corpus.tsv",
                "_id\ttext\na\tsuku bunga\nb\tcuaca cerah\nc\thujan deras sekali\nd\tharga beras\ne\tbola\n",
            ),
            ("queries.tsv", "_id\ttext\nq0\tsuku bunga naik\nq1\thujan deras\n"),
            ("qrels.tsv", "query-id\tcorpus-id\tscore\nq0\ta\t1\nq1\tc\t1\nq1\td\t1\n"),
            (
                "top_ranked.jsonl",
                "{\"query-id\": \"q0\", \"corpus-ids\": [\"a\", \"b\"]}\n{\"query-id\": \"q1\", \"corpus-ids\": [\"c\", \"d\", \"e\"]}\n",
            ),
        ],
    );
    let expected = sound(&parts);
    assert_eq!([&folder, &file, &unfolded].map(sound), [expected; 3]);
}

#[test]
fn a_row_for_each_query_is_a_retrieval_task_and_one_with_instructions() {
    let rows = r#"{"query": "suku bunga naik", "corpus": [{"id": 1, "text": "suku bunga", "title": null}, {"id": 2, "text": "bola", "title": "Skor"}], "relevant_docs": {"query_id": ["1"]}}
{"query": "bola", "corpus": [{"id": 2, "text": "bola", "title": "Skor"}], "relevant_docs": {"2": 1}}
"#;
    assert!(sound(&Task::of("Retrieval", "ret", &[("ret/test.jsonl", rows)])) > 0.5);
    let rows = r#"{"instruction": "Cari kebijakan", "query": "suku bunga", "expected": ["doc1"]}"#;
    let corpus = "{\"_id\": \"doc1\", \"title\": null, \"text\": \"suku bunga\"}\n{\"_id\": \"doc2\", \"title\": \"t\", \"text\": \"bola\"}\n";
    let with =
        Task::of("InstructionRetrieval", "ins", &[("ins/test.jsonl", rows), ("ins/corpus.jsonl", corpus)]);
    assert!(sound(&with) > 0.5);
    let without = Task::of("InstructionRetrieval", "ins", &[("ins/test.jsonl", rows)]);
    insta::assert_snapshot!(without.fault(), @"T, split test, subset default: ins/test.jsonl: expected the documents of each query in a column `documents`, or those of all in a file `corpus.jsonl`, found neither");
    let other = Task::of("Retrieval", "ret", &[("ret/test.jsonl", "{\"kueri\": \"x\"}\n")]);
    insta::assert_snapshot!(other.fault(), @"T, split test, subset default: ret/test.jsonl: expected a row for each query with the columns `query`, `documents` and `relevant`, as there is no file of queries or judgements, found the columns kueri; name the columns so, or put corpus, queries and judgements into `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`");
}

#[test]
fn a_text_with_one_summary_says_which_type_scores_it() {
    let rows = "{\"text\": \"panjang sekali\", \"summary\": \"panjang\"}\n{\"text\": \"hujan deras\", \"summary\": \"hujan\"}\n";
    let fault = Task::of("Summarization", "sum", &[("sum/test.jsonl", rows)]).fault();
    assert!(fault.contains("`type = \"BitextMining\"` with `columns = "), "{fault}");
    let task = Task::of("BitextMining", "sum", &[("sum/test.jsonl", rows)]);
    assert!(sound(&task.with("columns = { sentence1 = \"text\", sentence2 = \"summary\" }")) > 0.5);
}

#[test]
fn numbers_and_texts_of_numbers_are_the_same() {
    let pairs = |score: &str| {
        format!(
            "{{\"sentence1\": \"a b\", \"sentence2\": \"b a\", \"score\": 4}}\n\
             {{\"sentence1\": \"a b\", \"sentence2\": \"c d\", \"score\": {score}}}\n\
             {{\"sentence1\": \"e f\", \"sentence2\": \"e g\", \"score\": 2}}\n"
        )
    };
    let sts = |score: &str| sound(&Task::of("STS", "sts.jsonl", &[("sts.jsonl", &pairs(score))]));
    assert_eq!(sts("\"1\""), sts("1"));
    let qrels = |id: &str, score: &str| {
        format!(
            "{{\"query-id\": 1, \"corpus-id\": {id}, \"score\": {score}}}\n{{\"query-id\": \"1\", \"corpus-id\": \"2\", \"score\": 0}}\n"
        )
    };
    let search = |id: &str, score: &str| {
        sound(&Task::retrieval(
            "{\"_id\": 1, \"text\": \"satu\"}\n{\"_id\": \"2\", \"text\": \"dua\"}\n",
            "{\"_id\": \"1\", \"text\": \"satu\"}\n",
            ("qrels.jsonl", &qrels(id, score)),
        ))
    };
    assert_eq!(search("\"1\"", "\"2\""), search("1", "2"));
}

#[test]
fn rows_that_name_nothing_relevant_are_counted_by_a_run_and_by_a_check() {
    let bare = r#"{"query": "harga", "documents": [{"id": "x", "text": "harga naik"}], "relevant": []}"#;
    let rows = format!("{bare}\n{RERANKING}");
    let task = Task::of("Reranking", "rows", &[("rows/test.jsonl", &rows)]);
    let said = "queries without a relevant document, which are not scored: 1 of 3, the first in rows/test.jsonl, line 1";
    for run in [task.run(&[]), task.validate()] {
        assert!(run.stderr.contains(said), "{}{}", run.stdout, run.stderr);
    }
}
