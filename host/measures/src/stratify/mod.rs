//! Subsamples that keep the shares of labels: of one label per row, or of combinations of labels.

mod iterative;
mod proportional;

pub use iterative::iterative_subsample;
pub use proportional::{
    StratifiedSplit, StratifyError, plain_subsample, stratified_split, stratified_subsample,
};

#[cfg(test)]
mod tests;
