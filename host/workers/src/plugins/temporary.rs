//! A folder for the temporary files of one worker. What a killed host leaves is removed by the next one. It is locked as a whole and
//! marked by a file in it, as what a plugin writes there has any name: other than the temporary files of `mteb-files`.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use mteb_files::{Form, Owner};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

/// Name of the folder in the cache folder.
const FOLDER: &str = "workers";

/// File in a folder of ours; it is written once the folder is locked.
const MARKER: &str = ".mteb-host-worker";

/// What the file says. On a file system without locks the owner stands behind it, in a line.
const MARK: &[u8] = b"A folder for temporary files of mteb-host, which removes it.\n";

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
            let path = Form::WORKER.builder().tempdir_in(&root)?.keep();
            // Another host may have swept the empty folder away before it was locked.
            let Ok(lock) = File::open(&path) else { continue };
            let mark = match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => MARK.to_vec(),
                Err(Errno::WOULDBLOCK | Errno::INTR) => continue,
                Err(_) => [MARK, owner_of(&path).to_string().as_bytes(), b"\n"].concat(),
            };
            if path.is_dir() {
                let folder = Self { path, _lock: lock };
                // Where the disk is full, the folder goes with the error.
                fs::write(folder.path.join(MARKER), mark)?;
                return Ok(folder);
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

/// This process, as the owner of the folder at `path`.
fn owner_of(path: &Path) -> Owner {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Owner::this(name.get(name.len().saturating_sub(16)..).unwrap_or_default())
}

/// True if the folder at `path` says in its mark that its owner has ended.
fn is_orphaned(path: &Path) -> bool {
    let mark = Form::WORKER
        .ours(path)
        .and_then(|_| mteb_files::read(&path.join(MARKER), 2 * MARK.len() as u64).ok());
    let owner = mark.and_then(|mark| String::from_utf8(mark.strip_prefix(MARK)?.to_vec()).ok());
    owner.and_then(|owner| Owner::parse(owner.trim_end())).is_some_and(|owner| owner.is_gone())
}

/// Removes the folders whose host is gone: those with our name and our mark, and those with our name that are empty or hold
/// nothing but the begin of a mark, which a full disk cut.
fn sweep(root: &Path) {
    for path in fs::read_dir(root).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if is_orphaned(&path) {
            let _ = fs::remove_dir_all(&path);
            continue;
        }
        let Some(_lock) = Form::WORKER.left(&path) else { continue };
        let marker = path.join(MARKER);
        let is_file = marker.symlink_metadata().is_ok_and(|found| found.is_file());
        let mark = mteb_files::read(&marker, MARK.len() as u64).ok().filter(|_| is_file);
        if mark.as_deref() == Some(MARK) {
            let _ = fs::remove_dir_all(&path);
            continue;
        }
        let is_alone = fs::read_dir(&path).is_ok_and(|entries| entries.count() == 1);
        if is_alone && mark.is_some_and(|mark| MARK.starts_with(&mark)) {
            let _ = fs::remove_file(&marker);
        }
        let _ = fs::remove_dir(&path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_use_stays_and_a_left_one_goes() {
        let cache = tempfile::tempdir().unwrap();
        let left = cache.path().join("workers/mteb-host-worker-0123456789abcdef");
        fs::create_dir_all(left.join("below")).unwrap();
        fs::write(left.join(MARKER), MARK).unwrap();
        let empty = left.with_file_name("mteb-host-worker-empty56789abcdef");
        fs::create_dir(&empty).unwrap();
        let first = TemporaryFolder::create(cache.path()).unwrap();
        let second = TemporaryFolder::create(cache.path()).unwrap();
        assert!(!left.exists() && !empty.exists());
        assert!(first.path().is_dir() && second.path().is_dir());
        drop((first, second));
        assert_eq!(fs::read_dir(cache.path().join("workers")).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_that_names_its_owner_goes_once_that_has_ended() {
        let cache = tempfile::tempdir().unwrap();
        let folder = |name: &str, owner: &str| {
            let folder = cache.path().join("workers").join(name);
            fs::create_dir_all(folder.join("below")).unwrap();
            fs::write(folder.join(MARKER), [MARK, owner.as_bytes(), b"\n"].concat()).unwrap();
            folder
        };
        let path = Path::new("mteb-host-worker-0123456789abcdef");
        let owner = owner_of(path).to_string();
        let held = folder("mteb-host-worker-0123456789abcdef", &owner);
        let ended = owner.replace("-0123456789abcdef", "1-0123456789abcdef");
        let left = folder("mteb-host-worker-1123456789abcdef", &ended);
        drop(TemporaryFolder::create(cache.path()).unwrap());
        assert!(held.exists() && !left.exists());
    }

    #[test]
    fn a_folder_whose_mark_a_full_disk_cut_goes_and_what_is_beside_such_a_mark_stays() {
        let cache = tempfile::tempdir().unwrap();
        let torn = cache.path().join("workers/mteb-host-worker-0123456789abcdef");
        let filled = cache.path().join("workers/mteb-host-worker-filled6789abcdef");
        for (folder, mark) in [(&torn, &MARK[..0]), (&filled, &MARK[..8])] {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join(MARKER), mark).unwrap();
        }
        fs::write(filled.join("notes"), "mine").unwrap();
        drop(TemporaryFolder::create(cache.path()).unwrap());
        assert!(!torn.exists() && filled.join("notes").exists());
    }

    #[test]
    fn a_folder_without_our_name_or_our_mark_stays() {
        let cache = tempfile::tempdir().unwrap();
        let named = cache.path().join("workers/mteb-host-worker-0123456789abcdef/notes");
        let marked = cache.path().join("workers/staff").join(MARKER);
        for (file, text) in [(&named, "mine".as_bytes()), (&marked, MARK)] {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        drop(TemporaryFolder::create(cache.path()).unwrap());
        assert!(named.exists() && marked.exists());
    }
}
