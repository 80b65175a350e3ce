//! Multilabel classification: few-shot sampling, nearest neighbours and the scores of their votes (protocol 6.3).
//!
//! Labels are codes from 0; a row's labels are an ascending list of codes, so that rows with few of many labels stay
//! small.

mod heap;
mod neighbours;
mod sample;
mod scores;
mod vote;

pub use neighbours::{NeighbourError, nearest_rows};
pub use sample::sample_labels;
pub use scores::{MultilabelScores, multilabel_scores};
pub use vote::vote;

#[cfg(test)]
mod tests;
