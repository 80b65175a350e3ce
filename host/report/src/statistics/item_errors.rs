//! How far the score of a task, and the difference of two models on it, would be from itself over other items.

use super::over_parts::variance;

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
