//! Exact nearest-neighbour search over embeddings: similarities and the best documents of every query.
//!
//! [`Search`] finds the best documents of a corpus that comes in chunks, [`Heap`] keeps them over the chunks;
//! [`Candidates`] scores given documents for one query; [`PieceScores`] stands for the scores of any form of embeddings, among
//! them [`SparseRows`] and [`MultiVectors`]; [`pairs`] compares row i with row i. [`compression`] makes embeddings
//! smaller; [`HammingSearch`] searches [`Bits`]; [`lexical`] ranks by words in place of embeddings.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod best;
pub mod compression;
mod hamming;
mod heap;
pub mod lexical;
mod multi_vector;
pub mod pairs;
mod pieces;
mod plain;
mod processor;
mod product;
mod row_sums;
mod screen;
mod search;
mod sparse;

pub use best::{Scored, SearchError, compare};
pub use hamming::{Bits, HammingSearch};
pub use heap::Heap;
pub use mteb_card::Similarity;
pub use multi_vector::{MaxSimScores, MultiVectors};
pub use pieces::{Candidates, DenseScores, PieceScores, best_of_piece};
pub use search::Search;
pub use sparse::{SparseRows, SparseScores};

#[doc(hidden)]
pub use processor::pretend_avx2;
