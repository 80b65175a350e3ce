//! A process of our own that answers questions: frames over its standard streams, a deadline, and how it ended.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mteb_base::interrupt;
use mteb_base::threads;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::deadline_pipe::DeadlinePipe;
use super::frame::{self, Frame};

/// Lines of the process's standard error that are kept for the report of its end.
const KEPT_LINES: usize = 12;
/// What is said of a process of which two have answered, such as one that a model has left behind by `fork`.
const OTHER_ANSWER: &str =
    "gave an answer to another request, and was ended; more than one process answers for it";
/// How long a process that closed its pipes may take to end.
const LAST_BREATH: Duration = Duration::from_secs(2);

/// A running process. It ends when this is dropped, and so does what it has started.
pub struct Answering {
    child: Child,
    input: BufWriter<DeadlinePipe<ChildStdin>>,
    output: BufReader<DeadlinePipe<ChildStdout>>,
    /// Questions so far.
    asked: u64,
    last_lines: Arc<Mutex<VecDeque<String>>>,
    reader: Option<JoinHandle<()>>,
    /// True if somebody hears what it prints.
    is_heard: bool,
}

/// Hears each line that a process prints on its standard error.
pub type Hears = dyn Fn(&str) + Send;

/// Why a process gave no answer; but for an interruption with what it printed last.
#[derive(Debug)]
pub enum Silence {
    /// The host is to end.
    Interrupted,
    /// It missed the deadline, and was ended.
    Late(String),
    /// It ended by itself.
    Ended(ExitStatus, String),
    /// It did what it should not, and was ended.
    Misbehaved(&'static str, String),
}

impl Answering {
    /// Starts `command` with streams to this process, in a process group of its own: Ctrl-C reaches the host alone.
    ///
    /// # Errors
    /// If the process cannot be started.
    pub fn start(command: Command, spawn: impl FnOnce(Command) -> io::Result<Child>) -> io::Result<Self> {
        Self::start_heard(command, spawn, None)
    }

    /// As [`Self::start`]; each line that the process prints is heard at once.
    ///
    /// # Errors
    /// If the process cannot be started.
    pub fn start_heard(
        mut command: Command,
        spawn: impl FnOnce(Command) -> io::Result<Child>,
        hears: Option<Box<Hears>>,
    ) -> io::Result<Self> {
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = spawn(command)?;
        let missing = || io::Error::other("the worker has no streams");
        let input = BufWriter::new(DeadlinePipe::new(child.stdin.take().ok_or_else(missing)?)?);
        let output = BufReader::new(DeadlinePipe::new(child.stdout.take().ok_or_else(missing)?)?);
        let errors = child.stderr.take().ok_or_else(missing)?;
        let last_lines = Arc::new(Mutex::new(VecDeque::new()));
        let (kept, is_heard) = (Arc::clone(&last_lines), hears.is_some());
        let mut process = Self { child, input, output, asked: 0, last_lines, reader: None, is_heard };
        process.reader = Some(keep_last_lines(errors, kept, hears)?);
        Ok(process)
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Asks `question` and waits for the answer, no longer than `limit`.
    ///
    /// # Errors
    /// If there is none; the process is gone then.
    pub fn ask<A: DeserializeOwned>(
        &mut self,
        question: &impl Serialize,
        payload: &[u8],
        limit: Option<Duration>,
    ) -> Result<(A, Vec<u8>), Silence> {
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        self.input.get_mut().until(deadline);
        self.output.get_mut().until(deadline);
        self.asked += 1;
        let answer = frame::write(&mut self.input, self.asked, question, payload)
            .and_then(|()| frame::read(&mut self.output));
        match answer {
            Ok(Some(Frame { number, .. })) if number != self.asked => Err(self.misbehaved(OTHER_ANSWER)),
            // Nothing was asked yet that more could answer.
            Ok(Some(_)) if !self.output.buffer().is_empty() => Err(self.misbehaved(OTHER_ANSWER)),
            Ok(Some(Frame { header, payload, .. })) => Ok((header, payload)),
            Err(_) if interrupt::requested() => {
                self.end();
                Err(Silence::Interrupted)
            }
            Err(error) if error.kind() == ErrorKind::TimedOut => {
                self.end();
                Err(Silence::Late(self.last_words()))
            }
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                Err(self.misbehaved("sent something that is not a message, and was ended"))
            }
            Ok(None) | Err(_) => Err(self.closed()),
        }
    }

    /// The process closed its pipes: it died, or cannot be trusted any more.
    fn closed(&mut self) -> Silence {
        let until = Instant::now() + LAST_BREATH;
        while Instant::now() < until {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Silence::Ended(status, self.last_words());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        self.misbehaved("closed its pipes, and was ended")
    }

    fn misbehaved(&mut self, how: &'static str) -> Silence {
        Silence::Misbehaved(how, self.end_and_hear())
    }

    /// Ends the process; gives what it printed last.
    pub fn end_and_hear(&mut self) -> String {
        self.end();
        self.last_words()
    }

    fn end(&mut self) {
        // The process may be gone already, which is what is wanted; so may what it started in its group.
        let group = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
        if let Some(group) = group {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits until all that was printed is read. The reader ends with the process, unless a child of it holds the stream.
    fn hear_out(&mut self) {
        let until = Instant::now() + LAST_BREATH / 10;
        while self.reader.as_ref().is_some_and(|reader| !reader.is_finished()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.reader = None;
    }

    fn last_words(&mut self) -> String {
        self.hear_out();
        let lines = self.last_lines.lock().unwrap_or_else(PoisonError::into_inner);
        let words = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty());
        let words = words.collect::<Vec<_>>().join(" | ");
        if words.is_empty() { String::new() } else { format!("; it printed last: {words}") }
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.end();
        if self.is_heard {
            self.hear_out();
        }
    }
}

/// Reads the process's standard error to its end, so that it never blocks, and keeps the last lines.
fn keep_last_lines(
    errors: ChildStderr,
    kept: Arc<Mutex<VecDeque<String>>>,
    hears: Option<Box<Hears>>,
) -> io::Result<JoinHandle<()>> {
    std::thread::Builder::new().stack_size(threads::stack()).name("last words".to_owned()).spawn(move || {
        let mut errors = BufReader::new(errors);
        let mut line = Vec::new();
        // A line is cut at 4 kB: a plugin that prints without end must not fill the memory.
        while let Ok(1..) = errors.by_ref().take(4096).read_until(b'\n', &mut line) {
            let text = String::from_utf8_lossy(&line).into_owned();
            hears.iter().for_each(|hears| hears(&text));
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() == KEPT_LINES {
                kept.pop_front();
            }
            kept.push_back(text);
            line.clear();
        }
    })
}
