//! A commit in the cache: its files, and a receipt that says what they are.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use mteb_base::calendar;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::address::{Address, Why};
use super::contents::{KeptFile, write_files};
use super::program::Git;

const TREE: &str = "tree";
const RECEIPT: &str = "receipt.json";

/// How the folder of a fetch begins that is not done.
const BEGUN: &str = ".fetching-";

/// After this time such a folder is of a process that was killed.
const LEFT: Duration = Duration::from_secs(24 * 60 * 60);

/// What Python writes beside files that it imports.
const COMPILED: &str = "__pycache__";

/// Files of a commit as they were written.
#[derive(Debug, Deserialize, Serialize)]
struct Receipt {
    /// Where the commit was fetched from.
    address: String,
    commit: String,
    files: Vec<KeptFile>,
}

/// The place of one commit.
#[derive(Debug)]
pub struct Kept {
    folder: PathBuf,
}

impl Kept {
    /// Where `commit` of the repository at `address` lies below `root`.
    pub fn at(root: &Path, address: &Address, commit: &str) -> Self {
        let name = address.url.rsplit('/').find(|part| !part.is_empty()).unwrap_or_default();
        let name: String = name.chars().filter(|letter| letter.is_ascii_alphanumeric()).take(32).collect();
        let hash = mteb_files::hex(&Sha256::digest(&address.url));
        Self { folder: root.join(format!("{name}-{}", &hash[..16])).join(commit) }
    }

    /// True if it was fetched.
    pub fn exists(&self) -> bool {
        self.folder.join(RECEIPT).is_file()
    }

    /// Fetches it beside its place and moves it there once it is whole.
    ///
    /// # Errors
    /// If it cannot be fetched, is refused, or cannot be written.
    pub fn fetch(&self, address: &Address, commit: &str) -> Result<(), Why> {
        let cannot_write = |error: io::Error| format!("cannot write {}: {error}", self.folder.display());
        let beside = self.folder.parent().unwrap_or(&self.folder);
        fs::create_dir_all(beside).map_err(cannot_write)?;
        remove_left(beside);
        let mut git = Git::new(address)?;
        let begun = tempfile::Builder::new().prefix(BEGUN).tempdir_in(beside).map_err(cannot_write)?;
        let objects = begun.path().join("objects");
        git.fetch(&objects, address, commit)?;
        let whole = begun.path().join("whole");
        let files = write_files(&git, commit, &whole.join(TREE))?;
        let receipt = Receipt { address: address.url.clone(), commit: commit.to_owned(), files };
        let receipt = serde_json::to_vec_pretty(&receipt).map_err(|error| cannot_write(error.into()))?;
        fs::write(whole.join(RECEIPT), receipt).map_err(cannot_write)?;
        match fs::rename(&whole, &self.folder) {
            // Another process was faster.
            Err(_) if self.exists() => Ok(()),
            renamed => renamed.map_err(cannot_write),
        }
    }

    /// The folder of the files, which are those that were fetched.
    ///
    /// # Errors
    /// If one was changed, added or removed since.
    pub fn checked(&self) -> Result<PathBuf, Why> {
        let advice = || format!("remove {} to fetch the commit again", self.folder.display());
        let unreadable =
            |error: &dyn std::fmt::Display| format!("cannot read the cached commit: {error}; {}", advice());
        let text = fs::read(self.folder.join(RECEIPT)).map_err(|error| unreadable(&error))?;
        let receipt: Receipt = serde_json::from_slice(&text).map_err(|error| unreadable(&error))?;
        let tree = self.folder.join(TREE);
        let changed = receipt.files.iter().find(|file| !file.is_unchanged(&tree).unwrap_or(false));
        if let Some(file) = changed {
            return Err(format!("expected {} as it was fetched, found another; {}", file.path, advice()));
        }
        let known: HashSet<PathBuf> = receipt.files.iter().map(|file| tree.join(&file.path)).collect();
        let found = files_below(&tree).map_err(|error| unreadable(&error))?;
        if let Some(added) = found.iter().find(|path| !known.contains(*path)) {
            return Err(format!(
                "expected the files of the commit alone, found {}; {}",
                added.display(),
                advice()
            ));
        }
        tree.canonicalize().map_err(|error| unreadable(&error))
    }
}

/// Files and links in `folder` and below, without what Python has written there.
fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true if entry.file_name() == COMPILED => {}
            true => files.extend(files_below(&entry.path())?),
            false => files.push(entry.path()),
        }
    }
    Ok(files)
}

/// Removes what killed processes have left.
fn remove_left(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_begun = entry.file_name().to_string_lossy().starts_with(BEGUN);
        let made = entry.metadata().and_then(|found| found.modified());
        if is_begun && made.is_ok_and(|made| calendar::since(made) > LEFT) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
