//! What a run keeps from its own work for later runs, and how much.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mteb_base::byte_size::ByteSize;
use mteb_base::calendar;
use mteb_workers::parsing::WorkerParser;
use mteb_workers::plugins::ModelClient;
use mteb_workers::settings::{Roots, Settings};

use super::epoch;
use super::identity::ENDPOINT;
use super::{EmbeddingCache, FileHashes, ModelIdentity, TableCache};

/// How a run uses the caches.
#[derive(Clone, Copy, Debug)]
pub struct CacheOptions {
    /// False if nothing is read from the disk nor kept there.
    pub on_disk: bool,
    /// Most bytes that the embeddings of all models may take on the disk.
    pub size: ByteSize,
    /// Most bytes that the parsed rows of data files may take; with 0, every run parses.
    pub table_size: ByteSize,
    /// Most bytes of embeddings that the run keeps in memory where it keeps none on the disk.
    pub memory: ByteSize,
    /// How long embeddings of a model behind an endpoint are trusted.
    pub max_age: Duration,
}

impl CacheOptions {
    /// The cache for a running model, unless it would not help. It is in memory alone if none is wanted on the disk, or if
    /// nothing would tell a changed model from this one.
    pub fn open(&self, settings: &Settings, model: &ModelClient) -> Option<EmbeddingCache> {
        let identity = ModelIdentity::of(model)?;
        if identity.lasts && self.on_disk && self.size.0 > 0 {
            let root = Roots::below(&settings.cache_dir).embeddings;
            let is_remote = model.info().meta.contains_key(ENDPOINT);
            let identity = if is_remote { self.expire_old(identity, &root) } else { identity };
            return Some(EmbeddingCache::open(&root, identity, self.size));
        }
        (self.memory.0 > 0).then(|| EmbeddingCache::in_memory(identity, self.memory))
    }

    /// The identity of a model that may change without a word: embeddings below `root` that are too old are those of another.
    fn expire_old(&self, identity: ModelIdentity, root: &Path) -> ModelIdentity {
        let begin = epoch::since(root, &identity.description, self.max_age, calendar::now());
        let description = epoch::described(&identity.description, begin);
        identity.described(description)
    }

    /// The hashes of data files, remembered on the disk unless nothing is wanted there.
    pub fn open_hashes(&self, settings: &Settings) -> FileHashes {
        if self.on_disk { FileHashes::of_cache(&settings.cache_dir) } else { FileHashes::default() }
    }

    /// The parsed rows of data files, unless none are wanted on the disk.
    pub fn open_tables(&self, settings: &Settings) -> Option<TableCache> {
        let is_wanted = self.on_disk && self.table_size.0 > 0;
        is_wanted.then(|| {
            let opener = Arc::new(WorkerParser::default());
            TableCache::open(&Roots::below(&settings.cache_dir).tables, self.table_size, opener)
        })
    }
}
