//! Files that are either whole or absent.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use crate::leftover::{Form, mark};
use crate::temporary::{locked_file, persist, remove_leftovers};
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
