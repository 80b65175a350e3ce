//! What the system knows of a process and of those that it started. Linux says it in `/proc`; elsewhere little is known.

mod family;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(test, not(target_os = "linux")))]
mod portable;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use family::Life;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use portable as system;

/// The running program: what lies under its name may have been replaced since.
///
/// # Errors
/// If the system does not say what runs.
pub fn image() -> io::Result<PathBuf> {
    system::image()
}

/// What is missing on this machine for workers to be started, if anything is.
pub fn missing() -> Option<&'static str> {
    system::missing()
}

/// Keeps all files that this process was started with, but for its three streams, from the programs that it starts: a shell may have left
/// a terminal open there.
pub fn keep_files_from_programs() {
    system::keep_files_from_programs();
}

/// True if the system makes what lies at `path` again for each process that looks, as `/proc/self/cwd` or `/dev/fd/3`.
pub fn is_made_for_each(path: &Path, is_link: bool) -> bool {
    system::is_made_for_each(path, is_link)
}

/// The files that a process has mapped, its libraries among them, sorted; of this one if none is named. None where the system does
/// not say.
pub fn mapped_files(process: Option<u32>) -> Vec<PathBuf> {
    system::mapped_files(process)
}

/// The processes that any thread of `process` has started; none where the system does not say.
pub fn children(process: u32) -> Vec<u32> {
    system::children(process)
}

/// Processor time of a process and its family so far, user and system, of all threads; of this one alone if none is named. Nothing where
/// the system does not say.
pub fn processor_time(process: Option<u32>) -> Option<Duration> {
    family::sum(process, system::children, system::processor_time)
}

/// The most memory of a process that was resident at any time, in bytes, and that of each of its family beside it; of this one alone if
/// none is named. A model in Python lives in the interpreter that its worker started.
pub fn peak_memory(process: Option<u32>) -> Option<u64> {
    family::sum(process, system::children, system::peak_memory)
}

/// The same of the process alone.
pub fn own_peak_memory(process: Option<u32>) -> Option<u64> {
    system::peak_memory(process)
}

/// Resident memory of a process now, in bytes, without mapped files and shared memory.
pub fn anonymous_memory(process: Option<u32>) -> Option<u64> {
    system::anonymous_memory(process)
}

/// Resident memory of a process and of its family now, in bytes, shared memory included; `None` where the system does not say.
pub fn resident_memory(process: u32) -> Option<u64> {
    family::sum(Some(process), system::children, system::resident_memory)
}

/// A process's family: those that it started, and that these started.
pub fn descendants(process: u32) -> Vec<u32> {
    family::family(process, system::children)
}

/// Bytes of address space of this process; `None` where the system does not say.
pub fn address_space() -> Option<u64> {
    system::address_space()
}

/// Bytes of this process that count against a bound of its memory ([`crate::confine::bound_memory`]); `None` where the system does
/// not say.
pub fn bounded_memory() -> Option<u64> {
    system::bounded_memory()
}

/// Words that are the same for all processes to which one number means one process, and for no others: those of this boot of this
/// machine that share a space of numbers. `None` where the system does not say.
pub fn numbering() -> Option<String> {
    system::numbering()
}

/// What is known of the life of a process; `None` where the system does not say.
pub fn life(process: u32) -> Option<Life> {
    system::life(process)
}

/// True if the process that was called `process` and `began` then is certainly not there any more.
pub fn is_gone(process: u32, began: u64) -> bool {
    let id = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
    let Some(id) = id else { return true };
    // What one may not see of others is no sign of their end.
    if rustix::process::test_kill_process(id) == Err(rustix::io::Errno::SRCH) {
        return true;
    }
    life(process).is_some_and(|life| life.has_ended || life.began != began)
}

/// The signals that this process ignores; none where the system does not say.
pub fn ignored_signals() -> Vec<i32> {
    system::ignored_signals()
}

