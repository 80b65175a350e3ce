//! Every measure equals the reference's, to the last bit; so do measures of judgements that are any
//! number (`tests/golden/ranking/make_graded.py`): nDCG takes these as they are, the other measures
//! from a threshold on.

use serde_json::Value;

use super::cases::{Case, Random, assert_same, floats, golden};
use crate::ranking::*;

#[test]
fn all_named_scores_of_a_run_equal_the_reference() {
    for row in golden("measures.json") {
        let summary = Case::new(&row).evaluate().summary();
        if let Some(keys) = row["keys"].as_array() {
            let keys: Vec<&str> = keys.iter().map(|key| key.as_str().unwrap()).collect();
            assert_eq!(summary.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), keys);
        }
        assert_same(
            summary.into_iter().map(|(_, value)| value),
            &row["values"],
            &format!("seed {}", row["seed"]),
        );
    }
}

#[test]
fn the_measures_of_single_queries_equal_trec_eval() {
    for row in golden("measures.json") {
        let Some(expected) = row["per_query"].as_array() else { continue };
        let evaluation = Case::new(&row).evaluate();
        let measures = [
            &evaluation.ndcg,
            &evaluation.average_precision,
            &evaluation.recall,
            &evaluation.precision,
            &evaluation.hit_rate,
        ];
        for (measure, expected) in measures.iter().zip(expected) {
            for (values, expected) in measure.iter().zip(expected.as_array().unwrap()) {
                assert_same(values.iter().copied().take(4), expected, &format!("seed {}", row["seed"]));
            }
        }
    }
}

#[test]
fn nauc_of_constant_metrics_is_the_same_noise_as_the_references() {
    for row in golden("noise.json") {
        let summary = Case::new(&row).evaluate().summary();
        let naucs = summary.into_iter().filter(|(name, _)| name.starts_with("nauc")).map(|(_, value)| value);
        assert_same(naucs, &row["values"], &format!("seed {}", row["seed"]));
    }
}

#[test]
fn measures_of_grouped_queries_equal_the_reference() {
    for row in golden("extra.json") {
        let case = Case::new(&row);
        let what = format!("seed {}", row["seed"]);
        let names: Vec<String> = (0..12).map(|query| format!("imp{}_s_{}", query / 3, query % 3)).collect();
        let merged = max_over_subqueries(&refs(&names), &case.outcomes(), &case.ids, &case.cuts).summary();
        assert_same(merged.into_iter().map(|(_, value)| value), &row["max_over_subqueries"], &what);

        let evaluation = case.evaluate();
        let names: Vec<String> = (0..12).map(|query| format!("n{}_q{}", query / 2, query % 2 + 1)).collect();
        let accuracy = paired_accuracy(&refs(&names), evaluation.at(&evaluation.recall, 1).unwrap()).unwrap();
        assert_same([accuracy], &row["paired_accuracy"], &what);
        let robustness = robustness(&refs(&names), evaluation.at(&evaluation.ndcg, 10).unwrap());
        assert_same([robustness], &row["robustness"], &what);

        let names: Vec<String> = (0..12).map(|query| format!("x{query}v{}", query % 3 + 1)).collect();
        let levels = level_scores(&refs(&names), evaluation.at(&evaluation.ndcg, 20).unwrap()).unwrap();
        assert_same(levels, &row["level_scores"], &what);
    }
}

#[test]
fn capped_recall_equals_the_reference() {
    for row in golden("extra.json") {
        let case = Case::new(&row);
        for (query, outcome) in case.outcomes().iter().enumerate() {
            let ranked = best_first(&case.ids, outcome.found, 20);
            let grades: Vec<f64> =
                ranked.iter().map(|&document| outcome.judgements.grade(document)).collect();
            let relevance = outcome.judgements.relevance(&grades);
            let capped = capped_recall(&relevance, outcome.judgements.relevant(), &case.cuts);
            for (value, expected) in capped.iter().zip(row["capped_recall"].as_array().unwrap()) {
                assert_eq!(*value, floats(expected)[query]);
            }
        }
    }
}

#[test]
fn p_mrr_equals_the_reference() {
    for row in golden("extra.json") {
        let case = Case::new(&row);
        let mut random = Random::new(row["seed"].as_u64().unwrap());
        let mut documents = vec![Vec::new(); 7];
        let documents_in_case = row["documents"].as_u64().unwrap();
        for topic in 0..7 {
            let count = random.below(6);
            documents[topic * 5 % 7] =
                (0..count).map(|_| random.below(documents_in_case + 3) as u32).collect();
        }
        documents[0].push(0);
        let names: Vec<String> = (0..6).map(|topic| format!("t{topic}")).collect();
        let topics: Vec<Topic<'_>> = (0..6)
            .map(|topic| Topic {
                id: &names[topic],
                original: &case.found[topic],
                changed: &case.found[6 + topic],
                documents: &documents[topic],
            })
            .collect();
        assert_same([p_mrr(&topics, &case.ids).unwrap()], &row["p_mrr"], &format!("seed {}", row["seed"]));
    }
}

fn refs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

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
