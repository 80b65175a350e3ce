//! What a process has used, as the kernel says.

use std::fs;
use std::time::Duration;

/// The kernel counts processor time for user space in hundredths of a second, whatever its own clock.
const TICK: Duration = Duration::from_millis(10);

/// Processor time of a process so far, user and system, of all its threads; of this one if none is named. Nothing where the
/// kernel does not say.
pub fn processor_time(process: Option<u32>) -> Option<Duration> {
    let stat = fs::read_to_string(file(process, "stat")).ok()?;
    // The name of the program, in brackets, may hold anything.
    let mut fields = stat.get(stat.rfind(')')? + 1..)?.split_ascii_whitespace().skip(11);
    let (user, system): (u32, u32) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some(TICK * user + TICK * system)
}

/// The most memory of a process that was resident at any time, in bytes; of this one if none is named.
pub fn peak_memory(process: Option<u32>) -> Option<u64> {
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
    use super::*;

    #[test]
    fn a_process_that_works_and_takes_memory_is_seen_to() {
        let before = (processor_time(None).unwrap(), peak_memory(None).unwrap());
        let mut memory = vec![1u8; 64 << 20];
        while processor_time(None).unwrap() == before.0 {
            memory.iter_mut().for_each(|byte| *byte = byte.wrapping_mul(3));
        }
        assert!(peak_memory(None).unwrap() >= 64 << 20, "{}", memory[0]);
        assert_eq!(peak_memory(Some(std::process::id())), peak_memory(None));
        assert_eq!(processor_time(Some(u32::MAX)), None, "no such process");
    }
}
