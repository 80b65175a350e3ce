//! Files and folders below a folder of the cache: what is there is looked at before it is opened, and nothing of another
//! kind is ever followed, opened or removed.

use std::fs::{self, FileType, Metadata};
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use crate::HubError;

/// Makes the folders of `relative` below `base`; each below it is a real folder, for a link could lead out.
pub(crate) fn make_folders(base: &Path, relative: &Path) -> Result<PathBuf, HubError> {
    fs::create_dir_all(base).map_err(|source| io_error(base, source))?;
    let mut folder = base.to_owned();
    for part in relative.components() {
        folder.push(part);
        match fs::create_dir(&folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(io_error(&folder, error));
            }
            _ => expect(&folder, "a folder", FileType::is_dir)?,
        };
    }
    Ok(folder)
}

/// Checks that `path` is a regular file or nothing, and gives what it is.
pub(crate) fn file_or_nothing(path: &Path) -> Result<Option<Metadata>, HubError> {
    expect(path, "a file", FileType::is_file)
}

/// What is at `path`, if anything is; a link is a link.
pub(crate) fn found(path: &Path) -> Result<Option<Metadata>, HubError> {
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io_error(path, error)),
    }
}

/// The error that `path` is of another kind than expected.
pub(crate) fn other_kind(path: &Path, expected: &'static str, found: FileType) -> HubError {
    HubError::Kind { path: path.to_owned(), expected, found: kind(found).to_owned() }
}

pub(crate) fn io_error(path: &Path, source: io::Error) -> HubError {
    HubError::Io { path: path.to_owned(), source }
}

fn expect(
    path: &Path,
    expected: &'static str,
    is_so: impl Fn(&FileType) -> bool,
) -> Result<Option<Metadata>, HubError> {
    match found(path)? {
        Some(found) if !is_so(&found.file_type()) => Err(other_kind(path, expected, found.file_type())),
        found => Ok(found),
    }
}

fn kind(found: FileType) -> &'static str {
    match found {
        found if found.is_dir() => "a folder",
        found if found.is_symlink() => "a link",
        found if found.is_fifo() => "a named pipe",
        found if found.is_socket() => "a socket",
        found if found.is_char_device() || found.is_block_device() => "a device",
        _ => "a file",
    }
}
