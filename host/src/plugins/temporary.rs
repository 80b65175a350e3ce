//! A folder for the temporary files of one worker. What a killed host leaves is removed by the next one.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

/// Name of the folder in the cache folder.
const FOLDER: &str = "workers";

/// The folder; it is removed when this is dropped.
#[derive(Debug)]
pub struct TemporaryFolder {
    path: PathBuf,
    /// Holds the lock that tells other hosts that the folder is in use.
    _lock: File,
}

impl TemporaryFolder {
    /// A new folder below `cache_dir`.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn create(cache_dir: &Path) -> io::Result<Self> {
        let root = cache_dir.join(FOLDER);
        fs::create_dir_all(&root)?;
        let root = root.canonicalize()?;
        sweep(&root);
        for _ in 0..16 {
            let path = tempfile::Builder::new().prefix("worker-").tempdir_in(&root)?.keep();
            let lock = File::open(&path)?;
            // Another host may have swept the folder away before it was locked.
            if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok() && path.is_dir() {
                return Ok(Self { path, _lock: lock });
            }
        }
        Err(io::Error::other("no place for temporary files"))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next host.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes the folders whose host is gone.
fn sweep(root: &Path) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let unused = File::open(entry.path())
            .is_ok_and(|folder| flock(&folder, FlockOperation::NonBlockingLockExclusive).is_ok());
        if unused {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_use_stays_and_a_left_one_goes() {
        let cache = tempfile::tempdir().unwrap();
        let left = cache.path().join("workers/worker-left");
        fs::create_dir_all(&left).unwrap();
        let first = TemporaryFolder::create(cache.path()).unwrap();
        let second = TemporaryFolder::create(cache.path()).unwrap();
        assert!(!left.exists());
        assert!(first.path().is_dir() && second.path().is_dir());
        drop((first, second));
        assert_eq!(fs::read_dir(cache.path().join("workers")).unwrap().count(), 0);
    }
}
