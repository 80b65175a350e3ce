//! The order of additions and the rounding that numpy and Python use.
//!
//! A sum of floating-point numbers depends on the order of its additions, and a score that is compared with another
//! one (nAUC, ties, thresholds) may depend on the last digit. Protocol 5.

mod among;
mod argsort;
mod openblas;
mod pairwise;
mod round;

pub use among::{is_among, is_mean_over};
pub use argsort::{argsort, largest};
pub use openblas::{dot, row_sum};
pub use pairwise::{Float, group_sum, mean, standard_deviation, sum};
pub use round::{numpy_round, python_repr, python_round};

/// Sum from left to right, as Python's built-in `sum` adds floats up to version 3.11.
pub fn sequential_sum(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |total, value| total + value)
}

/// [`sequential_sum`] divided by the count; NaN if there is no value.
pub fn sequential_mean(values: &[f64]) -> f64 {
    sequential_sum(values.iter().copied()) / values.len() as f64
}

#[cfg(test)]
mod tests;
