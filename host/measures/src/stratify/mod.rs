//! Subsamples that keep the shares of labels: of one label a row, or of combinations of labels.

mod error;
mod iterative;
mod proportional;

pub use error::StratifyError;
pub use iterative::iterative_subsample;
pub use proportional::{StratifiedSplit, stratified_split, stratified_subsample};

#[cfg(test)]
mod tests;
