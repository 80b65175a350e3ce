//! What a process and those that it started have used, as the kernel says.

use std::fs;
use std::time::Duration;

/// The kernel counts processor time for user space in hundredths of a second, whatever its own clock.
const TICK: Duration = Duration::from_millis(10);

/// Most processes of a family that are looked at.
const FAMILY: usize = 256;

/// Processor time of a process and its family so far, user and system, of all threads; of this one alone if none is named. Nothing where
/// the kernel does not say.
pub fn processor_time(process: Option<u32>) -> Option<Duration> {
    over_family(process, own_processor_time)
}

/// The most memory of a process that was resident at any time, in bytes, and that of each of its family beside it; of this one alone if
/// none is named. A model in Python lives in the interpreter that its worker started.
pub fn peak_memory(process: Option<u32>) -> Option<u64> {
    over_family(process, own_peak_memory)
}

/// The sum over a process, which must be there, and those that it started.
fn over_family<T: std::iter::Sum>(process: Option<u32>, used: fn(Option<u32>) -> Option<T>) -> Option<T> {
    let own = used(process)?;
    Some(std::iter::once(own).chain(family(process).into_iter().filter_map(|child| used(Some(child)))).sum())
}

/// The processes that `process` has started, and those that they have; none of this one, whose workers are counted by themselves.
fn family(process: Option<u32>) -> Vec<u32> {
    let Some(process) = process else { return Vec::new() };
    let mut found = children(process);
    let mut place = 0;
    while place < found.len() && found.len() < FAMILY {
        found.extend(children(found[place]));
        place += 1;
    }
    found
}

fn children(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_ascii_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
        .collect()
}

fn own_processor_time(process: Option<u32>) -> Option<Duration> {
    let stat = fs::read_to_string(file(process, "stat")).ok()?;
    // The name of the program, in brackets, may hold anything.
    let mut fields = stat.get(stat.rfind(')')? + 1..)?.split_ascii_whitespace().skip(11);
    let (user, system): (u32, u32) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some(TICK * user + TICK * system)
}

fn own_peak_memory(process: Option<u32>) -> Option<u64> {
    let status = fs::read_to_string(file(process, "status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kilobytes << 10)
}

fn file(process: Option<u32>, name: &str) -> String {
    process.map_or_else(|| format!("/proc/self/{name}"), |process| format!("/proc/{process}/{name}"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt;

    use super::*;

    #[test]
    fn a_process_that_works_and_takes_memory_is_seen_to() {
        let before = (processor_time(None).unwrap(), peak_memory(None).unwrap());
        let mut memory = vec![1u8; 64 << 20];
        while processor_time(None).unwrap() == before.0 {
            memory.iter_mut().for_each(|byte| *byte = byte.wrapping_mul(3));
        }
        assert!(peak_memory(None).unwrap() >= 64 << 20, "{}", memory[0]);
        assert_eq!(own_peak_memory(Some(std::process::id())), own_peak_memory(None));
        assert_eq!(processor_time(Some(u32::MAX)), None, "no such process");
    }

    #[test]
    fn what_a_process_has_started_counts_with_it() {
        let script = "dd if=/dev/zero of=/dev/null bs=64M count=100000 & wait";
        let mut shell =
            std::process::Command::new("sh").args(["-c", script]).process_group(0).spawn().unwrap();
        let process = Some(shell.id());
        let begin = std::time::Instant::now();
        while peak_memory(process).unwrap() < 64 << 20 && begin.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(TICK);
        }
        let (all, own) = (peak_memory(process).unwrap(), own_peak_memory(process).unwrap());
        rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&shell),
            rustix::process::Signal::KILL,
        )
        .unwrap();
        shell.wait().unwrap();
        assert!(all >= 64 << 20 && own < 64 << 20, "{all} of all, {own} of the shell");
    }
}
