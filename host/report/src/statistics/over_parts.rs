//! Means of parts, as what is in the parts varies: of units with their items, of types with their tasks. Intervals and paired tests.
//!
//! The variance is that of the paired bootstrap: in each part items are drawn with replacement, the same for all models, and the
//! parts are independent. Of a mean over items this variance has a closed form, of which more draws come ever nearer; of other
//! statistics the values on drawn items are handed in. Degrees of freedom are those of Welch and Satterthwaite over parts.

use super::interval::{ALPHA, Interval, t_p_value, t_quantile};

/// Variances of the means of models and of their differences, part by part added up.
#[derive(Clone, Debug)]
pub struct OverParts {
    models: usize,
    /// For each two models the variance of their difference, for a model and itself that of its mean.
    variances: Vec<f64>,
    /// The squares of the summands, each divided by its degrees of freedom.
    squares: Vec<f64>,
}

impl OverParts {
    /// No part yet.
    pub fn new(models: usize) -> Self {
        let none = vec![0.0; models * models];
        Self { models, variances: none.clone(), squares: none }
    }

    /// Adds a part that is the mean of its items and counts with `weight`; `values[model][item]`, two items or more.
    pub fn add_mean(&mut self, weight: f64, values: &[Vec<f64>]) {
        let items = values.first().map_or(0, Vec::len);
        self.add(weight, items, values, 1.0 / items as f64);
    }

    /// Adds a part of so many items, two or more, whose statistic came to `values[model][draw]` on drawn items, the same items
    /// for all models.
    pub fn add_statistic(&mut self, weight: f64, items: usize, values: &[Vec<f64>]) {
        // Drawn items vary less than those that they are drawn from.
        self.add(weight, items, values, items as f64 / (items as f64 - 1.0));
    }

    fn add(&mut self, weight: f64, items: usize, values: &[Vec<f64>], factor: f64) {
        let freedom = items as f64 - 1.0;
        for one in 0..self.models {
            for other in one..self.models {
                let spread = match one == other {
                    true => variance(values[one].iter().copied()),
                    false => variance(values[one].iter().zip(&values[other]).map(|(one, other)| one - other)),
                };
                let part = weight * weight * factor * spread;
                self.variances[one * self.models + other] += part;
                self.squares[one * self.models + other] += part * part / freedom;
            }
        }
    }

    /// The 95 % interval of the mean of `model`.
    pub fn interval(&self, model: usize, mean: f64) -> Interval {
        let (error, freedom) = self.error(model, model);
        let is_certain = error <= f64::EPSILON * mean.abs();
        let reach =
            if is_certain { 0.0 } else { error * t_quantile(freedom, 1.0 - ALPHA / 2.0).unwrap_or(0.0) };
        Interval { estimate: mean, low: mean - reach, high: mean + reach }
    }

    /// The two-sided p-value of a `difference` between the means of two models.
    pub fn p_value(&self, one: usize, other: usize, difference: f64) -> f64 {
        match self.error(one.min(other), one.max(other)) {
            (error, _) if error <= f64::EPSILON * difference.abs() => f64::from(u8::from(difference == 0.0)),
            (error, freedom) => t_p_value(difference / error, freedom),
        }
    }

    /// Standard error and degrees of freedom.
    fn error(&self, one: usize, other: usize) -> (f64, f64) {
        let place = one * self.models + other;
        let (variance, squares) = (self.variances[place], self.squares[place]);
        (variance.sqrt(), if squares > 0.0 { variance * variance / squares } else { 1.0 })
    }
}

/// The interval of a mean of types, each the mean of its tasks; `None` if a type lacks a task or has one alone.
pub fn interval_of_types(mean: f64, of_types: &[Option<Vec<f64>>]) -> Option<Interval> {
    let mut over = OverParts::new(1);
    for scores in of_types {
        let scores = scores.as_ref().filter(|scores| scores.len() > 1)?;
        over.add_mean(1.0 / of_types.len() as f64, std::slice::from_ref(scores));
    }
    (!of_types.is_empty()).then(|| over.interval(0, mean))
}

/// The variance of a sample: squares over one less than their number.
pub(super) fn variance(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    values.map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{mean_interval, t_test};

    #[test]
    fn of_one_part_interval_and_test_are_students() {
        let (one, other) = (vec![0.2, 0.4, 0.5, 0.7, 0.9], vec![0.3, 0.4, 0.6, 0.6, 1.0]);
        let mut over = OverParts::new(2);
        over.add_mean(1.0, &[one.clone(), other.clone()]);
        let (found, expected) = (over.interval(0, 0.54), mean_interval(&one).unwrap());
        assert!((found.low - expected.low).abs() < 1e-12 && (found.high - expected.high).abs() < 1e-12);
        let differences: Vec<f64> = one.iter().zip(&other).map(|(one, other)| one - other).collect();
        let difference = differences.iter().sum::<f64>() / 5.0;
        assert!((over.p_value(1, 0, difference) - t_test(&differences).p_value).abs() < 1e-12);
    }

    #[test]
    fn of_parts_without_variance_a_difference_is_certain() {
        let mut over = OverParts::new(2);
        over.add_mean(0.5, &[vec![1.0; 3], vec![0.5; 3]]);
        over.add_statistic(0.5, 3, &[vec![0.2; 9], vec![0.2; 9]]);
        assert_eq!((over.p_value(0, 1, 0.25), over.p_value(0, 1, 0.0)), (0.0, 1.0));
        assert_eq!(over.interval(0, 0.6), Interval { estimate: 0.6, low: 0.6, high: 0.6 });
    }
}
