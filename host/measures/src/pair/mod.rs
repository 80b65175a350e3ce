//! Scores of pair classification over every threshold that separates two scores.

mod average_precision;
mod cuts;
mod scores;

pub use average_precision::average_precision;
pub use scores::{PairScores, pair_scores};

#[cfg(test)]
mod tests;
