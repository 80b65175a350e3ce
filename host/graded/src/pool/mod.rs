//! Pools: the pairs of a query and a document that are to be judged, with what they were taken from.

mod build;
mod file;
mod newer;
mod pairs;
mod sample;

pub use build::{PoolError, Source, pooled};
pub use file::{read_pool, write_pool};
pub use newer::{added, write_pairs};
pub use pairs::{DEPTH, Pool, PoolPair, Provenance, SourceName};
pub use sample::sample;
