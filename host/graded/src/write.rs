//! Files that are there as a whole or not at all.

use std::io::{self, Write};
use std::path::Path;

use crate::GradedError;

/// Writes `bytes` to a file of a temporary name beside `path`, flushes it, and gives it its name.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), GradedError> {
    let written = || -> io::Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new().prefix(".graded").tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    written().map_err(|error| GradedError::file(path, "write", error))
}
