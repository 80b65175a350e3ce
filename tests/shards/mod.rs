//! Runs that several machines share: planned, scored shard by shard, and merged to the bytes of one run.

mod equal;
mod fixture;
mod ranges;
mod refused;
mod resumed;
mod s3;
mod two_stages;
