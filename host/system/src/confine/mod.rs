//! What a process gives up before it runs what others wrote. What the kernel does not offer is left out, and said.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod capabilities;
#[cfg(target_os = "linux")]
mod devices;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(test, not(target_os = "linux")))]
mod portable;
mod purpose;

use std::path::Path;

pub use purpose::{Purpose, Written};
use rustix::process::{Resource, Rlimit, getpgid, getppid, getrlimit, setpgid, setrlimit, setsid};

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use portable as system;

/// Leaves no core file.
pub fn without_core() {
    // A limit of one byte also keeps a core from a program that the system pipes it to.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(1), maximum: Some(1) });
}

/// More memory of its own than `bytes` is refused to this process and to each that it starts, for good.
pub fn bound_memory(bytes: u64) {
    let _ = setrlimit(Resource::Data, Rlimit { current: Some(bytes), maximum: Some(bytes) });
}

/// The same until another bound is set; never more than one that was set for good.
pub fn bound_memory_for_now(bytes: u64) {
    let maximum = getrlimit(Resource::Data).maximum;
    let current = Some(maximum.map_or(bytes, |maximum| maximum.min(bytes)));
    let _ = setrlimit(Resource::Data, Rlimit { current, maximum });
}

/// Where memory runs out, this process is to go before any other.
pub fn first_to_go() {
    system::first_to_go();
}

/// No program that this process starts gains rights.
pub fn without_new_rights() {
    system::without_new_rights();
}

/// Leaves the terminal of who started this process, and begins a session and a group of its own; true if that is done. Is called before
/// anything else runs here.
pub fn leave_terminal() -> bool {
    // Who leads a group begins no session: it goes back to the group of who started it for a moment.
    let leave = || {
        setpgid(None, Some(getpgid(getppid())?))?;
        setsid()
    };
    setsid().or_else(|_| leave()).is_ok()
}

/// Of the rights of the administrator this thread, and all that it starts, keeps but those to read.
pub fn without_rights() {
    system::without_rights();
}

/// Calls of the system by which a process would type into terminals, change or read other processes, or make devices are refused to this
/// thread and all that it starts, as are signals to the process `host`; true if the kernel refuses them.
pub fn refuse_calls(purpose: Purpose, host: u32) -> bool {
    system::refuse_calls(purpose, host)
}

/// Takes from this thread and all that it starts the right to write elsewhere than below `places`, to the devices of its `purpose` and
/// to where processes describe themselves, and to send signals to others. Devices are made nowhere.
pub fn write_only_below<'a>(places: impl IntoIterator<Item = &'a Path>, purpose: Purpose) -> Written {
    system::write_only_below(&mut places.into_iter(), purpose)
}

