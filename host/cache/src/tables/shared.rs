//! What all readers of kept rows share, and the key of a kept table.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use mteb_data::{OpenRows, Wanted, mapped};

/// A cache folder in use.
#[derive(Debug)]
pub struct Shared {
    /// Folder of the entries.
    pub root: PathBuf,
    /// Most bytes that they may take.
    pub limit: u64,
    /// Bytes of the smallest file whose rows are kept.
    pub least: u64,
    /// Opens files whose rows are not here.
    pub opener: Arc<dyn OpenRows>,
    /// True once the folder could not be written.
    pub is_read_only: AtomicBool,
    /// What went wrong.
    pub warnings: Mutex<Vec<String>>,
}

impl Shared {
    /// Notes what went wrong.
    pub fn warn(&self, warning: String) {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).push(warning);
    }

    /// Says that nothing can be written, once.
    pub fn give_up_writing(&self, error: &std::io::Error) {
        if !self.is_read_only.swap(true, Ordering::Relaxed) {
            let root = self.root.display();
            self.warn(format!(
                "{root}: cannot write parsed rows to the cache: {error}; the run continues without caching them"
            ));
        }
    }

    /// True while the folder can be written, as far as is known.
    pub fn writes(&self) -> bool {
        !self.is_read_only.load(Ordering::Relaxed)
    }
}

/// The key of what is read first when `limit` rows with the `wanted` columns are asked of the file at `path`, whose
/// `content` has this hash: all that decides on what a reader gives, in hexadecimal digits.
pub fn key(content: &str, path: &Path, wanted: &Wanted, limit: usize) -> String {
    let limit = limit.to_string();
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    // The readers go by the suffix of the format and that of a compression behind it.
    let is_compressed = name.ends_with(".gz") || name.ends_with(".zst");
    let suffixes: Vec<&str> = name.rsplit('.').take(if is_compressed { 2 } else { 1 }).collect();
    let mut hasher = blake3::Hasher::new();
    let (columns, ids) = wanted.names();
    // Absent for files that are written as usual, whose keys stay what they were.
    let form = wanted.form().map(|form| format!("{form:?}"));
    let all = if columns.is_none() { "all" } else { "named" };
    let columns = columns.into_iter().flatten().map(String::as_str);
    let ids = ids.iter().flat_map(|id| ["id", id.as_str()]);
    for part in [mapped::READERS, content, &limit, all]
        .into_iter()
        .chain(suffixes)
        .chain(columns)
        .chain(ids)
        .chain(form.as_deref())
    {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}
