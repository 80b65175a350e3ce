//! The host's side: the rows of one file, which a worker parses, and what it may cost to read it.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mteb_base::byte_size::ByteSize;
use mteb_data::{DataError, ReadRows, Table, Wanted};
use mteb_system::memory_file;

use super::message::{ParserAnswer, ParserQuestion};
use super::parser::{Idle, Parser};
use super::piece;
use crate::plugins::{Death, Silence};

/// A worker that was given more is not kept: it may hold memory to which the next file has no right.
const LARGEST_BEFORE: ByteSize = ByteSize(2 << 30);

/// The signal that nothing outlives.
const KILL: i32 = 9;

/// The rows of one file.
pub struct WorkerRows {
    idle: Arc<Idle>,
    path: PathBuf,
    wanted: Wanted,
    budget: Budget,
    /// Absent before it is started, and once it has died.
    parser: Option<Parser>,
    /// True once rows were given.
    has_given: bool,
}

enum ParseFailure {
    /// The file is at fault; the worker lives.
    File(DataError),
    /// There was no answer.
    Silent(Silence),
    /// The worker cannot be started, or its answer is none.
    Worker(io::Error),
}

impl From<io::Error> for ParseFailure {
    fn from(error: io::Error) -> Self {
        Self::Worker(error)
    }
}

impl WorkerRows {
    /// Opens the file at `path` to read the `wanted` columns within `budget`.
    ///
    /// # Errors
    /// If it is at fault, or asks for more.
    pub fn open(idle: &Arc<Idle>, path: &Path, wanted: &Wanted, budget: Budget) -> Result<Self, DataError> {
        let (idle, parser) = (Arc::clone(idle), idle.take());
        let (path, wanted) = (path.to_owned(), wanted.clone());
        let mut rows = Self { idle, path, wanted, budget, parser, has_given: false };
        rows.attempt(Self::open_file)?;
        Ok(rows)
    }

    /// Does `ask`. A worker that has read other files is not trusted to die of this one: as long as no rows were given, a
    /// new one tries again.
    fn attempt<T>(&mut self, ask: impl Fn(&mut Self) -> Result<T, ParseFailure>) -> Result<T, DataError> {
        let was_used = self.parser.as_ref().is_some_and(|parser| parser.is_used);
        let answer = match ask(self) {
            Err(ParseFailure::Silent(Silence::Ended(..) | Silence::Misbehaved(..)))
                if was_used && !self.has_given =>
            {
                self.parser = None;
                self.open_file().and_then(|()| ask(self))
            }
            answer => answer,
        };
        answer.map_err(|failure| self.error(failure))
    }

    fn open_file(&mut self) -> Result<(), ParseFailure> {
        if self.parser.is_none() {
            self.parser = Some(Parser::start()?);
        }
        let question = ParserQuestion::open(&self.wanted, self.budget.memory.0);
        let path = self.path.as_os_str().as_bytes().to_owned();
        match self.ask(&question, &path)? {
            ParserAnswer::Opened => Ok(()),
            ParserAnswer::Fault(fault) => Err(ParseFailure::File(fault.into_error(&self.path))),
            ParserAnswer::Rows(_) => Err(nonsense().into()),
        }
    }

    fn read_piece(&mut self, limit: usize) -> Result<Table, ParseFailure> {
        match self.ask(&ParserQuestion::Read { limit: limit as u64 }, &[])? {
            ParserAnswer::Rows(descriptor) => {
                let id = self.parser.as_ref().map_or(0, |parser| parser.process.id());
                let file = memory_file::of_process(id, descriptor)?;
                let place = self.path.display().to_string();
                Ok(piece::read(file, &place, limit).map_err(io::Error::other)?)
            }
            ParserAnswer::Fault(fault) => Err(ParseFailure::File(fault.into_error(&self.path))),
            ParserAnswer::Opened => Err(nonsense().into()),
        }
    }

    fn ask(&mut self, question: &ParserQuestion, payload: &[u8]) -> Result<ParserAnswer, ParseFailure> {
        let Some(parser) = &mut self.parser else {
            return Err(io::Error::other("the worker that reads it is gone").into());
        };
        let answer = parser.process.ask(question, payload, Some(self.budget.time));
        answer.map(|(answer, _)| answer).map_err(ParseFailure::Silent)
    }

