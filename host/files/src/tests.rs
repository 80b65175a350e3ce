//! What is opened, what is refused with its kind, and what is too large.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;

use rustix::fs::{CWD, FileType, Mode, OFlags, fcntl_getfl, mknodat};

use super::*;

fn fifo(path: PathBuf) -> PathBuf {
    mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    path
}

#[test]
fn what_is_no_regular_file_is_refused_with_its_kind() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let _socket = UnixListener::bind(at("socket")).unwrap();
    symlink("/dev/zero", at("endless")).unwrap();
    symlink("loop", at("loop")).unwrap();
    for (path, expected) in [
        (fifo(at("pipe")), "expected a regular file, found a pipe"),
        (at("socket"), "expected a regular file, found a socket"),
        (at("endless"), "expected a regular file, found a device"),
        (PathBuf::from("/dev/null"), "expected a regular file, found a device"),
        (folder.path().to_owned(), "expected a regular file, found a folder"),
        (at("none"), "No such file or directory (os error 2)"),
        (at("loop"), "Too many levels of symbolic links (os error 40)"),
    ] {
        assert_eq!(open(&path).unwrap_err().to_string(), expected, "{}", path.display());
    }
}

#[test]
fn only_a_regular_file_or_nothing_may_be_written_anew() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("file"), "").unwrap();
    symlink("file", at("link")).unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    assert!(check_place(&at("file")).is_ok() && check_place(&at("none")).is_ok());
    for (path, kind) in [
        (at("link"), "a link"),
        (at("dangling"), "a link"),
        (fifo(at("pipe")), "a pipe"),
        (PathBuf::from("/dev/null"), "a device"),
        (folder.path().to_owned(), "a folder"),
    ] {
        let said = check_place(&path).unwrap_err().to_string();
        assert_eq!(said, format!("expected a regular file, found {kind}"), "{}", path.display());
    }
}

#[test]
fn a_regular_file_is_read_as_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    fs::File::create(&path).unwrap().write_all(b"satu").unwrap();
    symlink("a", folder.path().join("link")).unwrap();
    let file = open(&folder.path().join("link")).unwrap();
    assert!(!fcntl_getfl(&file).unwrap().contains(OFlags::NONBLOCK));
    assert_eq!(read_to_string(&path, 4).unwrap(), "satu");
    let error = read(&path, 3).unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (ErrorKind::FileTooLarge, "expected at most 3 bytes, found more")
    );
    fs::write(&path, b"a\xff").unwrap();
    let error = read_to_string(&path, 4).unwrap_err();
    assert_eq!(error.to_string(), "expected UTF-8 text, found other bytes from byte 2 on");
}

#[test]
fn what_no_machine_has_is_refused_before_it_is_taken() {
    check_room::<f32>(1 << 10).unwrap();
    for count in [usize::MAX, 1 << 46] {
        let error = check_room::<f32>(count).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutOfMemory);
        assert!(error.to_string().contains(&format!("{} bytes", count as u128 * 4)), "{error}");
    }
}