/// The numbers of the processors on which this process may run; none where the system does not say.
pub fn core_numbers() -> Vec<usize> {
    system::core_numbers()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::process::CommandExt;
    use std::process::Command;
    use std::time::Instant;

    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_works_and_takes_memory_is_seen_to() {
        let before = processor_time(None).unwrap();
        let mut memory = vec![1u8; 64 << 20];
        while processor_time(None).unwrap() == before {
            memory.iter_mut().for_each(|byte| *byte = byte.wrapping_mul(3));
        }
        assert!(peak_memory(None).unwrap() >= 64 << 20, "{}", memory[0]);
        assert!(anonymous_memory(None).unwrap() >= 64 << 20);
        assert!(address_space().unwrap() >= 64 << 20 && bounded_memory().unwrap() >= 64 << 20);
        assert_eq!(own_peak_memory(Some(std::process::id())), own_peak_memory(None));
        assert_eq!(processor_time(Some(u32::MAX)), None, "no such process");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_process_has_started_counts_with_it() {
        let script = "dd if=/dev/zero of=/dev/null bs=64M count=100000 & wait";
        let mut shell = Command::new("sh").args(["-c", script]).process_group(0).spawn().unwrap();
        let process = Some(shell.id());
        let begin = Instant::now();
        while peak_memory(process).unwrap() < 64 << 20 && begin.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let (all, own) = (peak_memory(process).unwrap(), own_peak_memory(process).unwrap());
        let group = rustix::process::Pid::from_child(&shell);
        rustix::process::kill_process_group(group, rustix::process::Signal::KILL).unwrap();
        shell.wait().unwrap();
        assert!(all >= 64 << 20 && own < 64 << 20, "{all} of all, {own} of the shell");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_runs_is_among_the_files_that_are_mapped() {
        let program = fs::canonicalize(image().unwrap()).unwrap();
        for process in [None, Some(std::process::id())] {
            assert!(mapped_files(process).contains(&program));
        }
        assert_eq!(mapped_files(Some(u32::MAX)), Vec::<PathBuf>::new());
        assert_eq!(missing(), None);
    }

    #[test]
    fn a_signal_that_was_ignored_at_the_start_is_known() {
        let script = "trap '' HUP; exec \"$0\" --exact process::tests::signals --include-ignored --nocapture";
        let mut test = Command::new("sh");
        let output = test.args(["-c", script]).arg(std::env::current_exe().unwrap()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains("ignored: [1,") || cfg!(not(target_os = "linux")), "{said}");
    }

    /// What the test above starts.
    #[ignore = "started by another test"]
    #[test]
    fn signals() {
        println!("ignored: {:?}", ignored_signals());
    }

    #[test]
    fn the_twin_names_the_program_and_says_that_it_knows_no_more() {
        let is_own = |path: &str, is_link| portable::is_made_for_each(Path::new(path), is_link);
        assert_eq!(portable::image().unwrap(), std::env::current_exe().unwrap());
        assert_eq!((portable::missing(), portable::mapped_files(None)), (None, Vec::new()));
        assert_eq!((portable::children(1), portable::ignored_signals()), (Vec::new(), Vec::new()));
        assert_eq!(portable::core_numbers(), Vec::<usize>::new());
        assert_eq!(family::sum(Some(1), portable::children, portable::processor_time), None);
        assert_eq!([portable::peak_memory(None), portable::anonymous_memory(None)], [None; 2]);
        assert_eq!(family::sum(Some(1), portable::children, portable::resident_memory), None);
        portable::keep_files_from_programs();
        assert_eq!((portable::numbering(), portable::life(1)), (None, None));
        assert_eq!([portable::address_space(), portable::bounded_memory()], [None; 2]);
        assert!(is_own("/dev/fd/3", false) && is_own("/proc/self/cwd", true) && !is_own("/dev/null", false));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_has_ended_is_gone_and_so_is_one_of_its_number_that_began_at_another_time() {
        let me = std::process::id();
        let began = life(me).unwrap().began;
        assert!(!is_gone(me, began) && is_gone(me, began + 1));
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let began = life(child.id()).unwrap().began;
        assert!(!is_gone(child.id(), began));
        child.kill().unwrap();
        let begin = Instant::now();
        // Nobody has asked yet how it ended.
        while !is_gone(child.id(), began) && begin.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(is_gone(child.id(), began));
        child.wait().unwrap();
        assert!(is_gone(child.id(), began) && numbering().is_some());
    }

    #[test]
    fn a_place_of_a_process_is_known() {
        assert!(is_made_for_each(Path::new("/proc/self/cwd"), true));
        assert!(!is_made_for_each(Path::new("/tmp/link"), true));
    }
}
