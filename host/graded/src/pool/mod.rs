//! Pools: the pairs of a query and a document that are to be judged, with what they were taken from.

mod build;
mod file;
mod pairs;

pub use build::{PoolError, Source, pooled, sample};
pub use file::{added, read_pool, write_pairs, write_pool};
pub use pairs::{DEPTH, Pool, PoolPair, Provenance, SourceName, query_ranges};
