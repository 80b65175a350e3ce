//! Exact nearest-neighbour search over embeddings: similarities and the best documents of every query.

pub mod pairs;
mod row_sums;
mod similarity;

pub use similarity::Similarity;
