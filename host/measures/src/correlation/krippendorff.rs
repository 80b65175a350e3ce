//! Krippendorff's α.

/// Krippendorff's α of judges who gave numbers on an interval scale; `units` holds the numbers that each unit got, as many as
/// judges saw it. Units that fewer than two judges saw say nothing of agreement and are left out.
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
