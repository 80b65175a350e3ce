//! Curves, thresholds and agreement beside numpy, scipy and the reference (fixture from `tests/golden/graded/make.py`).

use mteb_graded::agreement::agreement;
use mteb_graded::evaluate::{
    Curves, Grades, OUTSIDE, Ranks, Unjudged, curves, ndcg_of_queries, percentile, quantile_normalised,
};
use mteb_measures::correlation::kendall;
use serde_json::Value;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/graded/graded.json");

fn golden() -> Value {
    serde_json::from_str(&std::fs::read_to_string(GOLDEN).unwrap()).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

/// Numbers; NaN for none.
fn numbers(value: &Value) -> Vec<f64> {
    list(value).iter().map(|value| value.as_f64().unwrap_or(f64::NAN)).collect()
}

#[track_caller]
fn assert_close(found: f64, expected: f64, what: &str) {
    let same = (found.is_nan() && expected.is_nan()) || (found - expected).abs() < 1e-9;
    assert!(same, "{what}: expected {expected}, found {found}");
}

/// The rankings of a system; documents beyond the pool are outside of it.
fn ranks(queries: &Value, pool: u64) -> Ranks {
    Ranks::new(list(queries).iter().map(|ranking| -> Vec<u32> {
        let place = |document: &Value| document.as_u64().filter(|place| *place < pool);
        list(ranking).iter().map(|document| place(document).map_or(OUTSIDE, |place| place as u32)).collect()
    }))
}

fn grades(queries: &Value) -> Grades {
    let queries: Vec<Vec<f64>> = list(queries).iter().map(numbers).collect();
    let mut starts = vec![0];
    queries.iter().for_each(|query| starts.push(starts.last().unwrap() + query.len()));
    Grades::new(starts, queries.concat())
}

fn assert_curve(found: &[f64], expected: &Value, cuts: &[f64], what: &str) {
    for (&k, expected) in cuts.iter().zip(numbers(expected)) {
        assert_close(found[k as usize - 1], expected, &format!("{what}@{k}"));
    }
}

#[test]
fn curves_of_200_random_cases_equal_numpy() {
    let golden = golden();
    let cuts = numbers(&golden["ranks"]);
    assert_eq!(list(&golden["cases"]).len(), 200);
    for (number, case) in list(&golden["cases"]).iter().enumerate() {
        let systems: Vec<Ranks> =
            list(&case["rankings"]).iter().map(|of| ranks(of, case["pool"].as_u64().unwrap())).collect();
        let judges: Vec<Grades> = list(&case["grades"]).iter().map(grades).collect();
        let unjudged = if case["skip"] == true { Unjudged::Skip } else { Unjudged::Zero };
        let found = curves(&systems, &judges, &numbers(&case["thresholds"]), unjudged);
        for (system, row) in list(&case["curves"]).iter().enumerate() {
            for (judge, expected) in list(row).iter().enumerate() {
                let (curve, what) = (&found[system][judge], format!("case {number}, {system}, {judge}"));
                assert_curve(&curve.ndcg, &expected["ndcg"], &cuts, &format!("{what}: nDCG"));
                assert_curve(&curve.recall, &expected["recall"], &cuts, &format!("{what}: recall"));
                assert_curve(&curve.judged, &expected["judged"], &cuts, &format!("{what}: judged"));
                for (name, count) in [
                    ("queries", curve.queries),
                    ("without_gain", curve.without_gain),
                    ("without_relevant", curve.without_relevant),
                ] {
                    assert_eq!(expected[name].as_u64(), Some(count as u64), "{what}: {name}");
                }
                assert_queries(&systems[system], &judges[judge], unjudged, curve, &what);
            }
        }
    }
}

/// The values of single queries have the mean of the curve.
fn assert_queries(system: &Ranks, grades: &Grades, unjudged: Unjudged, curve: &Curves, what: &str) {
    let queries = ndcg_of_queries(std::slice::from_ref(system), grades, 10, unjudged);
    let values: Vec<f64> = queries[0].iter().copied().filter(|value| !value.is_nan()).collect();
    assert_eq!(values.len(), curve.queries, "{what}");
    if !values.is_empty() {
        assert_close(values.iter().sum::<f64>() / values.len() as f64, curve.ndcg[9], what);
    }
}

#[test]
fn whole_grades_score_as_in_the_reference() {
    let golden = golden();
    let cuts = numbers(&golden["ranks"]);
    for (number, case) in list(&golden["integers"]).iter().enumerate() {
        let systems = [ranks(&case["rankings"], 40)];
        let found = curves(&systems, &[grades(&case["grades"])], &[1.0], Unjudged::Zero);
        assert_curve(&found[0][0].ndcg, &case["ndcg"], &cuts, &format!("case {number}: nDCG"));
        assert_curve(&found[0][0].recall, &case["recall"], &cuts, &format!("case {number}: recall"));
    }
}

#[test]
fn agreement_and_thresholds_equal_numpy_and_scipy() {
    for (number, case) in list(&golden()["agreement"]).iter().enumerate() {
        let what = |name: &str| format!("case {number}, {name}");
        let judges: Vec<Vec<f64>> = list(&case["scores"]).iter().map(numbers).collect();
        let found = agreement(&judges);
        let first = &found.pairs[0];
        assert_eq!(case["common"].as_u64(), Some(first.common as u64), "{}", what("common"));
        assert_close(first.pearson, case["pearson"].as_f64().unwrap(), &what("pearson"));
        assert_close(first.spearman, case["spearman"].as_f64().unwrap(), &what("spearman"));
        assert_close(found.alpha, case["alpha"].as_f64().unwrap(), &what("alpha"));
        let kendalls = list(&case["kendall"]);
        let tau = kendall(&numbers(&kendalls[0]), &numbers(&kendalls[1]));
        assert_close(tau, kendalls[2].as_f64().unwrap(), &what("kendall"));
        let given: Vec<Vec<f64>> = judges
            .iter()
            .map(|scores| scores.iter().copied().filter(|score| !score.is_nan()).collect())
            .collect();
        for (scores, expected) in given.iter().zip(list(&case["percentiles"])) {
            for (share, expected) in [0.0, 12.5, 50.0, 90.0, 100.0].into_iter().zip(numbers(expected)) {
                assert_close(percentile(scores, share), expected, &what("percentile"));
            }
        }
        for (found, expected) in quantile_normalised(&given).iter().zip(list(&case["normalised"])) {
            found.iter().zip(numbers(expected)).for_each(|(&found, expected)| {
                assert_close(found, expected, &what("normalised"));
            });
        }
    }
}