/// Takes the network from this thread and all that it starts; true if the kernel keeps them from it.
pub fn without_network() -> bool {
    system::without_network()
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};
    use std::path::PathBuf;
    use std::thread;

    use super::*;

    #[test]
    fn a_thread_without_the_network_reaches_none() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        // What is given up holds for the thread.
        let reaches = |give_up: fn() -> bool| {
            thread::spawn(move || (give_up(), TcpStream::connect(address).is_ok())).join().unwrap()
        };
        let (is_kept, is_reached) = reaches(without_network);
        if !is_kept {
            mteb_host_tests::skip("the kernel keeps no process from the network");
        }
        assert_eq!(is_reached, !is_kept);
        assert_eq!(reaches(portable::without_network), (false, true), "the twin says that it keeps nobody");
        assert!(TcpStream::connect(address).is_ok(), "other threads reach it");
    }

    #[test]
    fn a_thread_writes_where_it_may_and_nowhere_else() {
        type WriteOnly = fn(&mut dyn Iterator<Item = &Path>, Purpose) -> Written;
        let (left, right) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let places: [PathBuf; 2] = [left.path().to_owned(), right.path().to_owned()];
        let writes = |give_up: WriteOnly| {
            let places = places.clone();
            let written = move || {
                let written = give_up(&mut std::iter::once(places[0].as_path()), Purpose::Computation);
                (written.is_kept, places.map(|place| std::fs::write(place.join("file"), "text").is_ok()))
            };
            thread::spawn(written).join().unwrap()
        };
        let (is_kept, written) = writes(|places, purpose| write_only_below(places, purpose));
        assert_eq!(written, [true, !is_kept]);
        let (is_kept, written) = writes(portable::write_only_below);
        assert_eq!((is_kept, written), (false, [true, true]), "the twin says that it keeps nobody");
    }

    #[test]
    fn what_a_twin_cannot_take_it_leaves() {
        portable::first_to_go();
        portable::without_new_rights();
        portable::without_rights();
        assert!(!portable::refuse_calls(Purpose::Parser, 1));
        thread::spawn(|| {
            without_new_rights();
            assert!(cfg!(not(target_os = "linux")) || linux_says_no_new_rights());
        })
        .join()
        .unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_that_do_not_compute_are_not_written_to_and_none_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().to_owned();
        let opens = |path: &str| std::fs::OpenOptions::new().write(true).open(path).map(drop);
        let (written, found) = thread::spawn(move || {
            let written = write_only_below([place.as_path()], Purpose::Computation);
            (written, ["/dev/null", "/dev/full", "/dev/shm", "/dev/ptmx", "/dev/tty", "/dev/kmsg"].map(opens))
        })
        .join()
        .unwrap();
        if !written.is_kept {
            return mteb_host_tests::skip("the kernel keeps no process from writing");
        }
        let [null, full, shared, others @ ..] = found;
        assert!(null.is_ok() && full.is_ok());
        assert_eq!(shared.unwrap_err().kind(), std::io::ErrorKind::IsADirectory);
        assert!(others.iter().all(Result::is_err), "{others:?}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn of_the_rights_of_the_administrator_those_to_read_stay() {
        let said = thread::spawn(|| {
            without_new_rights();
            without_rights();
            let said =
                std::process::Command::new("grep").args(["^Cap", "/proc/self/status"]).output().unwrap();
            String::from_utf8(said.stdout).unwrap()
        })
        .join()
        .unwrap();
        // 2: to read whatever file; 14: to keep memory from being paged out.
        let kept = 1 << 2 | 1 << 14;
        for line in said
            .lines()
            .filter(|line| ["CapPrm", "CapEff", "CapInh", "CapAmb"].iter().any(|name| line.starts_with(name)))
        {
            let found = u64::from_str_radix(line.split_whitespace().nth(1).unwrap(), 16).unwrap();
            assert_eq!(found & !kept, 0, "{said}");
        }
        assert_eq!(said.lines().count(), 5, "{said}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn calls_by_which_a_process_would_reach_others_are_refused_and_usual_ones_are_not() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        use rustix::io::Errno;
        use rustix::process::{Pid, Resource, Rlimit, Signal, getppid, kill_process, prlimit};

        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().to_owned();
        let refusals = thread::spawn(move || {
            without_new_rights();
            if !refuse_calls(Purpose::Computation, std::process::id()) {
                return None;
            }
            let (parent, me) = (getppid().unwrap(), rustix::process::getpid());
            let limit = || Rlimit { current: Some(1 << 20), maximum: None };
            let pipe = mknodat(CWD, place.join("pipe"), FileType::Fifo, Mode::RUSR, 0);
            let device = mknodat(CWD, place.join("device"), FileType::CharacterDevice, Mode::RUSR, 0x103);
            let of_others = prlimit(Some(parent), Resource::Cpu, limit()).map(drop);
            let signal = kill_process(me, Signal::CONT);
            let none = Pid::from_raw(i32::MAX).unwrap();
            Some((pipe, [device, of_others, signal], kill_process(none, Signal::CONT)))
        })
        .join()
        .unwrap();
        let Some((pipe, refused, absent)) = refusals else {
            return mteb_host_tests::skip("the kernel filters no calls");
        };
        assert_eq!((pipe, absent), (Ok(()), Err(Errno::SRCH)));
        assert_eq!(refused, [Err(Errno::PERM); 3]);
    }

    fn linux_says_no_new_rights() -> bool {
        let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
        status.lines().any(|line| line.split_whitespace().eq(["NoNewPrivs:", "1"]))
    }
}
