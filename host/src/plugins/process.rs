//! The host's side of a worker: starts the process, asks, and says how it died.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mteb_plugin_api::v1::{PluginError, code};
use serde_json::Value;

use super::Plugin;
use super::death::Death;
use super::frame;
use super::message::{Answer, Request};
use super::patience::Patience;
use super::patient::Patient;
use super::shared_memory::SharedMemory;
use super::temporary::TemporaryFolder;
use crate::byte_size::ByteSize;
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
    memory_limit: Option<ByteSize>,
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
    /// Most memory that the worker may take.
    pub memory_limit: Option<ByteSize>,
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
        /// True if memory ran out, or the system killed it, as it does then.
        is_memory: bool,
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
        Self::with(&plugin.path, &plugin.checksum, settings)
    }

    /// The start of the plugin at `plugin`, whose SHA-256 is `checksum`.
    pub fn with(plugin: &'a Path, checksum: &'a str, settings: &'a Settings) -> Self {
        let Settings { cache_dir, patience, worker_memory, .. } = settings;
        Self { plugin, checksum, cache_dir, patience: *patience, memory_limit: *worker_memory }
    }
}

impl WorkerError {
    /// True if a smaller batch may work.
    pub fn is_memory(&self) -> bool {
        match self {
            Self::Plugin { error, .. } => error.code == code::OUT_OF_MEMORY,
            Self::Died { is_memory, .. } => *is_memory,
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
                return self.died(|last_words, limit| Death::of(status, last_words, limit));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        self.ended("closed its pipes, and was ended")
    }

    /// Ends the worker, which lives but is of no use.
    fn ended(&mut self, how: &str) -> WorkerError {
        self.end();
        self.died(|_, _| Death { how: how.to_owned(), is_memory: false })
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

    fn died(&mut self, death: impl FnOnce(&str, Option<ByteSize>) -> Death) -> WorkerError {
        // The reader ends with the process, unless a child of it holds the stream.
        let until = Instant::now() + LAST_BREATH / 10;
        while self.reader.as_ref().is_some_and(|reader| !reader.is_finished()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.reader = None;
        let last_words = self.last_words();
        let Death { how, is_memory } = death(&last_words, self.memory_limit);
        WorkerError::Died { plugin: self.plugin.clone(), how, last_words, is_memory }
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
    if let Some(ByteSize(limit)) = start.memory_limit {
        command.arg("--memory-limit").arg(limit.to_string());
    }
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
    Ok(Worker {
        child,
        input,
        output,
        memory,
        last_lines,
        reader,
        plugin: start.plugin.to_owned(),
        patience: start.patience,
        memory_limit: start.memory_limit,
        _temporary: temporary,
    })
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
