//! The host's side of a worker: starts the process, asks, and says how it died.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mteb_plugin_api::v1::{PluginError, code};
use serde_json::Value;

use super::Plugin;
use super::frame;
use super::message::{Answer, Request};
use super::patience::Patience;
use super::patient::Patient;
use super::shared_memory::SharedMemory;
use super::temporary::TemporaryFolder;
use crate::interrupt;
use crate::settings::Settings;

/// Lines of a worker's standard error that are kept for the report of its death.
const KEPT_LINES: usize = 12;
/// How long a worker that closed its pipes may take to end.
const LAST_BREATH: Duration = Duration::from_secs(2);

/// A running worker with one plugin.
pub struct Worker {
    child: Child,
    input: BufWriter<Patient<ChildStdin>>,
    output: BufReader<Patient<ChildStdout>>,
    memory: SharedMemory,
    last_lines: Arc<Mutex<VecDeque<String>>>,
    reader: Option<JoinHandle<()>>,
    plugin: PathBuf,
    patience: Patience,
    /// Where the plugin may write; goes with the worker.
    _temporary: Option<TemporaryFolder>,
}

/// What a worker is started for.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The plugin's file.
    pub plugin: &'a Path,
    /// SHA-256 that the file must have.
    pub checksum: &'a str,
    /// Folder below which the plugin gets a place for temporary files.
    pub cache_dir: &'a Path,
    /// How long to wait for answers.
    pub patience: Patience,
}

