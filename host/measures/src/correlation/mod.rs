//! Correlations of two score lists, with their p-values.
//!
//! Both correlations follow scipy 1.17 (`pearsonr`, `spearmanr`), which the evaluation protocol (6.7, 6.10) rests on.

mod degenerate;
mod p_value;
mod pearson;
mod ranks;
mod spearman;

pub use p_value::{pearson_p_value, spearman_p_value};
pub use pearson::pearson;
pub use ranks::average_ranks;
pub use spearman::spearman;

#[cfg(test)]
mod tests;
