//! Correlations of two score lists, with their p-values, and the agreement of several judges.
//!
//! The correlations follow scipy 1.17 (`pearsonr`, `spearmanr`, `kendalltau`), of which the evaluation protocol (6.7, 6.10) rests on
//! the first two.

mod degenerate;
mod kendall;
mod krippendorff;
mod p_value;
mod pearson;
mod ranks;
mod spearman;

pub use kendall::kendall;
pub use krippendorff::{krippendorff_interval, krippendorff_nominal};
pub use p_value::{pearson_p_value, spearman_p_value};
pub use pearson::pearson;
pub use ranks::average_ranks;
pub use spearman::spearman;

#[cfg(test)]
mod tests;
