//! Retrieval, reranking and instruction tasks on small given embeddings, beside whole results of mteb (fixture from
//! `tests/golden/ranking/make_tasks.py`).

use crate::search_session::{SearchSession, score, unit};
use mteb_measures::numeric::{numpy_round, python_round};
use mteb_tasks::{Options, Score, Scores, Similarity};
use serde_json::{Value, json};

fn cases(name: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/golden/ranking/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("fixture is part of the project");
    serde_json::from_str(&text).expect("fixture is JSON")
}

/// Asserts equal keys in equal order, nulls where the reference has nulls, and numbers equal to six decimals.
fn assert_equal(found: &Scores, expected: &Value, case: &str) {
    let expected = expected.as_array().expect("a list of entries");
    let keys: Vec<&str> = found.0.iter().map(|(key, _)| key.as_str()).collect();
    let expected_keys: Vec<&str> = expected.iter().filter_map(|entry| entry[0].as_str()).collect();
    assert_eq!(keys, expected_keys, "{case}");
    for ((key, score), entry) in found.0.iter().zip(expected) {
        match (score, &entry[1]) {
            (Score::Map(inner), expected) => assert_equal(inner, expected, &format!("{case}, {key}")),
            (Score::Null, Value::Null) => {}
            (Score::Number(found), Value::Number(expected)) => {
                assert_eq!(Some(python_round(*found, 6)), expected.as_f64(), "{case}, {key}");
            }
            (Score::Numpy(found), Value::Number(expected)) => {
                assert_eq!(Some(numpy_round(*found, 6)), expected.as_f64(), "{case}, {key}");
            }
            (found, expected) => panic!("{case}, {key}: expected {expected}, found {found:?}"),
        }
    }
}

#[test]
fn scores_keys_texts_and_phases_equal_mteb() {
    for case in cases("tasks.json") {
        let name = case["name"].as_str().expect("a name");
        let embed = |text: &str| -> Vec<f32> {
            let numbers = case["embeddings"][text].as_array();
            let numbers = numbers.unwrap_or_else(|| panic!("{name}: mteb did not encode the text {text:?}"));
            numbers.iter().filter_map(Value::as_f64).map(|number| number as f32).collect()
        };
        let similarity = if case["similarity"] == "cosine" { Similarity::Cosine } else { Similarity::Dot };
        let mut session = match case["cross_encoder"].as_bool() {
            Some(true) => SearchSession::cross_encoder(&embed),
            _ => SearchSession::new(&embed, similarity),
        };
        let options: Options = serde_json::from_value(case["options"].clone()).expect("options");
        let task_type = case["task_type"].as_str().expect("a task type");
        let scores = score(task_type, &options, unit(&case["parts"]), &mut session);
        assert_equal(&scores.unwrap_or_else(|error| panic!("{name}: {error}")), &case["scores"], name);
        let phases: Vec<&str> =
            case["phases"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        assert_eq!(session.phases, phases, "{name}");
    }
}

/// Documents at distinct places of a line, which the queries look along; texts as the fixture's script names them.
#[test]
fn a_corpus_that_is_searched_in_two_chunks_scores_as_mteb_does() {
    for mut case in cases("two_chunks.json") {
        let corpus = (0..60_000).map(|i| json!({"_id": format!("d{i}"), "text": format!("t{i}")}));
        case["parts"]["corpus"] = corpus.collect();
        let embed = |text: &str| {
            let number: i64 = text[1..].parse().expect("a number");
            vec![if text.starts_with('q') { number as f32 } else { (number * 7919 % 60013 - 30000) as f32 }]
        };
        let mut session = SearchSession::new(&embed, Similarity::Dot);
        let scores = score("Retrieval", &Options::default(), unit(&case["parts"]), &mut session);
        assert_equal(&scores.expect("scores"), &case["scores"], "two chunks");
    }
}

#[test]
fn reranking_encodes_the_candidates_alone_in_the_order_of_the_corpus() {
    let rows = json!({
        "corpus": (0..6).map(|i| json!({"id": i, "text": format!("d{i}")})).collect::<Vec<_>>(),
        "queries": [{"id": "a", "text": "qa"}, {"id": "b", "text": "qb"}, {"id": "unjudged", "text": "qc"}],
        "qrels": [
            {"query-id": "a", "corpus-id": 1, "score": 1}, {"query-id": "b", "corpus-id": 4, "score": 1},
        ],
        "top_ranked": [
            {"query-id": "a", "corpus-ids": [4, 1]}, {"query-id": "b", "corpus-ids": [4, 0]},
            {"query-id": "unjudged", "corpus-ids": [5]},
        ],
    });
    let embed = |text: &str| vec![text.len() as f32, 1.0];
    let mut session = SearchSession::new(&embed, Similarity::Cosine);
    let scores = score("Reranking", &Options::default(), unit(&rows), &mut session).expect("scores");
    assert_eq!(session.encoded, ["qa", "qb", "d0", "d1", "d4"]);
    assert_eq!(scores.number("recall_at_3"), Some(1.0));
    assert_eq!(session.warnings.len(), 1, "{:?}", session.warnings);
    assert!(session.warnings[0].starts_with("all documents of 2 of 2 queries have the same score"));
}

#[test]
fn excluded_documents_make_room_for_others_as_if_the_others_were_the_candidates() {
    let documents: Vec<String> = (0..30).map(|i| format!("d{i}")).collect();
    let excluded = |query: &str| if query == "a" { vec!["d3", "d29", "not there"] } else { vec![] };
    let candidates = |query: &str| -> Vec<&String> {
        documents.iter().filter(|id| !excluded(query).contains(&id.as_str())).collect()
    };
    let rows = |part: &str, lists: [Value; 2]| {
        json!({
            "corpus": documents.iter().map(|id| json!({"_id": id, "text": id})).collect::<Vec<_>>(),
            "queries": [{"_id": "a", "text": "qa"}, {"_id": "b", "text": "qb"}],
            "qrels": [
                {"query-id": "a", "corpus-id": "d28", "score": 1}, {"query-id": "a", "corpus-id": "d29", "score": 1},
                {"query-id": "b", "corpus-id": "d29", "score": 1},
            ],
            part: [{"query-id": "a", "corpus-ids": lists[0]}, {"query-id": "b", "corpus-ids": lists[1]}],
        })
    };
    let embed = |text: &str| vec![text[1..].parse().unwrap_or(1.0)];
    let scores = |rows: Value| {
        let mut session = SearchSession::new(&embed, Similarity::Dot);
        score("Retrieval", &Options::default(), unit(&rows), &mut session).expect("scores")
    };
    let left_out = scores(rows("excluded", ["a", "b"].map(|query| json!(excluded(query)))));
    let given = scores(rows("top_ranked", ["a", "b"].map(|query| json!(candidates(query)))));
    assert_eq!(left_out, given);
    assert_eq!(left_out.number("recall_at_1"), Some(0.75));
}
