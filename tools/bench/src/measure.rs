//! What a program costs: seconds by the clock, seconds of the processors, memory at its highest.

use std::fs::{self, File};
use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use mteb_system::process::{anonymous_memory, descendants, own_peak_memory};
use wait4::Wait4;
use xtask_start::command::target_folder;

/// What one run of a program needed.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Seconds by the clock.
    pub seconds: f64,
    /// Seconds of all threads' work, that of programs it started and waited for included.
    pub processor: f64,
    /// Most resident bytes of the process, or of the largest it started and waited for.
    pub peak: f64,
}

impl Cost {
    /// The middle of each figure.
    pub fn middle(costs: &[Cost]) -> Cost {
        let of = |figure: fn(&Cost) -> f64| middle(costs.iter().map(figure));
        Cost {
            seconds: of(|cost| cost.seconds),
            processor: of(|cost| cost.processor),
            peak: of(|cost| cost.peak),
        }
    }
}

/// The middle one of figures, the upper one of two; not a number if there are none.
pub fn middle(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Runs a program to its end, its standard output thrown away; one that fails is an error with what it said.
pub fn measure(command: &mut Command) -> Result<Cost, String> {
    let folder = target_folder().join("bench");
    let said = folder.join("said.txt");
    let file = fs::create_dir_all(folder)
        .and_then(|()| File::create(&said))
        .map_err(|error| format!("{}: {error}", said.display()))?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(file);
    let begin = Instant::now();
    let mut process = command.spawn().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let used = process.wait4().map_err(|error| format!("cannot wait for {command:?}: {error}"))?;
    let seconds = begin.elapsed().as_secs_f64();
    if !used.status.success() {
        let said = fs::read_to_string(said).unwrap_or_default();
        return Err(format!("{command:?} failed ({}): {said}", used.status));
    }
    // The system counts into a program's peak that of the one it was started from, here this one.
    if used.rusage.maxrss <= own_peak_memory(None).unwrap_or(0) {
        return Err(format!(
            "{command:?}: expected a program that needs more memory than this one, found one that needs less"
        ));
    }
    let processor = used.rusage.utime + used.rusage.stime;
    Ok(Cost { seconds, processor: processor.as_secs_f64(), peak: used.rusage.maxrss as f64 })
}

/// The middle of up to `runs` runs; no further one starts after `patience`.
pub fn often(
    runs: usize,
    patience: Duration,
    mut run: impl FnMut() -> Result<Cost, String>,
) -> Result<Cost, String> {
    let begin = Instant::now();
    let mut costs = vec![run()?];
    while costs.len() < runs && begin.elapsed() < patience {
        costs.push(run()?);
    }
    Ok(Cost::middle(&costs))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_one_counts_whatever_the_order() {
        assert_eq!(middle([5.0, 1.0, 9.0].into_iter()), 5.0);
        assert_eq!(middle([5.0, 1.0].into_iter()), 5.0);
        assert!(middle([].into_iter()).is_nan());
    }
}
