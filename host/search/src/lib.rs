//! Exact nearest-neighbour search over embeddings: similarities and the best documents of every query.
//!
//! [`Search`] finds the best documents of a corpus that comes in chunks, [`Heap`] keeps them over the chunks;
//! [`Candidates`] scores given documents for one query; [`pairs`] compares row i with row i.

mod best;
mod candidates;
mod heap;
pub mod pairs;
mod plain;
mod product;
mod row_sums;
mod rows;
mod screen;
mod search;
mod similarity;

pub use best::compare;
pub use candidates::Candidates;
pub use heap::Heap;
pub use search::{Search, SearchError};
pub use similarity::Similarity;

/// A document and its score.
pub type Scored = (u32, f32);
