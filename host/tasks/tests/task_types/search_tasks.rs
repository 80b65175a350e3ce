//! Retrieval, reranking and instruction tasks on small given embeddings, beside whole results of
//! mteb (fixture from `tests/golden/ranking/make_tasks.py`).

use mteb_measures::numeric::{numpy_round, python_round};
use mteb_tasks::{Protocol, Score, Scores, Similarity};
use serde_json::{Value, json};

use crate::search_session::{SearchSession, score, unit};

fn cases(name: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/golden/ranking/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("fixture is part of the project");
    serde_json::from_str(&text).expect("fixture is JSON")
}

/// Asserts equal keys in equal order, nulls where the reference has nulls, and numbers equal to six
/// decimals.
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
        let options: Protocol = serde_json::from_value(case["options"].clone()).expect("options");
        let task_type = case["task_type"].as_str().expect("a task type");
        let scores = score(task_type, &options, unit(&case["parts"]), &mut session);
        assert_equal(&scores.unwrap_or_else(|error| panic!("{name}: {error}")), &case["scores"], name);
        let phases: Vec<&str> =
            case["phases"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        assert_eq!(session.phases, phases, "{name}");
    }
}

/// Documents at distinct places of a line, which the queries look along; texts as the fixture's
/// script names them.
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
        let scores = score("Retrieval", &Protocol::default(), unit(&case["parts"]), &mut session);
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
    let scores = score("Reranking", &Protocol::default(), unit(&rows), &mut session).expect("scores");
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
        score("Retrieval", &Protocol::default(), unit(&rows), &mut session).expect("scores")
    };
    let left_out = scores(rows("excluded", ["a", "b"].map(|query| json!(excluded(query)))));
    let given = scores(rows("top_ranked", ["a", "b"].map(|query| json!(candidates(query)))));
    assert_eq!(left_out, given);
    assert_eq!(left_out.number("recall_at_1"), Some(0.75));
}

/// How many candidates each topic has.
const CANDIDATES: usize = 400;

/// Topics whose first document stops being relevant once the instruction is changed.
fn rows() -> Value {
    let documents: Vec<String> = (0..CANDIDATES).map(|number| format!("d{number}")).collect();
    let both = |topic: usize| [format!("{topic}-og"), format!("{topic}-changed")];
    let queries: Vec<String> = (0..3).flat_map(both).collect();
    let judged = |id: &String| {
        let first = i32::from(id.ends_with("-og"));
        [
            json!({"query-id": id, "corpus-id": "d0", "score": first}),
            json!({"query-id": id, "corpus-id": "d1", "score": 1}),
        ]
    };
    json!({
        "corpus": documents.iter().map(|id| json!({"_id": id, "text": id})).collect::<Vec<_>>(),
        "queries": queries.iter().map(|id| json!({"_id": id, "text": "topic"})).collect::<Vec<_>>(),
        "instruction": queries.iter().map(|id| {
            let (_, version) = id.split_once('-').expect("a topic and a version");
            json!({"query-id": id, "instruction": version})
        }).collect::<Vec<_>>(),
        "qrels": queries.iter().flat_map(judged).collect::<Vec<_>>(),
        "qrel_diff": (0..3).map(|topic| json!({"query-id": topic.to_string(), "corpus-ids": ["d0"]})).collect::<Vec<_>>(),
        "top_ranked": queries.iter().map(|id| json!({"query-id": id, "corpus-ids": documents})).collect::<Vec<_>>(),
    })
}

/// The p-MRR of a model that looks for the first document to the degrees that it is told for both
/// instructions.
fn p_mrr(original: f32, changed: f32) -> f64 {
    // Documents lie along a line, the first one at its end; a query looks up or down that line.
    let embed = |text: &str| match text.strip_prefix('d').and_then(|number| number.parse::<usize>().ok()) {
        Some(number) => vec![1.0 - number as f32 / CANDIDATES as f32],
        None if text.contains("changed") => vec![changed],
        None => vec![original],
    };
    let mut session = SearchSession::new(&embed, Similarity::Dot);
    let scores = score("InstructionReranking", &Protocol::default(), unit(&rows()), &mut session);
    scores.expect("scores").number("p-MRR").expect("a number")
}

#[test]
fn a_perfect_follower_is_near_1_and_the_contrary_near_minus_1() {
    assert!(p_mrr(1.0, -1.0) > 0.99, "{}", p_mrr(1.0, -1.0));
    assert!(p_mrr(-1.0, 1.0) < -0.99, "{}", p_mrr(-1.0, 1.0));
}

#[test]
fn a_model_that_ignores_the_instruction_is_at_0_however_well_it_searches() {
    assert_eq!(p_mrr(1.0, 1.0), 0.0);
    assert_eq!(p_mrr(-1.0, -1.0), 0.0);
}
