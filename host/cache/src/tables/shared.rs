//! What all readers of kept rows share.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use mteb_data::OpenRows;

/// A cache folder in use.
#[derive(Debug)]
pub struct Shared {
    /// Folder of the entries.
    pub root: PathBuf,
    /// Most bytes that they may take.
    pub limit: u64,
    /// Bytes of the smallest file whose rows are kept.
    pub least: u64,
    /// How files are opened whose rows are not here.
    pub way: Arc<dyn OpenRows>,
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