    /// What is said of a failure. What has failed in another way than by a fault of the file is not asked again.
    fn error(&mut self, failure: ParseFailure) -> DataError {
        let silence = match failure {
            ParseFailure::File(error) => return error,
            ParseFailure::Worker(source) => {
                self.parser = None;
                let message = format!("cannot read the file in a separate process: {source}");
                return self.malformed(message);
            }
            ParseFailure::Silent(silence) => silence,
        };
        self.parser = None;
        let Budget { memory, time } = self.budget;
        match silence {
            Silence::Interrupted => {
                let source = io::Error::new(io::ErrorKind::Interrupted, "interrupted");
                DataError::Io { path: self.path.clone(), source }
            }
            Silence::Late(_) => self.malformed(format!(
                "expected rows within {} s, found none; split the file into smaller ones",
                time.as_secs()
            )),
            Silence::Misbehaved(how, last_words) => {
                self.malformed(format!("the process that reads the file {how}{last_words}"))
            }
            Silence::Ended(status, last_words) => {
                let Death { how, is_memory } = Death::of(status, &last_words, None);
                // A kill may have come from anyone, also from the system where memory runs out.
                if is_memory && status.signal().is_none_or(|signal| signal != KILL) {
                    return self.malformed(format!(
                        "expected a file that takes at most {memory} of memory to read, found one that takes \
                         more; if this is intended, split it, or write it uncompressed"
                    ));
                }
                self.malformed(format!("the process that reads the file {how}{last_words}"))
            }
        }
    }

    fn malformed(&self, message: String) -> DataError {
        DataError::Malformed { place: self.path.display().to_string(), message }
    }
}

impl ReadRows for WorkerRows {
    fn read_rows(&mut self, limit: usize) -> Result<Table, DataError> {
        let table = self.attempt(|rows| rows.read_piece(limit))?;
        self.has_given = true;
        Ok(table)
    }
}

impl Drop for WorkerRows {
    fn drop(&mut self) {
        if let Some(parser) = self.parser.take().filter(|_| self.budget.memory <= LARGEST_BEFORE) {
            self.idle.put(Parser { is_used: true, ..parser });
        }
    }
}

fn nonsense() -> io::Error {
    io::Error::other("the worker answered another request")
}

/// Memory that any file may take.
const LEAST: u64 = 1 << 30;

/// How many times its size a larger file may take: text that is packed well and cells of mixed types take some 20 times.
const RATIO: u64 = 64;

/// Time for a piece of any file.
const SECONDS: u64 = 300;

/// Bytes of the file for which there is one more second.
const BYTES_A_SECOND: u64 = 1 << 20;

/// What it may cost to read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Memory of the worker while it reads a piece.
    pub memory: ByteSize,
    /// Time for a piece.
    pub time: Duration,
}

impl Budget {
    /// The budget of a file of `length` bytes.
    pub fn of(length: u64) -> Self {
        Self {
            memory: ByteSize(LEAST.saturating_add(length.saturating_mul(RATIO))),
            time: Duration::from_secs(SECONDS + length / BYTES_A_SECOND),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use super::*;
    use crate::plugins::{Answering, start_process};

    #[test]
    fn a_process_that_gives_no_rows_in_time_is_ended_and_the_file_named() {
        let mut silent = Command::new("sleep");
        silent.arg("60");
        let process = Answering::start(silent, start_process).unwrap();
        let id = rustix::process::Pid::from_raw(process.id().cast_signed()).unwrap();
        let idle = Arc::new(Idle::default());
        idle.put(Parser { process, is_used: true });
        let budget = Budget { memory: ByteSize(1 << 30), time: Duration::from_secs(1) };
        let opened = WorkerRows::open(&idle, Path::new("a.jsonl.gz"), &Wanted::All, budget);
        let said = opened.err().unwrap().to_string();
        assert_eq!(
            said,
            "a.jsonl.gz: expected rows within 1 s, found none; split the file into smaller ones"
        );
        assert!(rustix::process::test_kill_process(id).is_err() && idle.take().is_none());
    }

    #[test]
    fn a_budget_grows_with_the_file() {
        assert_eq!(Budget::of(888).memory.0 >> 20, 1024);
        let large = Budget::of(10 << 30);
        assert_eq!((large.memory.0 >> 30, large.time.as_secs()), (641, 300 + 10 * 1024));
        assert_eq!(Budget::of(u64::MAX).memory.0, u64::MAX);
    }
}
