//! Regression: bins for a stratified sample of numbers, least squares, and the scores of predicted numbers (protocol 6.11).
//!
//! # Why not linfa-linear
//!
//! linfa-linear solves least squares by a QR decomposition, which fails where columns depend on each other: fewer rows than columns,
//! a dimension that is the same for all texts. scikit-learn takes the shortest of all solutions there, and leaves out directions whose
//! singular value is below 10⁻⁶ of the largest.

mod bins;
mod linear;
mod scores;
mod symmetric;
mod tridiagonal;

pub use bins::quantile_bins;
pub use linear::{LinearRegression, RowsError};
pub use scores::{RegressionScores, regression_scores};

#[cfg(test)]
mod tests;
