//! Temporary files that take the place of others once they are whole, and what killed processes have left of them.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::leftover::Form;

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
