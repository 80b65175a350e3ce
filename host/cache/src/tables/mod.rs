//! Parsed rows that are kept from run to run, by the content of the file that they were parsed from.
//!
//! `<cache folder>/tables/v1/<key>.table` holds what one reader gave for one data file (the form is
//! [`mteb_data::mapped`]). The key is made of the file's content and suffix, of what the readers are made of, and of the
//! columns and rows that were asked for. A file's content is hashed once: `stamps/` remembers the hash for as long as
//! the system says that the file is untouched. Whatever fails its checksum is as good as absent: its file is parsed
//! again. Entries are written under a temporary name and renamed when the whole file was read without a fault; they
//! are not flushed to the disk, since a checksum tells what a loss of power has left.
//!
//! Parsing a GB of cells took 3.3 s from JSON lines, 7.4 s compressed with gzip, 3.5 s from CSV, 2.7 to 4.2 s from
//! Parquet, and reading them here 0.6 to 0.9 s (two cores, not idle). A run reads beside the model, so this shortens one
//! only where the model is faster, as when its embeddings are kept too; it always spares the processor. Below
//! [`LEAST`] nothing is gained.

mod inventory;
mod rows;
mod shared;
pub(super) mod stamp;

#[cfg(test)]
mod tests;

pub use inventory::{clear_tables, tables_info, verify_tables};

use std::fs::File;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use mteb_base::byte_size::ByteSize;
use mteb_data::{DataError, OpenRows, ReadRows, Wanted};

use rows::CachedFileRows;
use shared::Shared;

/// Bytes of the smallest file whose rows are kept: smaller ones are parsed as fast as they are found here.
const LEAST: u64 = 4 << 20;

/// The kept rows of a cache folder. Whatever happens to its files, it gives rows as a reader would.
#[derive(Clone, Debug)]
pub struct TableCache(Arc<Shared>);

impl TableCache {
    /// The rows kept in `root`, which may be absent, and are kept below `limit` bytes; other files are opened by
    /// `opener`.
    pub fn open(root: &Path, limit: ByteSize, opener: Arc<dyn OpenRows>) -> Self {
        super::folder::remove_leftovers(root);
        Self::keeping(root, limit, LEAST, opener)
    }

    /// The same for files of `least` bytes or more.
    fn keeping(root: &Path, limit: ByteSize, least: u64, opener: Arc<dyn OpenRows>) -> Self {
        Self(Arc::new(Shared {
            root: root.to_owned(),
            limit: limit.0,
            least,
            opener,
            is_read_only: AtomicBool::new(false),
            warnings: Mutex::default(),
        }))
    }

    /// What went wrong since the last call, one line each.
    pub fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.warnings.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl OpenRows for TableCache {
    fn open(&self, path: &Path, wanted: &Wanted) -> Result<Box<dyn ReadRows>, DataError> {
        let shared = &self.0;
        let large =
            |file: &File| file.metadata().is_ok_and(|found| found.is_file() && found.len() >= shared.least);
        // What cannot be opened or hashed, the reader says with the right words.
        let Some(file) = mteb_files::open(path).ok().filter(large) else {
            return shared.opener.open(path, wanted);
        };
        let Ok((stamp, content)) = stamp::content(shared, path, &file) else {
            return shared.opener.open(path, wanted);
        };
        Ok(Box::new(CachedFileRows::new(Arc::clone(shared), path, wanted, stamp, content)))
    }
}
