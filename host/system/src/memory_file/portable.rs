//! Other systems: files of the temporary folder that have no name any more. There are no seals: whoever was given such a file can
//! change it. What comes from another process is copied, so that what was taken stays as it was.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::PathBuf;

use memmap2::MmapMut;
use rustix::fs::OFlags;

/// Only the user reads and writes it.
const PRIVATE: u32 = 0o600;

pub fn create(_name: &str) -> io::Result<File> {
    tempfile::tempfile()
}

pub fn seal(_file: &File) -> io::Result<()> {
    Ok(())
}

pub fn keep_length(_file: &File) -> io::Result<()> {
    Ok(())
}

pub fn written(file: &File) -> io::Result<u64> {
    Ok(file.metadata()?.len())
}

pub fn hand_on(file: &File) -> io::Result<i32> {
    let number = file.as_raw_fd();
    let place = place(std::process::id(), number);
    // What a process of the same number has left there goes; of another user it cannot, and the next line says so.
    let _ = fs::remove_file(&place);
    let mut handed = OpenOptions::new().write(true).create_new(true).mode(PRIVATE).open(&place)?;
    let mut file = file;
    file.rewind()?;
    io::copy(&mut file, &mut handed)?;
    Ok(number)
}

pub fn of_process(id: u32, number: i32) -> io::Result<File> {
    let place = place(id, number);
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let mut handed = OpenOptions::new().read(true).custom_flags(flags).open(&place)?;
    let found = handed.metadata()?;
    let is_ours = found.is_file() && found.uid() == rustix::process::geteuid().as_raw();
    if !is_ours || found.mode() & 0o777 != PRIVATE {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "expected a file that this user alone may change, found another",
        ));
    }
    fs::remove_file(&place)?;
    let mut own = tempfile::tempfile()?;
    io::copy(&mut handed, &mut own)?;
    own.rewind()?;
    Ok(own)
}

pub fn path_of(mut file: &File) -> io::Result<PathBuf> {
    let path = PathBuf::from(format!("/dev/fd/{}", file.as_raw_fd()));
    if !path.exists() {
        return Err(io::Error::other(
            "expected /dev/fd, through which files without a name are opened, found none; mount it",
        ));
    }
    // Some systems open the same file once more here, with its place for reading and writing.
    file.rewind()?;
    Ok(path)
}

pub fn keep_from_forks(_map: &MmapMut) {}

/// Where the process `id` puts what it hands on as `number`.
fn place(id: u32, number: i32) -> PathBuf {
    // Not where `TMPDIR` says: a process that parses data has no environment.
    PathBuf::from(format!("/tmp/mteb-host-{id}-{number}"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn what_is_handed_on_is_taken_once_and_from_nobody_else() {
        let (file, me) = (create("").unwrap(), std::process::id());
        keep_length(&file).unwrap();
        let number = hand_on(&file).unwrap();
        of_process(me, number).unwrap();
        assert_eq!(of_process(me, number).unwrap_err().kind(), io::ErrorKind::NotFound);

        hand_on(&file).unwrap();
        fs::set_permissions(place(me, number), fs::Permissions::from_mode(0o666)).unwrap();
        let error = of_process(me, number).unwrap_err();
        assert_eq!(error.to_string(), "expected a file that this user alone may change, found another");

        fs::remove_file(place(me, number)).unwrap();
        let other = tempfile::NamedTempFile::new().unwrap();
        symlink(other.path(), place(me, number)).unwrap();
        assert!(of_process(me, number).is_err(), "a link leads elsewhere");
        fs::remove_file(place(me, number)).unwrap();
    }
}
