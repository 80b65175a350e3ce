//! The options of the caches, as `run` takes them.

use std::time::Duration;

use clap::Args;
use mteb_base::byte_size::ByteSize;
use mteb_cache::CacheOptions;

/// How a run uses the cache of embeddings.
#[derive(Args, Debug)]
#[command(next_help_heading = "Caches")]
pub struct CacheOptionArgs {
    /// Do not read or write the on-disk caches of embeddings and parsed rows. Within the run a text
    /// is still encoded only once, as far as `--cache-memory` allows.
    #[arg(long)]
    no_cache: bool,
    /// Maximum size of the embedding cache, all models together; the least recently used embeddings
    /// are removed first (K, M, G, T: powers of 1,024).
    #[arg(long, value_name = "SIZE", default_value = "20G")]
    cache_size: ByteSize,
    /// Maximum size of the cache of parsed rows of large data files; with 0, every run parses them
    /// again.
    #[arg(long, value_name = "SIZE", default_value = "10G")]
    table_cache_size: ByteSize,
    /// Maximum memory for embeddings if none are cached on disk; with 0, a text shared by several
    /// units is encoded once per unit.
    #[arg(long, value_name = "SIZE", default_value = "256M")]
    cache_memory: ByteSize,
    /// Days after which cached embeddings from an endpoint are requested again, because the model
    /// behind it may change without notice.
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
