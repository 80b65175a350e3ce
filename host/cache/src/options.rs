//! What a run keeps from its own work for later runs, and how much; how long embeddings are trusted
//! of a model that may change without notice, such as one behind an endpoint.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use mteb_base::byte_size::ByteSize;
use mteb_base::calendar;
use mteb_workers::parsing::WorkerParser;
use mteb_workers::plugins::ModelClient;
use mteb_workers::settings::{Roots, Settings};
use serde_json::Value;

use super::folder::MODEL_FILE;
use super::identity::ENDPOINT;
use super::{EmbeddingCache, FileHashes, ModelIdentity, TableCache};
use crate::folder::model_folders;

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
        let begin = since(root, &identity.description, self.max_age, calendar::now());
        let description = described(&identity.description, begin);
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

/// Key of the description that says when the first of the embeddings was made, in milliseconds since 1970.
const SINCE: &str = "since_ms";

/// When the first of the embeddings below `root` was made that `description` speaks of, if that is less than `most` ago;
/// `now` if there are none. In milliseconds since 1970.
pub fn since(root: &Path, description: &Value, most: Duration, now: SystemTime) -> u64 {
    let now = now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64);
    let folders = model_folders(root).into_iter();
    let begins = folders.filter_map(|folder| {
        let text = fs::read_to_string(folder.join(MODEL_FILE)).ok()?;
        let mut kept: Value = serde_json::from_str(&text).ok()?;
        let begin = kept.as_object_mut()?.shift_remove(SINCE)?.as_u64()?;
        (kept == *description).then_some(begin)
    });
    let is_young = |begin: &u64| *begin <= now && Duration::from_millis(now - begin) < most;
    begins.filter(is_young).max().unwrap_or(now)
}

/// `description` of embeddings of which the first was made at `begin`.
pub fn described(description: &Value, begin: u64) -> Value {
    let mut description = description.clone();
    description[SINCE] = begin.into();
    description
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn embeddings_are_found_again_until_they_are_too_old() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("0123456789abcdef0123456789abcdef");
        let model = json!({"name": "m", "device": "remote"});
        let at = |milliseconds: u64| SystemTime::UNIX_EPOCH + Duration::from_millis(milliseconds);
        let most = Duration::from_secs(30);
        assert_eq!(since(root.path(), &model, most, at(100_000)), 100_000);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join(MODEL_FILE), described(&model, 100_000).to_string()).unwrap();
        assert_eq!(since(root.path(), &model, most, at(129_999)), 100_000);
        assert_eq!(since(root.path(), &model, most, at(130_000)), 130_000);
        assert_eq!(since(root.path(), &json!({"name": "other"}), most, at(100_001)), 100_001);
        assert_eq!(
            since(root.path(), &model, Duration::ZERO, at(100_001)),
            100_001,
            "what is too old the moment it is made"
        );
    }
}
