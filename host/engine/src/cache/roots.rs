//! Where below the cache folder each cache lies.

use std::path::PathBuf;

use crate::settings::Settings;

/// The folders of what is kept.
#[derive(Clone, Debug)]
pub struct Roots {
    /// Embeddings, a folder a model; its last part is the version of its form, as that of the next.
    pub embeddings: PathBuf,
    /// Parsed rows of data files.
    pub tables: PathBuf,
    /// Lists of files that a hub gave.
    pub lists: PathBuf,
}

impl Roots {
    /// The folders below the cache folder of `settings`.
    pub fn of(settings: &Settings) -> Self {
        let root = |name| settings.cache_dir.join(name).join("v1");
        let lists = settings.cache_dir.join("hub-listings");
        Self { embeddings: root("embeddings"), tables: root("tables"), lists }
    }
}
