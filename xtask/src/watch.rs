//! The most memory that a process and its workers hold, as the system counts it.

use std::fs;
use std::io;
use std::process::{Child, ExitStatus};
use std::thread::sleep;
use std::time::Duration;

/// Time between two looks. The system keeps the peaks, so that only what grows in the last moment is missed.
const PAUSE: Duration = Duration::from_millis(20);

/// Bytes of memory at their highest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Peaks {
    /// Resident memory of the process, mapped pages of files and shared memory counted.
    pub host: u64,
    /// Its own memory without these, at its highest as often as it was looked at.
    pub host_own: u64,
    /// Resident memory of the largest of its children.
    pub worker: u64,
}

/// Watches `process` until it ends.
pub fn watch(process: &mut Child) -> io::Result<(Peaks, ExitStatus)> {
    let mut peaks = Peaks::default();
    loop {
        if let Some(status) = process.try_wait()? {
            return Ok((peaks, status));
        }
        let host = process.id();
        peaks.host = peaks.host.max(field(host, "VmHWM:"));
        peaks.host_own = peaks.host_own.max(field(host, "RssAnon:"));
        for worker in children(host) {
            peaks.worker = peaks.worker.max(field(worker, "VmHWM:"));
        }
        sleep(PAUSE);
    }
}

/// A field of the process's status in bytes; 0 if it has ended.
pub fn field(process: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let value =
        status.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse().ok());
    value.map_or(0, |kibibytes: u64| kibibytes * 1024)
}

/// Processes that any thread of `process` has started.
fn children(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>())
        .collect()
}
