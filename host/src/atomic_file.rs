//! Files that are either whole or absent.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// Writes `bytes` to `path`: into a temporary file beside it, flushed to the disk, then renamed.
///
/// # Errors
/// If the folder cannot be made or the file cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = NamedTempFile::with_prefix_in(".tmp-", folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    make_readable(&file)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// A temporary file is private; a result is to be read by others as any new file is.
#[cfg(unix)]
fn make_readable(file: &NamedTempFile) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &NamedTempFile) -> io::Result<()> {
    Ok(())
}
