//! What a process gives up before it runs what others wrote. What the kernel does not offer is skipped, and reported.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod linux;
mod purpose;

use std::path::Path;

pub use purpose::{Purpose, Written};

#[cfg(target_os = "linux")]
use linux as system;
use rustix::process::{Resource, Rlimit, getpgid, getppid, getrlimit, setpgid, setrlimit, setsid};

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

/// Other processes of this user, those that this one starts among them, see neither its memory, its open files nor its variables, where
/// the system can hide them; true if it does.
pub fn hide() -> bool {
    system::hide()
}

/// The same, where nothing else keeps workers from looking.
pub fn hide_where_workers_look() {
    system::hide_where_workers_look();
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

/// Calls of the system by which a process would type into terminals, change or read other processes, have signals sent to them, or make
/// devices are refused to this thread and all that it starts, as are signals to the process `host`; true if the kernel refuses them.
/// `written` is what the kernel keeps it from already.
pub fn refuse_calls(purpose: Purpose, written: Written, host: u32) -> bool {
    system::refuse_calls(purpose, written, host)
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

#[cfg(any(test, not(target_os = "linux")))]
mod portable {
    //! Other systems: nothing is given up, and nobody is told anything else.

    use std::path::Path;

    use super::purpose::{Purpose, Written};

    pub fn first_to_go() {}

    pub fn hide() -> bool {
        false
    }

    pub fn hide_where_workers_look() {}

    pub fn without_new_rights() {}

    pub fn without_rights() {}

    pub fn refuse_calls(_purpose: Purpose, _written: Written, _host: u32) -> bool {
        false
    }

    pub fn write_only_below(_places: &mut dyn Iterator<Item = &Path>, _purpose: Purpose) -> Written {
        Written::default()
    }

    pub fn without_network() -> bool {
        false
    }
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
        assert!(!portable::hide());
        portable::hide_where_workers_look();
        assert!(!portable::refuse_calls(Purpose::Parser, Written::default(), 1));
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
            if !refuse_calls(Purpose::Computation, Written::default(), std::process::id()) {
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

    /// A process has itself or another one told by the kernel when a file can be read, by any signal that it names.
    #[cfg(target_os = "linux")]
    #[allow(unsafe_code, reason = "nothing safe makes these calls of the system")]
    #[test]
    fn nobody_has_the_kernel_send_signals_to_others() {
        const TO_OWNER: libc::c_int = 10;
        const OWNER: libc::c_int = 8;
        const ITS_OWNER: libc::c_int = 15;
        const A_PROCESS: libc::c_int = 1;
        let refusals = thread::spawn(|| {
            without_new_rights();
            if !refuse_calls(Purpose::Computation, Written::default(), std::process::id()) {
                return None;
            }
            let (stream, _other) = std::os::unix::net::UnixStream::pair().unwrap();
            let stream = std::os::fd::AsRawFd::as_raw_fd(&stream);
            let process = libc::pid_t::try_from(std::process::id()).unwrap();
            let owner = [A_PROCESS, process];
            let said = |result: libc::c_int| {
                if result == 0 { None } else { std::io::Error::last_os_error().raw_os_error() }
            };
            // SAFETY: the calls take numbers, and pointers to what lives until they return and is as long as they read.
            Some(unsafe {
                [
                    said(libc::fcntl(stream, OWNER, process)),
                    said(libc::fcntl(stream, OWNER, -process)),
                    said(libc::fcntl(stream, ITS_OWNER, owner.as_ptr())),
                    said(libc::fcntl(stream, TO_OWNER, libc::SIGKILL)),
                    said(libc::ioctl(stream, 0x8901, &raw const process)),
                    said(libc::ioctl(stream, 0x8902, &raw const process)),
                    said(libc::fcntl(stream, libc::F_SETFL, libc::O_NONBLOCK)),
                    said(libc::fcntl(stream, libc::F_SETFD, libc::FD_CLOEXEC)),
                ]
            })
        });
        let Some(refusals) = refusals.join().unwrap() else {
            return mteb_host_tests::skip("the kernel filters no calls");
        };
        let refused = Some(libc::EPERM);
        assert_eq!(refusals, [refused, refused, refused, refused, refused, refused, None, None]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_hidden_process_is_closed_to_others_of_its_user() {
        // As the administrator sees all, the one who looks gives up those rights.
        let script = "ls /proc/$PPID/fd >&2 && cat /proc/$PPID/environ >&2 && echo open";
        let sees = move || {
            let found = thread::spawn(move || {
                without_new_rights();
                without_rights();
                std::process::Command::new("sh").args(["-c", script]).output().unwrap()
            });
            found.join().unwrap().stdout == b"open\n"
        };
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "confine::tests::hidden", "--include-ignored", "--nocapture"])
            .output()
            .unwrap();
        // Who has an administrator's rights is closed to all who have fewer, hidden or not.
        assert!(rustix::process::geteuid().is_root() || sees(), "who is not hidden is open");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }

    /// What the test above starts, as it holds for a process.
    #[cfg(target_os = "linux")]
    #[ignore = "started by another test"]
    #[test]
    fn hidden() {
        assert!(hide());
        let looked = thread::spawn(|| {
            without_new_rights();
            without_rights();
            // An administrator's process may list the files, but open neither them nor what else is hidden.
            std::process::Command::new("sh").args(["-c", "cat /proc/$PPID/environ"]).output().unwrap()
        });
        assert!(!looked.join().unwrap().status.success());
        // It goes on to find its own files.
        assert!(std::fs::read_dir("/proc/self/fd").unwrap().count() > 2);
    }

    fn linux_says_no_new_rights() -> bool {
        let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
        status.lines().any(|line| line.split_whitespace().eq(["NoNewPrivs:", "1"]))
    }
}
