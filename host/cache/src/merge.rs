//! Brings the embeddings of another cache into this one. Segments are found by their content, so that nothing is ever replaced.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use mteb_files::persist;
use mteb_workers::settings::Roots;

use super::folder::{MODEL_FILE, SHARED, locked_file, segments};
use super::inventory::check;
use crate::folder::model_folders;

/// What came from another cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheMerged {
    /// Files with embeddings that were not there.
    pub segments: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Files that fail their checksums, and stay where they are.
    pub damaged: usize,
}

/// Copies the segments of the cache folder `from` that the cache folder `to` does not have. A folder without a cache has none; a cache
/// has nothing that is new to itself.
///
/// # Errors
/// If a file cannot be read or written.
pub fn merge(from: &Path, to: &Path) -> io::Result<CacheMerged> {
    let (from, to) = (Roots::below(from).embeddings, Roots::below(to).embeddings);
    let mut merged = CacheMerged::default();
    for model in model_folders(&from) {
        let into = to.join(model.file_name().unwrap_or_default());
        for path in segments(&model)? {
            let target = into.join(path.file_name().unwrap_or_default());
            if target.exists() {
                continue;
            }
            if check(&path, &model).is_err() {
                merged.damaged += 1;
                continue;
            }
            fs::create_dir_all(&into)?;
            let described = into.join(MODEL_FILE);
            if !described.exists() && model.join(MODEL_FILE).exists() {
                copy(&model.join(MODEL_FILE), &described)?;
            }
            merged.bytes += copy(&path, &target)?;
            merged.segments += 1;
        }
    }
    Ok(merged)
}

/// Copies a file whole or not at all; gives its bytes.
fn copy(from: &Path, to: &Path) -> io::Result<u64> {
    let mut file = locked_file(to.parent().unwrap_or(Path::new(".")))?;
    let bytes = io::copy(&mut mteb_files::open(from)?, &mut file)?;
    file.flush()?;
    file.as_file().sync_all()?;
    persist(file, to, SHARED)?;
    Ok(bytes)
}
