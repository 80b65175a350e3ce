//! One file of a commit that is kept, and whether it is still as it was written.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// Larger files are compared by their size alone: their content is data, whose hash stands in results.
const HASHED: u64 = 1 << 20;

/// One file of a commit.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct KeptFile {
    /// Path from the folder of the repository.
    pub path: String,
    size: u64,
    sha256: String,
    /// Where it leads, if it is a link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

impl KeptFile {
    /// A file of `size` bytes.
    pub fn new(path: &str, size: u64, sha256: String) -> Self {
        Self { path: path.to_owned(), size, sha256, target: None }
    }

    /// A link to `target`.
    pub fn link(path: &str, target: String) -> Self {
        Self { target: Some(target), ..Self::new(path, 0, String::new()) }
    }

    /// True if the file below `tree` is as it was written.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn is_unchanged(&self, tree: &Path) -> io::Result<bool> {
        let path = tree.join(&self.path);
        if let Some(target) = &self.target {
            return Ok(fs::read_link(&path)? == Path::new(target));
        }
        let found = fs::symlink_metadata(&path)?;
        if !found.is_file() || found.len() != self.size {
            return Ok(false);
        }
        Ok(self.size > HASHED || mteb_files::sha256(mteb_files::open(&path)?)? == self.sha256)
    }
}