/// Why a worker gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The plugin was refused.
    #[error("{0}")]
    Refused(String),
    /// The plugin answered with an error.
    #[error("{}: {}", .plugin.display(), .error)]
    Plugin {
        /// The plugin's file.
        plugin: PathBuf,
        /// What it said.
        error: PluginError,
    },
    /// The process died.
    #[error("{}: the worker process {how}{last_words}", .plugin.display())]
    Died {
        /// The plugin's file.
        plugin: PathBuf,
        /// How it ended.
        how: String,
        /// What it printed last.
        last_words: String,
        /// True if the system killed it, as it does when memory runs out.
        killed: bool,
    },
    /// The run is to end.
    #[error("{}: interrupted", .0.display())]
    Interrupted(PathBuf),
    /// The process could not be started or spoken to.
    #[error("{}: cannot run a worker process: {source}", .plugin.display())]
    Io {
        /// The plugin's file.
        plugin: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl<'a> Start<'a> {
    /// The start of a known plugin.
    pub fn of(plugin: &'a Plugin, settings: &'a Settings) -> Self {
        let (cache_dir, patience) = (settings.cache_dir.as_path(), settings.patience);
        Self { plugin: &plugin.path, checksum: &plugin.checksum, cache_dir, patience }
    }
}

impl WorkerError {
    /// True if a smaller batch may work.
    pub fn is_memory(&self) -> bool {
        match self {
            Self::Plugin { error, .. } => error.code == code::OUT_OF_MEMORY,
            Self::Died { killed, .. } => *killed,
            _ => false,
        }
    }

    /// True if the process is gone.
    pub fn is_death(&self) -> bool {
        matches!(self, Self::Died { .. })
    }

    /// True if the run is to end.
    pub fn is_interruption(&self) -> bool {
        matches!(self, Self::Interrupted(_))
    }

    /// True if asking again can never help.
    pub fn is_final(&self) -> bool {
        match self {
            Self::Refused(_) => true,
            Self::Plugin { error, .. } => {
                matches!(error.code, code::INVALID_INPUT | code::NOT_FOUND | code::UNSUPPORTED)
            }
            _ => false,
        }
    }
}

impl Worker {
    /// Starts a worker.
    ///
    /// # Errors
    /// If the process cannot be started.
    pub fn start(start: Start) -> Result<Self, WorkerError> {
        spawn(start).map_err(|source| WorkerError::Io { plugin: start.plugin.to_owned(), source })
    }

    /// Asks `request` and waits for the answer.
    ///
    /// # Errors
    /// If the plugin fails, is refused, or its process dies or gives no answer in time.
    pub fn ask(&mut self, request: &Request, payload: &[u8]) -> Result<(Value, Vec<u8>), WorkerError> {
        let limit = self.patience.of(payload.len());
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        self.input.get_mut().until(deadline);
        self.output.get_mut().until(deadline);
        let answer = frame::write(&mut self.input, request, payload)
            .and_then(|()| frame::read::<Answer>(&mut self.output));
        match answer {
            Ok(Some((Answer::Done(value), payload))) => Ok((value, payload)),
            Ok(Some((Answer::Failed { code, message }, _))) => Err(WorkerError::Plugin {
                plugin: self.plugin.clone(),
                error: PluginError::new(code, message),
            }),
            Ok(Some((Answer::Refused { message }, _))) => Err(WorkerError::Refused(message)),
            Err(_) if interrupt::requested() => {
                self.end();
                Err(WorkerError::Interrupted(self.plugin.clone()))
            }
            Err(error) if error.kind() == ErrorKind::TimedOut => Err(self.ended(&no_answer(limit))),
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                Err(self.ended("sent what is no message, and was ended"))
            }
            Ok(None) | Err(_) => Err(self.death()),
        }
    }

    /// The first `length` numbers that the worker wrote to the shared memory.
    ///
    /// # Errors
    /// If the memory cannot be mapped.
    pub fn floats(&mut self, length: usize) -> Result<&[f32], WorkerError> {
        match self.memory.floats(length) {
            Ok(floats) => Ok(floats),
            Err(source) => Err(WorkerError::Io { plugin: self.plugin.clone(), source }),
        }
    }

    /// The libraries that the worker has loaded, as the system sees them.
    pub fn libraries(&self) -> Vec<PathBuf> {
        let maps = std::fs::read_to_string(format!("/proc/{}/maps", self.child.id())).unwrap_or_default();
        let mut paths: Vec<PathBuf> =
            maps.lines().filter_map(|line| Some(line.get(line.find('/')?..)?.into())).collect();
        paths.sort();
        paths.dedup();
        paths
    }

    /// The worker closed its pipes: it died, or cannot be trusted any more.
    fn death(&mut self) -> WorkerError {
        let until = Instant::now() + LAST_BREATH;
        while Instant::now() < until {
            if let Ok(Some(status)) = self.child.try_wait() {
                return self.died(describe(status), status.signal() == Some(9));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        self.ended("closed its pipes, and was ended")
    }

    /// Ends the worker, which lives but is of no use.
    fn ended(&mut self, how: &str) -> WorkerError {
        self.end();
        self.died(how.to_owned(), false)
    }

    fn end(&mut self) {
        // The worker may be gone already, which is what is wanted; so may what it started in its group.
        let group = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
        if let Some(group) = group {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn died(&mut self, how: String, killed: bool) -> WorkerError {
        // The reader ends with the process, unless a child of it holds the stream.
        let until = Instant::now() + LAST_BREATH / 10;
        while self.reader.as_ref().is_some_and(|reader| !reader.is_finished()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.reader = None;
        WorkerError::Died { plugin: self.plugin.clone(), how, last_words: self.last_words(), killed }
    }

    fn last_words(&self) -> String {
        let lines = self.last_lines.lock().unwrap_or_else(PoisonError::into_inner);
        let words = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty());
        let words = words.collect::<Vec<_>>().join(" | ");
        if words.is_empty() { String::new() } else { format!("; it printed last: {words}") }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}

fn spawn(start: Start) -> io::Result<Worker> {
    let memory = SharedMemory::create()?;
    // Without a place for temporary files a plugin can write nowhere, which most never notice.
    let temporary = TemporaryFolder::create(start.cache_dir).ok();
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("worker").arg("--memory").arg(memory.descriptor().to_string());
    command.arg("--host").arg(std::process::id().to_string());
    command.arg("--checksum").arg(start.checksum).arg("--plugin").arg(start.plugin);
    if let Some(temporary) = &temporary {
        command.arg("--temporary").arg(temporary.path()).env("TMPDIR", temporary.path());
    }
    // A group of its own: Ctrl-C reaches the host alone, which then ends the worker.
    command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = memory.shared_with_children(|| command.spawn())?;
    let missing = || io::Error::other("the worker has no streams");
    let input = BufWriter::new(Patient::new(child.stdin.take().ok_or_else(missing)?)?);
    let output = BufReader::new(Patient::new(child.stdout.take().ok_or_else(missing)?)?);
    let errors = child.stderr.take().ok_or_else(missing)?;
    let last_lines = Arc::new(Mutex::new(VecDeque::new()));
    let reader = Some(keep_last_lines(errors, Arc::clone(&last_lines)));
    let (plugin, patience) = (start.plugin.to_owned(), start.patience);
    Ok(Worker { child, input, output, memory, last_lines, reader, plugin, patience, _temporary: temporary })
}

fn no_answer(limit: Option<Duration>) -> String {
    let seconds = limit.unwrap_or_default().as_secs();
    format!(
        "gave no answer for {seconds} s, and was ended; \
         a slow model needs a longer `--batch-timeout` or a smaller `--batch-tokens`"
    )
}

/// Reads the worker's standard error to its end, so that it never blocks, and keeps the last lines.
fn keep_last_lines(errors: ChildStderr, kept: Arc<Mutex<VecDeque<String>>>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let mut errors = BufReader::new(errors);
        let mut line = Vec::new();
        // A line is cut at 4 kB: a plugin that prints without end must not fill the memory.
        while let Ok(1..) = errors.by_ref().take(4096).read_until(b'\n', &mut line) {
            let text = String::from_utf8_lossy(&line).into_owned();
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() == KEPT_LINES {
                kept.pop_front();
            }
            kept.push_back(text);
            line.clear();
        }
    })
}

fn describe(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("was killed by signal {signal}{}", signal_name(signal)),
        (None, Some(code)) => format!("ended with exit code {code}"),
        (None, None) => "ended".to_owned(),
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => " (illegal instruction)",
        6 => " (abort)",
        7 => " (bus error)",
        8 => " (arithmetic error)",
        9 => " (kill; the system does this when memory runs out)",
        11 => " (segmentation fault)",
        15 => " (termination)",
        _ => "",
    }
}
