//! What is said about search tasks that cannot be scored, and what does not change a score.

use crate::search_session::{SearchSession, score, unit};
use mteb_tasks::{Protocol, Similarity};
use serde_json::{Value, json};

/// A task of three documents and two queries.
fn parts() -> Value {
    json!({
        "corpus": [
            {"_id": "a", "text": "satu"}, {"_id": "b", "text": "dua dua"}, {"_id": "c", "text": "tiga tiga tiga"},
        ],
        "queries": [{"_id": "1-og", "text": "satu?"}, {"_id": "1-changed", "text": "tiga tiga?"}],
        "qrels": [
            {"query-id": "1-og", "corpus-id": "a", "score": 1},
            {"query-id": "1-changed", "corpus-id": "c", "score": 2},
        ],
    })
}

/// `parts` with the tables of `others` put in their place.
fn with(others: Value) -> Value {
    let mut parts = parts();
    for (name, rows) in others.as_object().expect("tables") {
        parts[name] = rows.clone();
    }
    parts
}

/// The length of the text and its number of words.
fn embed(text: &str) -> Vec<f32> {
    vec![text.len() as f32, text.split(' ').count() as f32]
}

fn refusal(task_type: &str, parts: &Value, options: Value) -> String {
    let options: Protocol = serde_json::from_value(options).expect("options");
    let mut session = SearchSession::new(&embed, Similarity::Dot);
    score(task_type, &options, unit(parts), &mut session).expect_err("the task is refused").to_string()
}

#[test]
fn a_candidate_that_is_not_in_the_corpus_is_named_with_its_place() {
    let lists = json!([{"query-id": "1-og", "corpus-ids": ["a"]}, {"query-id": "1-changed", "corpus-ids": ["a", "x"]}]);
    assert_eq!(
        refusal("Reranking", &with(json!({"top_ranked": lists})), json!({})),
        "top_ranked.jsonl, line 2, column `corpus-ids`: expected ids of documents in the corpus, found a string: \"x\""
    );
}

#[test]
fn a_query_without_instruction_is_named() {
    let instructions = json!([{"query-id": "1-og", "instruction": "singkat"}]);
    assert_eq!(
        refusal("InstructionRetrieval", &with(json!({"instruction": instructions})), json!({})),
        "instruction.jsonl: no instruction for query `1-changed`; there is one for other queries, 1 in all"
    );
}

#[test]
fn a_grade_that_is_no_number_is_named_with_its_place() {
    let qrels = json!([{"query-id": "1-og", "corpus-id": "a", "score": "good"}]);
    assert_eq!(
        refusal("Retrieval", &with(json!({"qrels": qrels})), json!({})),
        "qrels.jsonl, line 1, column `score`: expected a number, found a string: \"good\""
    );
}

#[test]
fn queries_that_nobody_judged_leave_nothing_to_score() {
    let qrels = json!([{"query-id": "9", "corpus-id": "a", "score": 1}]);
    assert_eq!(
        refusal("Retrieval", &with(json!({"qrels": qrels})), json!({})),
        "qrels.jsonl, line 1: expected judgements of the queries, found none among 2: compare their ids with `query-id`"
    );
    assert_eq!(
        refusal("Retrieval", &with(json!({"corpus": []})), json!({})),
        "Task, split test, subset default: expected documents, found an empty corpus"
    );
}

#[test]
fn a_missing_part_is_named() {
    let mut parts = parts();
    parts.as_object_mut().expect("parts").remove("qrels");
    assert_eq!(
        refusal("Retrieval", &parts, json!({})),
        "Task, split test, subset default: no part `qrels`; there is corpus, queries"
    );
}

#[test]
fn changed_instructions_need_both_halves_and_a_list_of_changed_documents() {
    assert!(refusal("InstructionReranking", &parts(), json!({})).contains("no part `qrel_diff`"));
    let changed = with(json!({"qrel_diff": [{"query-id": "2", "corpus-ids": ["a"]}]}));
    assert_eq!(
        refusal("InstructionReranking", &changed, json!({})),
        "qrel_diff.jsonl: expected topics whose queries `ID-og` and `ID-changed` are both judged, found none among 1: “2”"
    );
}

#[test]
fn options_that_do_not_fit_are_named() {
    assert_eq!(
        refusal("Retrieval", &parts(), json!({"k_values": [5, 10]})),
        "option `k_values`: expected cut-offs of at least 1 that include 1, which the accuracy needs, found: [5, 10]"
    );
    assert_eq!(
        refusal("Retrieval", &parts(), json!({"extra_measures": ["robustness"], "k_values": [1, 5]})),
        "option `k_values`: expected 10 among them, which an extra measure needs"
    );
}

#[test]
fn a_cross_encoder_cannot_search_a_whole_corpus() {
    let mut session = SearchSession::cross_encoder(&embed);
    let error = score("Retrieval", &Protocol::default(), unit(&parts()), &mut session).expect_err("refused");
    assert_eq!(
        error.to_string(),
        "a cross-encoder scores given candidates, and this task names none: run it with a model that encodes, or add \
         a part `top_ranked`"
    );
}

#[test]
fn queries_without_candidates_are_counted_in_a_warning() {
    let lists = json!([{"query-id": "1-og", "corpus-ids": ["a", "b"]}]);
    let mut session = SearchSession::new(&embed, Similarity::Dot);
    let unit = unit(&with(json!({"top_ranked": lists})));
    let scores = score("Reranking", &Protocol::default(), unit, &mut session).expect("scores");
    assert_eq!(
        session.warnings,
        ["queries without candidates, which score 0: 1, the first of them “1-changed”"]
    );
    assert_eq!(scores.number("recall_at_10"), Some(0.5));
}

#[test]
fn the_order_of_documents_and_judgements_changes_no_score() {
    let mut turned = parts();
    for part in ["corpus", "qrels"] {
        turned[part].as_array_mut().expect("rows").reverse();
    }
    let run = |parts: &Value| {
        let mut session = SearchSession::new(&embed, Similarity::Cosine);
        score("Retrieval", &Protocol::default(), unit(parts), &mut session).expect("scores")
    };
    assert_eq!(run(&parts()), run(&turned));
}

#[test]
fn topics_that_are_not_judged_are_refused() {
    let lists = json!([
        {"query-id": "1-og", "corpus-ids": ["a", "b"]}, {"query-id": "1-changed", "corpus-ids": ["a", "b"]},
    ]);
    let changed = json!([{"query-id": "2", "corpus-ids": ["a"]}]);
    let parts = with(json!({"top_ranked": lists, "qrel_diff": changed}));
    assert_eq!(
        refusal("InstructionReranking", &parts, json!({})),
        "qrel_diff.jsonl: expected topics whose queries `ID-og` and `ID-changed` are both judged, found none among 1: “2”"
    );
}
