//! The host's side of a worker: starts the process, asks, and says how it died.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, BufWriter, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use mteb_plugin_api::v1::{PluginError, code};
use serde_json::Value;

use super::frame;
use super::message::{Answer, Request};
use super::shared_memory::SharedMemory;

/// Lines of a worker's standard error that are kept for the report of its death.
const KEPT_LINES: usize = 12;

/// A running worker with one plugin.
pub struct Worker {
    child: Child,
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
    memory: SharedMemory,
    last_lines: Arc<Mutex<VecDeque<String>>>,
    reader: Option<JoinHandle<()>>,
    plugin: PathBuf,
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
    /// The process could not be started or spoken to.
    #[error("{}: cannot run a worker process: {source}", .plugin.display())]
    Io {
        /// The plugin's file.
        plugin: PathBuf,
        /// What the system said.
        source: io::Error,
    },
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
    /// Starts a worker for the plugin at `plugin`.
    ///
    /// # Errors
    /// If the process cannot be started.
    pub fn start(plugin: &Path) -> Result<Self, WorkerError> {
        spawn(plugin).map_err(|source| WorkerError::Io { plugin: plugin.to_owned(), source })
    }

    /// Asks `request` and waits for the answer.
    ///
    /// # Errors
    /// If the plugin fails, is refused, or its process dies.
    pub fn ask(&mut self, request: &Request, payload: &[u8]) -> Result<(Value, Vec<u8>), WorkerError> {
        let answer = frame::write(&mut self.input, request, payload)
            .and_then(|()| frame::read::<Answer>(&mut self.output));
        match answer {
            Ok(Some((Answer::Done(value), payload))) => Ok((value, payload)),
            Ok(Some((Answer::Failed { code, message }, _))) => Err(WorkerError::Plugin {
                plugin: self.plugin.clone(),
                error: PluginError::new(code, message),
            }),
            Ok(Some((Answer::Refused { message }, _))) => Err(WorkerError::Refused(message)),
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

    fn death(&mut self) -> WorkerError {
        // A worker that closed its streams but lives cannot be trusted any more.
        let status = match self.child.try_wait() {
            Ok(Some(status)) => Ok(status),
            _ => {
                std::thread::sleep(std::time::Duration::from_millis(50));
                match self.child.try_wait() {
                    Ok(Some(status)) => Ok(status),
                    _ => self.child.kill().and_then(|()| self.child.wait()),
                }
            }
        };
        if let Some(reader) = self.reader.take() {
            // The reader ends with the process; its own failure changes nothing here.
            let _ = reader.join();
        }
        match status {
            Ok(status) => WorkerError::Died {
                plugin: self.plugin.clone(),
                how: describe(status),
                last_words: self.last_words(),
                killed: status.signal() == Some(9),
            },
            Err(source) => WorkerError::Io { plugin: self.plugin.clone(), source },
        }
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
        // The worker may be gone already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(plugin: &Path) -> io::Result<Worker> {
    let memory = SharedMemory::create()?;
    let mut child = Command::new(std::env::current_exe()?)
        .arg("worker")
        .arg("--memory")
        .arg(memory.descriptor().to_string())
        .arg("--host")
        .arg(std::process::id().to_string())
        .arg("--plugin")
        .arg(plugin)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let missing = || io::Error::other("the worker has no streams");
    let input = BufWriter::new(child.stdin.take().ok_or_else(missing)?);
    let output = BufReader::new(child.stdout.take().ok_or_else(missing)?);
    let errors = child.stderr.take().ok_or_else(missing)?;
    let last_lines = Arc::new(Mutex::new(VecDeque::new()));
    let reader = Some(keep_last_lines(errors, Arc::clone(&last_lines)));
    Ok(Worker { child, input, output, memory, last_lines, reader, plugin: plugin.to_owned() })
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
