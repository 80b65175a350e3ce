//! Judgements that are any number: nDCG takes them as they are, the other measures from a threshold on (fixture from
//! `tests/golden/ranking/make_graded.py`).

use serde_json::Value;

use super::cases::{Case, assert_same, floats, golden};
use crate::ranking::*;

/// The case of `row`, its judgements with the row's threshold.
fn case(row: &Value) -> Case {
    let mut case = Case::new(row);
    let threshold = row["threshold"].as_f64().unwrap();
    case.judgements = case.judgements.into_iter().map(|judged| judged.with_threshold(threshold)).collect();
    case
}

fn assert_close(found: &PerQuery, expected: &Value, what: &str) {
    for (cut, (found, expected)) in found.iter().zip(expected.as_array().unwrap()).enumerate() {
        for (query, (found, expected)) in found.iter().zip(floats(expected)).enumerate() {
            let expected = expected.unwrap();
            assert!(
                (found - expected).abs() < 1e-9,
                "{what}, cut {cut}, query {query}: {found} for {expected}"
            );
        }
    }
}

#[test]
fn gains_of_any_number_equal_an_independent_computation() {
    for row in golden("graded.json") {
        let case = case(&row);
        let what = format!("seed {}", row["seed"]);
        assert_close(&case.evaluate().ndcg, &row["linear"], &what);
        assert_close(&exponential_ndcg(&case.outcomes(), &case.ids, &case.cuts), &row["exponential"], &what);
    }
}

#[test]
fn gains_of_whole_numbers_equal_trec_eval_bit_for_bit() {
    let rows = golden("graded.json");
    let whole = rows.iter().filter(|row| row.get("trec_linear").is_some());
    assert_eq!(whole.clone().count(), 50);
    for row in whole {
        let case = case(row);
        let exponential = exponential_ndcg(&case.outcomes(), &case.ids, &case.cuts);
        for (found, expected) in [(case.evaluate().ndcg, "trec_linear"), (exponential, "trec_exponential")] {
            for (found, expected) in found.into_iter().zip(row[expected].as_array().unwrap()) {
                assert_same(found, expected, &format!("seed {}, {expected}", row["seed"]));
            }
        }
    }
}

#[test]
fn a_threshold_decides_what_is_relevant() {
    for row in golden("graded.json") {
        let found = case(&row).evaluate();
        let measures = [&found.average_precision, &found.recall, &found.precision, &found.hit_rate];
        for (number, (found, expected)) in
            measures.into_iter().zip(row["binary"].as_array().unwrap()).enumerate()
        {
            for (found, expected) in found.iter().zip(expected.as_array().unwrap()) {
                assert_same(
                    found.iter().copied(),
                    expected,
                    &format!("seed {}, measure {number}", row["seed"]),
                );
            }
        }
    }
}
