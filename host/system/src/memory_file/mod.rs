//! Files in memory that no folder holds, which can be shut against changes, and which one process hands to another.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(test, not(target_os = "linux")))]
mod portable;

use std::fs::File;
use std::io;
use std::path::PathBuf;

use memmap2::MmapMut;
use rustix::io::FdFlags;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use portable as system;

/// A new empty file. Programs that this one starts do not inherit it.
///
/// # Errors
/// If the system gives none.
pub fn create(name: &str) -> io::Result<File> {
    system::create(name)
}

/// Keeps everybody from changing a file that [`create`] gave, where the system can.
///
/// # Errors
/// If the file is of another kind, or is mapped for writing.
pub fn seal(file: &File) -> io::Result<()> {
    system::seal(file)
}

/// Keeps everybody from making a file that [`create`] gave shorter, where the system can.
///
/// # Errors
/// If the file is of another kind.
pub fn keep_length(file: &File) -> io::Result<()> {
    system::keep_length(file)
}

/// Bytes of a file that [`create`] gave that somebody has written: it costs nothing to say that one is long.
///
/// # Errors
/// If the system does not say.
pub fn written(file: &File) -> io::Result<u64> {
    system::written(file)
}

/// Lets another process of this user take a file that [`seal`] has shut, for as long as the file is open here: the number by which
/// [`of_process`] finds it.
///
/// # Errors
/// If the system refuses it.
pub fn hand_on(file: &File) -> io::Result<i32> {
    system::hand_on(file)
}

/// The file that the process `id` has handed on as `number`, for reading. Nobody can change it any more.
///
/// # Errors
/// If there is none, or it could still be changed.
pub fn of_process(id: u32, number: i32) -> io::Result<File> {
    system::of_process(id, number)
}

/// A path by which this process, and one that inherits the file, opens it and reads and writes from its start.
///
/// # Errors
/// If the system has none.
pub fn path_of(file: &File) -> io::Result<PathBuf> {
    system::path_of(file)
}

/// Keeps what is mapped from processes that this one becomes by `fork` and that start no other program, where the system can.
pub fn keep_from_forks(map: &MmapMut) {
    system::keep_from_forks(map);
}

/// Says whether programs that this one starts inherit the file.
///
/// # Errors
/// If the system refuses it.
pub fn inherit(file: &File, is_inherited: bool) -> io::Result<()> {
    let flags = if is_inherited { FdFlags::empty() } else { FdFlags::CLOEXEC };
    Ok(rustix::io::fcntl_setfd(file, flags)?)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_file_is_opened_by_its_path_from_its_start() {
        type Twin = (fn(&str) -> io::Result<File>, fn(&File) -> io::Result<PathBuf>);
        let twins: [Twin; 2] = [(create, path_of), (portable::create, portable::path_of)];
        for (create, path_of) in twins {
            let mut file = create("test").unwrap();
            file.write_all(b"rows").unwrap();
            let path = path_of(&file).unwrap();
            assert_eq!(fs::read(path).unwrap(), b"rows");
            let mut again = fs::OpenOptions::new().write(true).open(path_of(&file).unwrap()).unwrap();
            again.write_all(b"more").unwrap();
            assert_eq!(fs::read(path_of(&file).unwrap()).unwrap(), b"more");
        }
    }

    #[test]
    fn a_file_that_is_only_long_has_nothing_written_in_it() {
        let mut file = create("test").unwrap();
        file.set_len(1 << 40).unwrap();
        assert!(written(&file).unwrap() == 0 || cfg!(not(target_os = "linux")));
        file.set_len(0).unwrap();
        file.write_all(&[0; 10_000]).unwrap();
        assert_eq!((written(&file).unwrap(), portable::written(&file).unwrap()), (10_000, 10_000));
    }

    #[test]
    fn a_map_that_forks_do_not_get_is_what_it_was() {
        for keep in [keep_from_forks, portable::keep_from_forks] {
            let mut map = MmapMut::map_anon(8).unwrap();
            map.copy_from_slice(b"the rows");
            keep(&map);
            assert_eq!(&map[..], b"the rows");
        }
    }

    #[test]
    fn a_program_inherits_a_file_only_where_that_is_said() {
        for create in [create as fn(&str) -> io::Result<File>, portable::create] {
            let mut file = create("test").unwrap();
            file.write_all(b"rows").unwrap();
            let read = || {
                let cat = Command::new("cat").arg(path_of(&file).unwrap()).stderr(Stdio::null()).output();
                cat.unwrap().stdout
            };
            assert_eq!(read(), b"");
            inherit(&file, true).unwrap();
            assert_eq!(read(), b"rows");
            inherit(&file, false).unwrap();
            assert_eq!(read(), b"");
        }
    }

    #[test]
    fn what_was_taken_from_another_process_stays_as_it_was() {
        // This process stands for both.
        let me = std::process::id();
        type Twin = (
            fn(&str) -> io::Result<File>,
            fn(&File) -> io::Result<()>,
            fn(&File) -> io::Result<i32>,
            fn(u32, i32) -> io::Result<File>,
        );
        let twins: [Twin; 2] = [
            (create, seal, hand_on, of_process),
            (portable::create, portable::seal, portable::hand_on, portable::of_process),
        ];
        for (create, seal, hand_on, of_process) in twins {
            let mut file = create("rows").unwrap();
            file.write_all(b"rows").unwrap();
            seal(&file).unwrap();
            let taken = of_process(me, hand_on(&file).unwrap()).unwrap();
            let _ = file.write_all(b"other");
            let _ = file.set_len(1);
            assert_eq!(io::read_to_string(&taken).unwrap(), "rows");
            assert!(of_process(me, 1_000_000).is_err());
        }
    }
}
