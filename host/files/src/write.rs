//! Files that are either whole or absent: temporary ones take the place of others once they are
//! whole; what killed processes have left of them; and copies of files as they were before they
//! were written anew, `<name>-<milliseconds>.json` in a folder of their own.

use std::fs::{self, File, Permissions};
use std::io;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::leftover::{Form, mark};
use crate::wait::{Flock, let_go, try_shared};

/// Writes `bytes` to `path`: into a temporary file beside it, flushed to the disk, then renamed. Its folder is made if it is absent.
///
/// What several processes write at once is whole, and that of one of them; who wants to change what is there takes a
/// [`LockedFolder`](crate::LockedFolder).
///
/// # Errors
/// If the folder cannot be made or the file cannot be written; what was at `path` before is then still there.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let around = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(around)?;
    let folder = File::open(around)?;
    sweep(around, &folder);
    write_beside(around, &folder, path.file_name().unwrap_or_default().as_ref(), bytes)
}

/// Removes what killed processes have left in the folder at `path`, which is open as `folder`, unless somebody works there. Nobody waits
/// for this process when it is stopped later: its own temporary file is locked by itself.
fn sweep(path: &Path, folder: &File) {
    if try_shared(folder) == Flock::Taken {
        // Versions that do not lock their temporary files hold this lock alone while they write.
        remove_leftovers(path, Form::WRITING);
        let_go(folder);
    }
}

/// Writes the file `name` of the folder at `path`, which is open as `folder`.
pub fn write_beside(path: &Path, folder: &File, name: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = locked_file(path, Form::WRITING.builder().permissions(mark()))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    // Others may read it as any new file.
    persist(file, &path.join(name), PERMISSIONS)?;
    // The name, too, is to survive a loss of power; some file systems cannot promise that.
    let _ = folder.sync_all();
    Ok(())
}

/// Of a file that is written.
pub const PERMISSIONS: u32 = 0o644;

/// How often a file may be taken away in the instant between its making and its locking.
const TRIES: usize = 100;

/// A temporary file as `builder` makes it, of a [`Form`], that no process cleans away while this one writes it.
///
/// # Errors
/// If the folder cannot be written.
pub fn locked_file(folder: &Path, builder: &Builder) -> io::Result<NamedTempFile> {
    for _ in 0..TRIES {
        let file = builder.tempfile_in(folder)?;
        // A file system without locks keeps it by its age alone ([`Form::left`]).
        while file.as_file().lock().is_err_and(|error| error.kind() == io::ErrorKind::Interrupted) {}
        if file.as_file().metadata()?.nlink() > 0 {
            return Ok(file);
        }
    }
    Err(io::Error::other("other processes keep removing the temporary file"))
}

/// Renames a temporary file, which has the permissions `mode` from then on: it was private before.
///
/// # Errors
/// If it cannot be renamed.
pub fn persist(file: NamedTempFile, path: &Path, mode: u32) -> io::Result<()> {
    file.as_file().set_permissions(Permissions::from_mode(mode))?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Removes the files of this `form` that killed processes have left in `folder`. A file that a living process writes is locked, and
/// stays.
pub fn remove_leftovers(folder: &Path, form: Form) {
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        // The lock is held until the file is gone, so that nobody begins to write a file that is about to go.
        if let Some(_lock) = form.left(&path) {
            let _ = fs::remove_file(&path);
        }
    }
}

/// The copies in `folder`, each with the name of its file, the newest first; none where there is no such folder. Folders, links and
/// other files are no copies.
pub fn copies(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let regular = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut found: Vec<(u128, String, PathBuf)> = regular
        .filter_map(|entry| {
            let (name, time) = name_and_time(&entry.path())?;
            Some((time, name, entry.path()))
        })
        .collect();
    found.sort_by(|one, other| other.cmp(one));
    found.into_iter().map(|(_, name, path)| (name, path)).collect()
}

/// The copies in `folder` of the file called `name`, the newest first.
pub fn copies_of(folder: &Path, name: &str) -> Vec<PathBuf> {
    copies(folder).into_iter().filter(|(found, _)| found == name).map(|(_, path)| path).collect()
}

fn name_and_time(path: &Path) -> Option<(String, u128)> {
    let stem = path.file_stem().filter(|_| path.extension().is_some_and(|ending| ending == "json"))?;
    let (name, time) = stem.to_str()?.rsplit_once('-')?;
    let is_number = !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit());
    Some((name.to_owned(), time.parse().ok().filter(|_| is_number)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_told_from_other_files_and_come_the_newest_first() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["A-9.json", "A-10.json", "A-b-7.json", "A.json", "A-x.json", "A-+1.json", "A-5.txt"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::create_dir(folder.path().join("A-11.json")).unwrap();
        let names = |paths: Vec<PathBuf>| -> Vec<String> {
            paths.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
        };
        assert_eq!(names(copies_of(folder.path(), "A")), ["A-10.json", "A-9.json"]);
        assert_eq!(names(copies_of(folder.path(), "A-b")), ["A-b-7.json"]);
        assert!(copies(&folder.path().join("none")).is_empty());
    }
}
