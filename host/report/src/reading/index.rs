//! The index of result files: what each held when it had this size and this time of change.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mteb_files::hex;
use mteb_results::ResultFault;
use mteb_results::reading::{Meta, Summary};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Changes with the form of what is kept or how files are read.
const FORM: u32 = 12;

/// Index of one folder of results.
#[derive(Debug, Default)]
pub struct Index {
    files: HashMap<PathBuf, (Stamp, Outcome)>,
    /// True if it holds what the stored one does not.
    is_changed: bool,
}

/// Size and times of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    size: u64,
    changed: (i64, i64),
    /// Change of the inode: a file put in place of another may have its size and time.
    placed: (i64, i64),
}

#[derive(Serialize, Deserialize)]
struct Stored {
    form: u32,
    version: String,
    files: Vec<(PathBuf, Stamp, Outcome)>,
}

impl Stamp {
    /// The stamp of the file at `path`.
    ///
    /// # Errors
    /// If it cannot be looked at.
    pub fn of(path: &Path) -> io::Result<Self> {
        let data = fs::metadata(path)?;
        Ok(Self {
            size: data.len(),
            changed: (data.mtime(), data.mtime_nsec()),
            placed: (data.ctime(), data.ctime_nsec()),
        })
    }
}

impl Index {
    /// The index of `root` in `folder`; an empty one if there is none, or none of this form.
    pub fn load(folder: &Path, root: &Path) -> Self {
        let stored = mteb_files::read(&file(folder, root), 1 << 30).ok();
        let stored: Option<Stored> = stored.and_then(|bytes| postcard::from_bytes(&bytes).ok());
        let stored =
            stored.filter(|stored| stored.form == FORM && stored.version == env!("CARGO_PKG_VERSION"));
        let files = stored.map(|stored| stored.files).unwrap_or_default();
        Self {
            files: files.into_iter().map(|(path, stamp, outcome)| (path, (stamp, outcome))).collect(),
            is_changed: false,
        }
    }

    /// What the file held when it had this stamp.
    pub fn get(&self, path: &Path, stamp: Stamp) -> Option<&Outcome> {
        self.files.get(path).filter(|(found, _)| *found == stamp).map(|(_, outcome)| outcome)
    }

    /// Adds what was read.
    pub fn insert(&mut self, path: PathBuf, stamp: Stamp, outcome: Outcome, is_new: bool) {
        self.is_changed |= is_new;
        self.files.insert(path, (stamp, outcome));
    }

    /// Writes the index whole, or not at all, with what `earlier` holds of files that nobody looked
    /// at this time.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn store(mut self, earlier: Self, folder: &Path, root: &Path) -> io::Result<()> {
        if !self.is_changed {
            return Ok(());
        }
        for (path, file) in earlier.files {
            if !self.files.contains_key(&path) && path.exists() {
                self.files.insert(path, file);
            }
        }
        let files = self.files.into_iter().map(|(path, (stamp, outcome))| (path, stamp, outcome)).collect();
        let stored = Stored { form: FORM, version: env!("CARGO_PKG_VERSION").to_owned(), files };
        let bytes = postcard::to_stdvec(&stored).map_err(io::Error::other)?;
        mteb_files::write(&file(folder, root), &bytes)
    }
}

/// What became of a file.
pub type Outcome = Result<Content, IndexedFault>;

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Content {
    /// `model_meta.json`.
    Meta(Meta),
    /// Scores of a task.
    Result(Arc<Summary>),
}

/// What a [`ResultFault`] said when the file was read; without the path of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{0}")]
pub struct IndexedFault(String);

impl From<ResultFault> for IndexedFault {
    fn from(fault: ResultFault) -> Self {
        Self(fault.to_string())
    }
}

fn file(folder: &Path, root: &Path) -> PathBuf {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let hash = Sha256::digest(root.as_os_str().as_encoded_bytes());
    folder.join(format!("{}.index", hex(&hash[..16])))
}

#[cfg(test)]
mod tests {
    use mteb_results::reading::read_meta;

    use super::*;

    #[test]
    fn the_index_keeps_what_a_fault_says() {
        let fault = read_meta("{").unwrap_err();
        let said = fault.to_string();
        assert!(said.contains("EOF while parsing"), "{said}");
        assert_eq!(IndexedFault::from(fault).to_string(), said);
    }
}
