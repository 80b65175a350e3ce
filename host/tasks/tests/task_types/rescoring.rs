//! Search over bits whose finds the numbers of the queries order again, beside the same done by
//! hand.

use std::ops::Range;

use mteb_data::Texts;
use mteb_items::rankings::Rankings;
use mteb_tasks::{
    EvaluateError, Evaluated, Keep, Matrix, Protocol, Role, Session, Similarity, TaskState, Unit, task_types,
};
use serde_json::{Value, json};

use crate::search_session::unit;

const DIMENSION: usize = 12;
const DOCUMENTS: usize = 60;
/// The largest cut of the task.
const CUT: usize = 5;

/// Numbers between -1 and 1 that hang on the text alone.
fn embed(text: &str) -> Vec<f32> {
    let mut state = text.bytes().fold(17u64, |state, byte| state.wrapping_mul(31) + u64::from(byte));
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    (0..DIMENSION).map(|_| next()).collect()
}

fn bits(row: &[f32]) -> Vec<f32> {
    row.iter().map(|&number| f32::from(u8::from(number > 0.0))).collect()
}

/// Queries as numbers, all else as bits.
struct Rescored(usize);

impl Session for Rescored {
    fn encode_texts(
        &mut self,
        texts: &Texts,
        rows: Range<usize>,
        role: Option<Role>,
    ) -> Result<Matrix, EvaluateError> {
        let row = |text| if role == Some(Role::Query) { embed(text) } else { bits(&embed(text)) };
        Ok(Matrix::new(texts.range(rows).flat_map(row).collect(), DIMENSION))
    }

    fn predict(&mut self, _: &Texts, _: &Texts) -> Result<Option<Vec<f32>>, EvaluateError> {
        Ok(None)
    }

    fn compares_bits(&self) -> bool {
        true
    }

    fn rescore_multiplier(&self) -> Option<usize> {
        Some(self.0)
    }

    fn similarity(&self) -> Similarity {
        Similarity::Manhattan
    }

    fn phase(&mut self, _: &str) {}

    fn warn(&mut self, _: &str) {}
}

fn document(number: usize) -> String {
    format!("d{number:02}")
}

fn parts() -> Value {
    let documents: Vec<Value> = (0..DOCUMENTS)
        .map(|number| json!({"_id": document(number), "title": "", "text": document(number)}))
        .collect();
    let queries: Vec<Value> =
        (0..7).map(|number| json!({"_id": format!("q{number}"), "text": format!("q{number}")})).collect();
    let judgement = |number: usize| json!({"query-id": format!("q{}", number % 7), "corpus-id": document(number), "score": 1});
    json!({"corpus": documents, "queries": queries, "qrels": (0..DOCUMENTS).map(judgement).collect::<Vec<_>>()})
}

fn evaluated(unit: Unit, multiplier: usize) -> Evaluated {
    let retrieval = task_types::find("Retrieval").expect("the task type is registered");
    let options = Protocol { k_values: Some(vec![1, CUT]), ..Protocol::default() };
    let plan = retrieval.plan(unit, &options, &mut TaskState::new()).expect("the unit is whole");
    let keep = Keep { items: false, rankings: Some(1000) };
    plan.evaluate(&mut Rescored(multiplier), keep).expect("it is scored")
}

/// Ids and scores of each query.
fn plain(rankings: &Rankings) -> Vec<Vec<(String, f64)>> {
    let named = |found: &mteb_items::rankings::Ranked| {
        (rankings.documents[found.document as usize].to_owned(), found.score)
    };
    rankings.found.iter().map(|found| found.iter().map(named).collect()).collect()
}

/// The documents with the fewest bits that differ, ordered by the dot product of the query's
/// numbers and their bits.
fn by_hand(query: &str, multiplier: usize) -> Vec<(String, f64)> {
    let query = embed(query);
    let distance = |id: &String| {
        bits(&query).iter().zip(bits(&embed(id))).filter(|(query, document)| *query != document).count()
    };
    let mut nearest: Vec<String> = (0..DOCUMENTS).map(document).collect();
    nearest.sort_by(|left, right| distance(left).cmp(&distance(right)).then(right.cmp(left)));
    nearest.truncate(multiplier * CUT);
    let dot = |id: &String| {
        let products = query.iter().zip(bits(&embed(id))).map(|(query, bit)| f64::from(query * bit));
        f64::from(products.sum::<f64>() as f32)
    };
    let mut scored: Vec<(String, f64)> = nearest.iter().map(|id| (id.clone(), dot(id))).collect();
    scored.sort_by(|left, right| right.1.total_cmp(&left.1).then(right.0.cmp(&left.0)));
    scored
}

#[test]
fn what_bits_found_is_ordered_by_the_numbers_of_the_query() {
    for multiplier in [1, 3, 100] {
        let found = evaluated(unit(&parts()), multiplier);
        let found = plain(&found.rankings.expect("rankings were asked for"));
        for (number, found) in found.iter().enumerate() {
            assert_eq!(*found, by_hand(&format!("q{number}"), multiplier), "q{number}, {multiplier}");
        }
    }
}

#[test]
fn given_candidates_are_ordered_likewise() {
    let all: Vec<String> = (0..DOCUMENTS).rev().map(document).collect();
    let mut given = parts();
    given["top_ranked"] =
        (0..7).map(|number| json!({"query-id": format!("q{number}"), "corpus-ids": all})).collect();
    let (searched, given) = (evaluated(unit(&parts()), 2), evaluated(unit(&given), 2));
    let (searched, given) = (searched.rankings.expect("rankings"), given.rankings.expect("rankings"));
    assert_eq!(plain(&searched), plain(&given));
}

#[test]
fn cuts_that_are_asked_for_besides_change_no_other_score() {
    let own = evaluated(unit(&parts()), 2).scores;
    let more = evaluated(Unit { cuts: vec![40], ..unit(&parts()) }, 2).scores;
    for name in ["ndcg_at_1", "ndcg_at_5", "map_at_5", "recall_at_5"] {
        assert_eq!(own.get(name), more.get(name), "{name}");
    }
    assert!(more.get("ndcg_at_40").is_some());
}
