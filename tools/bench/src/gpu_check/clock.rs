//! The time of the whole check, and programs that do not outlive it.

use std::cell::Cell;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::findings::GpuFault;

/// Time between two looks at a program.
const PAUSE: Duration = Duration::from_millis(10);

/// How much time is left.
#[derive(Debug)]
pub struct Clock {
    begin: Instant,
    budget: Duration,
    /// By how much programs may be slower than on a machine that is theirs.
    patience: u32,
    /// Where programs write.
    folder: PathBuf,
    started: Cell<usize>,
}

/// A program that runs.
#[derive(Debug)]
pub struct Running {
    child: Child,
    begin: Instant,
    said: [PathBuf; 2],
    name: String,
}

/// A program that has ended.
#[derive(Debug)]
pub struct Ended {
    /// How.
    pub status: ExitStatus,
    /// What it wrote to its standard output.
    pub output: String,
    /// What it wrote to its standard error.
    pub errors: String,
    /// Seconds from its start to its end.
    pub seconds: f64,
}

impl Clock {
    /// A clock that starts now; programs write into `folder`, and may be `patience` times as slow as they are said to be.
    pub fn new(budget: Duration, patience: u32, folder: &Path) -> Self {
        Self { begin: Instant::now(), budget, patience, folder: folder.to_owned(), started: Cell::new(0) }
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
    }

    /// Time that is left.
    pub fn left(&self) -> Duration {
        self.budget.saturating_sub(self.begin.elapsed())
    }

    /// Says that the time is over where less than `seconds` are left.
    ///
    /// # Errors
    /// Then.
    pub fn needs(&self, seconds: u64) -> Result<(), GpuFault> {
        if self.left() < Duration::from_secs(seconds) { Err(GpuFault::TimeIsOver) } else { Ok(()) }
    }

    /// Starts a program. Its standard input stays open until it is waited for.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(&self, command: &mut Command) -> Result<Running, GpuFault> {
        let number = self.started.get();
        self.started.set(number + 1);
        let said = ["output", "errors"].map(|name| self.folder.join(format!("said-{number}-{name}.txt")));
        let [output, errors] = said.each_ref().map(File::create);
        let cannot = |error: std::io::Error| format!("cannot run {command:?}: {error}");
        let name = format!("{command:?}");
        let (output, errors) = (output.map_err(cannot)?, errors.map_err(cannot)?);
        // A group of its own, so that what it starts can be ended with it.
        command.stdin(Stdio::piped()).stdout(output).stderr(errors).process_group(0);
        let child = command.spawn().map_err(|error| format!("cannot run {name}: {error}"))?;
        Ok(Running { child, begin: Instant::now(), said, name })
    }

    /// Waits for a program for at most `seconds`, and no longer than the whole check may take.
    ///
    /// # Errors
    /// If it has not ended by then; it is ended.
    pub fn finish(&self, mut running: Running, seconds: u64) -> Result<Ended, GpuFault> {
        drop(running.child.stdin.take());
        let allowed = Duration::from_secs(seconds) * self.patience;
        loop {
            let status = running.child.try_wait().map_err(|error| format!("{}: {error}", running.name))?;
            if let Some(status) = status {
                let [output, errors] = running.said.each_ref().map(|path| read(path));
                return Ok(Ended { status, output, errors, seconds: running.begin.elapsed().as_secs_f64() });
            }
            if self.left().is_zero() {
                return Err(GpuFault::TimeIsOver);
            }
            if running.begin.elapsed() > allowed {
                let name = &running.name;
                return Err(GpuFault::Failed(format!(
                    "expected an end within {allowed:?}, found none: {name}"
                )));
            }
            sleep(PAUSE);
        }
    }

    /// Waits until a program has written a line, for at most `seconds`, and no longer than the whole check may take.
    ///
    /// # Errors
    /// If it ends, or the time passes, without one.
    pub fn first_line(&self, running: &mut Running, seconds: u64) -> Result<String, GpuFault> {
        let limit = Duration::from_secs(seconds);
        let begin = Instant::now();
        loop {
            if let Some((line, _)) = running.output().split_once('\n') {
                return Ok(line.to_owned());
            }
            let has_ended = running.child.try_wait().is_ok_and(|status| status.is_some());
            if has_ended || begin.elapsed() > limit {
                let said = read(&running.said[1]);
                let said = said.lines().last().unwrap_or("nothing").to_owned();
                return Err(GpuFault::Failed(format!("expected a line of {}, found: {said}", running.name)));
            }
            if self.left().is_zero() {
                return Err(GpuFault::TimeIsOver);
            }
            sleep(PAUSE);
        }
    }

    /// Runs a program to its end.
    ///
    /// # Errors
    /// If it cannot be started, or does not end in time.
    pub fn run(&self, command: &mut Command, seconds: u64) -> Result<Ended, GpuFault> {
        self.finish(self.start(command)?, seconds)
    }
}

impl Running {
    /// What it has written to its standard output so far.
    pub fn output(&self) -> String {
        read(&self.said[0])
    }
}

impl Drop for Running {
    /// Nothing that was started stays.
    fn drop(&mut self) {
        if self.child.try_wait().is_ok_and(|status| status.is_some()) {
            return;
        }
        let group = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
        if let Some(group) = group {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

impl Ended {
    /// The last line that says what went wrong.
    pub fn last_words(&self) -> String {
        let last = |text: &'_ str| text.lines().rfind(|line| !line.trim().is_empty()).map(str::to_owned);
        let said = last(&self.errors).or_else(|| last(&self.output)).unwrap_or("nothing was said".to_owned());
        format!("{said} ({})", self.status)
    }
}

fn read(path: &Path) -> String {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(seconds: u64) -> (tempfile::TempDir, Clock) {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::new(Duration::from_secs(seconds), 1, folder.path());
        (folder, clock)
    }

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_program_that_hangs_is_ended_and_said_to() {
        let (_folder, clock) = clock(60);
        let fault = clock.run(&mut shell("echo begun; sleep 600"), 1).unwrap_err();
        assert!(matches!(fault, GpuFault::Failed(message) if message.contains("expected an end within 1s")));
        assert_eq!(clock.run(&mut shell("echo well; exit 3"), 60).unwrap().status.code(), Some(3));
    }

    #[test]
    fn no_program_outlives_the_whole_check() {
        let (_folder, clock) = clock(1);
        assert_eq!(clock.run(&mut shell("sleep 600"), 600).unwrap_err(), GpuFault::TimeIsOver);
        assert_eq!(clock.needs(1), Err(GpuFault::TimeIsOver));
        // Nor is a word of one waited for beyond it.
        let mut silent = clock.start(&mut shell("sleep 600")).unwrap();
        assert_eq!(clock.first_line(&mut silent, 600).unwrap_err(), GpuFault::TimeIsOver);
    }

    #[test]
    fn a_program_runs_until_its_input_ends() {
        let (_folder, clock) = clock(60);
        let mut running = clock.start(&mut shell("echo ready; cat; echo over")).unwrap();
        assert_eq!(clock.first_line(&mut running, 60).unwrap(), "ready");
        assert_eq!(clock.finish(running, 60).unwrap().output, "ready\nover\n");
    }
}
