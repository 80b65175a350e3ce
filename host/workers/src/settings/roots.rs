//! Where below the cache folder each cache lies.

use std::path::{Path, PathBuf};

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
    /// The folders below `cache_dir`.
    pub fn below(cache_dir: &Path) -> Self {
        let root = |name| cache_dir.join(name).join("v1");
        let lists = cache_dir.join("hub-listings");
        Self { embeddings: root("embeddings"), tables: root("tables"), lists }
    }
}
