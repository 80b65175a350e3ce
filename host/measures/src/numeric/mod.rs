//! The order of additions and the rounding that numpy and Python use.
//!
//! A sum of floating-point numbers depends on the order of its additions, and a score that is compared with another
//! one (nAUC, ties, thresholds) may depend on the last digit. Protocol 5.

mod argsort;
mod openblas;
mod pairwise;

use std::collections::BTreeMap;

pub use argsort::{argsort, largest};
pub use openblas::{dot, row_sum};
pub use pairwise::{Float, group_sum, mean, standard_deviation, sum};

/// Sum from left to right, as Python's built-in `sum` adds floats up to version 3.11.
pub fn sequential_sum(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |total, value| total + value)
}

/// [`sequential_sum`] divided by the count; NaN if there is no value.
pub fn sequential_mean(values: &[f64]) -> f64 {
    sequential_sum(values.iter().copied()) / values.len() as f64
}

/// Python's `round(value, digits)`: the exact decimal expansion of `value`, rounded half to even.
pub fn python_round(value: f64, digits: usize) -> f64 {
    if !value.is_finite() {
        return value;
    }
    // The formatter works on the exact expansion and breaks ties to even, as CPython's dtoa does.
    format!("{value:.digits$}").parse().unwrap_or(value)
}

/// `numpy.round(value, digits)`, which is also what `round` does with a numpy scalar: scaled, rounded half to even,
/// scaled back. It differs from [`python_round`] where the scaling rounds onto or off a tie.
pub fn numpy_round(value: f64, digits: u32) -> f64 {
    let scale = 10f64.powi(digits.min(300) as i32);
    (value * scale).round_ties_even() / scale
}

/// The shortest decimal that reads back as `value`, written as Python writes it: `1.0`, `1e-05`, `1e+16`, `nan`.
pub fn python_repr(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf".to_owned() } else { "-inf".to_owned() };
    }
    let magnitude = value.abs();
    if value == 0.0 || (1e-4..1e16).contains(&magnitude) {
        return format!("{value:?}");
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

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
mod tests;
