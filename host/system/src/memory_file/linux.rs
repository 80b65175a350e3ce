//! Linux: memory files and their seals, found by other processes through `/proc`.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use memmap2::{Advice, MmapMut};
use rustix::fs::{MemfdFlags, Mode, OFlags, SealFlags, fcntl_add_seals, fcntl_get_seals, memfd_create, open};

/// Against every change.
const ALL: SealFlags =
    SealFlags::WRITE.union(SealFlags::GROW).union(SealFlags::SHRINK).union(SealFlags::SEAL);

/// How often a seal is asked for again, and the time between.
const SEAL_TRIES: u32 = 40;
const SEAL_PAUSE: Duration = Duration::from_millis(50);

pub fn create(name: &str) -> io::Result<File> {
    let made = memfd_create(name, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING);
    made.map(File::from).map_err(|error| explain_refusal(error.into()))
}

/// What to do about a system that makes no files in memory: a sandbox may forbid what the kernel has.
fn explain_refusal(error: io::Error) -> io::Error {
    let what = match error.raw_os_error().map(rustix::io::Errno::from_raw_os_error) {
        Some(rustix::io::Errno::NOSYS) => "this system has no such call",
        Some(rustix::io::Errno::PERM | rustix::io::Errno::ACCESS) => "this sandbox forbids it",
        _ => return error,
    };
    let message = format!(
        "expected in-memory files (`memfd_create`, Linux 3.17 or newer), through which workers receive code and \
         rows, found that {what}; run mteb-host where it is allowed"
    );
    io::Error::new(error.kind(), message)
}

pub fn seal(file: &File) -> io::Result<()> {
    // A machine short of memory moves pages, and while it holds one the kernel refuses the seal. What stays so has a mapping that
    // may be written.
    for _ in 0..SEAL_TRIES {
        match fcntl_add_seals(file, ALL) {
            Err(rustix::io::Errno::BUSY) => std::thread::sleep(SEAL_PAUSE),
            done => return Ok(done?),
        }
    }
    Ok(fcntl_add_seals(file, ALL)?)
}

pub fn keep_length(file: &File) -> io::Result<()> {
    Ok(fcntl_add_seals(file, SealFlags::SHRINK | SealFlags::SEAL)?)
}

pub fn written(file: &File) -> io::Result<u64> {
    /// The system counts in these, whatever a page has.
    const BLOCK: u64 = 512;
    let found = file.metadata()?;
    Ok(found.len().min(found.blocks() * BLOCK))
}

pub fn hand_on(file: &File) -> io::Result<i32> {
    Ok(file.as_raw_fd())
}

pub fn of_process(id: u32, number: i32) -> io::Result<File> {
    let path = format!("/proc/{id}/fd/{number}");
    // Open for reading only, so that it can be mapped although it is sealed.
    let file = open(Path::new(&path), OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK, Mode::empty())?;
    // Other files have no seals, which the system says as an error.
    match fcntl_get_seals(&file) {
        Ok(seals) if seals.contains(ALL) => Ok(File::from(file)),
        _ => Err(io::Error::new(ErrorKind::InvalidData, "expected a sealed memory file, found another")),
    }
}

pub fn path_of(file: &File) -> io::Result<PathBuf> {
    let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    if path.exists() {
        return Ok(path);
    }
    Err(io::Error::other("expected /proc, through which files in memory are opened, found none; mount it"))
}

pub fn keep_from_forks(map: &MmapMut) {
    // An old kernel that refuses it leaves them what they have had.
    let _ = map.advise(Advice::DontFork);
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_system_without_files_in_memory_is_told_from_one_that_has_no_room() {
        use rustix::io::Errno;

        for (errno, found) in [(Errno::NOSYS, "has no such call"), (Errno::PERM, "this sandbox forbids it")] {
            let said = explain_refusal(errno.into()).to_string();
            assert!(said.contains("`memfd_create`") && said.contains(found), "{said}");
        }
        let full = explain_refusal(Errno::MFILE.into());
        assert_eq!(full.raw_os_error(), Some(Errno::MFILE.raw_os_error()));
    }

    #[test]
    fn a_file_that_can_be_changed_is_refused() {
        let mut open = create("open").unwrap();
        open.write_all(b"rows").unwrap();
        let kept = create("kept").unwrap();
        kept.set_len(4).unwrap();
        keep_length(&kept).unwrap();
        assert!(kept.set_len(1).is_err() && kept.set_len(9).is_ok());
        let file = tempfile::tempfile().unwrap();
        for file in [&open, &kept, &file] {
            let error = of_process(std::process::id(), hand_on(file).unwrap()).unwrap_err();
            assert_eq!(error.to_string(), "expected a sealed memory file, found another");
        }
        seal(&open).unwrap();
        assert!(of_process(std::process::id(), hand_on(&open).unwrap()).is_ok());
        assert!(open.write_all(b"x").is_err() && open.set_len(1).is_err());
    }
}
