//! Whether a main score is one of the scores beside it, as it is in every result file.

use std::collections::BTreeMap;

/// Files of others have some of their scores rounded to four decimals.
const ROUNDING: f64 = 1.01e-4;

/// True if `main` is one of `scores`, as far as these are rounded, or if there are none.
pub fn is_among(main: f64, scores: &[f64]) -> bool {
    scores.is_empty() || scores.iter().any(|score| (score - main).abs() <= ROUNDING)
}

/// True if `main` is the mean of a measure over `experiments`, each of which gives measures by name; also where no measure is in all of
/// them, so that nothing can be said. The reference means the single experiments of classification and clustering so.
pub fn is_mean_over(main: f64, experiments: &[BTreeMap<String, f64>]) -> bool {
    let Some(first) = experiments.first() else { return true };
    let means = first.keys().filter_map(|name| {
        let scores: Option<Vec<f64>> = experiments.iter().map(|scores| scores.get(name).copied()).collect();
        scores.map(|scores| scores.iter().sum::<f64>() / scores.len() as f64)
    });
    is_among(main, &means.collect::<Vec<f64>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_decimals_are_enough_to_be_the_same_score() {
        assert!(is_among(0.123456, &[0.7, 0.12346]) && is_among(0.5, &[]));
        assert!(!is_among(0.999, &[0.6]));
    }

    #[test]
    fn a_main_score_is_the_mean_of_a_measure_that_all_experiments_have() {
        let experiment = |accuracy: f64| BTreeMap::from([("accuracy".to_owned(), accuracy)]);
        let experiments = [experiment(0.2), experiment(0.4)];
        assert!(is_mean_over(0.3, &experiments) && is_mean_over(0.99, &[]));
        assert!(!is_mean_over(0.4, &experiments));
        assert!(is_mean_over(0.99, &[experiment(0.2), BTreeMap::new()]), "no measure is in both");
    }
}
