//! The libraries in a folder of plugins.

use std::env::consts::DLL_EXTENSION;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Libraries of a folder, of which each may cost a process, a hash and a line.
pub const MOST_LIBRARIES: usize = 256;

/// How the plugins of this project are named.
const OURS: &str = "libmteb_";

/// The libraries right in `folder`, sorted; only those that are named as this project's where others lie there too.
///
/// # Errors
/// If the folder cannot be read, or holds more of them than are looked at.
pub fn library_files(folder: &Path, only_ours: bool) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_library = path.extension().is_some_and(|extension| extension == DLL_EXTENSION);
        if is_library && (!only_ours || name.starts_with(OURS)) {
            files.push(path);
        }
        if files.len() > MOST_LIBRARIES {
            return Err(io::Error::other(format!(
                "expected at most {MOST_LIBRARIES} libraries (`NAME.{DLL_EXTENSION}`) in it, found more, \
                 and loaded none; move away what is not a plugin"
            )));
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_too_many_libraries_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: String| fs::write(folder.path().join(name), "").unwrap();
        (0..MOST_LIBRARIES).for_each(|number| write(format!("libmteb_{number}.{DLL_EXTENSION}")));
        (0..MOST_LIBRARIES).for_each(|number| write(format!("other{number}.{DLL_EXTENSION}")));
        assert_eq!(library_files(folder.path(), true).unwrap().len(), MOST_LIBRARIES);
        let said = library_files(folder.path(), false).unwrap_err().to_string();
        let expected = format!("expected at most 256 libraries (`NAME.{DLL_EXTENSION}`) in it, found more");
        assert!(said.starts_with(&expected), "{said}");
    }
}
