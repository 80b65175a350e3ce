//! Krippendorff's α.

use std::collections::BTreeMap;

/// Krippendorff's α of judges who gave numbers on an interval scale; `units` holds the numbers that each unit got, as many as
/// judges saw it. Units that fewer than two judges saw say nothing of agreement and are skipped.
///
/// At most 1, which is full agreement; 0 is agreement by chance; NaN if all numbers are equal or no unit has two. Source:
/// Krippendorff 2004, "Content Analysis", chapter 11, with the squared difference.
pub fn krippendorff_interval<'a>(units: impl Iterator<Item = &'a [f64]> + Clone) -> f64 {
    let units = units.filter(|unit| unit.len() > 1);
    let (mut count, mut total) = (0.0, 0.0);
    for unit in units.clone() {
        count += unit.len() as f64;
        total += unit.iter().sum::<f64>();
    }
    if count == 0.0 {
        return f64::NAN;
    }
    // Differences do not change when all numbers move; squares of small numbers lose less.
    let centre = total / count;
    let (mut observed, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for unit in units {
        let (unit_sum, unit_squares) = unit.iter().fold((0.0, 0.0), |(sum, squares), value| {
            let value = value - centre;
            (sum + value, squares + value * value)
        });
        let size = unit.len() as f64;
        observed += differences(size, unit_sum, unit_squares) / (size - 1.0);
        sum += unit_sum;
        squares += unit_squares;
    }
    let expected = differences(count, sum, squares) / (count - 1.0);
    if expected > 0.0 { 1.0 - observed / expected } else { f64::NAN }
}

/// The squared differences of all ordered pairs of `count` numbers.
fn differences(count: f64, sum: f64, squares: f64) -> f64 {
    2.0 * (count * squares - sum * sum)
}

/// Krippendorff's α of judges who gave labels, as numbers, which are the same or not; else as [`krippendorff_interval`].
pub fn krippendorff_nominal<'a>(units: impl Iterator<Item = &'a [f64]>) -> f64 {
    let (mut count, mut observed, mut labels) = (0.0, 0.0, BTreeMap::new());
    for unit in units.filter(|unit| unit.len() > 1) {
        let mut own = BTreeMap::new();
        unit.iter().for_each(|label| *own.entry(label.to_bits()).or_insert(0.0) += 1.0);
        let size = unit.len() as f64;
        count += size;
        observed += unequal_pairs(size, own.values()) / (size - 1.0);
        own.into_iter().for_each(|(label, number)| *labels.entry(label).or_insert(0.0) += number);
    }
    let expected = unequal_pairs(count, labels.values()) / (count - 1.0);
    if expected > 0.0 { 1.0 - observed / expected } else { f64::NAN }
}

/// The ordered pairs of different labels among `count` labels, of which so many are the same each.
fn unequal_pairs<'a>(count: f64, numbers: impl Iterator<Item = &'a f64>) -> f64 {
    count * count - numbers.map(|number| number * number).sum::<f64>()
}
