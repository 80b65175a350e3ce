//! Krippendorff's alpha, which takes any number of annotators and missing labels.

use mteb_measures::correlation::{krippendorff_interval, krippendorff_nominal};

use super::coefficients::Ratings;

/// What a difference of two labels is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Labels are the same or not.
    Nominal,
    /// Labels are numbers: the difference is squared.
    Interval,
}

/// Krippendorff's alpha (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability"), over the items with at least two labels; `None`
/// where there is none. NaN where all labels are the same.
pub fn krippendorff(ratings: &Ratings, level: Level) -> Option<f64> {
    let units: Vec<Vec<f64>> = ratings.iter().map(|item| item.iter().flatten().copied().collect()).collect();
    let labels = units.iter().map(Vec::as_slice);
    units.iter().any(|unit| unit.len() > 1).then(|| match level {
        Level::Nominal => krippendorff_nominal(labels),
        Level::Interval => krippendorff_interval(labels),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_is_that_of_four_observers_and_twelve_units_some_of_them_missing() {
        // Krippendorff 2011, example C: 0.743 nominal, 0.849 interval.
        let rows = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."];
        let read = |row: &str| -> Vec<Option<f64>> {
            row.chars().map(|cell| cell.to_digit(10).map(f64::from)).collect()
        };
        let by_observer: Vec<Vec<Option<f64>>> = rows.iter().map(|row| read(row)).collect();
        let ratings: Ratings =
            (0..12).map(|unit| by_observer.iter().map(|one| one[unit]).collect()).collect();
        assert!((krippendorff(&ratings, Level::Nominal).unwrap() - 0.743).abs() < 5e-4);
        assert!((krippendorff(&ratings, Level::Interval).unwrap() - 0.849).abs() < 5e-4);
    }

    #[test]
    fn an_item_with_one_label_says_nothing() {
        assert_eq!(krippendorff(&vec![vec![Some(1.0), None]], Level::Nominal), None);
    }
}
