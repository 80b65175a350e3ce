//! The most memory that a process and its workers hold, as the system counts it.

use std::io;
use std::process::{Child, ExitStatus};
use std::thread::sleep;
use std::time::Duration;

use mteb_system::process::{anonymous_memory, descendants, own_peak_memory};

/// Time between two looks. The system keeps the peaks, so that only what grows in the last moment is missed.
const PAUSE: Duration = Duration::from_millis(20);

/// Bytes of memory at their highest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Peaks {
    /// Resident memory of the process, mapped pages of files and shared memory counted.
    pub host: u64,
    /// Its own memory without these, at its highest as often as it was looked at.
    pub host_own: u64,
    /// Resident memory of the largest of the processes that it started, and that these started.
    pub worker: u64,
    /// The same without mapped pages of files and shared memory, of whichever of them has most, as often as they were looked at.
    pub worker_own: u64,
}

/// Watches `process` until it ends.
pub fn watch(process: &mut Child) -> io::Result<(Peaks, ExitStatus)> {
    let mut peaks = Peaks::default();
    loop {
        if let Some(status) = process.try_wait()? {
            return Ok((peaks, status));
        }
        // Of a process that has ended meanwhile nothing is known.
        let host = process.id();
        peaks.host = peaks.host.max(own_peak_memory(Some(host)).unwrap_or(0));
        peaks.host_own = peaks.host_own.max(anonymous_memory(Some(host)).unwrap_or(0));
        for worker in descendants(host) {
            peaks.worker = peaks.worker.max(own_peak_memory(Some(worker)).unwrap_or(0));
            peaks.worker_own = peaks.worker_own.max(anonymous_memory(Some(worker)).unwrap_or(0));
        }
        sleep(PAUSE);
    }
}
