//! Opens files that others have named, and writes files whole. Only regular files are opened: a pipe would wait for a writer, a device
//! has no end.

mod beat;
mod claim;
mod digest;
mod leftover;
mod locked_folder;
mod names;
mod owner;
mod visible;
mod wait;
mod write;

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use rustix::fs::{
    FileType, Mode, OFlags, RawMode, fcntl_getfl, fcntl_setfl, fstat, lstat, open as open_file, stat,
};

pub use claim::{Attempt, Claim, Claimant, Holder, is_lost};
pub use digest::{digest, hex, sha256};
pub use leftover::Form;
pub use locked_folder::LockedFolder;
pub use names::{folder_name, own_name};
pub use owner::Owner;
pub use visible::{visible, visible_line};
pub use wait::stop_waiting;
pub use write::{copies, copies_of, locked_file, persist, remove_leftovers, write};

/// Opens the file at `path` for reading. Never waits, and never opens what is no regular file, links followed.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] with the kind of what is there, if it is no regular file; else what the system says.
pub fn open(path: &Path) -> io::Result<File> {
    // Looked at before: to open a device may already do something.
    check(path)?;
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = open_file(path, flags, Mode::empty())?;
    // Something else may have taken its place meanwhile.
    expect_regular(fstat(&file)?.st_mode)?;
    let flags = fcntl_getfl(&file)?;
    fcntl_setfl(&file, flags - OFlags::NONBLOCK)?;
    Ok(File::from(file))
}

/// Checks that `path`, links followed, leads to a regular file, without opening it.
///
/// # Errors
/// As [`open`].
pub fn check(path: &Path) -> io::Result<()> {
    expect_regular(stat(path)?.st_mode)
}

/// Checks that `path` can be written anew by [`write()`]: that a regular file is there, or nothing. A link is none, for it would be
/// replaced, and so would a pipe or a device.
///
/// # Errors
/// As [`open`].
pub fn check_place(path: &Path) -> io::Result<()> {
    match lstat(path) {
        Err(rustix::io::Errno::NOENT) => Ok(()),
        found => expect_regular(found?.st_mode),
    }
}

/// Opens the file at `path` to add to its end; it is made if nothing is there. A link is refused wherever it leads, for others may have
/// chosen the place.
///
/// # Errors
/// As [`open`].
pub fn append(path: &Path) -> io::Result<File> {
    check_place(path)?;
    let flags = OFlags::WRONLY
        | OFlags::APPEND
        | OFlags::CREATE
        | OFlags::CLOEXEC
        | OFlags::NOFOLLOW
        | OFlags::NONBLOCK;
    let file = open_file(path, flags, Mode::from_raw_mode(0o666))?;
    expect_regular(fstat(&file)?.st_mode)?;
    Ok(File::from(file))
}

/// The content of the regular file at `path`, which may have `limit` bytes.
///
/// # Errors
/// As [`open`]; [`ErrorKind::FileTooLarge`] with the limit if the file is larger.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let message = format!("expected at most {limit} bytes, found more");
        return Err(io::Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// The text of the regular file at `path`, which may have `limit` bytes.
///
/// # Errors
/// As [`read`]; [`ErrorKind::InvalidData`] if it is no UTF-8.
pub fn read_to_string(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(read(path, limit)?).map_err(|error| {
        let place = error.utf8_error().valid_up_to() + 1;
        let message = format!("expected UTF-8 text, found other bytes from byte {place} on");
        io::Error::new(ErrorKind::InvalidData, message)
    })
}

/// Bytes of the largest small text: cards, locks, prompts, results.
pub const TEXT: u64 = 256 << 20;

fn expect_regular(mode: RawMode) -> io::Result<()> {
    let kind = match FileType::from_raw_mode(mode) {
        FileType::RegularFile => return Ok(()),
        FileType::Directory => "a folder",
        FileType::Symlink => "a link",
        FileType::Fifo => "a pipe",
        FileType::Socket => "a socket",
        FileType::CharacterDevice | FileType::BlockDevice => "a device",
        _ => "something else",
    };
    let message = format!("expected a regular file, found {kind}");
    Err(io::Error::new(ErrorKind::InvalidInput, message))
}

/// Checks that there is room for `count` of `T`, before it is taken: a program ends where memory that it takes is refused.
///
/// # Errors
/// [`ErrorKind::OutOfMemory`] with the number of bytes, if the system refuses them.
pub fn check_room<T>(count: usize) -> io::Result<()> {
    Vec::<T>::new().try_reserve_exact(count).map_err(|_| {
        let bytes = count as u128 * size_of::<T>() as u128;
        io::Error::new(
            ErrorKind::OutOfMemory,
            format!("the system refuses the {bytes} bytes of memory that it asks for"),
        )
    })
}

#[cfg(test)]
mod tests;
