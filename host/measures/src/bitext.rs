//! Scores of bitext mining: how often the nearest sentence is the translation.

use crate::numeric::sum;

/// How well translations were found (protocol 6.1); all are in [0, 1], or NaN if there was nothing to find.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BitextScores {
    /// Mean over the sought sentences of the precision with which each was found.
    pub precision: f64,
    /// Mean over the sought sentences of the recall; equals `accuracy`.
    pub recall: f64,
    /// Mean over the sought sentences of F1.
    pub f1: f64,
    /// Share of sentences whose translation was found.
    pub accuracy: f64,
}

/// Scores `found` against `expected`: for each sentence, the index of the nearest one and of its translation.
///
/// Every expected index is a class and the averages are weighted by how often each class is expected, an undefined
/// ratio counting 0. Source: scikit-learn 1.9, `precision_score`, `recall_score` and `f1_score` with `average` =
/// `weighted`.
pub fn bitext_scores(expected: &[usize], found: &[usize]) -> BitextScores {
    let tallies = tally(expected, found);
    let weighted = |ratio: fn(&Tally) -> f64| {
        let terms: Vec<f64> = tallies.iter().map(|tally| ratio(tally) * tally.expected as f64).collect();
        sum(&terms) / expected.len() as f64
    };
    let right = expected.iter().zip(found).filter(|(expected, found)| expected == found).count();
    BitextScores {
        precision: weighted(|tally| ratio(tally.right, tally.found)),
        recall: weighted(|tally| ratio(tally.right, tally.expected)),
        f1: weighted(|tally| ratio(2 * tally.right, tally.found + tally.expected)),
        accuracy: right as f64 / expected.len() as f64,
    }
}

/// How often one index was expected, found, and both at once.
#[derive(Clone, Copy, Default)]
struct Tally {
    expected: usize,
    found: usize,
    right: usize,
}

/// The tallies of all indices that occur, by ascending index.
fn tally(expected: &[usize], found: &[usize]) -> Vec<Tally> {
    debug_assert_eq!(expected.len(), found.len());
    let classes = expected.iter().chain(found).max().map_or(0, |largest| largest + 1);
    let mut tallies = vec![Tally::default(); classes];
    for (&expected, &found) in expected.iter().zip(found) {
        tallies[expected].expected += 1;
        tallies[found].found += 1;
        tallies[found].right += usize::from(expected == found);
    }
    // The classes that occur nowhere must go: they would shift the blocks of the pairwise sum.
    tallies.retain(|tally| tally.expected + tally.found > 0);
    tallies
}

fn ratio(numerator: usize, denominator: usize) -> f64 {
    if denominator == 0 { 0.0 } else { numerator as f64 / denominator as f64 }
}

#[cfg(test)]
mod tests {
    //! Bitext scores beside mteb (fixture from `tests/golden/bitext/make.py`).

    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/bitext/bitext.json");

    fn indices(value: &Value) -> Vec<usize> {
        value
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(Value::as_u64)
            .map(|index| index as usize)
            .collect()
    }

    #[test]
    fn scores_equal_mteb_bit_for_bit() {
        let text = std::fs::read_to_string(GOLDEN).expect("fixture is part of the project");
        let cases: Vec<Value> = serde_json::from_str(&text).expect("fixture is JSON");
        for (number, case) in cases.iter().enumerate() {
            let found = bitext_scores(&indices(&case["expected"]), &indices(&case["found"]));
            let expected: Vec<f64> =
                case["scores"].as_array().expect("a list").iter().filter_map(Value::as_f64).collect();
            assert_eq!(
                [found.precision, found.recall, found.f1, found.accuracy][..],
                expected,
                "case {number}"
            );
        }
    }

    #[test]
    fn a_hub_costs_precision() {
        let scores = bitext_scores(&[0, 1, 2, 3], &[0, 0, 2, 3]);
        assert_eq!(scores.accuracy, 0.75);
        assert_eq!(scores.precision, (0.5 + 0.0 + 1.0 + 1.0) / 4.0);
        assert_eq!(scores.f1, (2.0 / 3.0 + 0.0 + 1.0 + 1.0) / 4.0);
    }

    #[test]
    fn nothing_to_find_has_no_score() {
        assert!(bitext_scores(&[], &[]).f1.is_nan());
    }

    proptest! {
        #[test]
        fn recall_is_accuracy_when_each_sentence_is_sought_once(found in prop::collection::vec(0usize..30, 30)) {
            let expected: Vec<usize> = (0..30).collect();
            let scores = bitext_scores(&expected, &found);
            prop_assert!((scores.recall - scores.accuracy).abs() < 1e-12);
            prop_assert!(scores.precision <= scores.accuracy + 1e-12);
        }
    }
}
