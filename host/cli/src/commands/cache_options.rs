//! The options of the caches, as `run` takes them.

use std::time::Duration;

use clap::Args;
use mteb_base::byte_size::ByteSize;
use mteb_cache::CacheOptions;

/// How a run uses the cache of embeddings.
#[derive(Args, Debug)]
pub struct CacheOptionArgs {
    /// Neither read embeddings and parsed rows from the disk nor keep them there; within the run a text is still encoded
    /// once, as far as `--cache-memory` reaches.
    #[arg(long)]
    no_cache: bool,
    /// Most bytes that the embeddings of all models may take; those unused for the longest time go first (K, M, G,
    /// T: powers of 1,024).
    #[arg(long, value_name = "SIZE", default_value = "20G")]
    cache_size: ByteSize,
    /// Most bytes that the parsed rows of large data files may take, beside the embeddings; with 0, every run parses.
    #[arg(long, value_name = "SIZE", default_value = "10G")]
    table_cache_size: ByteSize,
    /// Most bytes of embeddings that the run keeps in memory where it keeps none on the disk; with 0, what several units
    /// share is encoded for each of them.
    #[arg(long, value_name = "SIZE", default_value = "256M")]
    cache_memory: ByteSize,
    /// Days for which kept embeddings of a model behind an endpoint are trusted, as it may change without a word; then they
    /// are asked for again.
    #[arg(long, value_name = "DAYS", default_value_t = 90)]
    max_age: u32,
}

const DAY: Duration = Duration::from_secs(86_400);

impl CacheOptionArgs {
    /// The same for the engine.
    pub fn options(&self) -> CacheOptions {
        CacheOptions {
            on_disk: !self.no_cache,
            size: self.cache_size,
            table_size: self.table_cache_size,
            memory: self.cache_memory,
            max_age: DAY * self.max_age,
        }
    }
}
