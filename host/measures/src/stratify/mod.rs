//! Subsamples that keep the shares of labels: of one label a row, or of combinations of labels.

mod error;
mod iterative;
mod plain;
mod proportional;

pub use error::StratifyError;
pub use iterative::iterative_subsample;
pub use plain::plain_subsample;
pub use proportional::{StratifiedSplit, stratified_split, stratified_subsample};

#[cfg(test)]
mod tests;
