//! Files that are either whole or absent, in folders that several processes may write to.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::leftover::{Form, mark};
use crate::temporary::{persist, remove_leftovers};

/// Who writes holds a folder for the time of one file; with many writers and a slow disk that is seconds.
const LONGEST: Duration = Duration::from_secs(20);

/// The same once nobody is to wait any more: a writer that is at work has ended by then, unless it is one of many.
const HURRIED: Duration = Duration::from_millis(500);

/// Between two looks at a folder that is held.
const PAUSE: Duration = Duration::from_millis(10);

static HURRIES: AtomicBool = AtomicBool::new(false);

/// From here on no folder that another program has locked is waited for: this process is to end.
pub fn stop_waiting() {
    HURRIES.store(true, Ordering::SeqCst);
}

/// Writes `bytes` to `path`: into a temporary file beside it, flushed to the disk, then renamed. Its folder is made if it is absent.
///
/// # Errors
/// If the folder cannot be made or the file cannot be written; what was at `path` before is then still there.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    LockedFolder::new(folder)?.write(path.file_name().unwrap_or_default().as_ref(), bytes)
}

/// A folder to which no other process of this program writes meanwhile.
#[derive(Debug)]
pub struct LockedFolder {
    path: PathBuf,
    /// The open folder; its lock goes with it.
    folder: File,
}

impl LockedFolder {
    /// Waits until nobody writes to the folder at `path`, which is made if it is absent; but not longer than any writer needs.
    ///
    /// What a killed process has left there is removed. On a file system without locks nothing is waited for.
    ///
    /// # Errors
    /// If the folder cannot be made or opened; [`ErrorKind::TimedOut`] if another program does not let go of it: a stopped one, or one
    /// of somebody who may read the folder and so can lock it.
    pub fn new(path: &Path) -> io::Result<Self> {
        Self::waiting(path, LONGEST)
    }

    fn waiting(path: &Path, longest: Duration) -> io::Result<Self> {
        fs::create_dir_all(path)?;
        let folder = File::open(path)?;
        let begin = Instant::now();
        let locked = loop {
            match flock(&folder, FlockOperation::NonBlockingLockExclusive) {
                Err(Errno::WOULDBLOCK) if begin.elapsed() > longest => return Err(held(path, longest)),
                Err(Errno::WOULDBLOCK) if HURRIES.load(Ordering::SeqCst) && begin.elapsed() > HURRIED => {
                    return Err(held(path, HURRIED));
                }
                Err(Errno::WOULDBLOCK | Errno::INTR) => thread::sleep(PAUSE),
                locked => break locked.is_ok(),
            }
        };
        if locked {
            // Who writes holds the lock of the folder, so those that are seen under it belong to nobody.
            remove_leftovers(path, Form::WRITING);
        }
        Ok(Self { path: path.to_owned(), folder })
    }

    /// Writes the file `name` of the folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = Form::WRITING.builder().permissions(mark()).tempfile_in(&self.path)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        // Others may read it as any new file.
        persist(file, &self.path.join(name), 0o644)?;
        // The name, too, is to survive a loss of power; some file systems cannot promise that.
        let _ = self.folder.sync_all();
        Ok(())
    }
}

fn held(folder: &Path, waited: Duration) -> io::Error {
    let message = format!(
        "the folder {} has been locked by another program for {} seconds, expected a moment; look for a stopped `mteb-host` and end it \
         (`fuser {0}` names who holds it)",
        folder.display(),
        waited.as_secs_f32()
    );
    io::Error::new(ErrorKind::TimedOut, message)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_folder_that_another_program_keeps_locked_is_not_waited_for_without_end() {
        let folder = tempfile::tempdir().unwrap();
        let held = LockedFolder::new(folder.path()).unwrap();
        let error = LockedFolder::waiting(folder.path(), Duration::ZERO).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        assert!(error.to_string().contains("locked by another program"), "{error}");
        drop(held);
        LockedFolder::waiting(folder.path(), Duration::ZERO).unwrap();
    }

    #[test]
    fn a_file_is_replaced_and_what_a_killed_writer_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("below/result.json");
        write(&file, b"one").unwrap();
        let left = file.with_file_name(".mteb-host-write-0123456789abcdef");
        let empty = file.with_file_name(".mteb-host-write-0123456789abcdeF");
        let own = file.with_file_name(".mteb-host-write-AAAAAAAAAAAAAAAA");
        let (notes, folder) = (file.with_file_name(".write-notes"), left.with_extension("d"));
        for file in [&left, &notes, &own] {
            fs::write(file, "half").unwrap();
        }
        fs::set_permissions(&left, mark()).unwrap();
        fs::write(&empty, "").unwrap();
        fs::create_dir(&folder).unwrap();
        write(&file, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o7777, 0o644);
        assert!(!left.exists() && !empty.exists(), "what is marked goes");
        assert!(own.exists() && notes.exists() && folder.exists(), "only what is ours goes");
    }
}
