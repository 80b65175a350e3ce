//! Correlations of two score lists, with their p-values, and the agreement of several judges.
//!
//! The correlations follow scipy 1.17 (`pearsonr`, `spearmanr`, `kendalltau`), of which the evaluation protocol (6.7, 6.10) rests on
//! the first two.

mod coefficients;
mod krippendorff;

pub use coefficients::{average_ranks, kendall, pearson, pearson_p_value, spearman, spearman_p_value};
pub use krippendorff::{krippendorff_interval, krippendorff_nominal};

#[cfg(test)]
mod tests;
