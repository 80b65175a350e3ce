//! Judgements with fractions: nDCG takes them as they are, the other measures from a threshold on.

use crate::search_session::{SearchSession, score, unit};
use mteb_tasks::{Protocol, Scores, Similarity};
use serde_json::{Value, json};

/// One query that finds `c`, `b`, `a`, the longest text first.
fn graded(grades: [f64; 3]) -> Value {
    let judged = ["a", "b", "c"].into_iter().zip(grades);
    let qrels: Vec<Value> =
        judged.map(|(id, grade)| json!({"query-id": "q", "corpus-id": id, "score": grade})).collect();
    json!({
        "corpus": [{"_id": "a", "text": "x"}, {"_id": "b", "text": "xx"}, {"_id": "c", "text": "xxx"}],
        "queries": [{"_id": "q", "text": "x"}],
        "qrels": qrels,
    })
}

/// Scores and warnings.
fn scored(parts: &Value, options: Value) -> (Scores, Vec<String>) {
    let options: Protocol = serde_json::from_value(options).expect("options");
    let embed = |text: &str| vec![text.len() as f32];
    let mut session = SearchSession::new(&embed, Similarity::Dot);
    let scores = score("Retrieval", &options, unit(parts), &mut session).expect("the task is scored");
    (scores, session.warnings)
}

#[test]
fn ndcg_takes_grades_with_fractions_as_they_are() {
    let (scores, _) = scored(&graded([7.5, 2.25, 6.0]), json!({"relevance_threshold": 6.0}));
    let gains = |ranked: [f64; 3]| ranked[0] + ranked[1] / 3f64.log2() + ranked[2] / 2.0;
    let expected = gains([6.0, 2.25, 7.5]) / gains([7.5, 6.0, 2.25]);
    assert!((scores.number("ndcg_at_3").expect("a number") - expected).abs() < 1e-5);
}

#[test]
fn grades_may_be_texts_or_booleans() {
    let with = |grades: [Value; 3]| {
        let mut parts = graded([0.0; 3]);
        for (row, grade) in parts["qrels"].as_array_mut().expect("rows").iter_mut().zip(grades) {
            row["score"] = grade;
        }
        scored(&parts, json!({})).0
    };
    assert_eq!(with([json!("2"), json!("0"), json!("1")]), with([json!(2), json!(0), json!(1)]));
    assert_eq!(with([json!(true), json!(false), json!(true)]), with([json!(1), json!(0), json!(1)]));
}

#[test]
fn a_document_counts_as_found_from_the_threshold_on() {
    let measures = |threshold: f64| {
        let (scores, _) = scored(&graded([7.5, 2.25, 6.0]), json!({"relevance_threshold": threshold}));
        ["recall_at_1", "precision_at_3", "map_at_3", "mrr_at_3"]
            .map(|name| scores.number(name).expect("a number"))
    };
    assert_eq!(measures(6.0), [0.5, 0.66667, 0.83333, 1.0]);
    assert_eq!(measures(7.0), [0.0, 0.33333, 0.33333, 1.0 / 3.0]);
}

#[test]
fn a_threshold_that_no_grade_reaches_is_said() {
    let (scores, warnings) = scored(&graded([0.5, 0.25, 0.75]), json!({}));
    assert_eq!(scores.number("recall_at_10"), Some(0.0));
    assert!(scores.number("ndcg_at_10") > Some(0.7));
    assert_eq!(
        warnings,
        ["qrels.jsonl, column `score`: expected a grade of 1 or more, from which a document is relevant, \
             found at most 0.75: all measures except nDCG are 0; `relevance_threshold` in the card sets it"]
    );
}
