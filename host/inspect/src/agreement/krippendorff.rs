//! Krippendorff's alpha, which takes any number of annotators and missing labels.

use super::ratings::Ratings;

/// What a difference of two labels is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Labels are the same or not.
    Nominal,
    /// Labels are numbers: the difference is squared.
    Interval,
}

impl Level {
    fn difference(self, left: f64, right: f64) -> f64 {
        match self {
            Self::Nominal => f64::from(u8::from(left.to_bits() != right.to_bits())),
            Self::Interval => (left - right) * (left - right),
        }
    }
}

/// Krippendorff's alpha (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability"), over the items with at least two labels; `None`
/// where there is none. NaN where all labels are the same.
pub fn krippendorff(ratings: &Ratings, level: Level) -> Option<f64> {
    let units: Vec<Vec<f64>> = ratings.iter().map(|item| item.iter().flatten().copied().collect()).collect();
    let units: Vec<&Vec<f64>> = units.iter().filter(|unit| unit.len() >= 2).collect();
    let values: Vec<f64> = units.iter().flat_map(|unit| unit.iter().copied()).collect();
    let count = values.len() as f64;
    if units.is_empty() {
        return None;
    }
    let within = |unit: &[f64]| {
        let pairs =
            unit.iter().flat_map(|left| unit.iter().map(move |right| level.difference(*left, *right)));
        pairs.sum::<f64>() / (unit.len() - 1) as f64
    };
    let observed: f64 = units.iter().map(|unit| within(unit)).sum::<f64>() / count;
    let expected = all_differences(&values, level) / (count * (count - 1.0));
    Some(1.0 - observed / expected)
}

/// The sum of the differences of all ordered pairs of values, by the number of each: there are few different ones.
fn all_differences(values: &[f64], level: Level) -> f64 {
    let mut counts: std::collections::BTreeMap<u64, f64> = std::collections::BTreeMap::new();
    values.iter().for_each(|value| *counts.entry(value.to_bits()).or_default() += 1.0);
    let pairs = counts.iter().flat_map(|left| counts.iter().map(move |right| (left, right)));
    pairs
        .map(|((left, many), (right, others))| {
            many * others * level.difference(f64::from_bits(*left), f64::from_bits(*right))
        })
        .sum()
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
