//! One piece of rows in a memory file, which nobody can change any more once the other side looks into it.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use mteb_data::Table;
use mteb_data::mapped::{RecordFault, Recorded, Recorder};
use rustix::fs::{MemfdFlags, Mode, OFlags, SealFlags, fcntl_add_seals, fcntl_get_seals, memfd_create, open};

/// Key of a piece: it is read where it was asked for.
const KEY: &str = "piece";

/// Bytes that are written at a time.
const BUFFER: usize = 1 << 18;

/// Writes the `table` that a reader of the file called `place` gave for `limit` rows.
///
/// # Errors
/// If there is no memory for it.
pub fn write(place: &str, limit: usize, table: &Table) -> io::Result<OwnedFd> {
    let file = File::from(memfd_create("mteb-host-rows", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?);
    let mut recorder = Recorder::new(BufWriter::with_capacity(BUFFER, file), KEY);
    recorder.add(place, limit, table)?;
    let file = recorder.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
    fcntl_add_seals(&file, sealed())?;
    Ok(file.into())
}

/// The memory file that the process `id` holds as `descriptor`.
///
/// # Errors
/// If there is none, or it can still be changed.
pub fn of_process(id: u32, descriptor: i32) -> io::Result<File> {
    let path = format!("/proc/{id}/fd/{descriptor}");
    // Open for reading only, so that it can be mapped although it is sealed.
    let file = open(Path::new(&path), OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK, Mode::empty())?;
    expect_sealed(file.as_fd())?;
    Ok(File::from(file))
}

/// The rows in a sealed memory file, of the file called `place`, of which `limit` rows were asked for.
///
/// # Errors
/// If it holds something else.
pub fn read(file: File, place: &str, limit: usize) -> Result<Table, RecordFault> {
    let table = Recorded::open(file, KEY)?.read(place, limit)?;
    table
        .ok_or_else(|| RecordFault::Damaged("expected the rows that were asked for, found others".to_owned()))
}

fn sealed() -> SealFlags {
    SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL
}

fn expect_sealed(file: impl AsFd) -> io::Result<()> {
    // Other files have no seals, which the system says as an error.
    match fcntl_get_seals(file) {
        Ok(seals) if seals.contains(sealed()) => Ok(()),
        _ => Err(io::Error::new(ErrorKind::InvalidData, "expected a sealed memory file, found another")),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::FileExt;

    use super::*;

    fn table() -> Table {
        mteb_data::read_json_lines("a.jsonl", b"{\"a\": \"satu\", \"n\": 1}\n{\"a\": \"dua\", \"n\": null}\n")
            .unwrap()
    }

    #[test]
    fn rows_come_back_and_nobody_can_change_them() {
        let written = write("a.jsonl", 5, &table()).unwrap();
        let file = of_process(std::process::id(), written.as_raw_fd()).unwrap();
        let back = read(file, "a.jsonl", 5).unwrap();
        assert_eq!(back, table());
        let written = File::from(written);
        assert!(written.write_at(b"x", 0).is_err() && written.set_len(0).is_err());
        assert_eq!(back, table());
    }

    #[test]
    fn a_file_that_can_be_changed_is_refused() {
        let mut open = File::from(memfd_create("open", MemfdFlags::ALLOW_SEALING).unwrap());
        open.write_all(b"rows").unwrap();
        let file = tempfile::tempfile().unwrap();
        for descriptor in [open.as_raw_fd(), file.as_raw_fd()] {
            let error = of_process(std::process::id(), descriptor).unwrap_err();
            assert_eq!(error.to_string(), "expected a sealed memory file, found another");
        }
        assert!(of_process(std::process::id(), 1_000_000).is_err());
    }
}
