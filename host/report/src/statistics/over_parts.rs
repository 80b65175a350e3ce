//! Means of parts, as what is in the parts varies: of units with their items, of types with their
//! tasks. Intervals, paired tests, and how far the score of a task would be from itself over other
//! items.
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

/// Most rows of which each two are compared: of more, a page would be of little else.
const MOST: usize = 40;

/// Standard errors over items: of the score of each row on each task, and of the difference of each two rows, which are scored on the
/// same items.
#[derive(Clone, Debug, Default)]
pub struct ItemErrors {
    /// The rows of the board that these are of.
    pub rows: Vec<usize>,
    /// For each task the variance of each difference, that of a row to itself being the variance of its score; not a number where
    /// outcomes are missing.
    variances: Vec<Vec<f64>>,
}

/// What varies on the items of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Varying {
    /// A value an item: the score is their mean.
    Items,
    /// The score on each draw of items.
    Draws,
}

impl ItemErrors {
    /// Of so many tasks, without anything yet.
    pub(crate) fn new(tasks: usize, rows: &[usize]) -> Self {
        let count = rows.len();
        Self { rows: rows.to_owned(), variances: vec![vec![0.0; count * count]; tasks] }
    }

    /// Adds a unit of a task that has `units` of them; `values` are those of each row, of which `is_there` says whether they are any.
    pub(crate) fn add(
        &mut self,
        (task, units): (usize, usize),
        varying: Varying,
        values: &[Vec<f64>],
        is_there: &[bool],
    ) {
        let rows = self.rows.len();
        let weight = 1.0 / (units as f64).powi(2);
        for left in 0..rows {
            let last = if rows > MOST { left } else { rows - 1 };
            for right in left..=last {
                let found = match is_there[left] && is_there[right] {
                    true if left == right => variance_of_score(values[left].iter().copied(), varying),
                    true => {
                        let both = values[left].iter().zip(&values[right]);
                        variance_of_score(both.map(|(left, right)| left - right), varying)
                    }
                    false => f64::NAN,
                };
                self.variances[task][left * rows + right] += weight * found;
            }
        }
    }

    /// Says that a task has none: one of its units says nothing of its items.
    pub(crate) fn leave_out(&mut self, task: usize) {
        self.variances[task].fill(f64::NAN);
    }

    /// The standard error of the score of a row of the board on a task.
    pub fn of_score(&self, task: usize, row: usize) -> Option<f64> {
        let place = self.place(row)?;
        self.error(task, place, place)
    }

    /// The standard error of the difference of two rows of the board on a task.
    pub fn of_difference(&self, task: usize, rows: (usize, usize)) -> Option<f64> {
        if self.rows.len() > MOST {
            return None;
        }
        let (one, other) = (self.place(rows.0)?, self.place(rows.1)?);
        self.error(task, one.min(other), one.max(other))
    }

    fn place(&self, row: usize) -> Option<usize> {
        self.rows.iter().position(|own| *own == row)
    }

    fn error(&self, task: usize, left: usize, right: usize) -> Option<f64> {
        let variance = *self.variances.get(task)?.get(left * self.rows.len() + right)?;
        Some(variance.sqrt()).filter(|error| error.is_finite())
    }
}

/// The variance of the score.
fn variance_of_score(values: impl ExactSizeIterator<Item = f64> + Clone, varying: Varying) -> f64 {
    let count = values.len() as f64;
    let of_one = variance(values);
    if varying == Varying::Items { of_one / count } else { of_one }
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

    #[test]
    fn two_rows_that_rise_together_differ_by_less_than_each_varies() {
        let mut errors = ItemErrors::new(2, &[4, 7, 9]);
        let values = [vec![0.0, 1.0, 0.0, 1.0], vec![0.1, 0.9, 0.1, 0.9], Vec::new()];
        errors.add((0, 1), Varying::Items, &values, &[true, true, false]);
        // The variance of 0, 1, 0, 1 is a third; of the mean of four, a twelfth.
        assert!((errors.of_score(0, 4).unwrap() - (1.0f64 / 12.0).sqrt()).abs() < 1e-12);
        let difference = errors.of_difference(0, (7, 4)).unwrap();
        assert!((difference - 0.2 * (1.0f64 / 12.0).sqrt()).abs() < 1e-12, "{difference}");
        assert_eq!(errors.of_difference(0, (4, 9)), None, "without outcomes");
        assert_eq!(errors.of_score(0, 5), None, "no such row");
        errors.leave_out(1);
        assert_eq!(errors.of_score(1, 4), None);
    }

    #[test]
    fn the_mean_of_two_units_varies_by_half_of_both() {
        let mut errors = ItemErrors::new(1, &[0]);
        for values in [vec![0.0, 1.0], vec![0.5, 0.5]] {
            errors.add((0, 2), Varying::Draws, &[values], &[true]);
        }
        assert!((errors.of_score(0, 0).unwrap() - (0.5f64 / 4.0).sqrt()).abs() < 1e-12);
    }
}
