//! Correlations of two score lists, with their p-values.
//!
//! Both correlations follow scipy 1.17 (`pearsonr`, `spearmanr`), which the evaluation protocol (6.7, 6.10) rests on.

mod p_value;
mod pearson;
mod ranks;
mod spearman;

pub use p_value::{pearson_p_value, spearman_p_value};
pub use pearson::pearson;
pub use ranks::average_ranks;
pub use spearman::spearman;

/// True if `values` has no correlation with anything: fewer than two values, a NaN, or all values equal.
fn is_degenerate(values: &[f64]) -> bool {
    values.len() < 2
        || values.iter().any(|value| value.is_nan())
        || values.iter().all(|value| *value == values[0])
}

#[cfg(test)]
mod tests;
