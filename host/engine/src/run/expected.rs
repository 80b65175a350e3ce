//! Compares main scores with those that cards say a model reaches.

use std::fmt;

use mteb_registry::Selected;

use super::{RunReport, UnitOutcome};

/// What became of the comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Number of scores that were compared.
    pub compared: usize,
    /// Scores that are farther from the expected ones than the card allows.
    pub differences: Vec<Difference>,
}

/// A score that is not the expected one.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Task, split and subset.
    pub unit: [String; 3],
    /// The score that the card gives.
    pub expected: f64,
    /// The score that was found.
    pub found: f64,
    /// Largest difference that counts as equal.
    pub tolerance: f64,
    /// Where the expected score is from.
    pub source: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let [task, split, subset] = &self.unit;
        let Self { expected, found, tolerance, source, .. } = self;
        write!(
            formatter,
            "{task}, split {split}, subset {subset}: expected {expected} ± {tolerance} ({source}), found {found:.6}"
        )
    }
}

/// Compares every score of `report` for which the card of its task has an expected one of the report's model.
pub fn compare(report: &RunReport, tasks: &[Selected]) -> Comparison {
    let mut comparison = Comparison::default();
    for task in &report.tasks {
        let card = tasks.iter().map(|selected| &selected.entry.card).find(|card| card.name == task.task);
        let Some(expected) = card.and_then(|card| card.expected.get(&report.model)) else { continue };
        for unit in &task.units {
            let (UnitOutcome::Scored(found) | UnitOutcome::Found(found)) = unit.outcome else { continue };
            let score = expected.splits.get(&unit.split).and_then(|scores| scores.get(&unit.subset));
            let Some(&score) = score else { continue };
            comparison.compared += 1;
            if is_near(found, score, expected.tolerance) {
                continue;
            }
            comparison.differences.push(Difference {
                unit: [task.task.clone(), unit.split.clone(), unit.subset.clone()],
                expected: score,
                found,
                tolerance: expected.tolerance,
                source: expected.source.clone(),
            });
        }
    }
    comparison
}

/// Scores are rounded to six decimals, so that a difference at the very tolerance may come out above it by rounding.
fn is_near(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance + 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_at_the_tolerance_is_none_and_a_score_that_is_no_number_is_one() {
        assert!(is_near(0.820_825, 0.820_325, 0.0005));
        assert!(!is_near(0.820_826, 0.820_325, 0.0005));
        assert!(!is_near(f64::NAN, 0.5, 0.0005));
    }

    #[test]
    fn a_difference_names_the_unit_both_scores_and_the_source() {
        let difference = Difference {
            unit: ["STSBenchmark", "test", "default"].map(str::to_owned),
            expected: 0.820_325,
            found: 0.81,
            tolerance: 0.0005,
            source: "the paper".to_owned(),
        };
        assert_eq!(
            difference.to_string(),
            "STSBenchmark, split test, subset default: expected 0.820325 ± 0.0005 (the paper), found 0.810000"
        );
    }
}
